"""Elements that a few words describe: `the Save button`. Pure; no model is asked.

Every word has to be in the element's name (or, where it has none, in its hint), but for articles
and for a last word such as `button` or `field` that says the role.
"""

from __future__ import annotations

import re

from cdp_agent.snapshot import Node, Snapshot
from cdp_agent.snapshot.text.fallback_name import fallback_name

_IGNORED = frozenset("a an the this that to for of on in at by with which is".split())  # noqa: SIM905
_TEXT = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
_CHOICE = frozenset({"combobox", "listbox"})
_ROLES: dict[str, frozenset[str]] = {
    "button": frozenset({"button", "menuitem", "tab"}),
    "link": frozenset({"link"}),
    **dict.fromkeys(("field", "input", "textbox", "textarea", "box", "searchbox"), _TEXT),
    **dict.fromkeys(("dropdown", "select", "combobox", "list", "listbox"), _CHOICE),
    "checkbox": frozenset({"checkbox", "switch", "menuitemcheckbox"}),
    **dict.fromkeys(("switch", "toggle"), frozenset({"switch", "checkbox", "button"})),
    "radio": frozenset({"radio", "menuitemradio"}),
    "option": frozenset({"option", "radio", "menuitem"}),
    "tab": frozenset({"tab"}),
    "slider": frozenset({"slider"}),
}


def described(snapshot: Snapshot, description: str) -> list[Node]:
    """Returns the elements that all words of a description fit, in the page's order.

    One whose name has no other words wins over those whose names have more.
    """
    words = [w for w in re.findall(r"\w+", description.casefold()) if w not in _IGNORED]
    roles = next((_ROLES[word] for word in reversed(words) if word in _ROLES), None)
    if roles is not None:
        last = max(index for index, word in enumerate(words) if word in _ROLES)
        del words[last]
    if not words and roles is None:
        return []
    fits: list[tuple[Node, set[str]]] = []
    for node in snapshot.nodes:
        if node.id is None or node.role == "label" or (roles and node.role not in roles):
            continue
        named = set(re.findall(r"\w+", (node.name or fallback_name(snapshot, node)).casefold()))
        if set(words) <= named:
            fits.append((node, named))
    exact = [node for node, named in fits if named == set(words)]
    return exact if words and exact else [node for node, _ in fits]
