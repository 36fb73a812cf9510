"""One tab, as users of the library see it."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cdp_agent.act import Outcome, Performed, Stage, scroll
from cdp_agent.act import click as clicking
from cdp_agent.act import text as writing
from cdp_agent.act.inputs import Button
from cdp_agent.act.settle import dialogs_since, navigated_to
from cdp_agent.api import navigation
from cdp_agent.api.dialogs import DialogPolicy, make_policy
from cdp_agent.config import ACTION_TIMEOUT, NAVIGATION_TIMEOUT
from cdp_agent.errors import DialogOpen, InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session
from cdp_agent.resolve import RefBook, Resolver
from cdp_agent.resolve.live import script_value
from cdp_agent.snapshot import Capturer, FrameInfo, Snapshot, SnapshotOptions, take_snapshot
from cdp_agent.targets import PageTarget
from cdp_agent.targets.dialog import Dialog

if TYPE_CHECKING:
    from cdp_agent.api.browser import Browser

#: A page whose last capture took longer is not looked at before it has settled: a look that turns
#: out too early would cost more than it saves.
_CHEAP_CAPTURE = 0.15

Verb = Callable[[Stage], Awaitable[Performed]]


class Page:
    """Observe it with `snapshot`, act on what that shows by id. Made by `Browser.new_page`."""

    def __init__(self, browser: Browser, target: PageTarget) -> None:
        self._browser = browser
        self._target = target
        self._book = RefBook()
        self._capturer = Capturer(target)
        self._resolver = Resolver(target, self._book, self._look)
        self._last: Snapshot | None = None
        self._capture_seconds = 1.0
        self._acting = asyncio.Lock()
        self._leaving = False
        self._policy: DialogPolicy = make_policy(None)
        target.choose_dialog_answer = self._answer_dialog

    def __repr__(self) -> str:
        return f"<Page {self.url}>"

    # -- what it is ---------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return self._target.url

    @property
    def title(self) -> str:
        return self._target.title

    @property
    def target_id(self) -> str:
        return self._target.target_id

    @property
    def is_closed(self) -> bool:
        return self._target.closed is not None

    @property
    def frames(self) -> list[FrameInfo]:
        """The frames there are now, the main one first."""
        return [self._capturer.frame_info(frame) for frame in self._target.frames]

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that waits for an answer, or None."""
        return self._target.dialog

    def on_dialog(self, policy: Any) -> None:
        """Who answers dialogs: `accept`, `dismiss`, `wait`, a mapping by type, or a function.

        By default an alert is acknowledged, and what asks a question waits for the caller. Leaving
        a page by a navigation of ours is never held up.
        """
        self._policy = make_policy(policy)

    def _answer_dialog(self, dialog: Dialog) -> bool | None:
        if dialog.type == "beforeunload" and self._leaving:
            return True
        return self._policy(dialog)

    def resolve_frame_session(self, frame_index: int) -> Session:
        """The protocol session that owns a frame.

        Raises:
            FrameDetached: the frame is gone.
            InvalidParams: no frame has ever had that number.
        """
        return self._resolver.frame(frame_index).require_session()

    # -- observing ----------------------------------------------------------------------------

    async def snapshot(self, **options: Any) -> Snapshot:
        """The page as it is now.

        Options: `viewport_only`, `interactive_only`, `max_elements`, `max_depth`,
        `max_name_length`, `roles`, `focus={"frame_index": 3, "selector": "#checkout"}`, `root`
        (an element's id) and `timeout` in seconds. Content that is `aria-hidden` or `inert` is
        left out.
        """
        wanted = SnapshotOptions.make(**options)
        self._require_ready()
        top = None
        if wanted.focus is not None:
            focus = wanted.focus
            top = focus.frame_index, await self._resolver.query(focus.frame_index, focus.selector)
        elif wanted.root is not None:
            root = await self._resolver.locate(
                wanted.root, deadline=time.monotonic() + ACTION_TIMEOUT
            )
            top = root.frame_index, root.backend_node_id
        return await self._take(wanted, top)

    async def _look(self) -> Snapshot:
        return await self._take(SnapshotOptions(), None)

    async def _take(self, options: SnapshotOptions, top: tuple[int, int] | None) -> Snapshot:
        began = time.monotonic()
        snapshot = await take_snapshot(self._capturer, options, top)
        self._capture_seconds = time.monotonic() - began
        self._book.remember(snapshot)
        self._last = snapshot
        return snapshot

    async def describe(self, element_id: str) -> dict[str, Any]:
        """Tag, attributes, quads and box of an element now, and where it lives."""
        self._require_ready()
        return await self._resolver.describe(ElementId.parse(element_id))

    async def evaluate(self, expression: str, frame_index: int = 0, *, timeout: float = 30) -> Any:
        """Run a script in the page's own world; its JSON value, promises awaited.

        Raises:
            BrowserError: the script threw.
        """
        self._require_ready()
        frame = self._resolver.frame(frame_index)
        session = frame.require_session()
        world = frame.main_world
        where = world.for_evaluate if world is not None else {}
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True, **where}
        return script_value(
            await session.post("Runtime.evaluate", params, timeout=timeout), "the script threw"
        )

    async def screenshot(
        self, path: str | Path | None = None, *, full_page: bool = False, timeout: float = 30
    ) -> bytes:
        """A PNG picture of the viewport, or of the whole page; written to `path` when given."""
        self._require_ready()
        self._target.session.send_only("Page.bringToFront")  # a hidden tab gives no picture
        params: dict[str, Any] = {"format": "png", "captureBeyondViewport": full_page}
        if full_page:
            metrics = await self._target.session.post("Page.getLayoutMetrics", timeout=timeout)
            size = metrics["cssContentSize"]
            params["clip"] = {**size, "scale": 1}
        reply = await self._target.session.post("Page.captureScreenshot", params, timeout=timeout)
        picture = base64.b64decode(reply["data"])
        if path is not None:
            await asyncio.to_thread(Path(path).write_bytes, picture)
        return picture

    # -- going places -------------------------------------------------------------------------

    async def goto(self, url: str, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        """Show an address, to DOMContentLoaded at least; `settled` says whether it loaded wholly.

        Raises:
            NavigationFailed: it cannot be shown.
            ActionTimeout: it was not read to its end in time; what came so far can be used.
        """
        address = navigation.require_url(url)
        return await self._go(lambda: navigation.navigate(self._target, address, timeout))

    async def reload(self, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        return await self._go(lambda: navigation.reload(self._target, timeout))

    async def back(self, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        """One step back in the history; `success` is False when there is none."""
        return await self._go(lambda: navigation.traverse(self._target, -1, timeout), history=True)

    async def forward(self, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        """One step forward in the history; `success` is False when there is none."""
        return await self._go(lambda: navigation.traverse(self._target, 1, timeout), history=True)

    async def _go(self, step: Callable[[], Awaitable[bool]], *, history: bool = False) -> Outcome:
        if self._target.closed is not None:
            raise self._target.closed
        self._require_no_dialog()
        async with self._acting:
            self._leaving = True
            try:
                done = await step()
            finally:
                self._leaving = False
        if history and not done:
            return Outcome(success=False)
        return Outcome(success=True, settled=done, navigated=self.url)

    # -- acting -------------------------------------------------------------------------------

    async def click(
        self,
        id: str,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        position: tuple[float, float] | None = None,
        observe: bool = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Click an element, at its middle or at `position` from its top left corner.

        Waits, within `timeout`, until it is visible, enabled, at rest and not covered. A press that
        would reach another element is stopped before the page sees it.

        Raises:
            ElementError: why it cannot be clicked. Nothing was clicked.
        """
        element_id = ElementId.parse(id)

        async def verb(stage: Stage) -> Performed:
            return await clicking.click(
                stage,
                element_id,
                button=button,
                count=count,
                modifiers=tuple(modifiers),
                position=position,
            )

        return await self._act(verb, observe, timeout)

    async def double_click(
        self, id: str, *, observe: bool = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Two clicks in a row, with click counts 1 and 2."""
        return await self.click(id, count=2, observe=observe, timeout=timeout)

    async def hover(
        self,
        id: str,
        *,
        position: tuple[float, float] | None = None,
        observe: bool = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Put the pointer on an element."""
        element_id = ElementId.parse(id)
        return await self._act(
            lambda stage: clicking.hover(stage, element_id, position=position), observe, timeout
        )

    async def fill(
        self, id: str, value: str, *, observe: bool = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Replace the text of an element; `data["value"]` is what it holds afterwards.

        Works by focus, so an overlay does not hinder it. A disabled field is waited for.

        Raises:
            NotEditable: it takes no text, or did not keep what it was given.
        """
        element_id = ElementId.parse(id)
        return await self._act(
            lambda stage: writing.fill(stage, element_id, value), observe, timeout
        )

    async def clear(
        self, id: str, *, observe: bool = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Remove the text of an element."""
        return await self.fill(id, "", observe=observe, timeout=timeout)

    async def type(
        self,
        id: str,
        text: str,
        *,
        delay_ms: float = 0,
        commit_enter: bool = False,
        observe: bool = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Type key by key at the end of what an element holds; `data["value"]` is the result."""
        element_id = ElementId.parse(id)

        async def verb(stage: Stage) -> Performed:
            return await writing.type_text(
                stage, element_id, text, delay_ms=delay_ms, commit_enter=commit_enter
            )

        return await self._act(verb, observe, timeout)

    async def press(
        self,
        key: str,
        id: str | None = None,
        *,
        observe: bool = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Press a key or chord (`Enter`, `Control+A`) on an element, or where the focus is."""
        element_id = ElementId.parse(id) if id is not None else None
        return await self._act(
            lambda stage: writing.press(stage, key, element_id), observe, timeout
        )

    async def scroll_into_view(
        self, id: str, *, observe: bool = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Scroll until an element is in the viewport, in all documents around it."""
        element_id = ElementId.parse(id)
        return await self._act(
            lambda stage: scroll.scroll_into_view(stage, element_id), observe, timeout
        )

    async def _act(self, verb: Verb, observe: bool, timeout: float) -> Outcome:
        """One action at a time: two that overlap would mix their events."""
        if not isinstance(timeout, int | float) or timeout <= 0:
            raise InvalidParams(f"timeout must be a number of seconds, not {timeout!r}")
        deadline = time.monotonic() + timeout
        self._require_ready()
        async with self._acting:
            self._require_ready()
            before = self._last
            early = self._look if observe and self._capture_seconds < _CHEAP_CAPTURE else None
            popups = len(self._target.popups)
            self._target.requests.acting = True
            try:
                performed = await verb(Stage(self._target, self._resolver, deadline, early))
            finally:
                self._target.requests.acting = False
            return await self._outcome(performed, before, popups, observe)

    async def _outcome(
        self, done: Performed, before: Snapshot | None, popups: int, observe: bool
    ) -> Outcome:
        target = self._target
        snapshot = None
        if observe and target.dialog is None and target.closed is None:
            snapshot = done.snapshot or await self._look()
        diff = snapshot.diff(before) if snapshot is not None and before is not None else None
        return Outcome(
            success=True,
            healed=done.healed,
            settled=done.settled,
            receipt=done.receipt,
            navigated=navigated_to(target, done.mark),
            dialogs=dialogs_since(target, done.mark),
            new_pages=tuple(self._browser.page_of(popup) for popup in target.popups[popups:]),
            console_errors=target.console_errors.since(done.mark.console),
            data=done.data,
            diff=diff if diff is not None and diff.is_worth_it else None,
            snapshot=snapshot,
        )

    # -- the end ------------------------------------------------------------------------------

    def _require_ready(self) -> None:
        self._target.require_alive()
        self._require_no_dialog()

    def _require_no_dialog(self) -> None:
        dialog = self._target.dialog
        if dialog is not None:
            message = f"a {dialog.type} waits for an answer: {dialog.message[:200]!r}"
            raise DialogOpen(message, type=dialog.type, text=dialog.message)

    async def close(self) -> None:
        """Close the tab. May be called twice."""
        if self._target.closed is not None:
            return
        self._leaving = True
        dialog = self._target.dialog
        if dialog is not None:
            dialog.answer_now(True)
        await self._browser.close_target(self._target)
