"""The command line without a browser: usage, errors in words, exit codes, and what it imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cdp_agent.cli.main import build_parser, main
from cdp_agent.cli.session.server import in_shell_words
from cdp_agent.cli.session.step_reader import command_reader
from cdp_agent.errors import InvalidParams


def cdp_agent(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cdp_agent.cli.main", *args],
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        timeout=60,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["unheard-of"],
        ["click"],
        ["scroll", "sideways"],
        ["snapshot", "x", "--timeout", "soon"],
        ["snapshot", "x", "--timeout", "-1"],
    ],
)
def test_wrong_usage_exits_2_with_a_usage_line(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("CDP_AGENT_SESSIONS", str(tmp_path))  # where no session runs
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("usage: cdp-agent")


def test_help_shows_examples_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])

    shown = capsys.readouterr().out
    assert caught.value.code == 0
    assert "cdp-agent snapshot example.com" in shown
    assert "exit code: 0" in shown


def test_a_file_that_is_not_there_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["snapshot", "./nothing.html"])

    shown = capsys.readouterr()
    assert code == 2
    assert shown.err == "invalid_params: no such file: ./nothing.html\n"
    assert shown.out == ""


def test_with_json_an_error_is_an_object_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["snapshot", "./nothing.html", "--json"])

    shown = capsys.readouterr()
    assert code == 2
    assert json.loads(shown.out)["error"]["code"] == "invalid_params"
    assert shown.err == ""


def test_a_missing_browser_exits_2_with_a_hint_and_no_traceback() -> None:
    ran = cdp_agent("snapshot", "about:blank", CDP_AGENT_CHROME="/nowhere/chrome")

    assert ran.returncode == 2
    lines = ran.stderr.splitlines()
    assert lines[0] == ("browser_not_found: CDP_AGENT_CHROME=/nowhere/chrome does not exist")
    assert lines[1].startswith("hint: ")
    assert len(lines) == 2


def test_an_unreachable_browser_exits_2() -> None:
    ran = cdp_agent("snapshot", "about:blank", "--connect", "1")

    assert ran.returncode == 2
    assert ran.stderr.startswith("connection_lost: ")
    assert "Traceback" not in ran.stderr


def test_doctor_without_a_browser_exits_1_and_says_how_to_get_one() -> None:
    ran = cdp_agent("doctor", CDP_AGENT_CHROME="/nowhere/chrome")

    assert ran.returncode == 1
    line = next(line for line in ran.stdout.splitlines() if line.startswith("no"))
    assert "CDP_AGENT_CHROME=/nowhere/chrome does not exist → " in line


def test_the_parser_is_there_without_the_engine() -> None:
    heavy = ["asyncio", "pydantic", "msgspec", "websockets", "http.server", "cdp_agent.api"]
    probe = (
        "import sys; from cdp_agent.cli.main import build_parser; build_parser();"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"


def test_every_command_has_help_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    commands = next(a.choices for a in build_parser()._actions if isinstance(a.choices, dict))
    for name in commands:
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        assert "examples:\n  " in capsys.readouterr().out


def test_options_of_every_command_may_stand_before_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "services"]) == 0
    assert json.loads(capsys.readouterr().out)
    for before in (["--session", "none-such"], ["--session=none-such", "--json"]):
        main([*before, "close"])
        assert "none-such" in "".join(capsys.readouterr())


def test_a_shell_is_told_of_commands_where_a_model_is_told_of_tools() -> None:
    said = 'confirm "browser_tabs?" is open: answer it with browser_dialog\nhint: browser_tabs.'
    told = in_shell_words(said).splitlines()
    assert told[0] == 'confirm "browser_tabs?" is open: answer it with `cdp-agent dialog`'
    assert told[1] == "hint: `cdp-agent tabs`."
    assert in_shell_words('[0-1] button "browser_dialog"') == '[0-1] button "browser_dialog"'


TARGETS: dict[str, tuple[str, dict[str, str]]] = {
    "which of several": ("click text=Save nth=0", {"ref": "text=Save nth=0"}),
    "the row": (
        "click role=link near=SO-1 nth=-1 --quiet",
        {"ref": "role=link near=SO-1 nth=-1"},
    ),
    "before a value": ("fill label=Qty near=Oak 5", {"ref": "label=Qty near=Oak", "value": "5"}),
    "a value like it": ("fill label=Query near=Oak", {"ref": "label=Query", "value": "near=Oak"}),
    "between two targets": (
        "drag text=A near=B text=C",
        {"ref": "text=A near=B", "to": "text=C"},
    ),
}


@pytest.mark.parametrize(("line", "meant"), TARGETS.values(), ids=TARGETS.keys())
def test_what_tells_a_target_apart_need_not_be_quoted(line: str, meant: dict[str, str]) -> None:
    arguments = command_reader()(line, None)[1]

    assert {name: arguments.get(name) for name in meant} == meant


WHOLE: dict[str, tuple[str, dict[str, object]]] = {
    "a target": ("click text=Log out --double", {"ref": "text=Log out", "count": 2}),
    "a target and its row": (
        "check label=I agree near=Ada Smith",
        {"ref": "label=I agree near=Ada Smith"},
    ),
    "a target to read": ("read text=Net revenue", {"ref": "text=Net revenue"}),
    "two targets": ("drag text=Task A text=To do", {"ref": "text=Task A", "to": "text=To do"}),
    "a text to wait for": ("wait Add customer --new", {"text": "Add customer", "new": True}),
    "an answer": ("dialog accept not needed", {"accept": True, "text": "not needed"}),
    "a text by an id": ("fill 0-12 Iris van Holm", {"ref": "0-12", "value": "Iris van Holm"}),
    "a text by a role": (
        "type role=textbox[name=Name] Iris Holm",
        {"ref": "role=textbox[name=Name]", "text": "Iris Holm"},
    ),
    "what is read": ("read --search Name Phone", {"search": "Name Phone", "ref": None}),
    "what is read there": (
        "read --search net revenue css=main --max-tokens 90",
        {"search": "net revenue", "ref": "css=main", "max_tokens": 90},
    ),
    "what a snapshot finds": ("snapshot --search Delete meeting-7", {"search": "Delete meeting-7"}),
    "an address in it": ("snapshot --search see http://a.test", {"search": "see http://a.test"}),
    "what an answer shows": (
        "click text=Save --search net revenue --max-tokens 200",
        {"ref": "text=Save", "show": {"search": "net revenue", "max_tokens": 200}},
    ),
    "before a target": (
        "click --search total text=Save",
        {"ref": "text=Save", "show": {"search": "total"}},
    ),
    "before what is required": (
        "press --search total Enter",
        {"key": "Enter", "show": {"search": "total"}},
    ),
}


@pytest.mark.parametrize(("line", "meant"), WHOLE.values(), ids=WHOLE.keys())
def test_words_that_can_only_be_one_need_no_quotes(line: str, meant: dict[str, object]) -> None:
    arguments = command_reader()(line, None)[1]

    assert {name: arguments.get(name) for name in meant} == meant


@pytest.mark.parametrize(
    "line",
    [
        "fill label=First name Ada",
        "fill label=Name Ada Lovelace",
        "replace 0-1 5 days 7 days",
        "wait --gone Please wait now",
        'fill 0-1 She said "hi" twice',
        "press Control + b",
    ],
)
def test_words_that_could_be_two_things_are_refused_with_the_way_out(line: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        command_reader()(line, None)

    assert "Quote" in refused.value.hint


def test_a_shell_is_told_how_to_quote_in_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["fill", "label=Name", "Ada", "Lovelace"])

    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "cdp-agent fill: error: unrecognized arguments: Lovelace\n"
        'hint: Quote target and text: fill "label=First name" "Ada Lovelace".\n'
    )


def test_a_snapshot_of_an_address_is_no_step() -> None:
    with pytest.raises(InvalidParams, match="is not a step") as refused:
        command_reader()("snapshot shop.test", None)

    assert "open URL" in refused.value.hint
