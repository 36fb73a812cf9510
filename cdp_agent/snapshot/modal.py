"""What an open modal dialog shuts out of a document. Pure.

The accessibility tree leaves it out by itself; what only the layout knows of (a hand cursor, a
listener for clicks) has to be asked about.
"""

from __future__ import annotations

from cdp_agent.snapshot.ax import AxTree, states_of
from cdp_agent.snapshot.dom import DomFacts

_DIALOGS = frozenset({"dialog", "alertdialog"})


class Offered:
    """What of a document can be acted on while its modal dialogs, if it shows any, are open."""

    def __init__(self, tree: AxTree, dom: DomFacts) -> None:
        self._dom = dom
        self._modals: list[int] = []
        if dom.has_attribute("open"):  # as every dialog that is shown has
            self._modals = [
                node.backendDOMNodeId
                for node in tree.nodes
                if node.role_name in _DIALOGS
                and dom.tag(node.backendDOMNodeId) == "dialog"
                and states_of(node).get("modal") is True
            ]

    def among(self, backend_node_ids: list[int]) -> list[int]:
        """Those of these nodes that stand in one of the dialogs; all, where there is none."""
        modals, contains = self._modals, self._dom.contains
        if not modals:
            return backend_node_ids
        return [one for one in backend_node_ids if any(contains(modal, one) for modal in modals)]
