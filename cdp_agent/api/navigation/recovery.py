"""Recovers a page that does not answer, by the gentlest step that helps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cdp_agent import log
from cdp_agent.api.navigation import navigate
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.parameter_checks import require_seconds
from cdp_agent.api.tab import Tab
from cdp_agent.errors import ActionTimeout, CdpAgentError, ConnectionLost
from cdp_agent.protocol import Session
from cdp_agent.targets import PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateParameters

_log = log.get("recovery")

#: What a page loses by each step.
LOST = {
    "none": "nothing: it answers",
    "terminate": "the script that was running",
    "stop_loading": "what had not been loaded yet",
    "reload": "what was typed and not sent; ids are healed where that is certain, else stale",
    "new_target": "what was typed, the history and the session storage; all ids are stale",
}

#: Our own world, so that the page's idea of a timer does not matter. Timers, because a page that
#: hangs in every one of its own answers a command now and then in between.
_SIGN_OF_LIFE = "new Promise(done => setTimeout(() => setTimeout(() => done(true), 20), 0))"
#: Timers and frames are numbered from one, for all worlds of a document together.
_NO_TIMERS = """
for (let id = setTimeout(() => 0); id > 0; id--) clearTimeout(id);
for (let id = requestAnimationFrame(() => 0); id > 0; id--) cancelAnimationFrame(id);
"""
_BETWEEN_SCRIPTS = 0.03
#: A page that answers within this is well.
_PATIENCE = 1.5


async def recover(tab: Tab, timeout: float) -> Outcome:
    """Make a page that hangs or has crashed usable again; see `Page.recover`."""
    require_seconds(timeout)
    if tab.target.closed is not None:
        raise tab.target.closed
    tab.require_no_dialog()
    deadline = time.monotonic() + timeout
    try:
        async with asyncio.timeout(timeout):
            step = await _climb(tab, deadline)
    except TimeoutError:
        raise ActionTimeout(
            f"{tab.target.url} could not be recovered within {timeout:g} s",
            hint="Close it and open another page, or retry with a longer timeout.",
        ) from None
    _log.debug("recovered %s: %s", tab.target.url, step)
    went = tab.target.url if step in ("reload", "new_target") else None
    return Outcome(success=True, navigated=went, data={"step": step, "lost": LOST[step]})


async def _climb(tab: Tab, deadline: float) -> str:
    target = tab.target

    def share(part: float) -> float:
        """Part of the time left, so that the last step gets its turn."""
        return max((deadline - time.monotonic()) * part, 0.1)

    patience = min(_PATIENCE, share(0.15))
    if not target.crashed:
        silent = await _silent(target, patience)
        if not silent:
            return "none"
        ended = await _terminate(silent, patience)
        if ended and not await _silent(target, patience):
            return "terminate"
        if target.session in silent and target.session not in ended:
            # Deaf even in the middle of a script: its process has been stopped or is starved.
            await _replace(tab, deadline, patience)
            return "new_target"
        # Whether it helped is seen by the next sign of life.
        await _all([target.session.post("Page.stopLoading", timeout=patience)], patience)
        if not await _silent(target, patience):
            return "stop_loading"
    if await _reload(tab, share(0.4), patience):
        return "reload"
    await _replace(tab, deadline, patience)
    return "new_target"


async def _reload(tab: Tab, seconds: float, patience: float) -> bool:
    """Its address again: not `Page.reload`, which would send a form a second time."""
    target, url = tab.target, tab.target.url
    if target.crashed:
        return await _show(tab, url, seconds, patience)
    try:
        await _end_all_scripts(target, patience)
        await _try_address(tab, url, seconds / 2)
    finally:
        await _allow_scripts(target, patience)
    return await _show(tab, url, seconds / 2, patience)


async def _replace(tab: Tab, deadline: float, patience: float) -> None:
    address = tab.target.url
    for url in (address, None):
        old = tab.target
        new = await tab.browser.open_tabs.replace(old)
        new.frames.number_after(old.frames)
        tab.book.retire()
        tab.live_in(new)
        # It closes in its own time: a process that was stopped never says goodbye.
        old.session.send_only("Page.close")
        closing = asyncio.ensure_future(tab.browser.open_tabs.close(old))
        await asyncio.wait([closing], timeout=patience)
        seconds = max((deadline - time.monotonic()) * 0.6, 0.2)
        if url is None or await _show(tab, url, seconds, patience):
            return


async def _show(tab: Tab, url: str, seconds: float, patience: float) -> bool:
    """Show an address. Returns whether the page there answers."""
    if not await _try_address(tab, url, seconds):
        return False
    return not tab.target.crashed and not await _silent(tab.target, patience)


async def _try_address(tab: Tab, url: str, seconds: float) -> bool:
    """Returns whether a navigation began, read to its end or not."""
    documents = tab.target.frames.main.documents
    tab.leaving = True
    try:
        await navigate.navigate(tab.target, url, seconds)
    except ConnectionLost:
        raise
    except CdpAgentError as error:
        _log.debug("%s again: %s", url, error)
        return tab.target.frames.main.documents != documents
    finally:
        tab.leaving = False
    return True


async def _silent(target: PageTarget, seconds: float) -> list[Session]:
    """The sessions of a page that show no sign of life in that time: all at once."""
    sessions = {frame.session: frame for frame in target.frames if frame.session is not None}
    asked: dict[Session, asyncio.Future[Any]] = {}
    for session, frame in sessions.items():
        world = frame.world.for_evaluate if frame.world is not None else {}
        params: EvaluateParameters = {
            "expression": _SIGN_OF_LIFE,
            "awaitPromise": True,
            "returnByValue": True,
            **world,
        }
        asked[session] = session.post("Runtime.evaluate", params, timeout=seconds)
    await _all(asked.values(), seconds)
    # An answer of any kind is one, even that the document has gone meanwhile.
    return [s for s, reply in asked.items() if s.ended is None and _is_unanswered(reply)]


async def _terminate(sessions: list[Session], seconds: float) -> list[Session]:
    """End the scripts that run in these sessions. Returns the sessions that answered."""
    asked = {s: s.post("Runtime.terminateExecution", timeout=seconds) for s in sessions}
    await _all(asked.values(), seconds)
    return [session for session, reply in asked.items() if not _is_unanswered(reply)]


async def _end_all_scripts(target: PageTarget, seconds: float) -> None:
    """Forbid scripts, end those that run, and drop those that wait.

    A page that hangs at every turn does not let a navigation begin. The ban interrupts a script
    without ending it, so end one after the other until a script of ours has had its turn. It takes
    the timers away, as Chromium forgets the ban while a navigation is committed.
    """
    session, main = target.session, target.frames.main
    world = main.world.for_evaluate if main.world is not None else {}
    replies: list[asyncio.Future[Any]] = [
        session.post("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=seconds),
        session.post("Runtime.evaluate", {"expression": _NO_TIMERS, **world}, timeout=seconds),
    ]
    deadline = time.monotonic() + seconds
    while not all(reply.done() for reply in replies) and time.monotonic() < deadline:
        session.send_only("Runtime.terminateExecution")
        await asyncio.wait(replies, timeout=_BETWEEN_SCRIPTS)


async def _allow_scripts(target: PageTarget, seconds: float) -> None:
    """Lift the ban on scripts, and wait until it is lifted.

    A document that is made under the ban never gets the handlers of its attributes. The reply comes
    after the events of every document made so far, so the next one counts as made without the ban.
    """
    allowed = target.session.post(
        "Emulation.setScriptExecutionDisabled", {"value": False}, timeout=seconds
    )
    await _all([allowed], seconds)


def _is_unanswered(reply: asyncio.Future[Any]) -> bool:
    return not reply.done() or reply.cancelled() or _has_code(reply.exception(), "timeout")


def _has_code(error: BaseException | None, code: str) -> bool:
    return isinstance(error, CdpAgentError) and error.code == code


async def _all(replies: Iterable[asyncio.Future[Any]], seconds: float) -> None:
    waiting = list(replies)
    if waiting:
        await asyncio.wait(waiting, timeout=seconds)
