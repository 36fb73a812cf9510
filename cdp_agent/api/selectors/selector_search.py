"""Finds the elements that a selector names: by DOM search, or in a snapshot."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from cdp_agent.act.wait.change_watch import look_until
from cdp_agent.api.selectors.match import matching, nearest, suits
from cdp_agent.api.selectors.selector import Selector
from cdp_agent.api.selectors.surroundings import context_of, nearest_to
from cdp_agent.api.selectors.words import described
from cdp_agent.api.tab import Tab
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import CdpAgentError, CommandTimeout, ElementNotFound, InvalidParams
from cdp_agent.ids import ElementId, LoaderId, PointedId
from cdp_agent.resolve.hit_test import element_at, frame_offset
from cdp_agent.resolve.node_search import DomKind, FoundElement, facts_of_node, search_frame
from cdp_agent.snapshot import SnapshotOptions
from cdp_agent.targets import Frame
from cdp_agent.text import one_line, quoted

if TYPE_CHECKING:
    from cdp_use.cdp.dom.commands import GetBoxModelParameters

_DOM_KINDS: tuple[DomKind, ...] = get_args(DomKind)
_SHOWN = 10
#: Decides how many nodes of a large page are captured around what is searched for.
_SEARCH_TOKENS = 12_000
#: Elements of which it is asked whether they are visible; more than these are too many anyway.
_MOST_ASKED = 60


async def find(tab: Tab, selector: Any, timeout: float) -> str:
    """The id of the one element that a selector names; see `Page.find`."""
    wanted = Selector.parse(selector)
    if wanted.kind == "id":
        return ElementId.parse(wanted.value)
    found = await find_all(tab, wanted, timeout)
    if wanted.near is not None:
        found = await _near(tab, found, wanted.near, timeout)
    if wanted.nth is not None and found:
        if not -len(found) <= wanted.nth < len(found):
            raise ElementNotFound(
                f"there is no {wanted} number {wanted.nth}, only {len(found)}",
                matches=[str(element.id) for element in found],
            )
        return found[wanted.nth].id
    # What is shown is what is meant, where the same thing is also there hidden.
    shown = [element for element in found if element.visible] or found
    is_all = len(found) <= _MOST_ASKED
    if len(shown) > 1:
        shown = _suited(tab, shown, wanted)
    if len(shown) == 1 and is_all:
        return shown[0].id
    if not shown:
        raise _not_found(tab, wanted)
    listed = ", ".join(_told_apart(tab, shown[:_SHOWN]))
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    count = f"{len(shown)}" if is_all else f"more than {_MOST_ASKED}"
    raise ElementNotFound(
        f"{count} elements fit {wanted}: {listed}{more}",
        hint='Take one of these ids, or add what tells it apart, such as near="text in its row" or '
        "nth=0.",
        matches=[str(element.id) for element in shown],
    )


async def _near(
    tab: Tab, found: list[FoundElement], text: str, seconds: float
) -> list[FoundElement]:
    """Those that stand in the same part of the page as a text."""
    options = SnapshotOptions(max_tokens=_SEARCH_TOKENS, search=text, timeout=seconds)
    snapshot = (await tab.take(options)).unfiltered
    kept = nearest_to(snapshot, [str(one.id) for one in found], text)
    return [one for one in found if one.id in kept]


def _suited(tab: Tab, shown: list[FoundElement], wanted: Selector) -> list[FoundElement]:
    """Those that suit the purpose, where the selector (a class, say) also fits others."""
    if wanted.purpose is None:
        return shown
    roles = {one.id: role_and_name(tab, one.id)[0] for one in shown}
    fields = [one for one in shown if suits(roles[one.id], wanted.purpose)] or shown
    values = {_value(tab, one) for one in fields}
    if wanted.purpose == "text" and len(fields) == 2 and len(values) == 1 and None not in values:
        # One value in two controls: a slider and the field beside it that has its number.
        fields = [one for one in fields if roles[one.id] != "slider"] or fields
    return fields


def _value(tab: Tab, one: FoundElement) -> str | None:
    element = tab.last.find_by_id(one.id) if tab.last is not None else None
    return element.value if element is not None else None


def _told_apart(tab: Tab, shown: list[FoundElement]) -> list[str]:
    """The elements by their names, and those of one name by what stands around each."""
    names = [name_of(tab, one.id) for one in shown]
    plain = [name.partition("] ")[2] for name in names]
    if tab.last is None:
        return names
    ids = [str(one.id) for one in shown]
    for number, one in enumerate(ids):
        if plain.count(plain[number]) > 1 and (words := context_of(tab.last, one, ids)):
            names[number] += f" near {quoted(words)}"
    return names


async def find_soon(tab: Tab, selector: Any, timeout: float) -> str:
    """As `find`, and waits for an element that is not there yet; see `Page.find_soon`."""
    wanted = Selector.parse(selector)
    deadline = time.monotonic() + timeout
    missing: list[ElementNotFound] = []

    async def look() -> str | None:
        try:
            return await find(tab, wanted, seconds_until(deadline, 1.0))
        except ElementNotFound as error:
            if len(error.data.get("matches", ())) > 1 and wanted.nth is None:
                raise
            missing[:] = [error]
            return None
        except CommandTimeout:
            if not missing:
                raise
            return None  # the time is up: it was not there when the page last answered

    found = await look_until(tab.target, look, deadline)
    if found is None:
        raise missing[0]
    return found


def name_of(tab: Tab, element_id: str) -> str:
    """The name of an element in a snapshot or search: `[0-44] button "Save"`."""
    parsed = ElementId.parse(element_id)
    role, name = role_and_name(tab, parsed)
    words = [f"[{parsed}]", role, quoted(one_line(name, 60)) if name else ""]
    return " ".join(word for word in words if word)


def role_and_name(tab: Tab, element_id: str) -> tuple[str, str]:
    """The role and name of an element when last captured; empty if unknown."""
    try:
        ref = tab.book.require(ElementId.parse(element_id))
    except CdpAgentError:
        return "", ""
    return ref.role, ref.name


def _not_found(tab: Tab, wanted: Selector) -> ElementNotFound:
    near = nearest(tab.last, wanted) if tab.last is not None else []
    listed = ", ".join(name_of(tab, node.key) for node in near)
    hint = "A snapshot with search shows what is there."
    if tab.target.url == "about:blank":
        hint = "The page is blank: open an address first, in the session that is meant."
    return ElementNotFound(
        f"there is no {wanted} on the page{f'; nearest: {listed}' if listed else ''}",
        hint="" if listed else hint,
        nearest=[node.key for node in near],
    )


async def find_all(tab: Tab, selector: Selector, seconds: float) -> list[FoundElement]:
    """Every element that fits, hidden ones too, in document order."""
    tab.require_ready()
    if selector.kind == "id":
        return await _find_id(tab, ElementId.parse(selector.value), seconds)
    if selector.frame is not None:
        tab.resolver.frame(selector.frame)  # a frame that is not there is an error
    if selector.kind == "coordinates":
        found = await _find_at(tab, *selector.point, seconds)
    elif selector.kind in _DOM_KINDS:
        found = await _search_frames(tab, selector, seconds)
    else:
        found = await _search_snapshot(tab, selector, seconds)
    for element in found:
        url = tab.resolver.frame(element.id.frame_index).url
        tab.book.note(element.id, url, element.tag, element.name)
    return found


async def _find_id(tab: Tab, element_id: ElementId, seconds: float) -> list[FoundElement]:
    try:
        live = await tab.resolver.resolve(element_id, deadline=time.monotonic() + seconds)
    except CdpAgentError as error:
        if error.code == "stale_ref":
            return []
        raise
    live.release()
    found = await facts_of_node(tab.target, live.frame, live.id, seconds)
    return [] if found is None else [found]


async def _find_at(tab: Tab, x: float, y: float, seconds: float) -> list[FoundElement]:
    at = await element_at(tab.target, x, y, seconds)
    frame = tab.resolver.frame(at.frame_index)
    found = await facts_of_node(tab.target, frame, at, seconds)
    if found is None:
        return []
    position = await _position(tab, frame, found.id, x, y, seconds)
    if position is not None:
        found = replace(found, id=PointedId.at(found.id, position))
    return [found]


async def _position(
    tab: Tab, frame: Frame, element_id: ElementId, x: float, y: float, seconds: float
) -> tuple[float, float] | None:
    """A point of the viewport, from the inside of an element's top left corner."""
    ask: GetBoxModelParameters = {"backendNodeId": element_id.backend_node_id}
    try:
        reply = await frame.require_session().post("DOM.getBoxModel", ask, timeout=seconds)
        left, top = await frame_offset(tab.target, frame, seconds)
    except CdpAgentError:
        return None  # it has no box
    border, padding = reply["model"]["border"], reply["model"]["padding"]
    left += min(border[0::2]) + padding[0] - border[0]
    top += min(border[1::2]) + padding[1] - border[1]
    return x - left, y - top


async def _search_frames(tab: Tab, selector: Selector, seconds: float) -> list[FoundElement]:
    found: list[FoundElement] = []
    for frame in list(tab.target.frames):
        if selector.frame not in (None, frame.index) or frame.session is None:
            continue
        kind, value = selector.kind, selector.value
        assert kind in _DOM_KINDS
        try:
            found += await search_frame(tab.target, frame, kind, value, selector.exact, seconds)
        except InvalidParams:
            raise
        except CdpAgentError:
            # A child frame may vanish at any moment; the page itself, or a frame that was
            # named, may not.
            if frame.index == 0 or selector.frame is not None:
                raise
    return found


async def _search_snapshot(tab: Tab, selector: Selector, seconds: float) -> list[FoundElement]:
    # Of a large page only the parts with these words are captured.
    words = selector.name or selector.value
    options = SnapshotOptions(max_tokens=_SEARCH_TOKENS, search=words, timeout=seconds)
    snapshot = (await tab.take(options)).unfiltered
    by_words = selector.kind == "semantic"
    nodes = described(snapshot, words) if by_words else matching(snapshot, selector)
    if len(nodes) > _MOST_ASKED and selector.nth is None:
        nodes = nodes[: _MOST_ASKED + 1]  # too many to be one, however many are hidden
    found = []
    for node in nodes:
        frame = tab.target.frames.find_index(int(node.key.partition("-")[0]))
        if frame is None or frame.session is None:
            continue
        backend_node_id = int(node.key.partition("-")[2])
        loader_id = LoaderId(snapshot.frame_map[frame.index].loader_id)
        element_id = ElementId(frame.index, backend_node_id, loader_id)
        element = await facts_of_node(tab.target, frame, element_id, seconds)
        if element is None:
            continue
        if element.id.backend_node_id != backend_node_id and node.role == "text":
            found.append(element)  # the drawing that the text is a label of
        else:
            found.append(replace(element, tag=node.role, name=node.name))
    return found
