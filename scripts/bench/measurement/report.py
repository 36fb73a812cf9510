"""The results as a table for people and as JSON for programs. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.bench.measurement.measure import OPERATIONS, PageResult, Samples

_ROW = "{:<18} {:<9} {:>9} {:>9} {:>9} {:>9} {:>7}  {:<14} {}"


@dataclass(frozen=True, slots=True)
class Report:
    """All results of a run. `ours` and `theirs` are the engines' names."""

    results: Sequence[PageResult]
    ours: str
    theirs: str
    #: Versions and machine, told with the numbers.
    setting: dict[str, Any]

    @property
    def is_good(self) -> bool:
        """Every target is met, and every round of ours is proven."""
        ours = (samples for r in self.results for samples in r.samples[self.ours].values())
        return (
            not any(samples.failures for samples in ours)
            and not any(result.absent for result in self.results)
            and not any(is_missed(result, self.ours, self.theirs) for result in self.results)
        )

    def troubles(self) -> list[str]:
        """The failures and their numbers; empty when there are none."""
        lines = [line for result in self.results for line in self._troubles(result)]
        return ["Failures:", *lines] if lines else []

    def _troubles(self, result: PageResult) -> Iterator[str]:
        for name, why in result.absent.items():
            yield f"  {result.page.name}: {name} could not take part: {why}"
        for name, operations in result.samples.items():
            for operation, samples in operations.items():
                for why in dict.fromkeys(samples.failures):
                    times = samples.failures.count(why)
                    yield f"  {result.page.name} {operation}: {name}, {times} times: {why}"

    def as_json(self) -> dict[str, Any]:
        return {
            "setting": self.setting,
            "unit": "ms",
            "pages": {
                result.page.name: {
                    "about": result.page.about,
                    "interactive": result.page.interactive,
                    "characters": result.characters,
                    "absent": result.absent,
                    "operations": {
                        operation: {
                            "ratio": result.ratio(operation, self.ours, self.theirs),
                            "target": result.page.step_target if operation == "step" else None,
                            **{n: _json(by[operation]) for n, by in result.samples.items()},
                        }
                        for operation in OPERATIONS
                    },
                }
                for result in self.results
            },
        }


def heading(ours: str, theirs: str) -> list[str]:
    """The first lines of the table."""
    return [
        "Milliseconds; ratio is our median over theirs, below 1 is quicker.",
        _ROW.format("page", "", ours, "p90", theirs, "p90", "ratio", "target", "").rstrip(),
    ]


def rows(result: PageResult, ours: str, theirs: str) -> Iterator[str]:
    """The lines of one page."""
    for operation in OPERATIONS:
        mine, other = result.samples[ours][operation], result.samples[theirs][operation]
        ratio = result.ratio(operation, ours, theirs)
        target = ""
        if operation == "step" and result.page.step_target is not None:
            missed = is_missed(result, ours, theirs)
            target = f"<= {result.page.step_target:g} {'MISSED' if missed else 'met'}"
        yield _ROW.format(
            result.page.name if operation == OPERATIONS[0] else "",
            operation,
            _ms(mine.median),
            _ms(mine.p90),
            _ms(other.median),
            _ms(other.p90),
            f"{ratio:.2f}" if ratio is not None else "-",
            target,
            _counts(mine, other),
        ).rstrip()
    sizes = [result.characters.get(name) for name in (ours, theirs)]
    shown = [str(size) if size is not None else "-" for size in sizes]
    share = f"{sizes[0] / sizes[1]:.2f}" if sizes[0] and sizes[1] else "-"
    yield _ROW.format("", "text, ch.", shown[0], "", shown[1], "", share, "", "").rstrip()


def is_missed(result: PageResult, ours: str, theirs: str) -> bool:
    """Returns whether a target of the page is missed; unproven is missed."""
    target = result.page.step_target
    if target is None:
        return False
    ratio = result.ratio("step", ours, theirs)
    return ratio is None or ratio > target


def _ms(seconds: float | None) -> str:
    return f"{seconds * 1000:.1f}" if seconds is not None else "-"


def _counts(mine: Samples, theirs: Samples) -> str:
    """The number of rounds, and of the failed ones if there are any."""
    told = f"n={len(mine.seconds)}"
    if mine.failures or theirs.failures:
        told += f", failed {len(mine.failures)} and {len(theirs.failures)}"
    return told


def _json(samples: Samples) -> dict[str, Any]:
    def ms(seconds: float | None) -> float | None:
        return round(seconds * 1000, 3) if seconds is not None else None

    return {
        "median": ms(samples.median),
        "p90": ms(samples.p90),
        "failures": samples.failures,
        "samples": [ms(seconds) for seconds in samples.seconds],
    }
