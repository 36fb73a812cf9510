"""One tab as users of the library see it: every public method and its errors.

The work is done below: verbs in `act`, everything else in the rooms beside this file.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from cdp_agent.act.controls.check import set_checked
from cdp_agent.act.controls.choice import select
from cdp_agent.act.controls.grid_cell import fill_or_edit
from cdp_agent.act.controls.select import OneOrMore, WantedOptions
from cdp_agent.act.drag.drag_path import drag_route
from cdp_agent.act.drag.drag_point import drag_from
from cdp_agent.act.drag.drop import drop_files
from cdp_agent.act.pointer import click as clicks
from cdp_agent.act.pointer.focus import focus, send_click_event
from cdp_agent.act.pointer.highlight import hide_highlight, highlight
from cdp_agent.act.scroll import distance
from cdp_agent.act.scroll.distance import ScrollDistance
from cdp_agent.act.scroll.scroll import scroll, scroll_into_view, scroll_to_position
from cdp_agent.act.scroll.text_search import scroll_until
from cdp_agent.act.scroll.wheel import wheel
from cdp_agent.act.text.focus_text import press_times, type_keys
from cdp_agent.act.text.text_piece import replace_piece
from cdp_agent.act.upload.upload import upload
from cdp_agent.act.upload.upload_paths import Paths
from cdp_agent.act.wait.change_watch import Seen, look_until
from cdp_agent.act.wait.lines_before import LinesBefore, lines_with
from cdp_agent.action_table.default_times import (
    pressing_seconds,
    scrolling_seconds,
    typing_seconds,
)
from cdp_agent.action_table.entry import Amount, Button, Direction
from cdp_agent.api.access import permissions
from cdp_agent.api.access.storage import require_state, restore_state, save_state
from cdp_agent.api.access.uploads import require_uploads
from cdp_agent.api.devtools.content import read_content, replace_content
from cdp_agent.api.devtools.cookies import Urls, clear_cookies, get_cookies, set_cookies
from cdp_agent.api.devtools.emulate import (
    emulate,
    geolocation_commands,
    locale_commands,
    media_commands,
    offline_commands,
    timezone_commands,
    user_agent_commands,
    viewport_commands,
)
from cdp_agent.api.devtools.pdf import Margin, Paper, pdf_params, print_pdf, write_file
from cdp_agent.api.devtools.resolved_element import ResolvedElement, resolved
from cdp_agent.api.devtools.tracing import start_recording, stop_recording
from cdp_agent.api.dialog_policy import make_policy
from cdp_agent.api.extraction.extraction import AskModel, Extraction, extract_data
from cdp_agent.api.navigation import dialog_answer, visit
from cdp_agent.api.navigation.recovery import recover
from cdp_agent.api.observation import views, wait
from cdp_agent.api.observation.elements import Observation, observe_page
from cdp_agent.api.observation.readable import read_page
from cdp_agent.api.observation.script import evaluate
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.parameter_checks import require_seconds
from cdp_agent.api.selectors import selector_search
from cdp_agent.api.tab import Observe, Tab
from cdp_agent.config import ACTION_TIMEOUT, NAVIGATION_TIMEOUT, RECOVERY_TIMEOUT, WAIT_TIMEOUT
from cdp_agent.errors import BlockedByPolicy
from cdp_agent.ids import ElementId, position_in
from cdp_agent.protocol import Session
from cdp_agent.resolve.readable_text import ReadableLine
from cdp_agent.snapshot import FrameInfo, Snapshot, SnapshotOptions, frame_info
from cdp_agent.snapshot.options import SnapshotKeywords
from cdp_agent.targets import PageTarget
from cdp_agent.targets.dialog import Dialog, DialogInfo
from cdp_agent.targets.logs.console_log import ConsoleMessage
from cdp_agent.targets.logs.event_stream import EventStream
from cdp_agent.targets.logs.request_log import NetworkRequest
from cdp_agent.targets.network.downloads import Download
from cdp_agent.targets.page_reports import LostValue

if TYPE_CHECKING:
    from cdp_agent.api.browser import Browser
    from cdp_agent.api.composite.steps import BeforeStep, CompositeResult, OnStep
    from cdp_agent.api.context import BrowserContext


class Page:
    """A tab: observe it with `snapshot`, act on elements by id."""

    def __init__(self, browser: Browser, target: PageTarget) -> None:
        self._tab = Tab(browser, target)

    def __repr__(self) -> str:
        return f"<Page {self.url}>"

    # -- the tab ---------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return self._tab.target.url

    @property
    def title(self) -> str:
        return self._tab.target.title

    @property
    def target_id(self) -> str:
        return self._tab.target.target_id

    @property
    def browser(self) -> Browser:
        return self._tab.browser

    @property
    def context(self) -> BrowserContext | None:
        """The context it was opened in, or None for the browser's own."""
        return self._tab.browser.context_of(self._tab.target)

    @property
    def opener(self) -> Page | None:
        """The page whose scripts this one may reach; None after `noopener`."""
        opener = self._tab.target.opener
        return self.browser.open_tabs.page_of(opener) if opener is not None else None

    @property
    def is_closed(self) -> bool:
        return self._tab.target.closed is not None

    @property
    def is_crashed(self) -> bool:
        """Its process ended: `goto` or `recover` revive it, other calls raise."""
        return self._tab.target.crashed

    @property
    def frames(self) -> list[FrameInfo]:
        """The frames there are now, the main one first."""
        return [frame_info(frame) for frame in self._tab.target.frames]

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that waits for an answer, or None."""
        return self._tab.target.dialog

    @property
    def downloads(self) -> list[Download]:
        """Files that the page, its frames and tabs it opened sent, the oldest first."""
        return list(self._tab.target.downloads)

    async def bring_to_front(self, *, timeout: float = 5.0) -> None:
        """Make it the tab that a person sees. Actions need it not: they work in any tab."""
        self._tab.target.require_alive()
        await self._tab.target.session.post("Page.bringToFront", timeout=timeout)

    async def close(self) -> None:
        """Close the tab. May be called twice."""
        await self._tab.close()

    async def recover(self, *, timeout: float = RECOVERY_TIMEOUT) -> Outcome:
        """Make a page that hangs or has crashed usable again.

        Goes up a ladder and stops at the first step after which every process of the page answers;
        `data["step"]` says which, and `data["lost"]` what that cost:

        - `none`: it answers; nothing was done.
        - `terminate`: the script that ran in the page or in a frame was ended. Ids stay valid.
        - `stop_loading`: what was still being loaded was given up. Ids stay valid.
        - `reload`: its address was loaded again (a form is not sent again). What was typed is lost.
        - `new_target`: another tab took its place, at the same address, or empty when that hangs
          as well. History and session storage are lost too; `target_id` is another one, all ids
          are stale. The page object stays the same, and so do its dialog policy and its size.

        A script that runs for longer than a second counts as hanging. Actions under way meanwhile
        fail or succeed as the page lets them.

        Raises:
            DialogOpen: it does not hang, it waits for an answer.
            TargetClosed, ConnectionLost: there is nothing left to recover.
            ActionTimeout: no step helped in time. The browser's other pages are not affected.
        """
        return await recover(self._tab, timeout)

    def resolve_frame_session(self, frame_index: int) -> Session:
        """The protocol session that owns a frame.

        Raises:
            FrameDetached: the frame is gone.
            InvalidParams: no frame has ever had that number.
        """
        return self._tab.resolver.frame(frame_index).require_session()

    def resolve_element(
        self, id: str, *, timeout: float = ACTION_TIMEOUT
    ) -> AbstractAsyncContextManager[ResolvedElement]:
        """The live node of an id, for protocol commands of one's own; released at the end.

            async with page.resolve_element("2-1047") as element:
                params = {"objectId": element.object_id}
                await element.session.cdp.DOM.scrollIntoViewIfNeeded(params)

        It has `session`, `frame_id`, `frame_index`, `backend_node_id`, `object_id`, and its `id`,
        which is another one where the element was replaced and found again (`healed`).

        Raises (when entered):
            RefInvalid: the id was never handed out.
            StaleRef: what it named is gone.
        """
        return resolved(self._tab, ElementId.parse(id), require_seconds(timeout))

    # -- addresses and history -------------------------------------------------------------------

    async def goto(
        self, url: str, *, referer: str | None = None, timeout: float = NAVIGATION_TIMEOUT
    ) -> Outcome:
        """Show an address, until the page has drawn: `settled` says whether it has wholly.

        It is read to its end at least. Then it is waited for until it shows something, what it asks
        its server for has come, and what it shows has stopped changing, but no longer than about
        three seconds: `loading` says what was under way then (`2 requests`).

        A page that asks a question while it loads ends the wait: the dialog is in the outcome, and
        the page loads on when it is answered. `referer` is the address that the server is told one
        comes from.

        Raises:
            BlockedByPolicy: the browser may not go there, or was sent on to where it may not.
            NavigationFailed: it cannot be shown.
            ActionTimeout: it was not read to its end in time; what came so far can be used.
        """
        return await visit.goto(self._tab, url, timeout, referer)

    async def reload(self, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        """Load the page's address again.

        Raises:
            NavigationFailed: it cannot be shown any more.
            ActionTimeout: it was not read to its end in time; what came so far can be used.
        """
        return await visit.reload(self._tab, timeout)

    async def back(self, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        """One step back in the history.

        `success` is False when there is none, or when the page has put itself back at once.
        """
        return await visit.traverse(self._tab, -1, timeout)

    async def forward(self, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        """One step forward in the history; `success` is False as for `back`."""
        return await visit.traverse(self._tab, 1, timeout)

    async def wait_loaded(self, timeout: float = 2.0) -> bool:
        """Wait until the page and its frames have loaded; False when not in time."""
        return await visit.wait_loaded(self._tab.target, timeout)

    # -- observation -----------------------------------------------------------------------------

    async def snapshot(
        self, base: SnapshotOptions | None = None, /, **options: Unpack[SnapshotKeywords]
    ) -> Snapshot:
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
        return await views.reported(self._tab, SnapshotOptions.make(base, **options))

    async def capture(
        self, base: SnapshotOptions | None = None, /, **options: Unpack[SnapshotKeywords]
    ) -> Snapshot:
        """A snapshot for internal use: dialogs are left for the next result to report."""
        return await views.captured(self._tab, SnapshotOptions.make(base, **options))

    async def observe(
        self,
        *,
        max_elements: int = 100,
        filter_roles: Sequence[str] = (),
        viewport_only: bool = False,
        tree: bool = False,
        picture: bool = False,
        timeout: float = 30,
    ) -> Observation:
        """The page's metadata and its interactive elements.

        Each has `ref` (the id), `selector` (finds it again in another session, where it is the
        only one of its role and name), `role`, `name`, `value`, `state`, `hints` (clickable,
        editable, selectable, checkable, expandable, draggable, scrollable, submittable), `bounds`
        and `frame`. `tree` adds the page as text, `picture` a PNG.

        Raises:
            InvalidParams: `max_elements` is not from 1 to 200, or a role is not a text.
        """
        return await observe_page(
            self._tab, max_elements, filter_roles, viewport_only, tree, picture, timeout
        )

    async def read(
        self,
        target: str | None = None,
        *,
        sections: bool = True,
        outside: bool = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> list[ReadableLine]:
        """The readable lines of the page with its frames, or of one element.

        Navigation, sidebars and buttons are left out of a page; with `outside` they come last.
        `target` is an id or a selector; of a heading it is the section, unless `sections` is
        false. Fields stand for their values, rows of tables are lines.

        Raises:
            ElementNotFound, StaleRef: there is no such element.
        """
        return await read_page(self._tab, target, timeout, sections=sections, outside=outside)

    async def extract(
        self,
        schema: Any,
        *,
        root: str | None = None,
        instruction: str = "",
        ask_model: AskModel | None = None,
        timeout: float = 10,
    ) -> Extraction:
        """Read data off the page: tables, lists of cards, forms, `key: value`.

        `schema` is a pydantic model class or a JSON Schema (an object, or an array). Names are
        compared with what the page calls things (`unitPrice` is found under "Unit price"), texts
        become numbers and truth values where the schema wants them. Nothing is guessed: what the
        page's structure does not give is asked of `ask_model` where there is one. `root`, an
        element's id, limits the search to what is inside it.

        Raises:
            InvalidParams: it is not a schema.
            ConditionFailed: the page does not give what the schema requires; it says what.
        """
        return await extract_data(self._tab, schema, root, instruction, ask_model, timeout)

    async def describe(self, element_id: str) -> dict[str, Any]:
        """Tag, attributes, quads and box of an element now, and where it lives."""
        self._tab.require_ready()
        return await self._tab.resolver.describe(ElementId.parse(element_id))

    async def evaluate(self, expression: str, frame_index: int = 0, *, timeout: float = 30) -> Any:
        """Run a script in the page's own world; its JSON value, promises awaited.

        `NaN`, infinities and whole numbers of any size are what they are in Python.

        Raises:
            BrowserError: the script threw.
        """
        return await evaluate(self._tab, expression, frame_index, timeout)

    async def screenshot(
        self,
        path: str | Path | None = None,
        *,
        full_page: bool = False,
        id: str | None = None,
        fit: tuple[int, int] | None = None,
        timeout: float = 30,
    ) -> bytes:
        """A PNG of the viewport, or of the whole page; written to `path` if given.

        With `id`, of that element, as far as it fits into the viewport: it is scrolled into view.
        `fit=(1024, 768)` has Chromium scale it down to that size at most.

        Raises:
            InvalidParams: it cannot be written there.
            ElementNotVisible: the element of `id` has no box in the viewport.
            BlockedByPolicy: it would show a secret of whoever uses this browser.
        """
        return await views.picture(self._tab, path, full_page, id, fit, timeout)

    # -- finding elements ------------------------------------------------------------------------

    async def find(self, selector: Any, *, timeout: float = 5) -> str:
        """The id of the one element that a selector names.

        `"0-12"`, `{"role": "button", "name": "Send"}`, `{"text": …}`, `{"label": …}`,
        `{"placeholder": …}`, `{"test_id": …}`, `{"css": …}`, `{"xpath": …}`; with `frame`, `exact`
        and `nth` where needed. A text or name that is equal wins over one that only contains it.

        Raises:
            ElementNotFound: none fits, or several do; then the error lists them.
        """
        return await selector_search.find(self._tab, selector, timeout)

    async def find_soon(self, selector: Any, *, timeout: float = ACTION_TIMEOUT) -> str:
        """As `find`, and waits for an element that is not there yet.

        Raises:
            ElementNotFound: it did not come in time, or several fit, which is not waited for.
        """
        return await selector_search.find_soon(self._tab, selector, timeout)

    def name_of(self, element_id: str) -> str:
        """The name of an element in a snapshot or search: `[0-44] button "Save"`."""
        return selector_search.name_of(self._tab, element_id)

    def role_and_name(self, element_id: str) -> tuple[str, str]:
        """The role and name of an element when last captured; empty if unknown."""
        return selector_search.role_and_name(self._tab, element_id)

    # -- mouse -----------------------------------------------------------------------------------

    async def click(
        self,
        id: str,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        position: tuple[float, float] | None = None,
        trial: bool = False,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Click an element, at its middle or at `position` from its top left corner.

        Where a control of its own stands in its middle (a card with a button) it is clicked beside
        that, if there is a place. Of a frame the element in its document that is there is clicked:
        the receipt names it, and `data["inside"]` describes it.

        Waits, within `timeout`, until it is visible, enabled, at rest and not covered. A press that
        would reach another element is stopped before the page sees it. With `trial` it waits for
        the same, scrolls it into view, and presses nothing.

        Raises:
            ElementError: why it cannot be clicked. Nothing was clicked.
        """
        return await self._tab.act_on(
            clicks.click,
            id,
            observe,
            timeout,
            button=button,
            count=count,
            modifiers=modifiers,
            position=position_in(id, position),
            trial=trial,
        )

    async def double_click(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Two clicks in a row, with click counts 1 and 2."""
        return await self.click(id, count=2, observe=observe, timeout=timeout)

    async def hover(
        self,
        id: str,
        *,
        modifiers: Sequence[str] = (),
        position: tuple[float, float] | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Put the pointer on an element, as if the keys named in `modifiers` were held.

        `data["covered"]` names what the page has put over it in answer, if it has: the element has
        had the pointer then, and has it no more.
        """
        return await self._tab.act_on(
            clicks.hover,
            id,
            observe,
            timeout,
            modifiers=modifiers,
            position=position_in(id, position),
        )

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
        """Drag an element: onto another one, by an offset, or along a path.

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
        they mean; `changed` is False where the page shows nothing of it afterwards, as a canvas
        does not, or has put all back.

        Raises:
            InvalidParams: not exactly one of `target_id`, `by`, `path`, or numbers that are none.
            ElementError: why one of the two cannot be pointed at.
            ConditionFailed: the target did not accept a drag-and-drop; there was no drop.
            DialogOpen: the page asked something in the middle; the drag was given up.
        """
        source, route = drag_route(
            source_id,
            at,
            source_position,
            path,
            target_id=target_id,
            by=by,
            target_position=position_in(target_id, target_position),
            steps=steps,
            cancel=cancel,
        )
        return await self._tab.act(lambda stage: drag_from(stage, source, route), observe, timeout)

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
        files = require_uploads(self.browser, paths)
        return await self._tab.act_on(
            drop_files, id, observe, timeout, files, position_in(id, position)
        )

    async def wheel(
        self,
        delta_x: float,
        delta_y: float,
        id: str | None = None,
        *,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Turn the wheel over an element, or over the middle of the page, by CSS pixels.

        What that does is the page's: it may scroll what is there or what is around it, zoom a map,
        or nothing. `data` has the position of the innermost box that had room to move.

        Raises:
            InvalidParams: a delta is not a number, or both are 0.
            ElementError: the element cannot be pointed at.
            ActionTimeout: nothing in the page received it.
        """
        return await self._tab.act_on(wheel, id, observe, timeout, delta_x, delta_y)

    async def send_click_event(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Dispatch a synthetic click event, for what no pointer can reach.

        Nothing else in the library does this. The page can tell it from a person's click; the
        outcome's receipt says `trusted=False`, and `data` says `synthetic`.
        """
        return await self._tab.act_on(send_click_event, id, observe, timeout)

    # -- keyboard --------------------------------------------------------------------------------

    async def fill(
        self, id: str, value: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Replace the text of an element; `data["value"]` is what it holds afterwards.

        Works by focus, so an overlay does not hinder it. A disabled field is waited for. Of a cell
        in a grid the editor is opened (by a double click, Enter or F2), filled and committed by
        Enter; `data["value"]` is what the cell shows then.

        Raises:
            NotEditable: it takes no text, or did not keep what it was given.
        """
        return await self._tab.act_on(fill_or_edit, id, observe, timeout, value)

    async def clear(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Remove the text of an element."""
        return await self.fill(id, "", observe=observe, timeout=timeout)

    async def replace(
        self,
        id: str,
        old: str,
        new: str,
        *,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Replace one piece of the text of a field or editor; the rest stays as it is.

        `data["value"]` is what it holds afterwards.

        Raises:
            ConditionFailed: `old` is not there exactly once; `count` in its data says how often.
            NotEditable: it takes no text, or did not keep what it was given.
        """
        return await self._tab.act_on(replace_piece, id, observe, timeout, old, new)

    async def type(
        self,
        id: str | None,
        text: str,
        *,
        delay_ms: float = 0,
        commit_enter: bool = False,
        observe: Observe = False,
        timeout: float | None = None,
    ) -> Outcome:
        """Type key by key at the end of a field; `data["value"]` is the result.

        Without an id (None) into what has the focus, which `data["focus"]` describes; that may be
        a grid or canvas that takes keys without being a field. Without a timeout it may take 5
        seconds, and 10 ms and the delay for each character.

        Raises:
            StaleRef: the page took the focus away; `typed` in its data says how much had arrived.
            NotEditable: the page refused every key, or what has the focus takes no text.
            InvalidParams: no id was given, and nothing has the focus.
        """
        return await self._tab.act_on(
            type_keys,
            id,
            observe,
            typing_seconds(text, delay_ms) if timeout is None else timeout,
            text,
            delay_ms=delay_ms,
            commit_enter=commit_enter,
        )

    async def press(
        self,
        key: str,
        id: str | None = None,
        *,
        times: int = 1,
        observe: Observe = False,
        timeout: float | None = None,
    ) -> Outcome:
        """Press a key or chord (`Control+A`) on an element, or where the focus is.

        `times` (1 to 100) presses it again and again, until a press fails, a dialog opens or
        another document comes; the timeout holds for all of them (by default 5 seconds, and half a
        second more for each further one). `data` has the `value` of a field after a character,
        `refused` if the page prevented it, and `pressed` of several presses.
        """
        seconds = pressing_seconds(times) if timeout is None else timeout
        return await self._tab.act_on(press_times, id, observe, seconds, key, times)

    async def focus(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Give an element the focus."""
        return await self._tab.act_on(focus, id, observe, timeout)

    # -- controls and files ----------------------------------------------------------------------

    async def select(
        self,
        id: str,
        *,
        value: OneOrMore | None = None,
        label: OneOrMore | None = None,
        index: OneOrMore | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Choose in a list by value, label, or index from 0; each one or several.

        In a list that takes several, exactly those are chosen afterwards; `[]` means none. Takes
        native lists, fields with a list of suggestions, and ARIA listboxes and comboboxes, which
        are opened, searched and clicked as a person would; likewise lists without roles that stand
        for a native one (Chosen, Selectize). Options that are not there yet are
        waited for. Where no option has a label, the only one that has it as a part is chosen (from
        the beginning of a word on, in upper or lower case). The same text as `value` and `label`
        means the option of that value, or where there is none, of that label.

        `data` has the chosen `value` and `label`, `changed`, and in `chose` the whole label for
        each part.

        Raises:
            OptionNotFound: there is no such option in time, or several have the label as a part;
                the hint lists those there are.
            ElementDisabled: the list or the option cannot be chosen.
            ConditionFailed: it was chosen, and the page did not keep it.
        """
        wanted = WantedOptions.parse(value, label, index)
        return await self._tab.act_on(select, id, observe, timeout, wanted)

    async def check(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Check a checkbox, radio button or switch, by a click if it is not checked yet.

        Raises:
            ConditionFailed: it was clicked, and the page did not keep it checked.
        """
        return await self._tab.act_on(set_checked, id, observe, timeout, True)

    async def uncheck(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Uncheck a checkbox or switch, by a click if it is checked.

        Raises:
            InvalidParams: it is a radio button.
            ConditionFailed: it was clicked, and the page did not keep it unchecked.
        """
        return await self._tab.act_on(set_checked, id, observe, timeout, False)

    async def upload(
        self, id: str, paths: Paths, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Put files into a file input, or into the chooser that an element opens.

        `paths` are of the machine that the browser runs on: one file, several for an input that
        takes several, or one folder for an input that takes a folder. An input is given them
        directly, so it may be hidden or covered; anything else is clicked like `click` does. The
        page gets one `input` and one `change` event, and `data["files"]` is what it was given in
        them, with names and sizes. Files that the input's `accept` does not name are uploaded all
        the same, as by a person who chooses from "All files", and listed in
        `data["not_accepted"]`. Files that the input holds already are no change: the page is sent
        `cancel`, as Chromium does for a person, and `data["changed"]` is False. `data["kept"]`
        says whether the input holds files afterwards: a page that has taken them may empty it, and
        so may one that refuses them.

        Raises:
            InvalidParams: a path is missing, or the input does not take that many, or takes files
                or a folder and was given the other. Nothing was uploaded.
            NotEditable: it is not a file input and opens no file chooser.
            ElementDisabled, ElementError: why it cannot be used.
        """
        files = require_uploads(self.browser, paths)
        return await self._tab.act_on(upload, id, observe, timeout, files)

    # -- scrolling -------------------------------------------------------------------------------

    # All but `scroll_into_view` and `wheel` answer where the box rests in `data`: `x`, `y` as the
    # page itself has them (a right-to-left box counts down from 0), `min_x`, `max_x`, `min_y`,
    # `max_y`, `moved_x`, `moved_y`, `percent` of the way gone, `at_start`, `at_end`, `chunk` of
    # `chunks`, whether a handler of the page `prevented` it, and `by`: `wheel` or `script`.

    async def scroll(
        self,
        direction: Direction,
        *,
        pixels: float | None = None,
        amount: Amount = "page",
        id: str | None = None,
        until: str | None = None,
        observe: Observe = False,
        timeout: float | None = None,
    ) -> Outcome:
        """Scroll by a page, half a page or pixels, or to the `top` or `bottom`.

        `amount` is `page`, `half` or a number of pixels, as `pixels` is.

        Without an id the page: its document, or where that does not scroll, the box or frame that
        fills it. With an id the element itself if it scrolls that way, else the box that fills it
        (of a grid or canvas), else what it stands in; an iframe means the document in it. Only that
        box moves: at its end nothing does, which is a success with `moved_x` and `moved_y` 0, and
        so is a wheel that the page's own code has prevented (`prevented`). `data["box"]` names it.

        `until` is a text: it is scrolled on until the page, or the element, has it, as long as
        there is more and the timeout allows (without one 30 seconds, else 5), and the text is
        brought into view. `data["found"]` is its line and `data["found_id"]` its element's id.

        Raises:
            InvalidParams: no such direction or amount; pixels not above 0.
            ElementNotVisible: the element is not shown.
            ConditionFailed: it had room that way and has not moved: its style locks it, or the
                page has put it back. Or the end was reached without the text.
        """
        travel = distance.travel(direction, pixels, amount)
        seconds = scrolling_seconds(until) if timeout is None else timeout
        if until is not None:
            return await self._tab.act_on(scroll_until, id, observe, seconds, travel, until)
        return await self._tab.act_on(scroll, id, observe, seconds, travel)

    async def scroll_to(
        self,
        percent: float | str,
        *,
        id: str | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Scroll to a share of the whole height: 0 is the top, 100 or `100%` the bottom."""
        travel = distance.travel_to(percent)
        return await self._tab.act_on(scroll, id, observe, timeout, travel)

    async def scroll_to_position(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Scroll the page to a position in CSS pixels, as `window.scrollTo` counts them.

        An axis that is not given stays. A position beyond the end is the end: `data` has the
        position where the page rests, as after `scroll`.

        Raises:
            InvalidParams: neither is given, or one is not a number.
            ConditionFailed: the page is locked, or has put it back.
        """
        travels = distance.travels_to(x, y)
        return await self._tab.act(
            lambda stage: scroll_to_position(stage, travels), observe, timeout
        )

    async def next_chunk(
        self, *, id: str | None = None, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Read on: one view further down, with a tenth of the last one still in sight."""
        travel = ScrollDistance("y", 1, pages=distance.CHUNK)
        return await self._tab.act_on(scroll, id, observe, timeout, travel)

    async def prev_chunk(
        self, *, id: str | None = None, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Read back: one view further up, with a tenth of the last one still in sight."""
        travel = ScrollDistance("y", -1, pages=distance.CHUNK)
        return await self._tab.act_on(scroll, id, observe, timeout, travel)

    async def scroll_into_view(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Scroll until an element is in the viewport, in all documents around it."""
        return await self._tab.act_on(scroll_into_view, id, observe, timeout)

    # -- many steps, waiting ---------------------------------------------------------------------

    async def act(
        self,
        steps: Sequence[Mapping[str, Any]],
        *,
        timeout: float = 60.0,
        stop_on_first_error: bool = True,
        continue_on_condition_fail: bool = False,
        observe: Observe = False,
        before_step: BeforeStep | None = None,
        on_step: OnStep | None = None,
    ) -> CompositeResult:
        """Run 1 to 50 steps; all are checked before the first one runs.

        A step is `{"action": "fill", "params": {"selector": {"label": "Name"}, "value": "Ada"}}`
        with, where wanted, `label`, `condition`, `on_error`, `max_retries`, `retry_delay`; see
        `cdp_agent.api.composite`. `timeout` holds for all steps together and interrupts the one
        that is running; the page stays usable. With `observe` the answer has the page afterwards.

        Raises:
            InvalidParams: a step is wrong; none was run. What fails later is in the rows.
        """
        from cdp_agent.api.composite.step_run import run_observed
        from cdp_agent.api.composite.steps import Rules

        rules = Rules(
            timeout, stop_on_first_error, continue_on_condition_fail, before_step, on_step
        )
        return await run_observed(self, steps, rules, observe)

    async def wait_for(
        self,
        *,
        text: str | Sequence[str] | None = None,
        text_gone: str | Sequence[str] | None = None,
        id: str | None = None,
        state: str = "visible",
        url: str | re.Pattern[str] | None = None,
        quiet: bool | float = False,
        new: bool | LinesBefore = False,
        observe: Observe = False,
        timeout: float = WAIT_TIMEOUT,
    ) -> Outcome:
        """Wait until everything that is given holds at the same time, in whichever frame.

        `text` is shown somewhere on the page and `text_gone` nowhere (each one or several): as a
        person reads it, in view or not, without regard to case and white space; also labels and
        hints of fields, buttons and pictures, not what fields hold or closed shadow trees. `id` is
        in `state`: visible, hidden, enabled, disabled, editable, checked, unchecked, expanded,
        collapsed, selected, unselected, focused, attached or gone; what was removed is hidden and
        gone. `url` is a part of the page's address, all of it when it has a `*` for any characters,
        or a compiled pattern. `quiet` is a time in
        seconds (True: 0.5) in which no frame changed and no request was under way; what changes
        all the time, is polled, or has been loading for over 5 seconds does not count.

        With `new`, only a line with `text` counts that was not shown when the wait began, or at
        the moment of `lines_with`, whose result is given as `new`.

        `data["met"]` says what was seen, and `data["lines"]` has the line with each `text`. Other
        calls may act on the page meanwhile.

        Raises:
            ActionTimeout: it did not come true in time; the message has what was seen last.
            DialogOpen: a dialog waits for an answer, and nothing can be seen until it gets one.
            RefInvalid: the id was never handed out.
            TargetClosed, TargetCrashed: it cannot come true any more.
        """
        condition = wait.make_condition(text, text_gone, id, state, url, quiet, new)
        return await wait.wait_for(self._tab, condition, observe, timeout)

    async def lines_with(self, texts: Sequence[str], *, timeout: float = 1.0) -> LinesBefore:
        """The lines that show these texts now, for `wait_for(text=texts, new=…)` later."""
        return await lines_with(self._tab.target, texts, timeout)

    async def look_until(
        self, look: Callable[[], Awaitable[Seen | None]], timeout: float
    ) -> Seen | None:
        """Returns the value of `look`, as soon as a change of the page gives one.

        It is called again after each change of any frame's document, address or dialog. None when
        it gave None until the time was over. What it raises ends the wait.

        Raises:
            TargetClosed, TargetCrashed: nothing will change any more.
        """
        return await look_until(self._tab.target, look, time.monotonic() + timeout)

    # -- dialogs and lost values -----------------------------------------------------------------

    def on_dialog(self, policy: Any) -> None:
        """Set the policy: `accept`, `dismiss`, `wait`, a mapping by type, or a function.

        By default an alert is acknowledged, and what asks a question waits for the caller. Leaving
        a page by a navigation of ours is never held up.
        """
        self._tab.dialog_policy = make_policy(policy)

    async def answer_dialog(
        self,
        *,
        accept: bool = True,
        text: str | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Answer the dialog that waits, and wait for what the page does then.

        `text` answers a prompt; without one it keeps its default, as after a person's Enter.
        `data["answered"]` has the dialog's `type` and `message`, `accepted`, and for `beforeunload`
        in `left` whether the page was left. `dialogs` are those that opened next.

        Raises:
            InvalidParams: no dialog is open.
        """
        return await dialog_answer.answer(self._tab, accept, text, observe, timeout)

    def answer_next_dialog(self, *, accept: bool = True, text: str | None = None) -> None:
        """Answer the next dialog of the page as soon as it opens.

        It holds for one dialog, and a later call replaces it. The outcome of the action that opens
        the dialog reports it with its answer.

        Raises:
            InvalidParams: a dialog waits for an answer already, or a text goes with a dismissal.
        """
        dialog_answer.answer_next(self._tab, accept, text)

    async def wait_dialog(self, timeout: float) -> Dialog | None:
        """The dialog that waits for an answer, now or within a time; None without one."""
        return await dialog_answer.wait_dialog(self._tab.target, timeout)

    def report_dialogs(self) -> tuple[DialogInfo, ...]:
        """Dialogs that no result has reported; from now on they count as reported."""
        return self._tab.target.dialogs.report(self._tab.target.dialogs.count)

    def report_lost_values(self) -> tuple[LostValue, ...]:
        """Values of actions that the page changed since; they count as reported now."""
        return self._tab.report_lost_values()

    # -- permissions, credentials, storage -------------------------------------------------------

    async def set_permission(
        self, name: str, setting: str = "granted", *, origin: str | None = None
    ) -> None:
        """Grant or deny a permission, or have it asked for (`prompt`), to an origin.

        The origin is this page's unless another is named, and the answer holds in the whole
        context. What nobody has set is denied in a browser that was launched here, so that no page
        waits for a person. Names are those of the Permissions API.

        Raises:
            InvalidParams: there is no such permission or setting, or the page has no origin.
        """
        await permissions.set_for_origin(self._tab, name, setting, origin)

    async def set_geolocation(
        self, latitude: float, longitude: float, *, accuracy: float = 10.0
    ) -> None:
        """Set the place that this page sees; it needs the permission `geolocation`.

        Raises:
            InvalidParams: no such place.
        """
        await emulate(self._tab.target, geolocation_commands(latitude, longitude, accuracy))

    async def set_credentials(self, credentials: Any) -> None:
        """Answer servers that ask this page, its frames or tabs it opens for a password.

        `("ada", "secret")` for whoever asks, `{"https://host": ("ada", "secret")}` for those
        origins alone, None for nobody: a page that asks then fails to load with
        `navigation_failed`. What the server does not take is not offered twice. A frame of another
        site than its page is never let in: Chromium shows it the server's refusal.

        Raises:
            InvalidParams: it is none of these.
        """
        await permissions.set_credentials(self._tab.target, credentials)

    async def storage_state(self) -> dict[str, Any]:
        """All cookies of the page's context, and the local storage of its origins.

        Plain data, to be kept as JSON: `{"cookies": […], "origins": [{"origin": …,
        "localStorage": [{"name": …, "value": …}]}]}`. Session storage and databases are not in it.
        It lets whoever has it act as the person: keep it like a password.
        """
        return await save_state(self.browser, self._tab.target.context_id)

    async def set_storage_state(self, state: Mapping[str, Any]) -> None:
        """Put back what `storage_state` gave, beside what this page's context has already.

        Load the page again afterwards for it to see the change.

        Raises:
            InvalidParams: it has not that shape, or Chromium refuses a cookie.
        """
        await restore_state(self.browser, self._tab.target.context_id, require_state(state))

    # -- drawing ---------------------------------------------------------------------------------

    async def highlight(
        self, id: str, *, color: str = "#e8710a", timeout: float = ACTION_TIMEOUT
    ) -> None:
        """Draw a box over an element, for people and pictures; the page does not notice.

        One box at a time; it stays until `hide_highlight` or until the document goes.
        """
        element = ElementId.parse(id)
        self._tab.require_ready()
        await highlight(
            self._tab.target, self._tab.resolver, element, color, time.monotonic() + timeout
        )

    async def hide_highlight(self) -> None:
        """Remove the box that `highlight` drew. May be called without one."""
        self._tab.target.require_alive()
        await hide_highlight(self._tab.target)

    # -- the document -------------------------------------------------------------------------

    async def content(self, *, frame: int = 0, timeout: float = 30.0) -> str:
        """The HTML of the page's document as it is now, or of the frame of that number.

        Raises:
            DialogOpen: a dialog waits for an answer.
            FrameDetached, InvalidParams: the frame is gone, or there has never been one.
        """
        self._tab.require_ready()
        where = self._tab.resolver.frame(frame)
        return await read_content(self._tab.target, where, require_seconds(timeout))

    async def set_content(self, html: str, *, timeout: float = 30.0) -> None:
        """Replace the page's document by this HTML, and wait until it has loaded.

        Its scripts run. Ids of earlier snapshots are stale, or healed where that is certain.

        Raises:
            InvalidParams: it is not a text.
            ActionTimeout: what it refers to was not loaded in time.
        """
        seconds = require_seconds(timeout)
        self._tab.require_ready()
        async with self._tab.turn(seconds):
            await replace_content(self._tab.target, html, seconds)

    async def pdf(
        self,
        path: str | Path | None = None,
        *,
        paper: Paper = "letter",
        landscape: bool = False,
        background: bool = False,
        scale: float = 1.0,
        margin: Margin = 0.4,
        pages: str = "",
        css_page_size: bool = False,
        timeout: float = 60.0,
    ) -> bytes:
        """The page as a PDF, as Chromium prints it; written to `path` when given.

        `paper` is a name such as `A4`, or (width, height) in inches; `margin` is inches on every
        side, or four of them clockwise from the top; `pages` looks like `1-3, 5`. With
        `css_page_size` the size that the page's own style names comes first.

        Raises:
            InvalidParams: one of them is out of range, or `path` cannot be written.
            BlockedByPolicy: it would show a secret of whoever uses this browser.
        """
        params = pdf_params(
            paper=paper,
            landscape=landscape,
            background=background,
            scale=scale,
            margin=margin,
            pages=pages,
            css_page_size=css_page_size,
        )
        seconds = require_seconds(timeout)
        self._tab.require_ready()
        printed = await print_pdf(self._tab.target, params, self.browser.picture_cover, seconds)
        if path is not None:
            await write_file(path, printed)
        return printed

    # -- cookies, device, place and network ---------------------------------------------------

    async def cookies(self, urls: Urls = None) -> list[dict[str, Any]]:
        """The cookies of the page's context, or those that requests to `urls` carry.

        Plain data: `name`, `value`, `domain`, `path`, `expires` (seconds since 1970, -1: until the
        browser is closed), `httpOnly`, `secure`, `sameSite`.

        Raises:
            InvalidParams: one of `urls` is not an address of a server.
        """
        return await get_cookies(self.browser, self._tab.target.context_id, urls)

    async def set_cookies(self, cookies: Sequence[Mapping[str, Any]]) -> None:
        """Set cookies in the page's context, by default for this page.

        Raises:
            InvalidParams: one has another shape, or Chromium refuses it. None was set.
        """
        await set_cookies(self.browser, self._tab.target.context_id, cookies, self.url)

    async def clear_cookies(self, urls: Urls = None) -> int:
        """Remove all cookies of the page's context, or of `urls`; returns their number.

        Raises:
            InvalidParams: one of `urls` is not an address of a server.
        """
        return await clear_cookies(self.browser, self._tab.target.context_id, urls)

    async def set_viewport(
        self,
        width: int,
        height: int,
        *,
        scale: float = 0,
        mobile: bool = False,
        touch: bool | None = None,
    ) -> None:
        """Give the page another size, in CSS pixels.

        `scale` is the device's pixels for one of those (0: the screen's own). `mobile` has the page
        laid out as on a phone, and with `touch`, unless that is False. Ids stay valid.

        Raises:
            InvalidParams: no window has that size.
        """
        await emulate(self._tab.target, viewport_commands(width, height, scale, mobile, touch))

    async def set_user_agent(self, user_agent: str | None, *, platform: str | None = None) -> None:
        """Set the user agent that the page, its frames and tabs it opens send and show.

        None is the browser's own again. `platform` is what `navigator.platform` shows. Documents
        that are loaded already have sent theirs: load the page again where that matters.

        Raises:
            InvalidParams: it is not a text of one line.
        """
        await emulate(self._tab.target, user_agent_commands(user_agent, platform))

    async def set_locale(self, locale: str | None) -> None:
        """Set the language of the page, its frames and tabs it opens: `de-DE`.

        None is the browser's own. Scripts see it in `navigator.language` and `Intl`, servers in
        `Accept-Language`. Documents that are loaded already keep what they have shown. Chromium has
        one for a whole process: where pages of one site share it, set it on the context.

        Raises:
            InvalidParams: it is not a language tag, or another page of the process has another one.
        """
        await emulate(self._tab.target, locale_commands(locale))

    async def set_timezone(self, timezone: str | None) -> None:
        """Set the time zone of the page, its frames and tabs it opens: `Europe/Berlin`.

        None is the browser's own. Chromium has one for a whole process, as for `set_locale`.

        Raises:
            InvalidParams: there is no such zone, or another page of the process has another one.
        """
        await emulate(self._tab.target, timezone_commands(timezone))

    async def set_media(
        self,
        media: str | None = None,
        *,
        color_scheme: str | None = None,
        reduced_motion: str | None = None,
        forced_colors: str | None = None,
        contrast: str | None = None,
    ) -> None:
        """The medium and the preferences that style sheets see; None: the browser's own.

        `media` is `screen` or `print`; `color_scheme` `light`, `dark` or `no-preference`;
        `reduced_motion` `reduce` or `no-preference`; `forced_colors` `active` or `none`;
        `contrast` `more`, `less`, `custom` or `no-preference`. Each call sets all of them.

        Raises:
            InvalidParams: there is no such medium or value.
        """
        commands = media_commands(
            media,
            color_scheme=color_scheme,
            reduced_motion=reduced_motion,
            forced_colors=forced_colors,
            contrast=contrast,
        )
        await emulate(self._tab.target, commands)

    async def set_offline(self, offline: bool = True) -> None:
        """Cut the page, its frames and tabs it opens off the network, or reconnect them.

        Workers that run already are not cut off.

        Raises:
            InvalidParams: it is neither True nor False.
        """
        await emulate(self._tab.target, offline_commands(offline))

    # -- what it wrote and asked for ----------------------------------------------------------

    def console(self, *, since: int = 0) -> list[ConsoleMessage]:
        """Returns the last 1,000 console messages of the page and its frames.

        Also what nobody caught, and what Chromium wrote about the page. With `since` only messages
        of a higher `number`.
        """
        return self._tab.target.console.messages(since)

    def errors(self, *, since: int = 0) -> list[ConsoleMessage]:
        """The last 200 errors of the console; other messages do not push them out."""
        return self._tab.target.console.errors(since)

    def requests(self, *, failed: bool = False, since: int = 0) -> list[NetworkRequest]:
        """Returns the last 1,000 requests of the page and its frames.

        With `failed` only those without an answer, or with one of 400 and above; with `since` only
        those of a higher `number`. Requests of workers are not in it, other than for their scripts.
        """
        return self._tab.target.request_log.requests(since, failed=failed)

    def events(self, *kinds: str) -> EventStream:
        """Hear what happens to this page from now on.

        Kinds are `page`, `console`, `network`, `dialog` and `download`; without one, all of them.

            with page.events("console", "dialog") as events:
                async for event in events: ...

        It ends when the page closes. Of a reader that falls behind by 1,000 events the oldest are
        dropped and counted in `dropped`.

        Raises:
            InvalidParams: there is no such kind.
        """
        hub = self.browser.event_hub
        return hub.open(kinds, lambda target: target is self._tab.target, ends_with_page=True)

    async def start_tracing(
        self, categories: Sequence[str] | None = None, *, screenshots: bool = False
    ) -> None:
        """Begin Chromium's own recording of this page's processes, up to 100 MB.

        `categories` are Chromium's (`-v8` leaves one out); without them, those of DevTools' panel
        Performance. With `screenshots` it has pictures as well. One at a time in a browser.

        Raises:
            InvalidParams: one is under way.
            BlockedByPolicy: its pictures may show a secret of whoever uses this browser.
        """
        if screenshots and self.browser.picture_cover is not None:
            raise BlockedByPolicy("pictures of a recording may show a secret")
        await start_recording(self._tab.target.session, categories, screenshots=screenshots)

    async def stop_tracing(self, path: str | Path | None = None) -> bytes:
        """End the recording; JSON for DevTools and Perfetto, written to `path` when given.

        Raises:
            InvalidParams: none is under way, or `path` cannot be written.
        """
        recorded = await stop_recording(self._tab.target.session)
        if path is not None:
            await write_file(path, recorded)
        return recorded
