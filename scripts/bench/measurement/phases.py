"""Measures the phases of one of our steps from outside.

The engine's own functions are wrapped while this runs; the engine knows nothing of it. Phases
overlap (a capture begins while the page settles, decoding happens inside a capture), so their
times do not add up to the whole: what begins when is shown beside them. The processor's time is
given where a phase is all computing; on a busy machine it is the number to trust.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

#: Phase → where the function is looked up when it is called.
PHASES = {
    "resolve": ("cdp_agent.act.stage", "Stage.resolve"),
    "prepare": ("cdp_agent.act.pointer.pointer", "_prepare"),
    "reach": ("cdp_agent.act.pointer.pointer", "_reachable"),
    "input": ("cdp_agent.act.pointer.pointer", "delivered"),
    "settle": ("cdp_agent.act.stage", "settle"),
    "capture": ("cdp_agent.snapshot.capture.page_capture", "PageCapturer.capture"),
    "read": ("cdp_agent.protocol.connection", "Connection._receive"),
    "decode": ("cdp_agent.protocol.connection", "decode"),
    "build": ("cdp_agent.snapshot.snapshotter", "build"),
    "filter": ("cdp_agent.snapshot.snapshotter", "apply_options"),
    "remember": ("cdp_agent.resolve.refs", "RefBook.remember"),
    "diff": ("cdp_agent.snapshot.diff", "compare"),
    "format": ("cdp_agent.snapshot.text.snapshot_text", "snapshot_text"),
}

_PHASE_ROW = "{:<10} {:>8} {:>8} {:>8} {:>8} {:>6}"


@dataclass(slots=True)
class Span:
    name: str
    began: float
    seconds: float
    #: None where the phase waits for the browser.
    cpu: float | None = None


@dataclass(slots=True)
class Step:
    """One step: its spans in order of their end, all relative to its beginning."""

    seconds: float = 0.0
    cpu: float = 0.0
    phases: list[Span] = field(default_factory=list)
    commands: list[Span] = field(default_factory=list)


class Recorder:
    """Wraps the engine's functions; keeps what happens between `begin` and `end`."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.missing: list[str] = []
        self._step: Step | None = None
        self._zero = 0.0

    @contextmanager
    def installed(self) -> Iterator[None]:
        """To be entered before the browser is launched: its connection binds what it finds."""
        with ExitStack() as undo:
            for phase, (module, path) in PHASES.items():
                self._wrap(undo, module, path, functools.partial(self._timing, phase))
            self._wrap(undo, "cdp_agent.protocol.connection", "Connection.post", self._posting)
            yield

    def _wrap(
        self,
        undo: ExitStack,
        module: str,
        path: str,
        wrapper: Callable[[Callable[..., Any]], Callable[..., Any]],
    ) -> None:
        *owners, name = path.split(".")
        owner: Any = import_module(module)
        try:
            for part in owners:
                owner = getattr(owner, part)
            original = getattr(owner, name)
        except AttributeError:
            self.missing.append(f"{module}.{path}")  # the engine was rebuilt: say so, go on
            return
        setattr(owner, name, wrapper(original))
        undo.callback(setattr, owner, name, original)

    def _timing(self, phase: str, original: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(original):

            @functools.wraps(original)
            async def timed_async(*args: Any, **kwargs: Any) -> Any:
                step, began = self._step, time.perf_counter()
                try:
                    return await original(*args, **kwargs)
                finally:
                    self._note(step, phase, began, None)

            return timed_async

        @functools.wraps(original)
        def timed(*args: Any, **kwargs: Any) -> Any:
            step, began, cpu = self._step, time.perf_counter(), time.thread_time()
            try:
                return original(*args, **kwargs)
            finally:
                self._note(step, phase, began, time.thread_time() - cpu)

        return timed

    def _note(self, step: Step | None, phase: str, began: float, cpu: float | None) -> None:
        if step is not None:
            took = time.perf_counter() - began
            step.phases.append(Span(phase, began - self._zero, took, cpu))

    def _posting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def post(connection: Any, session: Any, method: str, *rest: Any) -> Any:
            step, began = self._step, time.perf_counter()
            reply: asyncio.Future[Any] = original(connection, session, method, *rest)
            if step is not None:
                span = Span(f"{session.id[:4]} {method}", began - self._zero, 0.0)
                step.commands.append(span)

                def answered(_: object) -> None:
                    span.seconds = time.perf_counter() - began

                reply.add_done_callback(answered)
            return reply

        return post

    def begin(self) -> None:
        self._step = Step(cpu=time.process_time())
        self._zero = time.perf_counter()

    def end(self) -> None:
        if self._step is not None:
            step, self._step = self._step, None
            step.seconds = time.perf_counter() - self._zero
            step.cpu = time.process_time() - step.cpu
            self.steps.append(step)


@dataclass(frozen=True, slots=True)
class PhaseSummary:
    """One phase over all steps; the calls of a step are added up."""

    name: str
    calls: float
    begins: float
    median: float
    best: float
    cpu: float | None


def summarize(steps: Sequence[Step]) -> list[PhaseSummary]:
    """The phases that occurred, in the order in which they begin."""
    found = []
    for phase in PHASES:
        per_step = [[span for span in step.phases if span.name == phase] for step in steps]
        begins = [min(span.began for span in spans) for spans in per_step if spans]
        if not begins:
            continue
        takes = [sum(span.seconds for span in spans) for spans in per_step]
        computing = all(span.cpu is not None for spans in per_step for span in spans)
        cpu = [sum(span.cpu or 0.0 for span in spans) for spans in per_step]
        found.append(
            PhaseSummary(
                phase,
                statistics.median(len(spans) for spans in per_step),
                statistics.median(begins),
                statistics.median(takes),
                min(takes),
                statistics.median(cpu) if computing else None,
            )
        )
    return sorted(found, key=lambda summary: summary.begins)


def profile_text(recorder: Recorder, name: str) -> str:
    """All steps by phase, then the commands of the quickest: the others waited for the machine."""
    steps = recorder.steps
    quickest = min(steps, key=lambda step: step.seconds)
    median = statistics.median(step.seconds for step in steps)
    cpu = statistics.median(step.cpu for step in steps)
    lines = [
        f"{len(steps)} steps on {name}: median {median * 1000:.1f} ms, best"
        f" {quickest.seconds * 1000:.1f} ms, of which this process computes {cpu * 1000:.1f} ms",
        "",
        _PHASE_ROW.format("phase", "begins", "median", "best", "cpu", "calls"),
    ]
    lines += [
        _PHASE_ROW.format(
            phase.name,
            *(_ms(seconds) for seconds in (phase.begins, phase.median, phase.best, phase.cpu)),
            f"{phase.calls:g}",
        )
        for phase in summarize(steps)
    ]
    if recorder.missing:
        lines += ["", f"Not found in the engine: {', '.join(recorder.missing)}"]
    lines += ["", "The commands of the quickest step: sent at, took, session and method"]
    lines += [
        f"{_ms(span.began):>8} {_ms(span.seconds):>8}  {span.name}" for span in quickest.commands
    ]
    return "\n".join(lines)


def _ms(seconds: float | None) -> str:
    return f"{seconds * 1000:.1f}" if seconds is not None else "-"
