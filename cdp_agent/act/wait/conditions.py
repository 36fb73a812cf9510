"""Waits until conditions on a page hold, in any of its frames.

Scripts of ours watch each frame and speak up when what they watch changes; new documents and new
frames are watched as they come. Nothing is asked again and again over the wire.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any, get_args

from cdp_agent.act.wait.change_watch import ChangeWatch
from cdp_agent.act.wait.lines_before import LinesBefore
from cdp_agent.action_table.entry import State
from cdp_agent.errors import CdpAgentError, InvalidParams, RefInvalid, StaleRef, TargetError
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement, Resolver
from cdp_agent.resolve.live import script_value
from cdp_agent.resolve.worlds import post_in_frame, world_of
from cdp_agent.targets import Frame, PageTarget

#: These hold also for an element that is not there.
_ABSENT = frozenset({"hidden", "gone"})
#: One watch of a script lasts at most this long: nobody stops it when the caller has gone.
_WATCH_SECONDS = 2.0
#: A request under way for longer is a stream or waits for news: it does not keep a page busy.
_LONG_REQUEST = 5.0
_AGAIN = 0.25


@dataclass(frozen=True, slots=True)
class WaitConditions:
    """Everything that has to hold at the same time."""

    texts: tuple[str, ...] = ()
    texts_gone: tuple[str, ...] = ()
    element_id: ElementId | None = None
    state: str = "visible"
    url: str | re.Pattern[str] | None = None
    quiet: float | None = None
    #: Only lines that were not shown when the wait began count for `texts`, or not at this moment.
    new: bool | LinesBefore = False

    def __post_init__(self) -> None:
        empty = not (self.texts or self.texts_gone or self.element_id or self.url)
        if empty and self.quiet is None:
            raise InvalidParams(
                "wait_for needs something to wait for", hint="text, text_gone, id, url or quiet."
            )
        if self.new and not self.texts:
            raise InvalidParams("new is about a text to wait for", hint="Give text as well.")
        for text in (*self.texts, *self.texts_gone):
            if not isinstance(text, str) or not text.strip():
                raise InvalidParams(f"{text!r} is not a text to wait for")
        if self.state not in get_args(State):
            raise InvalidParams(
                f"{self.state!r} is not a state of an element", hint=", ".join(get_args(State))
            )
        is_time = self.quiet is None or isinstance(self.quiet, int | float)
        if not is_time or (self.quiet is not None and not 0 < self.quiet <= 30):
            raise InvalidParams(f"quiet must be from 0 to 30 seconds, not {self.quiet!r}")

    @property
    def watches_frames(self) -> bool:
        return bool(self.texts or self.texts_gone) or self.quiet is not None


def url_fits(url: str, wanted: str | re.Pattern[str]) -> bool:
    """A pattern is searched; with `*` the whole address must fit; else it must be a part of it."""
    if isinstance(wanted, re.Pattern):
        return wanted.search(url) is not None
    if "*" not in wanted:
        return wanted in url
    parts = (re.escape(part) for part in re.split(r"\*+", wanted))
    return re.fullmatch(".*".join(parts), url, re.DOTALL) is not None


class ConditionWatch(ChangeWatch):
    """Watches each frame, and the element, for what a wish needs to know."""

    def __init__(
        self, target: PageTarget, resolver: Resolver, wish: WaitConditions, deadline: float
    ) -> None:
        super().__init__(target)
        self._resolver = resolver
        self._wish = wish
        self._deadline = deadline
        #: What each frame said last, and of which document.
        self._said: dict[Frame, tuple[str, dict[str, Any]]] = {}
        #: The documents there were when the wait began, and which of their lines fitted then.
        self._first = {frame: frame.loader_id for frame in target.frames}
        self._old: dict[Frame, list[Counter[str]]] = {}
        if isinstance(wish.new, LinesBefore):
            self._first = wish.new.documents
            self._old = wish.new.of((*wish.texts, *wish.texts_gone))
        self._element: dict[str, Any] = {"met": False, "now": "not looked at yet"}
        self._failure: CdpAgentError | None = None

    # -- what holds now ---------------------------------------------------------------------

    def is_met(self) -> bool:
        """Returns whether all of it holds.

        Raises:
            RefInvalid: the element's id was never handed out.
        """
        self._look_around()
        if self._failure is not None:
            raise self._failure
        return all(held for _, held, _ in self.report())

    def report(self) -> list[tuple[str, bool, str]]:
        """Each part of the wish in words, whether it holds, and what was last seen of it."""
        wish = self._wish
        rows: list[tuple[str, bool, str]] = []
        for number, text in enumerate(wish.texts):
            where = [f.index for f, _ in self._current() if self._lines(f, number)]
            was = "no new one" if wish.new else "not shown"
            rows.append((f"text {text!r}", bool(where), f"in frame {where[0]}" if where else was))
        for number, text in enumerate(wish.texts_gone, len(wish.texts)):
            where = [f.index for f, facts in self._current() if facts["lines"][number]]
            silent = self._silent()
            seen = f"still in frame {where[0]}" if where else (silent or "not shown")
            rows.append((f"text gone {text!r}", not where and not silent, seen))
        if wish.element_id is not None:
            now = f"{wish.element_id} is {self._element['now']}"
            rows.append((f"{wish.element_id} {wish.state}", bool(self._element["met"]), now))
        if wish.url is not None:
            words = wish.url if isinstance(wish.url, str) else wish.url.pattern
            url = self._target.url
            rows.append((f"url {words}", url_fits(url, wish.url), f"the page is at {url}"))
        if wish.quiet is not None:
            busy = self._busy(wish.quiet)
            rows.append(("quiet", not busy, busy or "at rest"))
        return rows

    def matched(self) -> list[str]:
        """For each text that is waited for, the first line that has it."""
        found = []
        for number in range(len(self._wish.texts)):
            lines = [line for f, _ in self._current() for line in self._lines(f, number)]
            found += lines[:1]
        return found

    @property
    def shows_old(self) -> bool:
        """Returns whether a text is shown that is not new."""
        texts = range(len(self._wish.texts))
        return bool(self._wish.new) and any(
            facts["lines"][number] and not self._lines(frame, number)
            for frame, facts in self._current()
            for number in texts
        )

    def _lines(self, frame: Frame, number: int) -> list[str]:
        """The lines of a frame that count for a text."""
        lines: list[str] = self._said[frame][1]["lines"][number]
        if not self._wish.new or frame not in self._old:
            return lines
        return list((Counter(lines) - self._old[frame][number]).elements())

    def _keep(self, frame: Frame, loader_id: str, facts: dict[str, Any]) -> None:
        """Store a frame's report. A line that went away is new when it comes back."""
        said = [Counter(lines) for lines in facts["lines"]]
        if self._first.get(frame) != loader_id:
            self._old.pop(frame, None)
        elif frame in self._old:
            self._old[frame] = [old & now for old, now in zip(self._old[frame], said, strict=True)]
        elif frame not in self._said:
            self._old[frame] = said
        self._said[frame] = loader_id, facts

    def _current(self) -> list[tuple[Frame, dict[str, Any]]]:
        """The reports of the documents that are shown now."""
        return [
            (frame, self._said[frame][1])
            for frame in self._target.frames
            if frame in self._said and self._said[frame][0] == frame.loader_id
        ]

    def _silent(self) -> str:
        heard = {frame for frame, _ in self._current()}
        for frame in self._target.frames:
            if frame not in heard and frame.session is not None:
                return f"frame {frame.index} has not answered"
        return ""

    def _busy(self, quiet: float) -> str:
        now = time.monotonic()
        requests = self._target.requests
        for request in requests.open_since(0):
            if now - request.began < _LONG_REQUEST:
                return f"a request is under way: {request.url[:200]}"
        main = self._target.frames.main
        if main.pending_loader or main.navigation_requested:
            return f"a navigation is under way: {main.pending_url[:200]}"
        if now - requests.last_change < quiet:
            return "a request was under way a moment ago"
        for frame, facts in self._current():
            if not facts["quiet"]:
                return f"frame {frame.index} keeps changing"
        return self._silent()

    # -- watching ---------------------------------------------------------------------------

    def _look_around(self) -> None:
        if self._wish.element_id is not None and self._wish.element_id not in self._tasks:
            self._start(self._wish.element_id, self._watch_element(self._wish.element_id))
        if self._wish.watches_frames:
            self._watch_frames(self._watch_frame)

    @property
    def _seconds(self) -> float:
        return max(min(self._deadline - time.monotonic(), _WATCH_SECONDS), 0.05)

    async def _watch_frame(self, frame: Frame) -> None:
        """Until the frame is gone."""
        wish = self._wish
        last: dict[str, Any] | None = None
        while self._target.frames.find(frame.id) is frame:
            loader_id = frame.loader_id
            options = {
                "texts": [*wish.texts, *wish.texts_gone],
                "quietMs": None if wish.quiet is None else wish.quiet * 1000,
                "last": last,
                "timeoutMs": int(self._seconds * 1000),
            }
            expression = f"cdpAgent.watchFrame({json.dumps(options)})"
            try:
                world = await world_of(self._target, frame, self._seconds)
                reply = await post_in_frame(frame, world, expression, self._seconds + 1)
                facts = script_value(reply)
            except CdpAgentError:
                last = None  # another document, another process, or none
                await self._moved(frame, loader_id)
                continue
            last = facts
            self._keep(frame, loader_id, facts)
            self._target.pulse()

    async def _watch_element(self, element_id: ElementId) -> None:
        while True:
            try:
                live = await self._resolver.resolve(element_id, deadline=self._deadline)
                await self._follow(live)
            except RefInvalid as error:
                self._failure = error
                self._target.pulse()
                return
            except (StaleRef, TargetError):
                self._tell({"met": self._wish.state in _ABSENT, "now": "gone"})
            except CdpAgentError as error:
                self._tell({"met": False, "now": f"not known ({error.message})"})
            await asyncio.sleep(_AGAIN)

    async def _follow(self, live: LiveElement) -> None:
        """Tell of an element until it leaves its document, and then of its heir."""
        last: bool | None = None
        while True:
            options = {
                "state": self._wish.state,
                "last": last,
                "timeoutMs": int(self._seconds * 1000),
            }
            try:
                facts = await live.call("watchElement", options, timeout=self._seconds)
            except BaseException:  # also when cancelled: the page's object is let go
                live.release()
                raise
            if not facts["connected"]:
                live.release()
                live = await self._resolver.heal(live.ref, self._deadline)
                last = None
                continue
            last = facts["met"]
            self._tell(facts)

    def _tell(self, facts: dict[str, Any]) -> None:
        if facts != self._element:
            self._element = facts
            self._target.pulse()
