"""The guide: short enough, and every command and flag that it names exists."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

import cdp_agent
from cdp_agent import Outcome, errors
from cdp_agent.agent.service import read_service
from cdp_agent.api.composite.steps import plan
from cdp_agent.batches.batch_task import TaskDefaults, read_tasks
from cdp_agent.cli.command_line import build_parser
from cdp_agent.cli.commands.guide import COMMAND_TOPICS, TOPICS, page
from cdp_agent.cli.main import main
from scripts.bench.measurement.tokens import count_tokens
from tests.test_architecture import LAYERS

ROOT = Path(__file__).parents[3]
MOST_TOKENS_OF_START = 900
_NAME = re.compile(r"`(\w+)`")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands() -> dict[str, argparse.ArgumentParser]:
    [sub] = [a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(sub.choices)


def typed_lines() -> Iterator[tuple[str, list[str]]]:
    """Every line of the pages that one can type, as its words."""
    for topic in TOPICS:
        blocks = [text for language, text in _FENCE.findall(page(topic)) if not language]
        inline = re.findall(r"`(cdp-agent [^`]*)`", page(topic))
        for line in [*"\n".join(blocks).splitlines(), *inline]:
            words = shlex.split(line.replace("…", ""), comments=True)
            if words[:1] == ["cdp-agent"]:
                yield topic, words[1:]


LINES = list(typed_lines())


def test_the_first_page_is_short() -> None:
    assert count_tokens(page("start")) < MOST_TOKENS_OF_START
    assert all(count_tokens(page(topic)) < MOST_TOKENS_OF_START for topic in TOPICS)


@pytest.mark.parametrize(("topic", "words"), LINES, ids=[" ".join(words) for _, words in LINES])
def test_a_line_of_the_guide_can_be_typed(topic: str, words: list[str]) -> None:
    if words[0] == "COMMAND":
        return
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            build_parser().parse_args(words)
        except SystemExit:
            # `cdp-agent mcp` alone is a mention; a usage error is not.
            pytest.fail(f"{topic}: cdp-agent {' '.join(words)}\n{said.getvalue()}")


def test_every_flag_that_the_guide_names_exists() -> None:
    known = {flag for parser in commands().values() for flag in parser._option_string_actions}
    pages = "\n".join(page(topic) for topic in COMMAND_TOPICS)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", pages))
    assert len(named) > 15
    assert named - known == set()


def test_every_command_that_the_first_page_names_exists() -> None:
    """What stands first in a piece of code is a command, an id, a selector or a sign."""
    pieces = re.findall(r"`([a-z]+)[ `]", _FENCE.sub("", page("start")))
    words = {word for word in pieces if word != "cdp-agent"}
    assert {"click", "fill", "select", "wait", "tabs"} <= words
    assert words - set(commands()) == set()


def test_the_first_page_names_every_topic() -> None:
    assert all(topic in page("start") for topic in COMMAND_TOPICS[1:])


def test_the_steps_of_the_guide_are_steps() -> None:
    [yaml_block] = [text for kind, text in _FENCE.findall(page("steps")) if kind == "yaml"]
    assert [step.action.name for step in plan(yaml.safe_load(yaml_block))] == [
        *("fill", "click", "wait"),
    ]


def test_the_service_of_the_guide_is_a_service() -> None:
    [yaml_block] = [text for kind, text in _FENCE.findall(page("services")) if kind == "yaml"]
    service = read_service(yaml_block, "the guide")
    assert [checkpoint.name for checkpoint in service.checkpoints] == ["finish"]
    assert len(service.success) == len(service.failure) == 1


def test_the_tasks_of_the_guide_are_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    trace = tmp_path / "traces" / "order"
    trace.mkdir(parents=True)
    (trace / "trace.jsonl").write_text('{"type": "start", "version": 1, "url": "https://x.test"}')
    [lines] = [text for kind, text in _FENCE.findall(page("batch")) if kind == "json"]
    defaults = TaskDefaults(secrets=("password=PASSWORD",))

    kinds = [task.kind for task in read_tasks(lines.split("\n"), "the guide", defaults)]

    assert kinds == ["goal", "steps", "replay"]


def test_a_page_that_there_is_not_is_an_error_that_lists_the_pages(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["guide", "nothing"]) == 2
    assert "Pages: start, selectors" in capsys.readouterr().err


def test_the_guide_is_printed_as_it_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guide"]) == 0
    assert capsys.readouterr().out == page("start")


def test_a_skill_file_has_its_front_matter_and_the_first_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "skills" / "cdp-agent"

    assert main(["guide", "--install-skill", str(folder)]) == 0

    text = (folder / "SKILL.md").read_text("utf-8")
    front, _, body = text.removeprefix("---\n").partition("\n---\n")
    assert re.findall(r"^(\w+): \S", front, re.MULTILINE) == ["name", "description"]
    assert body.strip() == page("start").strip()
    assert str(folder / "SKILL.md") in capsys.readouterr().out


def test_a_skill_file_that_cannot_be_written_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["guide", "--install-skill", str(tmp_path / "file")]) == 2
    assert "cannot write a skill file" in capsys.readouterr().err


def test_the_guide_needs_no_engine() -> None:
    code = (
        "import sys; from cdp_agent.cli.main import main; main(['guide']);"
        "assert not {'pydantic', 'websockets'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=30)


def test_the_page_of_errors_has_each_code_and_class() -> None:
    table = {
        tuple(cell.strip(" `") for cell in row.split("|")[1:3])
        for row in page("errors").splitlines()
        if row.startswith("| `")
    }
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    named = [kind for kind in kinds if issubclass(kind, errors.CdpAgentError)]
    abstract = {"CdpAgentError", "TargetError", "ElementError", "ProtocolError"}
    assert table == {(k.code, k.__name__) for k in named if k.__name__ not in abstract}


def test_the_page_of_outcomes_has_each_field() -> None:
    fields = {field.name for field in dataclasses.fields(Outcome)} | {"diff"}
    rows = page("outcome").partition("`data` by verb")[0]
    named = {name for row in rows.splitlines() if row[:2] == "| " for name in _NAME.findall(row)}
    assert fields <= named


@pytest.mark.parametrize("topic", ["architecture", "contributing", "seeds"])
def test_files_that_the_guide_names_are_there(topic: str) -> None:
    package = Path(cdp_agent.__file__).parent
    names = re.findall(r"`((?:\w+/)+\w*(?:\.\w+)?)(?:: \w+)?`", page(topic))
    later = {"cdp_agent/act/pointer/pinch.py", "tests/browser/conformance/scrolling/test_pinch.py"}
    assert len(names) >= 8
    for name in set(names) - later:
        assert any((root / name).exists() for root in (package, package.parent)), name


#: `cdp_agent/act/pointer/pinch.py` and its test are those that the reader is to write.
_TO_BE_WRITTEN = re.compile(r"pinch")
_PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|js|md))(?=[`: ])")


@pytest.mark.parametrize("topic", ["architecture", "contributing"])
def test_every_file_that_a_page_for_contributors_names_exists(topic: str) -> None:
    folders = (ROOT, ROOT / "cdp_agent", ROOT / "cdp_agent/cli")
    named = [path for path in _PATH.findall(page(topic)) if not _TO_BE_WRITTEN.search(path)]

    assert len(named) > 8
    assert [path for path in named if not any((f / path).exists() for f in folders)] == []


def test_the_architecture_page_lists_the_packages_in_the_order_of_their_layers() -> None:
    block = _FENCE.findall(page("architecture"))[0][1]
    rows = [re.split(r"\s{2,}", line)[0].split() for line in block.splitlines()]
    layers = [{LAYERS[package] for package in row} for row in rows]

    assert all(max(upper) <= min(lower) for upper, lower in pairwise(layers))
    listed = {package for row in rows for package in row}
    assert {name for name, layer in LAYERS.items() if layer >= 2} - listed == {"__main__"}
