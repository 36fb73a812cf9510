"""Runs the rounds: one engine, then the other, so that what disturbs the machine hits both.

A time counts only with proof that the work was done: the page has counted exactly one click, the
field holds the value, and the observation shows the page as it is after the action. Anything else
is a failure, kept apart with its reason.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from scripts.bench.generated.pages import BenchPage

Operation = Literal["snapshot", "click", "fill", "step"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)

#: Not measured: scripts are compiled, caches filled, pages scrolled.
WARM_UP_ROUNDS = 2
#: Large pages get this share of the rounds, and never fewer than three.
_LARGE_SHARE = 3
#: A failure may take its whole time-out: what fails this often is not tried again.
_ENOUGH_FAILURES = 5


class NotReady(Exception):
    """A contender cannot take part on this page."""


class Contender(Protocol):
    """One engine on one page at a time."""

    name: str
    version: str
    #: What its actions raise when they fail.
    errors: tuple[type[Exception], ...]

    async def open(self, page: BenchPage, url: str) -> None:
        """Show the page, and find in it what will be acted on. Raises: NotReady."""

    async def snapshot(self) -> str: ...
    async def click(self) -> None: ...
    async def fill(self, value: str) -> None: ...
    async def step(self) -> str:
        """Click, then observe; the text of the observation."""

    async def clicks(self) -> int:
        """The number of clicks that the page has counted."""

    async def value(self) -> str:
        """The value of the field."""

    async def leave(self) -> None:
        """Close the page. May be called twice."""


class Unproven(Exception):
    """The engine said that it was done, and the page or the observation says otherwise."""


@dataclass(slots=True)
class Samples:
    """The measurements of one engine for one operation on one page."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def median(self) -> float | None:
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def p90(self) -> float | None:
        """The smallest time that at least nine of ten rounds kept to."""
        if not self.seconds:
            return None
        ordered = sorted(self.seconds)
        return ordered[-(-9 * len(ordered) // 10) - 1]


@dataclass(slots=True)
class PageResult:
    page: BenchPage
    #: Engine → operation → samples.
    samples: dict[str, dict[Operation, Samples]]
    #: Engine → characters of its observation.
    characters: dict[str, int] = field(default_factory=dict)
    #: Engine → why it could not take part.
    absent: dict[str, str] = field(default_factory=dict)

    def ratio(self, operation: Operation, ours: str, theirs: str) -> float | None:
        """Our median over theirs; None unless both have one."""
        mine = self.samples[ours][operation].median
        other = self.samples[theirs][operation].median
        return mine / other if mine is not None and other else None


def rounds_for(page: BenchPage, rounds: int) -> int:
    return max(3, rounds // _LARGE_SHARE) if page.large else rounds


async def measure(
    page: BenchPage, url: str, contenders: Sequence[Contender], rounds: int
) -> PageResult:
    """Open the page in every engine, warm up, take the rounds, close the page."""
    result = PageResult(page, {c.name: {o: Samples() for o in OPERATIONS} for c in contenders})
    present: list[Contender] = []
    try:
        for contender in contenders:
            expected: tuple[type[Exception], ...] = (NotReady, *contender.errors)
            try:
                await contender.open(page, url)
                result.characters[contender.name] = len(await contender.snapshot())
            except expected as error:
                result.absent[contender.name] = reason(error)
            else:
                present.append(contender)
        for number in range(-WARM_UP_ROUNDS, rounds):
            for operation in OPERATIONS:
                for contender in present:
                    taken = result.samples[contender.name][operation]
                    await _sample(contender, page, operation, number, taken)
    finally:
        for contender in contenders:
            await contender.leave()
    return result


async def _sample(
    contender: Contender, page: BenchPage, operation: Operation, number: int, taken: Samples
) -> None:
    """One operation, timed and checked. A warm-up (`number` below 0) counts only if it fails."""
    if len(taken.failures) >= _ENOUGH_FAILURES:
        return
    expected: tuple[type[Exception], ...] = (Unproven, *contender.errors)
    try:
        seconds = await timed(contender, page, operation, f"value {number}")
    except expected as error:
        taken.failures.append(reason(error))
    else:
        if number >= 0:
            taken.seconds.append(seconds)


async def timed(contender: Contender, page: BenchPage, operation: Operation, value: str) -> float:
    """Seconds that it took.

    Raises:
        Unproven: it did not do what it should.
    """
    before = await contender.clicks()
    seen: str | None = None
    began = time.perf_counter()
    match operation:
        case "snapshot":
            seen = await contender.snapshot()
        case "click":
            await contender.click()
        case "fill":
            await contender.fill(value)
        case "step":
            seen = await contender.step()
    seconds = time.perf_counter() - began
    after = await contender.clicks()
    due = before + 1 if operation in ("click", "step") else before
    if after != due:
        raise Unproven(f"the page counted {after - before} clicks instead of {due - before}")
    if seen is not None and page.said(due) not in seen:
        raise Unproven(f"the observation does not say {page.said(due)!r}")
    if operation == "fill" and (held := await contender.value()) != value:
        raise Unproven(f"the field holds {held!r} instead of {value!r}")
    return seconds


def reason(error: Exception) -> str:
    """The first line of an error, with its kind."""
    words = str(error).strip().split("\n")[0]
    return f"{type(error).__name__}: {words[:200]}"
