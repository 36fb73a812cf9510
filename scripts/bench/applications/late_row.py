"""A row that a button adds 50 ms after the click: is it in the observation, and at what price?

Measured with and without a `fill` right before the click: an engine that has just observed may be
tempted to trust what it knows. An engine's time counts whether it saw the row or not; how often it
did is printed beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scripts.bench.applications.catalog import Target
from scripts.bench.applications.rounds import WARM_UP_ROUNDS, Driver, Samples, close_all
from scripts.bench.applications.worker import EngineError

NAME = "late-row"
PATH = "/late-row"
_BUTTON = Target("#add")
_FIELD = Target("#note")
_ROWS_AT_START = 30

DOCUMENT = f"""<!doctype html><html lang=en><meta charset=utf-8><title>Late row</title>
<style>body{{font:14px sans-serif}} td{{padding:2px 12px;border:1px solid #999}}</style>
<h1>Orders</h1><label>Note <input id=note></label> <button id=add type=button>Add</button>
<table><tbody id=rows>
{"".join(f"<tr><td>Order {n}<td>{n * 7 % 90} pieces" for n in range(1, _ROWS_AT_START + 1))}
</table><script>
let added = 0;
add.onclick = () => setTimeout(() => {{
  added += 1;
  rows.insertRow(0).insertCell().textContent = 'Late order ' + added + '.';
}}, 50);
</script></html>"""


@dataclass(slots=True)
class LateRow:
    """The clicks of one kind: engine → times, and how many observations showed the row."""

    about: str
    samples: dict[str, Samples]
    seen: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            name: {
                "seen": self.seen.get(name, 0),
                "seconds": samples.seconds,
                "cpu": samples.cpu,
                "failures": samples.failures,
            }
            for name, samples in self.samples.items()
        }


def measure_late_row(url: str, drivers: Sequence[Driver], rounds: int) -> list[LateRow]:
    """Click the button in every engine in turn, first alone, then each time after a `fill`."""
    results = []
    for about, fills in (("click alone", False), ("click after a fill", True)):
        result = LateRow(about, {driver.name: Samples() for driver in drivers})
        try:
            for driver in drivers:
                driver.open(url)
                driver.snapshot()
            for number in range(-WARM_UP_ROUNDS, rounds):
                for driver in drivers:
                    _click(driver, result, number, fills)
        finally:
            close_all(drivers)
        results.append(result)
    return results


def _click(driver: Driver, result: LateRow, number: int, fills: bool) -> None:
    samples = result.samples[driver.name]
    row = f"Late order {number + WARM_UP_ROUNDS + 1}."
    try:
        if fills:
            driver.step("fill", _FIELD, f"note {number}")
        step = driver.step("click", _BUTTON)
        # The row has to be there before the next click, whether it was seen or not.
        driver.evaluate("new Promise(done => setTimeout(done, 100))")
    except EngineError as error:
        samples.failures.append(str(error))
        return
    if number >= 0:
        samples.seconds.append(step.seconds)
        samples.cpu.append(step.cpu)
        result.seen[driver.name] = result.seen.get(driver.name, 0) + (row in step.text)


def late_row_lines(results: Sequence[LateRow], ours: str, theirs: str) -> Iterator[str]:
    """One line per kind: seen of all, and the ratios of the step."""
    for result in results:
        mine, other = result.samples[ours], result.samples[theirs]
        seen = ", ".join(
            f"{name} saw it {result.seen.get(name, 0)} of {len(samples.seconds)}"
            for name, samples in ((ours, mine), (theirs, other))
        )
        ratios = "/".join(
            f"{m / o:.2f}" if m is not None and o else "-"
            for m, o in ((mine.median, other.median), (mine.median_cpu, other.median_cpu))
        )
        yield f"{NAME}, {result.about}: {seen}; step, wall/CPU: {ratios}"
        for why in dict.fromkeys((*mine.failures, *other.failures)):
            yield f"  {why}"


def all_seen(results: Sequence[LateRow], ours: str) -> bool:
    """Returns whether every one of our observations showed its row."""
    return all(
        not result.samples[ours].failures
        and result.seen.get(ours, 0) == len(result.samples[ours].seconds)
        for result in results
    )
