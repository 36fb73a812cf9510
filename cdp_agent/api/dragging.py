"""What a mouse does with its button held."""

from __future__ import annotations

from collections.abc import Sequence

from cdp_agent.act import Outcome
from cdp_agent.act import drag as drags
from cdp_agent.act import drop as drops
from cdp_agent.act.drag_point import drag_from
from cdp_agent.act.route import Route
from cdp_agent.act.upload_paths import Paths, Wanted
from cdp_agent.api.core import Observe, PageCore
from cdp_agent.api.files import require_uploads
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.errors import InvalidParams
from cdp_agent.ids import ElementId


class Dragging(PageCore):
    """`drag`, `drop_files`."""

    async def drag(
        self,
        source_id: str | None,
        target_id: str | None = None,
        *,
        at: tuple[float, float] | None = None,
        by: tuple[float, float] | None = None,
        path: Sequence[tuple[float, float]] | None = None,
        source_position: tuple[float, float] | None = None,
        target_position: tuple[float, float] | None = None,
        steps: int = 8,
        cancel: bool = False,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Press on an element, carry it and let go: on another, by an offset, or along a path.

        `at` is where it is pressed: from the top left corner of the source, or without a source
        (None) of the viewport, on what is there then, which `data["source"]` describes.
        `source_position` (the same as `at`) and `target_position` are from the top left corner of
        their elements, by default their middles. `by` is from where it was pressed. The points of a
        `path` are from the top left corner of the source: it is pressed at the first, and moved
        once to each.
        `steps` is how many moves it takes to the target. With `cancel` Escape is pressed at the
        end and nothing is dropped.

        Source and target may be in different frames. A target that is out of sight is scrolled to
        while the button is held. A press or a drop that would reach another element is stopped.
        Of a call that fails or is cancelled nothing is dropped: a drag-and-drop ends as by Escape,
        what only the mouse moves is brought back to where it was.

        `data["kind"]` is `html5` where the browser's own drag-and-drop was begun, then with
        `dropped` and the `effect` that the target chose, and `mouse` where the page only saw a
        mouse: then success says that press, moves and release arrived, and the page decides what
        they mean; `changed` is False where it has shown nothing of it, as a canvas does not.

        Raises:
            InvalidParams: not exactly one of `target_id`, `by`, `path`, or numbers that are none.
            ElementError: why one of the two cannot be pointed at.
            ConditionFailed: the target did not accept a drag-and-drop; there was no drop.
            DialogOpen: the page asked something in the middle; the drag was given up.
        """
        source = ElementId.parse(source_id) if source_id is not None else None
        if at is not None and (source_position is not None or path is not None):
            raise InvalidParams("at is where it is pressed: no source_position, and no path")
        start = source_position if at is None else at
        route = Route.of(target_id, by, path, start, target_position, steps, cancel)
        if source is not None:
            return await self._act(lambda stage: drags.drag(stage, source, route), observe, timeout)
        point = route.source_position
        if point is None:
            raise InvalidParams("a drag begins at an element or at a point", hint="Give id or at.")
        return await self._act(lambda stage: drag_from(stage, point, route), observe, timeout)

    async def drop_files(
        self,
        id: str,
        paths: Paths,
        *,
        position: tuple[float, float] | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Drop files from the disk of the browser's machine onto an element.

        `data["files"]` is what the page was given: name, type and size of each. For a file input
        `upload` is the usual way; this one is for areas that say "drop files here".

        Raises:
            InvalidParams: a path is missing or cannot be read.
            BlockedByPolicy: a file is not in the policy's `upload_folder`.
            ElementError: why it cannot be pointed at.
            ConditionFailed: it does not accept files; nothing was dropped.
        """
        element_id = ElementId.parse(id)
        wanted = Wanted.of(paths)
        require_uploads(self._browser, wanted)
        return await self._act(
            lambda stage: drops.drop_files(stage, element_id, wanted, position), observe, timeout
        )
