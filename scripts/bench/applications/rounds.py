"""Runs the rounds on one application: one engine, then the other, operation by operation.

A time counts only with proof: the field holds the value and the observation shows it, the focus
has moved, the observation shows what the click opened, the pointer is over the element. Anything
else is a failure with its reason.
"""

from __future__ import annotations

import contextlib
import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

from scripts.bench.applications.catalog import Application, Target
from scripts.bench.applications.engines import Verb
from scripts.bench.applications.worker import EngineError, Step
from scripts.bench.measurement.tokens import count_tokens

Operation = Literal["fill", "Tab", "click", "hover"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)

#: Not measured: scripts are compiled and caches filled.
WARM_UP_ROUNDS = 2
#: A failure may take its whole time-out: an operation that fails this often is given up.
_ENOUGH_FAILURES = 4
_READY_SECONDS = 60.0
_UNDO_SECONDS = 4.0
_STABLE_LOOKS = 8
_LOOK_SECONDS = 0.25

_FIND = """(css, nth) => {
  const all = root => [...root.querySelectorAll(css), ...[...root.querySelectorAll('*')]
    .filter(e => e.shadowRoot).flatMap(e => all(e.shadowRoot))];
  return all(document)[nth];
}"""
_FOCUS = """(() => {
  let e = document.activeElement;
  while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
  const path = [];
  for (; e && e.parentNode; e = e.parentNode instanceof ShadowRoot ? e.parentNode.host
    : e.parentNode) path.push(e.nodeName + [...e.parentNode.childNodes].indexOf(e));
  return path.join(' ');
})()"""

#: How the engines mark the element that has the focus.
_FOCUS_MARKS = ("focused", "[active]")


class Unproven(Exception):
    """The engine reported success, and the page or the observation says otherwise."""


class Driver(Protocol):
    """The part of a worker that the rounds use."""

    name: Any

    def open(self, url: str) -> None: ...
    def close(self) -> None: ...
    def snapshot(self) -> str: ...
    def evaluate(self, expression: str) -> Any: ...
    def step(self, verb: Verb, target: Target | None = None, text: str = "") -> Step: ...


@dataclass(slots=True)
class Samples:
    """The proven rounds of one engine for one operation, and why others failed."""

    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def median(self) -> float | None:
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def median_cpu(self) -> float | None:
        return statistics.median(self.cpu) if self.cpu else None


@dataclass(slots=True)
class AppResult:
    """All samples of one application."""

    name: str
    #: Engine → operation → samples.
    samples: dict[str, dict[Operation, Samples]]
    #: Engine → tokens of its first snapshot.
    tokens: dict[str, int] = field(default_factory=dict)
    #: Engine → why it could not take part.
    absent: dict[str, str] = field(default_factory=dict)


def measure(app: Application, url: str, drivers: Sequence[Driver], rounds: int) -> AppResult:
    """Open the page in every engine, warm up, take the rounds, close the page."""
    result = AppResult(app.name, {d.name: {o: Samples() for o in OPERATIONS} for d in drivers})
    present = []
    try:
        for driver in drivers:
            try:
                _open(driver, app, url)
                result.tokens[driver.name] = count_tokens(driver.snapshot())
            except (EngineError, Unproven) as error:
                result.absent[driver.name] = str(error)
            else:
                present.append(driver)
        for number in range(-WARM_UP_ROUNDS, rounds):
            for operation in OPERATIONS:
                for driver in present:
                    samples = result.samples[driver.name][operation]
                    _sample(driver, app, operation, number, samples)
    finally:
        close_all(drivers)
    return result


def close_all(drivers: Sequence[Driver]) -> None:
    """Close the page in every engine, whatever state an engine is in."""
    for driver in drivers:
        with contextlib.suppress(EngineError):
            driver.close()


def _open(driver: Driver, app: Application, url: str) -> None:
    """Open the page and wait until it is drawn: the element count has been the same for a while."""
    driver.open(url)
    first = app.prepare or app.field
    if not _becomes(lambda: driver.evaluate(_of(first, "!!e")), _READY_SECONDS):
        raise Unproven(f"there is no {first.css} on the page")
    _wait_stable(driver)
    if app.prepare is not None:
        driver.snapshot()
        driver.step("click", app.prepare)
        _wait_stable(driver)


def _wait_stable(driver: Driver) -> None:
    counts: list[int] = []
    ends = time.monotonic() + _READY_SECONDS
    while time.monotonic() < ends:
        counts.append(driver.evaluate("document.querySelectorAll('*').length"))
        if len(counts) >= _STABLE_LOOKS and len(set(counts[-_STABLE_LOOKS:])) == 1:
            return
        time.sleep(_LOOK_SECONDS)


def _sample(
    driver: Driver, app: Application, operation: Operation, number: int, samples: Samples
) -> None:
    """One operation, timed and checked. A warm-up (`number` below 0) counts only if it fails."""
    if len(samples.failures) >= _ENOUGH_FAILURES:
        return
    try:
        step = prove(driver, app, operation, f"value {number}")
    except (EngineError, Unproven) as error:
        samples.failures.append(str(error))
    else:
        if number >= 0:
            samples.seconds.append(step.seconds)
            samples.cpu.append(step.cpu)


def prove(driver: Driver, app: Application, operation: Operation, value: str) -> Step:
    """Perform one operation and leave the page as it was.

    Raises:
        EngineError: the engine could not do it.
        Unproven: its effect is not there.
    """
    match operation:
        case "fill":
            step = driver.step("fill", app.field, value)
            held = driver.evaluate(_of(app.field, "e.value ?? e.textContent"))
            _require(held == value, f"the field holds {held!r} instead of {value!r}")
            _require(value in step.text, f"the observation does not show {value!r}")
        case "Tab":
            before = driver.evaluate(_FOCUS)
            try:
                step = driver.step("press", None, "Tab")
                _require(driver.evaluate(_FOCUS) != before, "the focus has not moved")
                marked = any(mark in step.text for mark in _FOCUS_MARKS)
                _require(marked or not app.shows_focus, "the observation does not show the focus")
            finally:
                driver.step("fill", app.field, "")
        case "click":
            _require(not _visible(driver, app.shows), f"{app.shows!r} is visible before the click")
            step = driver.step("click", app.opener)
            try:
                _require(app.shows in step.text, f"the observation does not show {app.shows!r}")
            finally:
                _undo(driver, app)
        case "hover":
            step = driver.step("hover", app.hovered)
            hovered = driver.evaluate(_of(app.hovered, "e.matches(':hover')"))
            _require(bool(hovered), "the pointer is not over the element")
    return step


def _undo(driver: Driver, app: Application) -> None:
    """Close what the click opened; it may open late, so a second try is allowed."""
    for _ in range(2):
        if _becomes(lambda: _visible(driver, app.shows), 1.0):
            if app.undo is not None:
                driver.step("click", app.undo)
            else:
                driver.step("press", None, "Escape")
        if _becomes(lambda: not _visible(driver, app.shows), _UNDO_SECONDS):
            return
    raise Unproven(f"{app.shows!r} could not be closed again")


def _visible(driver: Driver, text: str) -> bool:
    return bool(driver.evaluate(f"document.body.innerText.includes({json.dumps(text)})"))


def _of(target: Target, expression: str) -> str:
    """A script that evaluates the expression for the element `e`, or null where it is not."""
    found = f"({_FIND})({json.dumps(target.css)}, {target.nth})"
    return f"(e => e ? ({expression}) : null)({found})"


def _becomes(condition: Callable[[], object], seconds: float) -> bool:
    ends = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > ends:
            return False
        time.sleep(0.05)
    return True


def _require(proven: bool, otherwise: str) -> None:
    if not proven:
        raise Unproven(otherwise)
