"""Elements that answer clicks and have no node in the accessibility tree: icons, mostly. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from cdp_agent.snapshot.ax.tree import states_of
from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.build.writer import Actionable
from cdp_agent.snapshot.dom.facts import CONTROL_ROLES, DomFacts
from cdp_agent.text import one_line

_INPUT_ROLES = {
    "checkbox": "checkbox",
    "radio": "radio",
    "submit": "button",
    "button": "button",
    "range": "slider",
}
_DIALOGS = frozenset({"dialog", "alertdialog"})


def clickables_without_line(
    capture: FrameCapture,
    listed: set[int],
    containers: set[int],
    limit: int,
    is_own_ui: Callable[[int], bool],
    targets: Collection[int] = (),
) -> Iterator[tuple[Actionable, bool]]:
    """Elements to add, each with whether it gets a line; those are added to `listed`.

    `containers` among the listed elements may hold more. Names are cut at `limit`. `targets` get
    a line wherever they stand: empty columns of a board, canvases.
    """
    dom = capture.dom
    if dom is None:
        return
    modals = _open_modals(capture, dom)

    known = {node.backendDOMNodeId for node in capture.tree.nodes}

    def offered(backends: Iterable[int]) -> list[int]:
        within = _within(modals, dom, backends)
        return [backend for backend in within if not _has_left(dom, backend, known)]

    empty = sorted(offered(set(targets) - listed), key=dom.position)
    listed.update(empty)
    pointers = dom.pointers_except(listed, containers.union(empty))
    for backend in (*empty, *offered(pointers)):
        words = dom.text(backend) if dom.tag(backend) == "label" else ""
        if words:  # the tree lacks it, for its words are the name of its checkbox
            listed.add(backend)
            yield Actionable(capture, backend, "label", one_line(words, limit)), False
        elif not is_own_ui(backend):
            role = "canvas" if dom.tag(backend) == "canvas" else "generic"
            name = one_line(dom.attributes(backend).get("title", ""), limit)
            listed.add(backend)
            yield Actionable(capture, backend, role, name), True
    for backend in _within(modals, dom, dom.deferred_controls()):
        attributes = dom.attributes(backend)
        words = attributes.get("aria-label") or dom.text(backend)
        words = words or attributes.get("placeholder", "")
        role = _INPUT_ROLES.get(attributes.get("type", ""), CONTROL_ROLES[dom.tag(backend)])
        if not is_own_ui(backend) and backend not in listed:
            listed.add(backend)
            yield Actionable(capture, backend, role, one_line(words, limit)), True
    for backend in _within(modals, dom, dom.clickables_except(listed)):
        tag = dom.tag(backend)
        if tag not in ("html", "body") and not is_own_ui(backend):
            role = "label" if tag == "label" else "generic"
            yield Actionable(capture, backend, role, one_line(dom.text(backend), limit)), False


def targets_within_reach(capture: FrameCapture) -> set[int]:
    """Canvases and elements that listen for drops and the like, not behind a modal dialog."""
    dom = capture.dom
    targets = dom.targets_among(capture.listening) if dom is not None else set()
    if dom is None or not targets:
        return targets
    return set(_within(_open_modals(capture, dom), dom, targets))


def openers(dom: DomFacts | None) -> set[int]:
    """Elements that the keyboard reaches and that open something, by their attributes.

    Of items of a menu without a role the accessibility tree has but the text.
    """
    if dom is None:
        return set()
    opening = dom.attribute_index.having("aria-haspopup")
    return {one for one in opening if dom.attributes(one).get("tabindex", "-1") == "0"}


def _has_left(dom: DomFacts, backend: int, known: set[int]) -> bool:
    """Returns whether an element left the page after layout was captured and before the tree was.

    It and what is around it have text or controls, and the tree has none of them.
    """
    top = 0
    while backend and backend not in known:
        top, backend = backend, dom.parent(backend)
    return bool(top) and dom.has_content_outside(top, known)


def _within(modals: list[int], dom: DomFacts, backends: Iterable[int]) -> list[int]:
    """Those that open modal dialogs leave within reach."""
    if not modals:
        return list(backends)
    return [b for b in backends if any(dom.contains(modal, b) for modal in modals)]


def _open_modals(capture: FrameCapture, dom: DomFacts) -> list[int]:
    """Backend ids of open modal dialogs.

    The accessibility tree leaves out what they block; what only layout shows (a hand cursor, a
    listener for clicks) is filtered by them.
    """
    if not dom.has_attribute("open"):  # as every dialog that is shown has
        return []
    return [
        node.backendDOMNodeId
        for node in capture.tree.nodes
        if node.role_name in _DIALOGS
        and dom.tag(node.backendDOMNodeId) == "dialog"
        and states_of(node).get("modal") is True
    ]
