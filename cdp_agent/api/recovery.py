"""Getting a page back that does not answer: the gentlest step that helps, and no further."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any

from cdp_agent import log
from cdp_agent.act import Outcome
from cdp_agent.api import navigation
from cdp_agent.api.core import PageCore
from cdp_agent.api.given import require_seconds
from cdp_agent.config import RECOVERY_TIMEOUT
from cdp_agent.errors import ActionTimeout, CdpAgentError, ConnectionLost
from cdp_agent.protocol import Session
from cdp_agent.targets import PageTarget

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
#: Scripts are allowed again by the same command.
_NO_SCRIPTS = "Emulation.setScriptExecutionDisabled"
_BETWEEN_SCRIPTS = 0.03
#: A page that answers within this is well.
_PATIENCE = 1.5


class Recovering(PageCore):
    """`recover`."""

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
        require_seconds(timeout)
        if self._target.closed is not None:
            raise self._target.closed
        self._require_no_dialog()
        deadline = time.monotonic() + timeout
        try:
            async with asyncio.timeout(timeout):
                step = await self._climb(deadline)
        except TimeoutError:
            raise ActionTimeout(
                f"{self.url} could not be recovered within {timeout:g} s",
                hint="Close it and open another page, or retry with a longer timeout.",
            ) from None
        _log.debug("recovered %s: %s", self.url, step)
        went = self.url if step in ("reload", "new_target") else None
        return Outcome(success=True, navigated=went, data={"step": step, "lost": LOST[step]})

    async def _climb(self, deadline: float) -> str:
        target = self._target

        def share(part: float) -> float:
            """Part of the time left, so that the last step gets its turn."""
            return max((deadline - time.monotonic()) * part, 0.1)

        patience = min(_PATIENCE, share(0.15))
        if not target.crashed:
            silent = await _silent(target, patience)
            if not silent:
                return "none"
            heard = await _terminate(silent, patience)
            if heard and not await _silent(target, patience):
                return "terminate"
            if target.session in silent and target.session not in heard:
                # Deaf even in the middle of a script: its process has been stopped or is starved.
                await self._replace(deadline, patience)
                return "new_target"
            await _quietly(target.session, "Page.stopLoading", patience)
            if not await _silent(target, patience):
                return "stop_loading"
        if await self._reload(share(0.4), patience):
            return "reload"
        await self._replace(deadline, patience)
        return "new_target"

    async def _reload(self, seconds: float, patience: float) -> bool:
        """Its address again: not `Page.reload`, which would send a form a second time."""
        target, url = self._target, self.url
        if target.crashed:
            return await self._show(url, seconds, patience)
        try:
            await _end_all_scripts(target.session, patience)
            await self._try_address(url, seconds / 2)
        finally:
            target.session.send_only(_NO_SCRIPTS, {"value": False})
        return await self._show(url, seconds / 2, patience)

    async def _replace(self, deadline: float, patience: float) -> None:
        address = self.url
        for url in (address, None):
            old = self._target
            new = await self._browser.replace_target(old)
            new.frames.number_after(old.frames)
            self._book.retire()
            self._live_in(new)
            # It closes in its own time: a process that was stopped never says goodbye.
            old.session.send_only("Page.close")
            closing = asyncio.ensure_future(self._browser.close_target(old))
            await asyncio.wait([closing], timeout=patience)
            seconds = max((deadline - time.monotonic()) * 0.6, 0.2)
            if url is None or await self._show(url, seconds, patience):
                return

    async def _show(self, url: str, seconds: float, patience: float) -> bool:
        """Show an address; whether what came of it answers."""
        if not await self._try_address(url, seconds):
            return False
        return not self._target.crashed and not await _silent(self._target, patience)

    async def _try_address(self, url: str, seconds: float) -> bool:
        """Whether a navigation began; how much of it was read in time does not matter here."""
        documents = self._target.frames.main.documents
        self._leaving = True
        try:
            await navigation.navigate(self._target, url, seconds)
        except ConnectionLost:
            raise
        except CdpAgentError as error:
            _log.debug("%s again: %s", url, error)
            return self._target.frames.main.documents != documents
        finally:
            self._leaving = False
        return True


async def _silent(target: PageTarget, seconds: float) -> list[Session]:
    """The sessions of a page that show no sign of life in that time: all at once."""
    sessions = {frame.session: frame for frame in target.frames if frame.session is not None}
    asked: dict[Session, asyncio.Future[dict[str, Any]]] = {}
    for session, frame in sessions.items():
        world = frame.world.for_evaluate if frame.world is not None else {}
        params = {"expression": _SIGN_OF_LIFE, "awaitPromise": True, "returnByValue": True, **world}
        asked[session] = session.post("Runtime.evaluate", params, timeout=seconds)
    await _all(asked.values(), seconds)
    # An answer of any kind is one, even that the document has gone meanwhile.
    return [s for s, reply in asked.items() if s.ended is None and _is_unanswered(reply)]


async def _terminate(sessions: list[Session], seconds: float) -> list[Session]:
    """End what runs in these sessions; those that heard it."""
    asked = {s: s.post("Runtime.terminateExecution", timeout=seconds) for s in sessions}
    await _all(asked.values(), seconds)
    return [session for session, reply in asked.items() if not _is_unanswered(reply)]


async def _end_all_scripts(session: Session, seconds: float) -> None:
    """Forbid scripts until further notice; end the ones that keep the page from hearing it.

    A page that hangs at every turn does not let a navigation begin. Without scripts it has nothing
    to hang in, but the ban is heard between two scripts only: end one after the other until it is.
    """
    banned = session.post(_NO_SCRIPTS, {"value": True}, timeout=seconds)
    deadline = time.monotonic() + seconds
    while not banned.done() and time.monotonic() < deadline:
        session.send_only("Runtime.terminateExecution")
        await asyncio.wait([banned], timeout=_BETWEEN_SCRIPTS)


def _is_unanswered(reply: asyncio.Future[dict[str, Any]]) -> bool:
    return not reply.done() or reply.cancelled() or _has_code(reply.exception(), "timeout")


def _has_code(error: BaseException | None, code: str) -> bool:
    return isinstance(error, CdpAgentError) and error.code == code


async def _all(replies: Iterable[asyncio.Future[dict[str, Any]]], seconds: float) -> None:
    waiting = list(replies)
    if waiting:
        await asyncio.wait(waiting, timeout=seconds)


async def _quietly(session: Session, method: str, seconds: float) -> None:
    """Whether it helped is seen by the next sign of life."""
    await _all([session.post(method, timeout=seconds)], seconds)
