"""The engine of a batch on a Ray cluster: actors own the browsers.

Ray places the actors, notices that a worker or a node is gone, and starts an actor anew elsewhere.
What was under way on it is reported as a lost worker; the batch records that, and begins the task
again with whoever is free. Secrets travel by name: an actor reads them from its own environment.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import socket
import tempfile
from collections.abc import Sequence
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from cdp_agent.batches.batch_result import AttemptResult
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.batches.worker_options import WorkerOptions, endpoints_of
from cdp_agent.batches.workers.worker import BrowserWorker, all_secrets
from cdp_agent.errors import BrowserError, CdpAgentError, ConnectionLost, InvalidParams
from cdp_agent.text import one_line

#: An actor waits for a place on the cluster and opens its browser in this time.
_READY_SECONDS = 120.0
#: Beyond a task's own time, until an actor that says nothing counts as lost.
_SILENCE_SECONDS = 90.0
_CLOSE_SECONDS = 10.0
_CONNECT_SECONDS = 5.0
#: A worker whose browser runs elsewhere needs little.
_CLIENT_MEGABYTES = 300
_LONGEST_REASON = 300
#: A worker that ends because its node did would first kill the shell that removes what its browser
#: leaves (see `chromium/reaper.py`).
_ACTOR_VARIABLES = {"RAY_kill_child_processes_on_worker_exit": "0"}


class RayEngine:
    """Workers on the cluster at `address`, or RAY_ADDRESS, or on one started here.

    A Ray that this program has initialized already is used and left as it is.
    """

    def __init__(
        self,
        options: WorkerOptions,
        workers: int,
        endpoints: Sequence[str] = (),
        address: str | None = None,
    ) -> None:
        """Raises: InvalidParams: the package ray is missing."""
        try:
            self._ray: Any = import_module("ray")
        except ImportError:
            raise InvalidParams(
                "the engine ray needs the package ray", hint="pip install 'cdp-agent[ray]'"
            ) from None
        self._options = options
        self._endpoints = endpoints_of(workers, endpoints)
        self._address = address or os.environ.get("RAY_ADDRESS") or ""
        self._workers: list[RayWorker] = []
        self._started_ray = False
        #: Ray's own files, where it is started here; removed with it.
        self._folder = ""

    async def start(self) -> Sequence[RayWorker]:
        """Raises: BrowserError: no cluster answers."""
        if not self._ray.is_initialized():
            await asyncio.to_thread(self._connect)
            self._started_ray = True
        actor = self._ray.remote(_BrowserActor)
        self._workers = [
            RayWorker(self._ray, actor.options(**self._needs(end)).remote(self._options, end))
            for end in self._endpoints
        ]
        return self._workers

    async def aclose(self) -> None:
        try:
            await asyncio.gather(*(worker.aclose() for worker in self._workers))
        finally:
            self._workers = []
            if self._started_ray:
                self._started_ray = False
                await asyncio.to_thread(self._disconnect)

    def _disconnect(self) -> None:
        self._ray.shutdown()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _connect(self) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            if self._address:
                _require_listener(self._address)
                self._ray.init(address=self._address, **quiet)
            else:
                # Ray makes sockets in there, whose paths are short.
                self._folder = tempfile.mkdtemp(prefix="cdp-agent-ray-", dir="/tmp")
                self._ray.init(
                    address="local",
                    num_cpus=len(self._endpoints),
                    include_dashboard=False,
                    _node_ip_address="127.0.0.1",
                    _temp_dir=self._folder,
                    **quiet,
                )
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            where = f"at {self._address}" if self._address else "on this machine"
            reason = one_line(str(error), _LONGEST_REASON)
            raise BrowserError(
                f"no Ray cluster {where}: {reason}", hint="`ray status` says what runs."
            ) from None

    def _needs(self, endpoint: str) -> dict[str, Any]:
        """The resources that Ray has to find on a node for an actor, and its retries."""
        megabytes = _CLIENT_MEGABYTES if endpoint else self._options.recycle_megabytes
        return {
            "num_cpus": 1,
            "memory": megabytes * 1024 * 1024,
            "max_restarts": -1,
            # A task that was lost is recorded before it is begun again, so not by Ray.
            "max_task_retries": 0,
            "scheduling_strategy": "SPREAD",
            "runtime_env": {"env_vars": _ACTOR_VARIABLES},
        }


class RayWorker:
    """A worker on the cluster, as the batch sees it."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray = ray
        self._actor = actor

    async def ready(self) -> None:
        try:
            async with asyncio.timeout(_READY_SECONDS) as deadline:
                # Ray begins this one again until the actor is there.
                problem = await self._actor.ready.options(max_task_retries=-1).remote()
        except TimeoutError:
            if not deadline.expired():
                raise
            raise BrowserError(
                f"a worker was not ready within {_READY_SECONDS:g} s",
                hint="Each needs a free CPU and its memory on a node: see `ray status`.",
            ) from None
        except self._ray.exceptions.RayActorError as error:
            raise BrowserError(f"a worker cannot be started: {_reason(error)}") from None
        if problem is not None:
            raise BrowserError(f"{problem['code']}: {problem['message']}", hint=problem["hint"])

    async def attempt(self, task: BatchTask, number: int) -> AttemptResult:
        exceptions = self._ray.exceptions
        try:
            async with asyncio.timeout(task.timeout + _SILENCE_SECONDS) as deadline:
                result: AttemptResult = await self._actor.attempt.remote(task, number)
                return result
        except TimeoutError:
            if not deadline.expired():
                raise
            self._ray.kill(self._actor, no_restart=False)
            raise ConnectionLost("the worker does not answer") from None
        except exceptions.RayTaskError:
            raise  # a bug of ours
        except exceptions.RayError as error:
            raise ConnectionLost(f"the worker is gone: {_reason(error)}") from None

    async def aclose(self) -> None:
        with contextlib.suppress(TimeoutError, self._ray.exceptions.RayError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._actor.aclose.remote()
        # Whatever is left of the actor ends with its process, its browser included.
        self._ray.kill(self._actor)


class _BrowserActor:
    """Runs on the cluster: a worker with its browser."""

    def __init__(self, options: WorkerOptions, endpoint: str) -> None:
        self._options = options
        self._endpoint = endpoint
        self._worker: BrowserWorker | None = None
        self._logs = contextlib.ExitStack()

    async def ready(self) -> dict[str, Any] | None:
        """None, or the problem as plain data: not every error can be sent back."""
        try:
            if self._worker is None:
                worker = BrowserWorker(self._options, self._endpoint)
                self._logs.enter_context(all_secrets(self._options.secrets).kept_out_of_logs())
                self._worker = worker
            await self._worker.ready()
        except CdpAgentError as error:
            return error.to_dict()
        return None

    async def attempt(self, task: BatchTask, number: int) -> AttemptResult:
        assert self._worker is not None
        return await self._worker.attempt(task, number)

    async def aclose(self) -> None:
        if self._worker is not None:
            await self._worker.aclose()
        self._logs.close()


def _require_listener(address: str) -> None:
    """Raises: ConnectionError: nobody listens there; Ray itself would try for minutes."""
    parts = urlsplit(address if "://" in address else f"ray://{address}")
    if parts.hostname and parts.port:
        try:
            socket.create_connection((parts.hostname, parts.port), _CONNECT_SECONDS).close()
        except OSError as error:
            raise ConnectionError(error.strerror or str(error)) from None


def _reason(error: BaseException) -> str:
    return one_line(str(error), _LONGEST_REASON)
