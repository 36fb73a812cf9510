"""Seeing a page: snapshot, element facts, scripts, pictures."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from cdp_agent.api.core import PageCore
from cdp_agent.api.given import require_seconds
from cdp_agent.api.pictures import (
    MODEL_SIZE,
    cut_out,
    draw_marks,
    frame_offset,
    take_picture,
    view_size,
)
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.errors import CdpAgentError, ElementNotVisible, InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.resolve.live import script_value
from cdp_agent.snapshot import Box, Snapshot, SnapshotOptions


class Looking(PageCore):
    """`snapshot`, `capture`, `describe`, `evaluate`, `screenshot`."""

    async def snapshot(self, base: SnapshotOptions | None = None, /, **options: Any) -> Snapshot:
        """The page as it is now.

        `base` are options as a whole; those given by name replace theirs.

        Options: `viewport_only` (what is neither scrolled out of the page nor out of a box or a
        frame in it), `interactive_only`, `max_elements`, `max_depth`, `max_name_length`, `roles`
        (also those one can only read), `focus={"frame_index": 3, "selector": "#checkout"}`, `root`
        (an element's id), `max_tokens` (what `text` may cost: the rest is folded into stubs such
        as `+37 listitem [expand 0-812]`), `expand` (the id in a stub), `search` (only lines with
        these words), `bounds` (places in the text), `screenshot` and `marks` (a picture, with ids
        drawn on it) and `timeout` in seconds. Content that is `aria-hidden` or `inert` is left out.
        Dialogs that no earlier result has reported are in `dialogs` and in the text; values that
        an action gave and the page has changed since are in `lost_values`, likewise once.

        Raises:
            DialogOpen: a dialog waits for an answer, or opened meanwhile.
        """
        count = self._target.dialogs.count
        snapshot = await self.capture(base, **options)
        dialogs = self._target.dialogs.report(count)
        lost = self.report_lost_values()
        return replace(snapshot, dialogs=dialogs, lost_values=lost) if dialogs or lost else snapshot

    async def capture(self, base: SnapshotOptions | None = None, /, **options: Any) -> Snapshot:
        """A snapshot that nobody reads: dialogs are left for the next result to report."""
        wanted = SnapshotOptions.make(base, **options)
        self._require_ready()
        deadline = time.monotonic() + wanted.timeout
        top = None
        if wanted.focus is not None:
            index, selector = wanted.focus.frame_index, wanted.focus.selector
            seconds = min(wanted.timeout, ACTION_TIMEOUT)
            top = index, await self._resolver.query(index, selector, seconds)
        elif wanted.root is not None:
            within = min(deadline, time.monotonic() + ACTION_TIMEOUT)
            root = await self._resolver.locate(wanted.root, deadline=within)
            top = root.frame_index, root.backend_node_id
        self._max_tokens = wanted.max_tokens
        snapshot = await self._take(wanted, top)
        if wanted.screenshot or wanted.marks:
            seconds = max(deadline - time.monotonic(), 0.5)
            snapshot = await self._with_picture(snapshot, seconds, marks=wanted.marks)
        self._require_no_dialog()
        return snapshot

    async def _with_picture(self, snapshot: Snapshot, seconds: float, *, marks: bool) -> Snapshot:
        picture = await take_picture(
            self._target, fit=MODEL_SIZE, cover=self._browser.picture_cover, timeout=seconds
        )
        if marks:
            shown = {node.key for node in snapshot.nodes if node.id is not None}
            listed = [element for element in snapshot.elements if element.id in shown]
            picture = await asyncio.to_thread(draw_marks, picture, listed, snapshot.viewport)
        return replace(snapshot, screenshot=picture)

    async def describe(self, element_id: str) -> dict[str, Any]:
        """Tag, attributes, quads and box of an element now, and where it lives."""
        self._require_ready()
        return await self._resolver.describe(ElementId.parse(element_id))

    async def evaluate(self, expression: str, frame_index: int = 0, *, timeout: float = 30) -> Any:
        """Run a script in the page's own world; its JSON value, promises awaited.

        `NaN`, infinities and whole numbers of any size are what they are in Python.

        Raises:
            BrowserError: the script threw.
        """
        if not isinstance(expression, str):
            raise InvalidParams(f"a script must be a text, not {type(expression).__name__}")
        require_seconds(timeout)
        self._require_ready()
        frame = self._resolver.frame(frame_index)
        session = frame.require_session()
        world = frame.main_world
        where = world.for_evaluate if world is not None else {}
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True, **where}
        return script_value(
            await session.post("Runtime.evaluate", params, timeout=timeout), "the script threw"
        )

    async def _box_in_view(self, element_id: ElementId, seconds: float) -> Box:
        """An element's box in the viewport, after it was scrolled there."""
        live = await self._resolver.resolve(element_id, deadline=time.monotonic() + seconds)
        try:
            await live.session.post(
                "DOM.scrollIntoViewIfNeeded", {"objectId": live.object_id}, timeout=seconds
            )
            box = (await self._resolver.describe(live.id))["box"]
        except CdpAgentError:
            box = None
        finally:
            live.release()
        if box is None:
            raise ElementNotVisible(f"{element_id} has no box", ref=str(element_id))
        left, top = await frame_offset(self._target, live.frame, seconds)
        return Box(box[0] + left, box[1] + top, box[2], box[3])

    async def screenshot(
        self,
        path: str | Path | None = None,
        *,
        full_page: bool = False,
        id: str | None = None,
        fit: tuple[int, int] | None = None,
        timeout: float = 30,
    ) -> bytes:
        """A PNG picture of the viewport, or of the whole page; written to `path` when given.

        With `id`, of that element, as far as it fits into the viewport: it is scrolled into view.
        `fit=(1024, 768)` has Chromium scale it down to that size at most.

        Raises:
            InvalidParams: it cannot be written there.
            ElementNotVisible: the element of `id` has no box in the viewport.
            BlockedByPolicy: it would show a secret of whoever uses this browser.
        """
        require_seconds(timeout)
        self._require_ready()
        if id is not None and (full_page or fit is not None):
            raise InvalidParams("a picture of an element is neither of the whole page nor scaled")
        box = await self._box_in_view(ElementId.parse(id), timeout) if id is not None else None
        picture = await take_picture(
            self._target,
            full_page=full_page,
            fit=fit,
            cover=self._browser.picture_cover,
            timeout=timeout,
        )
        if box is not None:
            size = await view_size(self._target, timeout)
            picture = await asyncio.to_thread(cut_out, picture, box, size)
        if path is not None:
            try:
                await asyncio.to_thread(Path(path).write_bytes, picture)
            except OSError as error:
                raise InvalidParams(f"cannot write {str(path)[:200]}: {error.strerror}") from None
        return picture
