"""The one entry: capture → build → filter → Snapshot."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from cdp_agent.errors import BrowserError
from cdp_agent.snapshot.build.build import build
from cdp_agent.snapshot.build.line_cache import FrameLineCache
from cdp_agent.snapshot.capture.page_capture import PageCapture, PageCapturer
from cdp_agent.snapshot.fetch.in_view import NodesInView, ask_in_view
from cdp_agent.snapshot.filter import apply_options
from cdp_agent.snapshot.model import Node, Snapshot, SnapshotSource
from cdp_agent.snapshot.options import SnapshotOptions
from cdp_agent.snapshot.partial.partial import PartChoice
from cdp_agent.targets import PageTarget
from cdp_agent.text import quoted


@dataclass(slots=True)
class Snapshotter:
    """Takes snapshots of one page."""

    target: PageTarget
    _capturer: PageCapturer = field(init=False)
    _lines: FrameLineCache = field(default_factory=FrameLineCache)

    def __post_init__(self) -> None:
        self._capturer = PageCapturer(self.target)

    async def take(
        self,
        options: SnapshotOptions,
        top: tuple[int, int] | None = None,
        *,
        after_action: bool = False,
    ) -> Snapshot:
        """One snapshot; `top` (frame index, node) keeps that subtree only.

        `after_action`: documents that report an unchanged layout are not captured again.

        Raises:
            CommandTimeout, TargetClosed, TargetCrashed, NavigationFailed: nothing was captured.
            StaleRef: the node of `expand` is gone.
        """
        choice = _part_choice(options) if top is None else None
        captured = await self._capturer.capture(options.timeout, choice, after_action=after_action)
        in_view = None
        if options.viewport_only:
            in_view = await ask_in_view(
                self.target, captured.viewport, captured.frames, options.timeout
            )
        with _gc_paused():
            return self._built(captured, options, top, in_view)

    def _built(
        self,
        captured: PageCapture,
        options: SnapshotOptions,
        top: tuple[int, int] | None,
        in_view: NodesInView | None,
    ) -> Snapshot:
        built = build(captured.frames, options.max_name_length, self._lines)
        nodes, elements, omitted = apply_options(built, options, captured.frames, top, in_view)
        for element in elements:
            if element.backend_node_id <= 0:
                raise BrowserError(f"{element.role} {element.name!r} has no backend node id")
        frames = captured.frames.values()
        return Snapshot(
            page=captured.page,
            viewport=captured.viewport,
            frames=tuple(frame.info for frame in frames),
            nodes=tuple(nodes),
            elements=tuple(elements),
            warnings=(*captured.warnings, *_nothing_found(options, nodes)),
            omitted=omitted,
            max_tokens=options.max_tokens,
            diff_threshold=options.largest_diff,
            with_bounds=options.bounds,
            expanded=str(options.expand) if options.expand is not None else None,
            filtered_by=options.filter_name if top is None else "the subtree of an element",
            _source=SnapshotSource(
                {frame.info.index: frame.dom for frame in frames if frame.dom is not None},
                built.nodes,
                built.elements,
                captured.unfetched,
            ),
        )


def _nothing_found(options: SnapshotOptions, nodes: Sequence[Node]) -> list[str]:
    if not options.search or any(not node.folded for node in nodes):
        return []
    return [f"nothing on the page has any of the words {quoted(options.search[:100])}"]


def _part_choice(options: SnapshotOptions) -> PartChoice | None:
    """The part of large documents to choose; None: the options need them whole."""
    if options.max_tokens is None or options.viewport_only or options.interactive_only:
        return None
    if options.max_elements is not None or options.max_depth is not None or options.roles:
        return None
    return PartChoice(options.max_tokens, options.expand, options.search)


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Pause Python's garbage collector for a stretch without `await` that makes no cycles.

    On a page of 13,000 nodes it costs as much as the work itself.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
