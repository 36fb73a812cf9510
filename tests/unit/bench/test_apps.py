"""The benchmark on applications believes no engine, and its arithmetic is right."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import pytest

from scripts.bench.applications.catalog import CATALOG, Target, parse_running
from scripts.bench.applications.cpu import cpu_clocks, cpu_since, process_tree
from scripts.bench.applications.engines import Verb
from scripts.bench.applications.install import NPM, PIP
from scripts.bench.applications.late_row import all_seen, late_row_lines, measure_late_row
from scripts.bench.applications.rounds import (
    OPERATIONS,
    AppResult,
    Operation,
    Samples,
    Unproven,
    measure,
    prove,
)
from scripts.bench.applications.servers import server_command
from scripts.bench.applications.table import AppReport
from scripts.bench.applications.worker import EngineError, Step

APP = CATALOG["datasette"]


@dataclass
class StandIn:
    """An engine with a page of its own in memory, and a flaw if it is given one."""

    flaw: str = ""
    name: str = "ours"
    held: str = ""
    focus: int = 0
    opened: bool = False
    hovered: bool = False
    clicks: int = 0
    log: list[str] = field(default_factory=list)

    def open(self, url: str) -> None:
        if self.flaw == "cannot open":
            raise EngineError("no such page")
        self.clicks = 0

    def close(self) -> None:
        self.log.append(f"{self.name} closed")

    def snapshot(self) -> str:
        return "Two words"

    def evaluate(self, expression: str) -> Any:
        if "activeElement" in expression:
            return f"element {self.focus}"
        if "innerText" in expression:
            return self.opened
        if ":hover" in expression:
            return self.hovered
        if "e.value" in expression:
            return self.held
        return 1

    def step(self, verb: Verb, target: Target | None = None, text: str = "") -> Step:
        self.log.append(f"{self.name} {verb}")
        if self.flaw == "refuses":
            raise EngineError("Refused: not today")
        if verb == "fill":
            self.held = text[:3] if self.flaw == "cuts" else text
            return Step(0.2, 0.1, "" if self.flaw == "silent" else text)
        if verb == "press":
            self.focus += self.flaw != "stuck"
            return Step(0.2, 0.1, "" if self.flaw == "silent" else "link focused")
        if verb == "hover":
            self.hovered = self.flaw != "misses"
        if verb == "click":
            self.clicks += 1
            self.opened = target == APP.opener
        late = "" if self.flaw == "hasty" else f"Late order {self.clicks}."
        shown = APP.shows if self.opened and self.flaw != "silent" else ""
        return Step(0.2, 0.1, f"{shown} {late}")


FLAWS: dict[str, tuple[str, Operation, str]] = {
    "a value cut short": ("cuts", "fill", "holds 'val'"),
    "a value that is not shown": ("silent", "fill", "does not show 'value 1'"),
    "a focus that stays": ("stuck", "Tab", "has not moved"),
    "a focus that is not shown": ("silent", "Tab", "does not show the focus"),
    "an effect that is not shown": ("silent", "click", "does not show"),
    "a pointer elsewhere": ("misses", "hover", "not over"),
}


@pytest.mark.parametrize(("flaw", "operation", "reason"), FLAWS.values(), ids=FLAWS.keys())
def test_an_operation_without_its_effect_is_no_measurement(
    flaw: str, operation: Operation, reason: str
) -> None:
    with pytest.raises(Unproven, match=reason):
        prove(StandIn(flaw), APP, operation, "value 1")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_with_its_effect_is_measured(operation: Operation) -> None:
    engine = StandIn()

    assert prove(engine, APP, operation, "value 1") == Step(0.2, 0.1, engine_text(operation))
    assert not engine.opened, "what a click opened is closed again"


def engine_text(operation: Operation) -> str:
    return {
        "fill": "value 1",
        "Tab": "link focused",
        "click": f"{APP.shows} Late order 1.",
        "hover": " Late order 0.",
    }[operation]


def test_engines_take_turns_and_an_absent_one_leaves_the_other_its_rounds() -> None:
    first = StandIn()
    second = StandIn(name="second", log=first.log)
    third = StandIn("cannot open", name="third")

    result = measure(APP, "", (first, second, third), rounds=3)

    clicks = [line for line in first.log if line.endswith("click")]
    assert clicks[:4] == ["ours click", "ours click", "second click", "second click"]
    assert result.absent == {"third": "no such page"}
    assert [len(result.samples[name]["Tab"].seconds) for name in ("ours", "third")] == [3, 0]
    assert result.tokens == {"ours": 2, "second": 2}


def test_an_engine_that_refuses_is_not_asked_for_ever() -> None:
    result = measure(APP, "", (StandIn("refuses"),), rounds=30)

    assert result.samples["ours"]["fill"].failures == ["Refused: not today"] * 4


def result_with(name: str, ours: float, theirs: float, tokens: tuple[int, int]) -> AppResult:
    def all_operations(seconds: float) -> dict[Operation, Samples]:
        return {operation: Samples([seconds], [seconds / 2]) for operation in OPERATIONS}

    samples = {"ours": all_operations(ours), "theirs": all_operations(theirs)}
    return AppResult(name, samples, dict(zip(("ours", "theirs"), tokens, strict=True)))


def test_the_table_has_a_row_per_application_and_the_medians_over_them() -> None:
    results = [
        result_with("a", 0.1, 0.2, (10, 40)),
        result_with("b", 0.3, 0.1, (30, 40)),
        result_with("c", 0.2, 0.1, (20, 20)),
    ]
    results[0].samples["theirs"]["click"] = Samples()

    lines = [" ".join(line.split()) for line in AppReport(results, "ours", "theirs", {}).table()]

    assert lines[1:] == [
        "application fill Tab click hover ours theirs ratio",
        "a 0.50/0.50 0.50/0.50 -/- 0.50/0.50 10 40 0.25",
        "b 3.00/3.00 3.00/3.00 3.00/3.00 3.00/3.00 30 40 0.75",
        "c 2.00/2.00 2.00/2.00 2.00/2.00 2.00/2.00 20 20 1.00",
        "median 2.00/2.00 2.00/2.00 2.50/2.50 2.00/2.00 60 100 0.60",
    ]


def test_a_failure_of_ours_spoils_the_run_and_one_of_theirs_does_not() -> None:
    result = result_with("a", 0.1, 0.2, (1, 1))
    report = AppReport([result], "ours", "theirs", {})

    result.samples["theirs"]["fill"].failures.append("late")
    assert report.is_good
    result.samples["ours"]["fill"].failures.append("late")
    assert not report.is_good
    assert "  fill: ours, 1 times: late" in report.detail(result)


def test_a_late_row_is_counted_for_the_engine_that_shows_it() -> None:
    results = measure_late_row("", (StandIn(), StandIn("hasty", name="theirs")), rounds=3)

    assert [result.seen for result in results] == [{"ours": 3, "theirs": 0}] * 2
    assert all_seen(results, "ours")
    assert not all_seen(results, "theirs")
    assert next(late_row_lines(results, "ours", "theirs")) == (
        "late-row, click alone: ours saw it 3 of 3, theirs saw it 0 of 3; step, wall/CPU: 1.00/1.00"
    )


ADDRESSES = {
    "a page": ("datasette=http://127.0.0.1:1/db/table", "http://127.0.0.1:1/db/table"),
    "a server": ("datasette=http://127.0.0.1:1", f"http://127.0.0.1:1{APP.path}"),
    "a server with a slash": ("datasette=http://127.0.0.1:1/", f"http://127.0.0.1:1{APP.path}"),
}


@pytest.mark.parametrize(("text", "page"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_an_address_without_a_path_means_the_measured_page(text: str, page: str) -> None:
    assert parse_running([text]) == {"datasette": page}


@pytest.mark.parametrize("text", ["datasette", "unknown=http://a", "datasette=ftp://a"])
def test_what_is_no_address_of_an_application_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not"):
        parse_running([text])


@pytest.mark.parametrize("app", CATALOG.values(), ids=CATALOG.keys())
def test_an_application_can_be_started_or_says_why_not(app: Any) -> None:
    if app.not_installed:
        assert app.name not in PIP | NPM
    else:
        assert app.name in PIP | NPM
        assert any(word for word in server_command(app.name, 4321) if "4321" in word) or (
            app.name in ("gradio", "nodered")  # they read it from their environment
        )


def test_a_process_tree_holds_all_descendants_and_no_others() -> None:
    assert process_tree(2, {1: 0, 2: 1, 3: 2, 4: 3, 5: 1}) == {2, 3, 4}


def test_cpu_time_of_this_process_grows_with_its_work() -> None:
    before = cpu_clocks(os.getpid())

    assert sum(range(2_000_000)) > 0

    assert 0.001 < cpu_since(before, os.getpid()) < 60
