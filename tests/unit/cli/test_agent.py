"""`cdp-agent services`, progress lines, and exit codes, without a browser."""

from __future__ import annotations

import io
import json

import pytest

from cdp_agent.agent.models.model_interface import Price, Usage
from cdp_agent.agent.trace.record import ActedOn, ApprovalRecord, TaskResult, TurnRecord
from cdp_agent.cli.agent_command import finish
from cdp_agent.cli.main import main
from cdp_agent.cli.progress import Progress, what_came

LINK = ActedOn("0-7", "link", "Cancel", "a", "/html/a", 0, "https://x.test/")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def record(**facts: object) -> TurnRecord:
    made = TurnRecord(3, said="I click.", tool="browser_click", element=LINK)
    for name, value in facts.items():
        setattr(made, name, value)
    return made


def test_services_are_listed_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["services"]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith("demo  ")
    assert "netflix  Netflix  https://www.netflix.com/account" in listed

    assert main(["services", "netflix"]) == 0
    assert "asks before  finish-cancellation" in capsys.readouterr().out

    assert main(["services", "--json"]) == 0
    assert {one["name"] for one in json.loads(capsys.readouterr().out)} >= {"demo", "netflix"}

    assert main(["services", "nope"]) == 2
    assert "there is no service" in capsys.readouterr().err


async def show(out: io.StringIO) -> str:
    progress = Progress(out, Price(3, 15))
    await progress.started("Cancel", "test", "Page: Shop · https://x.test/ · 1x1")
    await progress.called(record())
    await progress.turn_over(
        record(
            result="clicked 0-7\nnavigated to https://x.test/b\nPage: B · https://x.test/b · 1x1",
            page_line="Page: B · https://x.test/b · 1x1",
            usage=Usage(1000, 50),
            asked=[ApprovalRecord("checkpoint", "finish", "use it", "ends", True, "go on", 0.1)],
        )
    )
    await progress.ended(TaskResult(True, "success", "Done.", verified="it says so", turns=1))
    return out.getvalue()


async def test_plain_lines_where_there_is_no_terminal() -> None:
    shown = await show(io.StringIO())

    assert "\x1b" not in shown
    assert "\r" not in shown
    assert '  3 I click.\n    click link "Cancel"' in shown
    assert "= Page: B · https://x.test/b" in shown
    assert "finish: approved (go on)" in shown
    assert "1050 tokens, about $0.0037 so far" in shown
    assert "done: Done." in shown
    assert "proof  it says so" in shown


async def test_colour_and_a_waiting_word_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = await show(Terminal())
    assert "\x1b[32m" in shown
    assert "thinking …" in shown

    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in await show(Terminal())


CAME = {
    "a page": (record(result="opened\nPage: A · u · 1x1\nmore", page_line="Page: A · u · 1x1"),
               ["Page: A · u"]),
    "words like a page's": (record(result="opened\nPage: A · u · 1x1"), ["opened"]),
    "changes": (record(result="x\n+ a\n+ b\n- c"), ["+ a", "+ b", "and 1 more changes"]),
    "nothing": (record(result="pointer is on 0-7"), ["pointer is on 0-7"]),
    "an error": (record(result="stale_ref: gone\nhint: look", is_error=True),
                 ["stale_ref: gone", "hint: look"]),
}  # fmt: skip


@pytest.mark.parametrize(("turn", "lines"), CAME.values(), ids=CAME.keys())
def test_what_a_call_did_in_few_lines(turn: TurnRecord, lines: list[str]) -> None:
    assert what_came(turn) == lines


def test_what_a_call_is_about() -> None:
    assert record(arguments={"ref": "0-7"}).subject == 'link "Cancel"'
    assert record(element=None, arguments={"url": "x.test"}).subject == "x.test"


CODES = {"success": 0, "failed": 1, "max_turns": 1, "model_error": 2, "interrupted": 130}


@pytest.mark.parametrize(("status", "code"), CODES.items())
def test_exit_codes(status: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    result = TaskResult(status == "success", status, "s")  # type: ignore[arg-type]

    assert finish(result, as_json=True) == code
    assert json.loads(capsys.readouterr().out)["status"] == status


def test_without_a_key_run_says_how_to_set_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    assert main(["run", "go", "--url", "x.test"]) == 2
    assert "cdp-agent demo" in capsys.readouterr().err
