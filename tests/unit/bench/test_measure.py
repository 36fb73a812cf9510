"""The benchmark believes no engine: what is not proven is a failure, and is told."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from scripts.bench.generated.pages import BenchPage, make_pages
from scripts.bench.measurement.measure import (
    NotReady,
    Operation,
    PageResult,
    Samples,
    Unproven,
    measure,
    timed,
)
from scripts.bench.measurement.report import Report, heading, is_missed, rows

FORM = make_pages(0)["form"]
LIST = make_pages(0)["list1k"]


class Refused(Exception):
    """The error of the stand-in."""


@dataclass
class StandIn:
    """An engine with a page of its own in memory, and a flaw if it is given one."""

    flaw: str = ""
    name: str = "stand-in"
    version: str = "1"
    errors: tuple[type[Exception], ...] = (Refused,)
    log: list[str] = field(default_factory=list)
    page: BenchPage = FORM
    count: int = 0
    held: str = ""

    async def open(self, page: BenchPage, url: str) -> None:
        if self.flaw == "cannot open":
            raise NotReady("no such page")
        self.page = page

    async def snapshot(self) -> str:
        self.log.append(f"{self.name} snapshot")
        return f"… {self.page.said(self.count - (self.flaw == 'stale'))} …"

    async def click(self) -> None:
        if self.flaw == "refuses":
            raise Refused("no click today\nCall log: long")
        self.count += {"lost": 0, "double": 2}.get(self.flaw, 1)

    async def fill(self, value: str) -> None:
        self.held = value[:3] if self.flaw == "cuts" else value

    async def step(self) -> str:
        await self.click()
        return await self.snapshot()

    async def clicks(self) -> int:
        return self.count

    async def value(self) -> str:
        return self.held

    async def leave(self) -> None:
        self.log.append(f"{self.name} left")


FLAWS: dict[str, tuple[str, Operation, str]] = {
    "a lost click": ("lost", "click", "0 clicks instead of 1"),
    "a doubled click": ("double", "step", "2 clicks instead of 1"),
    "an observation from before the click": ("stale", "step", "does not say"),
    "an old snapshot": ("stale", "snapshot", "does not say"),
    "a value cut short": ("cuts", "fill", "holds 'val'"),
}


@pytest.mark.parametrize(("flaw", "operation", "told"), FLAWS.values(), ids=FLAWS.keys())
async def test_what_is_not_proven_is_no_measurement(
    flaw: str, operation: Operation, told: str
) -> None:
    with pytest.raises(Unproven, match=told):
        await timed(StandIn(flaw), FORM, operation, "value 1")


async def test_work_that_was_done_is_timed() -> None:
    engine = StandIn()

    assert await timed(engine, FORM, "step", "") > 0
    assert await timed(engine, FORM, "fill", "value 1") > 0


async def test_the_engines_take_turns() -> None:
    first = StandIn(name="first")
    second = StandIn(name="second", log=first.log)

    await measure(FORM, "", (first, second), rounds=3)

    turns = [line.split()[0] for line in first.log if line.endswith("snapshot")]
    assert turns == ["first", "second"] * (len(turns) // 2)
    assert first.log[-2:] == ["first left", "second left"]


async def test_errors_are_counted_told_in_a_line_and_not_repeated_for_ever() -> None:
    result = await measure(FORM, "", (StandIn("refuses"),), rounds=50)

    clicks = result.samples["stand-in"]["click"]
    assert clicks.seconds == []
    assert set(clicks.failures) == {"Refused: no click today"}
    assert len(clicks.failures) < 50


async def test_an_engine_that_cannot_open_a_page_leaves_the_other_its_turns() -> None:
    able, unable = StandIn(name="able"), StandIn("cannot open", name="unable")

    result = await measure(FORM, "", (able, unable), rounds=2)

    assert result.absent == {"unable": "NotReady: no such page"}
    assert len(result.samples["able"]["step"].seconds) == 2
    assert not Report([result], "able", "unable", {}).is_good


def result_with(page: BenchPage, ours: list[float], theirs: list[float]) -> PageResult:
    def all_operations(seconds: list[float]) -> dict[Operation, Samples]:
        return {o: Samples(list(seconds)) for o in ("snapshot", "click", "fill", "step")}

    return PageResult(page, {"us": all_operations(ours), "them": all_operations(theirs)})


TARGETS: dict[str, tuple[BenchPage, list[float], bool]] = {
    "half the time is enough": (FORM, [0.05], False),
    "more is not": (FORM, [0.051], True),
    "no time is no proof": (FORM, [], True),
    "a page without a target": (LIST, [5.0], False),
}


@pytest.mark.parametrize(("page", "ours", "missed"), TARGETS.values(), ids=TARGETS.keys())
def test_a_target_is_missed_when_our_median_is_above_it(
    page: BenchPage, ours: list[float], missed: bool
) -> None:
    result = result_with(page, ours, [0.1])

    assert is_missed(result, "us", "them") is missed
    assert Report([result], "us", "them", {}).is_good is not missed


def test_the_median_is_not_moved_by_one_slow_round_but_the_ninth_of_ten_is_told() -> None:
    samples = Samples([0.001] * 8 + [0.5, 9.0])

    assert samples.median == 0.001
    assert samples.p90 == 0.5


def test_the_table_has_a_row_per_operation_with_ratio_and_target() -> None:
    result = result_with(FORM, [0.02], [0.1])
    result.characters = {"us": 50, "them": 200}

    title, *lines = (
        " ".join(line.split())
        for line in (*heading("us", "them")[-1:], *rows(result, "us", "them"))
    )

    assert title == "page us p90 them p90 ratio target"
    assert lines[0] == "form snapshot 20.0 20.0 100.0 100.0 0.20 n=1"
    assert lines[3] == "step 20.0 20.0 100.0 100.0 0.20 <= 0.5 met n=1"
    assert lines[4] == "text, ch. 50 200 0.25"


def test_a_failure_of_ours_spoils_the_run_and_is_told_with_how_often() -> None:
    result = result_with(FORM, [0.01], [0.1])
    result.samples["us"]["click"].failures += ["Unproven: lost", "Unproven: lost"]

    report = Report([result], "us", "them", {})

    assert not report.is_good
    assert report.troubles() == ["Failures:", "  form click: us, 2 times: Unproven: lost"]
    assert report.as_json()["pages"]["form"]["operations"]["click"]["us"]["failures"] != []
