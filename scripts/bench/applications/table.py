"""The results of a run as a table for people and as JSON for programs. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.bench.applications.rounds import OPERATIONS, AppResult, Operation, Samples

_DETAIL = "{:<11} {:<6} {:>8} {:>8} {:>6}  {:>8} {:>8} {:>6}  {}"
_ROW = "{:<11} {:>12} {:>12} {:>12} {:>12}  {:>7} {:>7} {:>6}"


@dataclass(frozen=True, slots=True)
class AppReport:
    """All applications of a run. `ours` and `theirs` are the engines' names."""

    results: Sequence[AppResult]
    ours: str
    theirs: str
    setting: dict[str, Any]

    @property
    def is_good(self) -> bool:
        """Returns whether every round of ours is proven."""
        return not any(
            self.ours in result.absent
            or any(s.failures for s in result.samples[self.ours].values())
            for result in self.results
        )

    def wall_ratio(self, result: AppResult, operation: Operation) -> float | None:
        """Our median wall time over theirs; None unless both have one."""
        mine, other = self._pair(result, operation)
        return _over(mine.median, other.median)

    def cpu_ratio(self, result: AppResult, operation: Operation) -> float | None:
        """Our median CPU time over theirs; None unless both have one."""
        mine, other = self._pair(result, operation)
        return _over(mine.median_cpu, other.median_cpu)

    def token_ratio(self, result: AppResult) -> float | None:
        return _over(result.tokens.get(self.ours), result.tokens.get(self.theirs))

    def detail_heading(self) -> list[str]:
        names = (f"{self.ours[:7]}", f"{self.theirs[:8]}", "ratio")
        return [
            "Medians of proven rounds, milliseconds: wall time, then CPU time of client and"
            " Chromium. Below 1 is better.",
            _DETAIL.format("application", "step", *names, *names, "").rstrip(),
        ]

    def detail(self, result: AppResult) -> Iterator[str]:
        """The lines of one application: times, tokens, failures."""
        for operation in OPERATIONS:
            mine, other = self._pair(result, operation)
            yield _DETAIL.format(
                result.name if operation == OPERATIONS[0] else "",
                operation,
                _ms(mine.median),
                _ms(other.median),
                _two(self.wall_ratio(result, operation)),
                _ms(mine.median_cpu),
                _ms(other.median_cpu),
                _two(self.cpu_ratio(result, operation)),
                f"n={len(mine.seconds)}/{len(other.seconds)}",
            )
        for engine, why in result.absent.items():
            yield f"  {engine} could not take part: {why}"
        for engine, operations in result.samples.items():
            for operation, samples in operations.items():
                for why in dict.fromkeys(samples.failures):
                    yield f"  {operation}: {engine}, {samples.failures.count(why)} times: {why}"

    def table(self) -> list[str]:
        """One row per application, and the medians over all of them."""
        lines = [
            "Ratios to Playwright, wall/CPU; tokens of the first snapshot.",
            _ROW.format("application", *OPERATIONS, "ours", "theirs", "ratio"),
        ]
        for result in self.results:
            cells = [
                _cell(self.wall_ratio(result, o), self.cpu_ratio(result, o)) for o in OPERATIONS
            ]
            sizes = [str(result.tokens.get(name, "-")) for name in (self.ours, self.theirs)]
            ratio = _two(self.token_ratio(result))
            lines.append(_ROW.format(result.name, *cells, *sizes, ratio))
        together = self.tokens_together()
        lines.append(
            _ROW.format(
                "median",
                *(_cell(*self.medians(o)) for o in OPERATIONS),
                *(str(tokens) for tokens in together),
                _two(_over(*together)),
            )
        )
        return lines

    def medians(self, operation: Operation) -> tuple[float | None, float | None]:
        """The medians over the applications of the wall and of the CPU ratios."""
        return (
            _median([self.wall_ratio(result, operation) for result in self.results]),
            _median([self.cpu_ratio(result, operation) for result in self.results]),
        )

    def tokens_together(self) -> tuple[int, int]:
        """Tokens of all first snapshots that both engines took."""
        both = [r.tokens for r in self.results if {self.ours, self.theirs} <= r.tokens.keys()]
        return sum(t[self.ours] for t in both), sum(t[self.theirs] for t in both)

    def as_json(self) -> dict[str, Any]:
        return {
            "setting": self.setting,
            "unit": "s",
            "applications": {
                result.name: {
                    "tokens": result.tokens,
                    "absent": result.absent,
                    "operations": {
                        operation: {
                            "wall_ratio": self.wall_ratio(result, operation),
                            "cpu_ratio": self.cpu_ratio(result, operation),
                            **{n: _json(by[operation]) for n, by in result.samples.items()},
                        }
                        for operation in OPERATIONS
                    },
                }
                for result in self.results
            },
            "medians": {
                operation: dict(zip(("wall", "cpu"), self.medians(operation), strict=True))
                for operation in OPERATIONS
            },
            "tokens": dict(zip((self.ours, self.theirs), self.tokens_together(), strict=True)),
        }

    def _pair(self, result: AppResult, operation: Operation) -> tuple[Samples, Samples]:
        return result.samples[self.ours][operation], result.samples[self.theirs][operation]


def _over(mine: float | None, other: float | None) -> float | None:
    return mine / other if mine is not None and other else None


def _median(ratios: Sequence[float | None]) -> float | None:
    present = [ratio for ratio in ratios if ratio is not None]
    return statistics.median(present) if present else None


def _cell(wall: float | None, cpu: float | None) -> str:
    return f"{_two(wall)}/{_two(cpu)}"


def _two(ratio: float | None) -> str:
    return f"{ratio:.2f}" if ratio is not None else "-"


def _ms(seconds: float | None) -> str:
    return f"{seconds * 1000:.1f}" if seconds is not None else "-"


def _json(samples: Samples) -> dict[str, Any]:
    return {"seconds": samples.seconds, "cpu": samples.cpu, "failures": samples.failures}
