"""Replays a recorded trace without a model.

Each recorded element is looked for on the page as it is: same role, name and tag, in the page
itself or in a frame of the same path. One that fits is it; among several the recorded XPath
decides; none ends the replay there, with the reason. Nothing is acted on that merely looks alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from cdp_agent.agent.safety.approvals import Approver, Decision, Deny, Question
from cdp_agent.agent.safety.checkpoints import Checkpoints
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import SERVICES
from cdp_agent.agent.trace.trace_folder import read_trace
from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError
from cdp_agent.snapshot import Element, Snapshot
from cdp_agent.tools import ToolSession, call as call_tool, find_tool

_ASKED = ("name", "action", "reason", "url")

#: What comes late (a frame, a list from a server) is looked for this long.
FIND_SECONDS = 5.0

StepState = Literal["same", "healed", "stopped"]


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One recorded action and what became of it."""

    number: int
    tool: str
    what: str
    state: StepState
    #: How it was found again, or why it was not.
    reason: str = ""


@dataclass(slots=True)
class ReplayResult:
    """The result of a replay. `stopped` is the step that could not be carried out."""

    total: int
    steps: list[ReplayStep] = field(default_factory=list)
    url: str = ""
    seconds: float = 0.0

    @property
    def stopped(self) -> ReplayStep | None:
        return next((step for step in self.steps if step.state == "stopped"), None)

    @property
    def success(self) -> bool:
        return self.stopped is None and len(self.steps) == self.total

    @property
    def healed(self) -> int:
        return sum(step.state == "healed" for step in self.steps)


async def replay(
    page: Page,
    trace: str | Path,
    *,
    url: str | None = None,
    secrets: Secrets | None = None,
    approvals: Approver | None = None,
    timeout: float = FIND_SECONDS,
    on_step: Callable[[ReplayStep], None] = lambda _: None,
) -> ReplayResult:
    """Play a trace on a page, from its first address or from `url`.

    Raises:
        InvalidParams: it is not a trace.
        NavigationFailed: its first page cannot be shown.
    """
    start, turns, result = read_trace(trace)
    recorded = [turn for turn in turns if _acts(turn)]
    began = time.monotonic()
    kept = secrets or Secrets()
    service = SERVICES.get(start["service"]) if start.get("service") else None
    approver = approvals or Deny()

    async def ask(question: Question) -> Decision:
        masked: dict[str, Any] = {name: kept.mask(getattr(question, name)) for name in _ASKED}
        return await approver.ask(replace(question, **masked))

    points = Checkpoints(service, ask)
    session = ToolSession(
        page,
        before_call=(points.before_call, kept.before_call),
        after_call=(points.after_call, kept.after_call),
    )
    first = str(url or start.get("url", ""))
    await page.goto(first)
    player = _Player(session, timeout, str(start.get("url", "")), first)
    done = ReplayResult(len(recorded))
    for position, turn in enumerate(recorded):
        after = recorded[position + 1] if position + 1 < len(recorded) else result
        step = _masked(await player.play(turn, str(after.get("url", ""))), kept)
        done.steps.append(step)
        on_step(step)
        if step.state == "stopped":
            break
    done.url, done.seconds = kept.mask(page.url), time.monotonic() - began
    return done


def _acts(turn: Mapping[str, Any]) -> bool:
    """Returns whether a turn is replayed: an action that did not fail."""
    tool = find_tool(str(turn.get("tool", "")))
    failed = turn.get("is_error") and turn.get("code") != "human_rejected"
    return tool is not None and not tool.reads_only and not failed


def _masked(step: ReplayStep, secrets: Secrets) -> ReplayStep:
    """Masks the names of a page's elements: they may show a secret."""
    return replace(step, what=secrets.mask(step.what), reason=secrets.mask(step.reason))


class _Player:
    def __init__(self, session: ToolSession, timeout: float, old: str, new: str) -> None:
        self._session = session
        self._timeout = timeout
        self._old, self._new = _origin(old), _origin(new)

    async def play(self, turn: Mapping[str, Any], next_url: str) -> ReplayStep:
        number, tool = int(turn["number"]), str(turn["tool"])
        recorded = turn.get("element")
        what = f'{recorded["role"]} "{recorded["name"]}"' if recorded else ""
        try:
            state, reason = await self._played(turn, next_url)
        except CdpAgentError as error:  # the page closed or crashed meanwhile
            state, reason = "stopped", str(error)
        return ReplayStep(number, tool, what, state, reason)

    async def _played(self, turn: Mapping[str, Any], next_url: str) -> tuple[StepState, str]:
        tool, arguments = str(turn["tool"]), dict(turn.get("arguments") or {})
        recorded = turn.get("element")
        state: StepState = "same"
        reason = ""
        if "url" in arguments and self._old:
            arguments["url"] = str(arguments["url"]).replace(self._old, self._new, 1)
        if recorded:
            found, reason = await self._find(recorded)
            if found is None:
                return "stopped", reason
            state = "healed" if reason else "same"
            arguments["ref"] = str(found.id)
        elif "ref" in arguments:
            return "stopped", "the trace does not say which element"
        result = await call_tool(self._session, tool, arguments)
        if result.is_error:
            return "stopped", result.text.split("\n")[0]
        went = await self._arrived(next_url)
        return ("stopped", went) if went else (state, reason)

    async def _find(self, recorded: Mapping[str, Any]) -> tuple[Element | None, str]:
        """The element, and how it differs from the recorded one (empty: not at all)."""
        reason = ""

        async def look() -> tuple[Element, str] | None:
            nonlocal reason
            try:
                found, reason = match(await self._page.capture(), recorded)
            except CdpAgentError as error:
                found, reason = None, str(error)
            return None if found is None else (found, reason)

        return await self._page.look_until(look, self._timeout) or (None, reason)

    async def _arrived(self, expected: str) -> str:
        """Empty, or where the page went instead. Redirects by script are given a moment."""
        path = urlsplit(expected).path
        if not expected or not path:
            return ""

        async def look() -> bool | None:
            return urlsplit(self._page.url).path == path or None

        if await self._page.look_until(look, self._timeout):
            return ""
        return f"the page is {self._page.url}, recorded was {expected}"

    @property
    def _page(self) -> Page:
        current = self._session.current
        assert current is not None
        return self._session.pages[current]


def match(snapshot: Snapshot, recorded: Mapping[str, Any]) -> tuple[Element | None, str]:
    """The recorded element on this page, and what is different about it. Pure."""
    role, name, tag = recorded["role"], recorded["name"], recorded["tag"]
    here = [one for one in snapshot.elements if _same_place(snapshot, one, recorded)]
    same = [one for one in here if (one.role, one.name, one.tag) == (role, name, tag)]
    what = f'{role} "{name}"'
    if not same:
        named = [one for one in here if (one.role, one.name) == (role, name)]
        if len(named) == 1:
            return named[0], f"its tag is now {named[0].tag}, was {tag}"
        return None, f"there is no {what} on the page{_instead(here, recorded, snapshot)}"
    path = recorded.get("xpath") or ""
    at_path = [one for one in same if snapshot.xpath_map[one.id] == path]
    if at_path:
        return at_path[0], ""
    if len(same) == 1:
        return same[0], "it stands elsewhere in the document"
    return None, f"{len(same)} elements are a {what}, and none stands where it was"


def _same_place(snapshot: Snapshot, element: Element, recorded: Mapping[str, Any]) -> bool:
    """The page itself for what was in it; for frames, one with the same path."""
    if recorded.get("frame_index", 0) == 0:
        return element.frame_index == 0
    frame = snapshot.frame_map.get(element.frame_index)
    if frame is None or element.frame_index == 0:
        return False
    return urlsplit(frame.url).path == urlsplit(str(recorded.get("frame_url", ""))).path


def _instead(here: Sequence[Element], recorded: Mapping[str, Any], snapshot: Snapshot) -> str:
    path = recorded.get("xpath") or ""
    other = next((one for one in here if path and snapshot.xpath_map[one.id] == path), None)
    return f'; in its place is {other.role} "{other.name[:60]}"' if other is not None else ""


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
