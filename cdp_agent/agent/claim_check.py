"""Checks the end that a model claims against the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cdp_agent.agent.models import prompt
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import ServiceConfig
from cdp_agent.agent.trace.record import TaskResult
from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError, InvalidParams
from cdp_agent.snapshot.text.line import header
from cdp_agent.tools import ToolResult
from cdp_agent.tools.result import failure

#: A success that is claimed this often and never seen is a failure.
_MOST_CLAIMS = 3
_OVER = ToolResult("the task is over")


#: The other form of the claim: `complete_task(status, reason)`.
_STATUSES = {"success": True, "failed": False}


def _claim(arguments: Mapping[str, Any]) -> tuple[bool, str]:
    """The claim of the model: success or not, and its summary.

    Raises:
        InvalidParams: it says neither, or both.
    """
    success, status = arguments.get("success"), arguments.get("status")
    if success is None and isinstance(status, str):
        success = _STATUSES.get(status.casefold())
    elif status is not None and _STATUSES.get(str(status).casefold()) is not success:
        raise InvalidParams("complete_task: success and status contradict each other")
    if not isinstance(success, bool):
        hint = 'Or status: "success" or "failed", with reason.'
        raise InvalidParams("complete_task needs success: true or false", hint=hint)
    return success, str(arguments.get("summary") or arguments.get("reason") or "")


class Completion:
    """Answers `complete_task`; a success is checked by the service's indicators."""

    def __init__(self, service: ServiceConfig | None, secrets: Secrets) -> None:
        self._service = service
        self._secrets = secrets
        self._false_claims = 0

    async def answer(
        self, arguments: Mapping[str, Any], pages: Iterable[Page]
    ) -> tuple[ToolResult, TaskResult | None]:
        """The text for the model, and the result of the task if it is over."""
        try:
            success, summary = _claim(arguments)
        except InvalidParams as error:
            return failure(error), None
        if not success:
            return _OVER, TaskResult(False, "failed", summary or "the model gave up")
        if self._service is None or not self._service.success:
            return _OVER, TaskResult(True, "success", summary)
        proof, shown = await self._proof(self._service, pages)
        if proof:
            return _OVER, TaskResult(True, "success", summary, verified=proof)
        self._false_claims += 1
        words = prompt.not_verified([one.meaning for one in self._service.success], shown)
        refused = ToolResult(words, is_error=True, code="condition_failed")
        if self._false_claims < _MOST_CLAIMS:
            return refused, None
        said = f"success was claimed {self._false_claims} times and the page never showed it"
        return refused, TaskResult(False, "failed", said)

    async def _proof(self, service: ServiceConfig, pages: Iterable[Page]) -> tuple[str, str]:
        """The meaning of an indicator that holds now; else empty and the page's header."""
        shown = ""
        for page in pages:
            try:
                fresh = await page.capture()
            except CdpAgentError as error:
                shown = shown or str(error)
                continue
            found = service.first(service.success, fresh)
            if found is not None:
                return found.meaning, ""
            shown = shown or self._secrets.mask(header(fresh))
        return "", shown
