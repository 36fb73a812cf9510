"""Methods that a person has to approve: the client is asked, and its answer is awaited."""

from __future__ import annotations

import asyncio
import base64
import itertools
import time
from typing import Any, Literal

from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError, HumanRejected
from cdp_agent.ws_server.access import redacted
from cdp_agent.ws_server.bap.wire import APPROVAL_TIMEOUT, BapError, Notify

#: An answer that has not come by then is a no.
ANSWER_SECONDS = 60.0

Decision = Literal["approve", "deny", "approve-once", "approve-session"]


class Approvals:
    """The questions of one connection. A rule is the method that it is about."""

    def __init__(self, methods: frozenset[str], notify: Notify) -> None:
        self._methods = methods
        self._notify = notify
        self._ids = itertools.count(1)
        self._open: dict[str, asyncio.Future[tuple[Decision, str]]] = {}
        self._approved: set[str] = set()

    def needs(self, method: str) -> bool:
        return method in self._methods and method not in self._approved

    async def require(
        self,
        method: str,
        params: Any,
        context: dict[str, Any],
        *,
        seconds: float = ANSWER_SECONDS,
    ) -> None:
        """Ask, and wait for the answer.

        Raises:
            HumanRejected: it is denied, or the connection ended.
            BapError: nobody answered in time.
        """
        request_id = f"approval-{next(self._ids)}"
        answer: asyncio.Future[tuple[Decision, str]] = asyncio.get_running_loop().create_future()
        self._open[request_id] = answer
        question = {
            "requestId": request_id,
            "originalRequest": {"method": method, "params": redacted(params)},
            "rule": method,
            "context": context,
            "expiresAt": round((time.time() + seconds) * 1000),
        }
        try:
            async with asyncio.timeout(seconds):
                await self._notify("approval/required", question)
                decision, reason = await answer
        except TimeoutError:
            raise BapError(
                APPROVAL_TIMEOUT,
                f"nobody approved {method} within {seconds:g} s",
                word="human_rejected",
                timeout=round(seconds * 1000),
            ) from None
        finally:
            del self._open[request_id]
        if decision == "deny":
            raise HumanRejected(
                f"{method} was denied{f': {reason}' if reason else ''}", reason=reason, rule=method
            )
        if decision == "approve-session":
            self._approved.add(method)

    def answer(self, request_id: str, decision: Decision, reason: str) -> bool:
        """Returns whether such a question was open."""
        question = self._open.get(request_id)
        if question is None or question.done():
            return False
        question.set_result((decision, reason))
        return True

    def close(self) -> None:
        """Nobody will answer any more."""
        for question in self._open.values():
            if not question.done():
                question.set_result(("deny", "the client is gone"))


async def context_of(page: Page) -> dict[str, Any]:
    """The page as the person who decides is shown it, with a picture where one can be taken."""
    context = {"pageUrl": page.url, "pageTitle": page.title}
    try:
        picture = await page.screenshot(fit=(1024, 768), timeout=5)
    except CdpAgentError:
        return context
    return {**context, "screenshot": base64.b64encode(picture).decode()}
