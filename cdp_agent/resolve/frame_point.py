"""From a point in an element's own frame to the point where input must be sent.

Input goes to the session that owns the frame, in the coordinates of that session's topmost frame.
It would pass through whatever covers the iframe in a parent document, so every parent is asked
what stands at the point as it sees it.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cdp_agent.errors import (
    CdpAgentError,
    CommandTimeout,
    ConnectionLost,
    DialogOpen,
    ElementNotVisible,
    ElementObscured,
    TargetError,
)
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import has_no_layout
from cdp_agent.resolve.live import LiveElement
from cdp_agent.resolve.worlds import evaluate_in_frame, world_of
from cdp_agent.targets import Frame, PageTarget
from cdp_agent.targets.remote_objects import call_function, find_object, release_object

if TYPE_CHECKING:
    from cdp_use.cdp.dom.commands import GetNodeForLocationParameters, GetNodeForLocationReturns


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _Level:
    """One iframe element on the way up: where it stands in its session's viewport."""

    frame: Frame
    parent: Frame
    owner: int
    content: list[float]


@dataclass(frozen=True, slots=True)
class _RootViewport:
    """The viewport of a session's topmost frame."""

    width: float
    height: float
    page_x: float
    page_y: float


class PointPair(NamedTuple):
    """One point in the coordinates of the element's session and in those of the page."""

    own: Point
    top: Point


async def reach(
    target: PageTarget, live: LiveElement, point: Point, size: tuple[float, float], seconds: float
) -> PointPair:
    """A point of an element's frame for input, once no parent document is in the way.

    Raises:
        ElementObscured: something in a parent covers the frame there.
        ElementNotVisible: the frame is scrolled or clipped out of sight there.
    """
    if live.frame.parent is None:
        return PointPair(point, point)
    try:
        levels, views = await asyncio.gather(
            _levels(live.frame, seconds), _views(target, live.frame, seconds)
        )
    except CdpAgentError as error:
        if has_no_layout(error):
            raise ElementNotVisible(f"the frame of {live.id} is not shown") from None
        raise live.explain(error) from None
    sent: Point | None = None
    frame = live.frame
    checks: list[tuple[_Level, Point]] = []
    for level in levels:
        if level.frame.session is not level.parent.session and sent is None:
            sent = point
        root = level.parent.local_root
        if frame is not level.frame:
            continue  # inside the session whose topmost frame has been reached already
        if _is_empty(level.content):
            raise ElementNotVisible(f"the frame of {live.id} has no size")
        point = _through(level.content, point, size)
        view = views[root.id]
        if not (0 <= point.x < view.width and 0 <= point.y < view.height):
            raise ElementNotVisible(f"{live.id} is in a frame that is out of sight there")
        checks.append((level, point))
        if sent is None:
            sent = point
        frame, size = root, (view.width, view.height)
    await asyncio.gather(
        *(_require_clear(target, live, *check, views, seconds) for check in checks)
    )
    return PointPair(sent if sent is not None else point, point)


async def _levels(frame: Frame, seconds: float) -> list[_Level]:
    """All iframe elements from this frame up to the main one, asked at once."""

    async def level(child: Frame, parent: Frame) -> _Level:
        session = parent.require_session()
        if child.owner_node is None:
            owner = await session.post("DOM.getFrameOwner", {"frameId": child.id}, timeout=seconds)
            child.owner_node = int(owner["backendNodeId"])
        backend = child.owner_node
        model = await session.post("DOM.getBoxModel", {"backendNodeId": backend}, timeout=seconds)
        return _Level(child, parent, backend, model["model"]["content"])

    pairs = []
    child = frame
    for parent in frame.ancestors():
        pairs.append((child, parent))
        child = parent
    return list(await asyncio.gather(*(level(*pair) for pair in pairs)))


async def _views(target: PageTarget, frame: Frame, seconds: float) -> dict[str, _RootViewport]:
    roots = {parent.local_root.id: parent.local_root for parent in frame.ancestors()}

    async def view(root: Frame) -> _RootViewport:
        script = "[innerWidth, innerHeight, scrollX, scrollY]"
        return _RootViewport(*await evaluate_in_frame(target, root, script, seconds))

    found = await asyncio.gather(*(view(root) for root in roots.values()))
    return dict(zip(roots, found, strict=True))


def _through(quad: list[float], point: Point, size: tuple[float, float]) -> Point:
    """Map a point of a frame's viewport through the content box of its iframe.

    Projective, because a perspective may act on it: the square's corners go to the quad's.
    """
    x0, y0, x1, y1, x2, y2, x3, y3 = quad
    u, v = point.x / (size[0] or 1), point.y / (size[1] or 1)
    dx, dy = x0 - x1 + x2 - x3, y0 - y1 + y2 - y3
    bend = (x1 - x2) * (y3 - y2) - (x3 - x2) * (y1 - y2)
    g = (dx * (y3 - y2) - (x3 - x2) * dy) / bend if bend else 0.0
    h = ((x1 - x2) * dy - dx * (y1 - y2)) / bend if bend else 0.0
    depth = g * u + h * v + 1
    x = ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / depth
    y = ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / depth
    return Point(x, y)


async def _require_clear(
    target: PageTarget,
    live: LiveElement,
    level: _Level,
    point: Point,
    views: dict[str, _RootViewport],
    seconds: float,
) -> None:
    session = level.parent.require_session()
    view = views[level.parent.local_root.id]
    # getNodeForLocation takes whole document coordinates.
    place: GetNodeForLocationParameters = {
        "x": math.floor(point.x + view.page_x),
        "y": math.floor(point.y + view.page_y),
        "ignorePointerEventsNone": False,
    }
    try:
        found = await session.post("DOM.getNodeForLocation", place, timeout=seconds)
    except (CommandTimeout, ConnectionLost, DialogOpen, TargetError):
        raise  # nothing was said about the frame
    except CdpAgentError:
        raise ElementNotVisible(f"{live.id} is in a frame that is out of sight there") from None
    same_process = level.frame.session is session
    if same_process and _is_inside(target, found.get("frameId", ""), level.frame):
        return
    if int(found["backendNodeId"]) == level.owner:
        return
    if not await _is_shown(target, level):
        raise ElementNotVisible(f"the frame of {live.id} is not shown")
    raise await _obscured(target, live, session, found)


async def _is_shown(target: PageTarget, level: _Level) -> bool:
    """Returns whether the iframe element is visible: a hidden one takes no hits."""
    session = level.parent.require_session()
    try:
        world = await world_of(target, level.parent, 2)
        object_id = await find_object(session, level.owner, world, 2)
        if object_id is None:
            return False  # it is in a document that is not shown any more
        function = "(e) => cdpAgent.isRendered(e)"
        reply = await call_function(session, world, function, [{"objectId": object_id}], seconds=2)
        release_object(session, object_id)
    except CdpAgentError:
        return True  # it cannot be told; what covers it can
    return bool(reply["result"].get("value"))


def _is_empty(quad: list[float]) -> bool:
    xs, ys = quad[0::2], quad[1::2]
    return max(xs) - min(xs) < 0.5 or max(ys) - min(ys) < 0.5


def _is_inside(target: PageTarget, frame_id: str, frame: Frame) -> bool:
    found = target.frames.find(frame_id)
    return found is frame or (found is not None and frame in found.ancestors())


async def _obscured(
    target: PageTarget, live: LiveElement, session: Session, found: GetNodeForLocationReturns
) -> CdpAgentError:
    backend = int(found["backendNodeId"])
    frame = target.frames.find(found.get("frameId", ""))
    # What stands in a frame beside the element's own covers it as that frame: name its iframe.
    own = {live.frame, *live.frame.ancestors()}
    while frame is not None and frame not in own and frame.owner_node is not None:
        backend, frame = frame.owner_node, frame.parent
    cover = ElementId(frame.index if frame is not None else 0, backend)
    sketch = ""
    try:
        node = (await session.post("DOM.describeNode", {"backendNodeId": backend}, timeout=2))[
            "node"
        ]
        flat = node.get("attributes", [])
        shown = "".join(
            f' {name}="{value[:40]}"'
            for name, value in zip(flat[0::2], flat[1::2], strict=True)
            if name in ("id", "class", "name", "role", "src")
        )
        sketch = f"<{node['localName'] or node['nodeName']}{shown}>"
    except CdpAgentError:
        pass  # gone already; the id says enough
    return ElementObscured(
        f"{live.id} is under {cover} {sketch}".rstrip(), element_id=str(live.id), cover=str(cover)
    )
