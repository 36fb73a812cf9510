"""The economy benchmark copies only what was printed, believes no exit code, and adds up right."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts.bench.economy import FLOWS, main, parse_running
from scripts.bench.walks.flow import (
    AGENT_BROWSER,
    OURS,
    PLAYWRIGHT,
    READ_SNAPSHOT,
    TOOLS,
    Facts,
    Flow,
    Walk,
    WalkStopped,
    fill_call,
    shown,
    snapshot_file,
)
from scripts.bench.walks.play import Played, Step, play
from scripts.bench.walks.table import ratio, table_lines, target_lines, totals
from scripts.bench.walks.tools import CommandLine, find_tool

PRINTED = '[0-4] textbox "Search"\n[0-9] textbox "Name"\n[1-2] textbox "Search"'
CALLS = {
    "a fact": ("open {base}/x", "open http://a/x"),
    "the last match": ('{ref:\\[(\\d+-\\d+)\\] textbox "Search"}', "1-2"),
    "a match without a group": ("{ref:textbox .Name.}", 'textbox "Name"'),
    "braces of another language": ("{ name: 'Save' }", "{ name: 'Save' }"),
}


@pytest.mark.parametrize(("word", "filled"), CALLS.values(), ids=CALLS.keys())
def test_placeholders_are_filled_from_facts_and_earlier_output(word: str, filled: str) -> None:
    assert fill_call((word,), {"base": "http://a"}, PRINTED) == [filled]


@pytest.mark.parametrize("word", ["{ref:button}", "{unknown}"])
def test_a_walk_cannot_use_what_was_not_printed(word: str) -> None:
    with pytest.raises(WalkStopped):
        fill_call((word,), {}, PRINTED)


def test_the_newest_snapshot_file_is_the_one_that_is_read() -> None:
    assert snapshot_file("- [Snapshot](a/1.yml)\n- [Snapshot](a/2.yml)") == "a/2.yml"
    with pytest.raises(WalkStopped):
        snapshot_file("Saved.")


def test_a_proof_needs_all_texts() -> None:
    prove = shown("{word}", "Saved")

    assert prove({"word": "abc"}, "abc Saved") == ""
    assert prove({"word": "abc"}, "Saved") == "not shown: abc"


#: Prints its arguments; the word `fail` makes it fail.
PROGRAM = "import sys; print(*sys.argv[1:]); sys.exit('fail' in sys.argv)"


def played_with(folder: Path, walk: Walk, undone: list[Facts]) -> Played:
    tool = CommandLine(OURS, (sys.executable, "-c", PROGRAM), {}, folder)
    flow = Flow(
        "test",
        "app",
        "",
        {OURS: walk},
        shown("id 7"),
        lambda facts: {"number": "7"},
        undone.append,
    )
    return play(flow, tool, "http://a/")


def test_a_walk_is_counted_proven_and_undone(tmp_path: Path) -> None:
    undone: list[Facts] = []
    (tmp_path / "s.yml").write_text("one two three")
    walk = (("[Snapshot](s.yml)",), READ_SNAPSHOT, ("id", "{number}"), ("{ref:id (\\d)}",))

    played = played_with(tmp_path, walk, undone)

    assert (played.problem, played.calls, len(played.steps)) == ("", 3, 4)
    assert played.steps[1].tokens == 3
    assert played.steps[3].output == "7\n"
    assert played.as_json()["ok"] is True
    assert undone[0]["base"] == "http://a"


BAD_WALKS = {
    "without the effect": ((("open",),), "not shown: id 7"),
    "with a call that fails": ((("id", "7"), ("fail",)), "fail ended with 1: fail"),
    "with an id from nowhere": ((("id 7", "{ref:e5}"),), "nothing printed matches e5"),
}


@pytest.mark.parametrize(("walk", "problem"), BAD_WALKS.values(), ids=BAD_WALKS.keys())
def test_a_failed_walk_says_why_and_is_undone(walk: Walk, problem: str, tmp_path: Path) -> None:
    undone: list[Facts] = []

    assert played_with(tmp_path, walk, undone).problem == problem
    assert len(undone) == 1


def walked(flow: str, tool: str, tokens: int, calls: int = 1, problem: str = "") -> Played:
    steps = [Step(["x"], "", tokens // calls, 0.5) for _ in range(calls)]
    return Played(flow, tool, steps, problem)


RESULTS = [
    walked("a", OURS, 10),
    walked("a", AGENT_BROWSER, 40, 2),
    walked("b", OURS, 30),
    walked("b", AGENT_BROWSER, 2, 1, "lost"),
]


def test_the_table_has_a_row_per_flow_and_totals() -> None:
    lines = [" ".join(line.split()) for line in table_lines(RESULTS, [OURS, AGENT_BROWSER])]

    assert lines == [
        "cdp-agent agent-browser",
        "flow calls tokens s ok calls tokens s ok",
        "a 1 10 0.5 yes 2 40 1.0 yes",
        "b 1 30 0.5 yes 1 2 0.5 no",
        "total 2 40 1.0 2 3 42 1.5 1",
        "b, agent-browser: lost",
    ]
    assert totals(RESULTS, PLAYWRIGHT).tokens == 0


def test_a_ratio_leaves_out_flows_that_either_tool_failed() -> None:
    assert ratio(RESULTS, "tokens", AGENT_BROWSER) == 0.25
    assert list(target_lines(RESULTS, [OURS, AGENT_BROWSER])) == [
        "tokens, cdp-agent to agent-browser: 0.25 (target at most 0.8: met)",
        "calls, cdp-agent to agent-browser: 0.50 (target at most 1: met)",
        "seconds, cdp-agent to agent-browser: 0.50",
        "flows that cdp-agent carried out: 2 of 2",
    ]


def test_there_are_eight_flows_on_four_applications_for_every_tool() -> None:
    assert len(FLOWS) >= 8
    assert len({flow.app for flow in FLOWS.values()}) >= 4
    assert all(set(flow.walks) == set(TOOLS) and flow.task for flow in FLOWS.values())


@pytest.mark.parametrize("text", ["django", "unknown=http://a", "django=ftp://a"])
def test_a_running_application_needs_a_known_name_and_an_address(text: str) -> None:
    with pytest.raises(ValueError, match="is not NAME=ADDRESS"):
        parse_running(text)
    assert parse_running("django=http://a:1/admin/") == {"django": "http://a:1"}


def test_without_applications_it_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "--running NAME=ADDRESS" in capsys.readouterr().err


def test_a_peer_that_cannot_be_run_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("")

    assert find_tool("tool", tmp_path / "tool") is None
    assert find_tool("no-such-program-here", None) is None
