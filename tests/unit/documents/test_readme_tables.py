"""The README's tables of commands, outcome fields, error codes and pictures are complete."""

from __future__ import annotations

import argparse
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

from cdp_agent import Outcome
from cdp_agent.cli.command_line import build_parser
from cdp_agent.errors import CdpAgentError

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")


def table(head: str, column: int) -> list[str]:
    """The words in code of one column of the table that begins with `head`."""
    rows = README.partition(f"\n{head}\n")[2].partition("\n\n")[0].splitlines()[1:]
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row.split("|")[column])]


def error_classes(base: type[CdpAgentError] = CdpAgentError) -> Iterator[type[CdpAgentError]]:
    for error in base.__subclasses__():
        if error.__module__ == "cdp_agent.errors":
            yield error
            yield from error_classes(error)


def test_every_command_is_listed_once() -> None:
    [sub] = [a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    assert sorted(table("| commands | |", 2)) == sorted(sub.choices)


def test_every_field_of_an_outcome_is_listed_once() -> None:
    fields = [field.name for field in dataclasses.fields(Outcome)]
    assert sorted(table("| field | meaning |", 1)) == sorted([*fields, "diff"])


def test_every_error_code_is_listed_once() -> None:
    leaves = {error.code for error in error_classes() if not error.__subclasses__()}
    listed = table("| about | codes |", 2)
    assert len(listed) == len(set(listed))
    assert set(listed) - {error.code for error in error_classes()} == set()
    assert leaves - set(listed) == set()


def test_the_pictures_are_there_and_small() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert pictures == ["fixtures/trace_page.png"]
    assert all((ROOT / picture).stat().st_size < 150_000 for picture in pictures)


def test_prose_is_wrapped_at_100_characters() -> None:
    for name in ("README.md", "CHANGELOG.md"):
        lines = (ROOT / name).read_text("utf-8").splitlines()
        assert [line for line in lines if len(line) > 100] == [], name
