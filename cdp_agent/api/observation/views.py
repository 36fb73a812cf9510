"""Snapshots and pictures of a tab, for `Page.snapshot` and `Page.screenshot`."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

from cdp_agent.api.observation.pictures import (
    MODEL_SIZE,
    cut_out,
    draw_marks,
    take_picture,
    view_size,
)
from cdp_agent.api.parameter_checks import require_seconds
from cdp_agent.api.tab import Tab
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import CdpAgentError, ElementNotVisible, InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.resolve.hit_test import frame_offset
from cdp_agent.snapshot import Box, Snapshot, SnapshotOptions


async def reported(tab: Tab, options: SnapshotOptions) -> Snapshot:
    """A snapshot with the dialogs and lost values that no result has reported yet."""
    count = tab.target.dialogs.count
    snapshot = await captured(tab, options)
    dialogs = tab.target.dialogs.report(count)
    lost = tab.report_lost_values()
    return replace(snapshot, dialogs=dialogs, lost_values=lost) if dialogs or lost else snapshot


async def captured(tab: Tab, options: SnapshotOptions) -> Snapshot:
    """A snapshot for internal use: dialogs are left for the next result to report."""
    tab.require_ready()
    deadline = time.monotonic() + options.timeout
    top = None
    if options.focus is not None:
        index, selector = options.focus.frame_index, options.focus.selector
        seconds = min(options.timeout, ACTION_TIMEOUT)
        top = index, await tab.resolver.query(index, selector, seconds)
    elif options.root is not None:
        within = min(deadline, time.monotonic() + ACTION_TIMEOUT)
        root = await tab.resolver.locate(options.root, deadline=within)
        top = root.frame_index, root.backend_node_id
    tab.max_tokens = options.max_tokens
    snapshot = await tab.take(options, top)
    if options.screenshot or options.marks:
        seconds = seconds_until(deadline, 0.5)
        snapshot = await _with_picture(tab, snapshot, seconds, marks=options.marks)
    tab.require_no_dialog()
    return snapshot


async def _with_picture(tab: Tab, snapshot: Snapshot, seconds: float, *, marks: bool) -> Snapshot:
    image = await take_picture(
        tab.target, fit=MODEL_SIZE, cover=tab.browser.picture_cover, timeout=seconds
    )
    if marks:
        shown = {node.key for node in snapshot.nodes if node.id is not None}
        listed = [element for element in snapshot.elements if element.id in shown]
        image = await asyncio.to_thread(draw_marks, image, listed, snapshot.viewport)
    return replace(snapshot, screenshot=image)


async def _box_in_view(tab: Tab, element_id: ElementId, seconds: float) -> Box:
    """An element's box in the viewport, after it was scrolled there."""
    live = await tab.resolver.resolve(element_id, deadline=time.monotonic() + seconds)
    try:
        await live.session.post(
            "DOM.scrollIntoViewIfNeeded", {"objectId": live.object_id}, timeout=seconds
        )
        box = (await tab.resolver.describe(live.id))["box"]
    except CdpAgentError:
        box = None
    finally:
        live.release()
    if box is None:
        raise ElementNotVisible(f"{element_id} has no box", ref=str(element_id))
    left, top = await frame_offset(tab.target, live.frame, seconds)
    return Box(box[0] + left, box[1] + top, box[2], box[3])


async def picture(
    tab: Tab,
    path: str | Path | None,
    full_page: bool,
    id: str | None,
    fit: tuple[int, int] | None,
    timeout: float,
) -> bytes:
    """A PNG of the viewport, the page or an element; see `Page.screenshot`."""
    require_seconds(timeout)
    tab.require_ready()
    if id is not None and (full_page or fit is not None):
        raise InvalidParams("a picture of an element is neither of the whole page nor scaled")
    box = await _box_in_view(tab, ElementId.parse(id), timeout) if id is not None else None
    image = await take_picture(
        tab.target,
        full_page=full_page,
        fit=fit,
        cover=tab.browser.picture_cover,
        timeout=timeout,
    )
    if box is not None:
        size = await view_size(tab.target, timeout)
        image = await asyncio.to_thread(cut_out, image, box, size)
    if path is not None:
        try:
            await asyncio.to_thread(Path(path).write_bytes, image)
        except OSError as error:
            raise InvalidParams(f"cannot write {str(path)[:200]}: {error.strerror}") from None
    return image
