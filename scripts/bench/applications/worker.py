"""One engine in a process of its own, so that CPU time is its process tree's and nobody else's.

The tree holds the Python client, Chromium, and for Playwright its node driver. A step is timed in
the worker; what is sent over the pipe before and after is not.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from scripts.bench.applications.catalog import Target
from scripts.bench.applications.cpu import cpu_clocks, cpu_since
from scripts.bench.applications.engines import Engine, EngineName, Verb, start_engine

_START_SECONDS = 60.0
_ANSWER_SECONDS = 120.0
_END_SECONDS = 20.0


class EngineError(Exception):
    """The engine could not do it. The message has the kind and first line of its own error."""


@dataclass(frozen=True, slots=True)
class Step:
    """The cost of one step, and the observation that it ended with."""

    seconds: float
    cpu: float
    text: str


class Worker:
    """Use it in a `with`: the process begins and ends with it."""

    def __init__(self, name: EngineName, executable: Path) -> None:
        self.name = name
        self.version = ""
        context = multiprocessing.get_context("spawn")
        self._pipe, self._far_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(name, executable, self._far_end))

    def __enter__(self) -> Self:
        self._process.start()
        self._far_end.close()  # so that the end of the worker is the end of the pipe
        self.version = str(self._answer(_START_SECONDS))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):  # it has ended by itself
            self._pipe.send(("end", ()))
        self._process.join(_END_SECONDS)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()

    def open(self, url: str) -> None:
        self._call("open", url)

    def close(self) -> None:
        self._call("close")

    def snapshot(self) -> str:
        return str(self._call("snapshot"))

    def evaluate(self, expression: str) -> Any:
        return self._call("evaluate", expression)

    def step(self, verb: Verb, target: Target | None = None, text: str = "") -> Step:
        """Perform, observe, measure. Raises: EngineError."""
        measured = self._call("step", verb, target, text)
        assert isinstance(measured, Step)
        return measured

    def _call(self, order: str, *values: object) -> Any:
        try:
            self._pipe.send((order, values))
        except OSError:
            raise EngineError(f"the process of {self.name} has ended") from None
        return self._answer(_ANSWER_SECONDS)

    def _answer(self, seconds: float) -> Any:
        if not self._pipe.poll(seconds):
            self._process.terminate()  # a late answer would be taken for that to another order
            raise EngineError(f"{self.name} did not answer within {seconds:g} s")
        try:
            answer = self._pipe.recv()
        except EOFError:
            raise EngineError(f"the process of {self.name} has ended") from None
        if isinstance(answer, EngineError):
            raise answer
        return answer


def _serve(name: EngineName, executable: Path, pipe: Connection) -> None:
    asyncio.run(_answer_orders(name, executable, pipe))


async def _answer_orders(name: EngineName, executable: Path, pipe: Connection) -> None:
    async with start_engine(name, executable) as engine:
        pipe.send(engine.version)
        while True:
            order, values = await asyncio.to_thread(pipe.recv)
            if order == "end":
                await engine.close()
                return
            try:
                pipe.send(await _perform(engine, order, values))
            except Exception as error:  # noqa: BLE001 - whatever it is, the round records it
                words = str(error).strip().split("\n")[0]
                await engine.forget()
                pipe.send(EngineError(f"{type(error).__name__}: {words[:160]}"))


async def _perform(engine: Engine, order: str, values: tuple[Any, ...]) -> Any:
    match order:
        case "open":
            return await engine.open(values[0])
        case "close":
            return await engine.close()
        case "snapshot":
            return await engine.snapshot()
        case "evaluate":
            return await engine.evaluate(values[0])
        case "step":
            return await _timed_step(engine, *values)
    raise ValueError(f"there is no order {order!r}")


async def _timed_step(engine: Engine, verb: Verb, target: Target | None, text: str) -> Step:
    if target is not None:
        await engine.lookup(target)
    before = cpu_clocks(os.getpid())
    began = time.perf_counter()
    observation = await engine.step(verb, target, text)
    seconds = time.perf_counter() - began
    return Step(seconds, cpu_since(before, os.getpid()), observation)
