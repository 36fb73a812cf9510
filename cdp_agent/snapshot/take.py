"""From a capture to a snapshot."""

from __future__ import annotations

from cdp_agent.errors import BrowserError
from cdp_agent.snapshot.capture import Captured, Capturer
from cdp_agent.snapshot.collector import collector_paused
from cdp_agent.snapshot.filter import apply_options
from cdp_agent.snapshot.in_view import InView, ask_in_view
from cdp_agent.snapshot.merge import merge
from cdp_agent.snapshot.model import Kinds, Snapshot
from cdp_agent.snapshot.options import SnapshotOptions
from cdp_agent.snapshot.parts import Wanted


async def take_snapshot(
    capturer: Capturer, options: SnapshotOptions, top: tuple[int, int] | None = None
) -> Snapshot:
    """Capture and shape one snapshot; `top` (frame index, node) keeps that subtree only."""
    captured = await capturer.capture(options.timeout, _part(options) if top is None else None)
    view, frames = captured.viewport, captured.frames
    in_view = None
    if options.viewport_only:
        in_view = await ask_in_view(capturer.target, view, frames, options.timeout)
    with collector_paused():
        return _shaped(capturer, captured, options, top, in_view)


def _part(options: SnapshotOptions) -> Wanted | None:
    """What is wanted of a large document, where the options leave a choice."""
    if options.max_tokens is None or options.viewport_only or options.interactive_only:
        return None
    if options.max_elements is not None or options.max_depth is not None or options.roles:
        return None
    return Wanted(options.max_tokens, options.expand, options.search)


def _shaped(
    capturer: Capturer,
    captured: Captured,
    options: SnapshotOptions,
    top: tuple[int, int] | None,
    in_view: InView | None,
) -> Snapshot:
    merged = merge(captured.frames, options.max_name_length, capturer.merged)
    nodes, elements, omitted = apply_options(merged, options, captured.frames, top, in_view)
    for element in elements:
        if element.backend_node_id <= 0:
            raise BrowserError(f"{element.role} {element.name!r} has no backend node id")
    return Snapshot(
        page=captured.page,
        viewport=captured.viewport,
        frames=tuple(capture.info for capture in captured.frames.values()),
        nodes=tuple(nodes),
        elements=tuple(elements),
        warnings=captured.warnings,
        omitted=omitted,
        max_tokens=options.max_tokens,
        with_bounds=options.bounds,
        expanded=str(options.expand) if options.expand is not None else None,
        kinds=Kinds(merged.elements, captured.unfetched),
        parts=tuple(merged.parts) if nodes is merged.nodes else (),
        unfetched=captured.unfetched,
        dom={i: c.dom for i, c in captured.frames.items() if c.dom is not None},
    )
