"""A worker of a batch: it owns a browser and carries out one task at a time in it.

Its browser is opened when the first task needs it, and replaced when it is gone, after so many
tasks, or when it has too much memory. Every task has a context of its own.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Protocol

from cdp_agent import log
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.api.browser import Browser
from cdp_agent.api.launcher import Opening, connect, launch
from cdp_agent.batches.batch_result import AttemptResult, failed_result, masked_result
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.batches.worker_options import WorkerOptions
from cdp_agent.batches.workers.execution import carry_out
from cdp_agent.batches.workers.memory import group_megabytes
from cdp_agent.errors import ActionTimeout, CdpAgentError, ConnectionLost, ModelError
from cdp_agent.live import Board

_log = log.get("batch")

#: Beyond a task's own time: its page is opened and its context closed.
_AROUND_SECONDS = 30.0


class Worker(Protocol):
    """Carries out tasks, in this process or elsewhere."""

    async def ready(self) -> None:
        """Raises: CdpAgentError: it cannot take a task now."""

    async def attempt(self, task: BatchTask, number: int) -> AttemptResult:
        """Carry out a task; whatever fails is in the result.

        Raises:
            ConnectionLost: the worker itself is gone, and nobody knows how far it came.
        """

    async def aclose(self) -> None:
        """Let go of the browser. May be called twice."""


class BrowserWorker:
    """A worker of this process; `endpoint`: its browser runs already."""

    def __init__(
        self, options: WorkerOptions, endpoint: str = "", board: Board | None = None
    ) -> None:
        """Raises: InvalidParams: a secret's variable is not set."""
        self._options = options
        self._endpoint = endpoint
        self._board = board
        self._browser: Browser | None = None
        self._tasks = 0
        # Of all tasks, so that a page of one cannot show the secret of another.
        self._secrets = all_secrets(options.secrets)

    async def ready(self) -> None:
        if self._browser is not None and not await self._is_fit(self._browser):
            await self.aclose()
        if self._browser is None:
            self._tasks = 0
            self._browser = await self._opening()
            _log.debug("= batch browser %s", self._browser.pid)

    async def attempt(self, task: BatchTask, number: int) -> AttemptResult:
        began = time.monotonic()
        result = masked_result(await self._attempt(task, number), self._secrets.mask_data)
        return replace(result, seconds=time.monotonic() - began)

    async def aclose(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            await browser.close()

    @property
    def browser(self) -> Browser | None:
        """The browser that is open now."""
        return self._browser

    def _opening(self) -> Opening:
        policy = self._options.policy
        if self._endpoint:
            return connect(self._endpoint, policy=policy)
        return launch(headless=self._options.headless, policy=policy)

    async def _is_fit(self, browser: Browser) -> bool:
        if not browser.is_connected or self._tasks >= self._options.recycle_tasks:
            return False
        if browser.pid is None:
            return True
        megabytes = await asyncio.to_thread(group_megabytes, browser.pid)
        return megabytes is None or megabytes < self._options.recycle_megabytes

    async def _attempt(self, task: BatchTask, number: int) -> AttemptResult:
        try:
            async with asyncio.timeout(task.timeout + _AROUND_SECONDS) as deadline:
                return await self._in_context(task, number)
        except TimeoutError:
            if not deadline.expired():
                raise
            error: CdpAgentError = ActionTimeout(f"the {task.timeout:g} s of the task are over")
            return failed_result(task, error.to_dict(), "over_budget")
        except ModelError as error:
            return failed_result(task, error.to_dict(), "model_error")
        except CdpAgentError as error:
            return failed_result(task, error.to_dict(), "failed")

    async def _in_context(self, task: BatchTask, number: int) -> AttemptResult:
        if self._browser is None:
            raise ConnectionLost("the worker has no browser")
        self._tasks += 1
        async with await self._browser.new_context() as context:
            return await carry_out(context, task, number, self._options, self._board)


def all_secrets(words: tuple[str, ...]) -> Secrets:
    """The secrets of a batch; tasks may use one name for different variables.

    Raises:
        InvalidParams: a word is wrong, or its variable is not set.
    """
    several = {word.partition("=")[0] for word in words}
    if len(several) == len(words):
        return Secrets.from_environment(words)
    return Secrets.from_environment(
        f"{name}.{variable}={variable}" for name, _, variable in (w.partition("=") for w in words)
    )
