"""Things that answer clicks and say nothing to the accessibility tree: icons, mostly. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cdp_agent.snapshot.clean import one_line
from cdp_agent.snapshot.dom import CONTROL_ROLES
from cdp_agent.snapshot.lines import FrameCapture, Thing
from cdp_agent.snapshot.modal import Offered

_INPUT_ROLES = {
    "checkbox": "checkbox",
    "radio": "radio",
    "submit": "button",
    "button": "button",
    "range": "slider",
}


def unspoken(
    capture: FrameCapture,
    known: set[int],
    containers: set[int],
    limit: int,
    is_ours: Callable[[int], bool],
) -> Iterator[tuple[Thing, bool]]:
    """Each with whether it is worth a line; those are added to `known`.

    `containers` of what is known may hold more. Names are no longer than `limit`; what `is_ours`
    is none of the page's.
    """
    dom = capture.dom
    if dom is None:
        return
    among = Offered(capture.tree, dom).among
    for backend in among(dom.silent_pointers(known, containers)):
        if not is_ours(backend):
            name = one_line(dom.attributes(backend).get("title", ""), limit)
            known.add(backend)
            yield Thing(capture, backend, "generic", name), True
    for backend in among(dom.put_off()):
        attributes = dom.attributes(backend)
        words = attributes.get("aria-label") or dom.text(backend)
        words = words or attributes.get("placeholder", "")
        role = _INPUT_ROLES.get(attributes.get("type", ""), CONTROL_ROLES[dom.tag(backend)])
        if not is_ours(backend) and backend not in known:
            known.add(backend)
            yield Thing(capture, backend, role, one_line(words, limit)), True
    for backend in among(dom.unspoken_clickables(known)):
        tag = dom.tag(backend)
        if tag not in ("html", "body") and not is_ours(backend):
            role = "label" if tag == "label" else "generic"
            yield Thing(capture, backend, role, one_line(dom.text(backend), limit)), False
