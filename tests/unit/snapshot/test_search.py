"""The words of a search, and the lines that have them."""

from __future__ import annotations

import pytest

from cdp_agent.snapshot import Node
from cdp_agent.snapshot.search import searched


def names(words: str) -> list[str]:
    nodes = [
        Node("0-1", 0, "listitem", "Edit the unit"),
        Node("0-2", 0, "listitem", "Team IT"),
        Node("0-3", 0, "listitem", "Sales (Q3)"),
        Node("0-4", 0, "listitem", "Item 13"),
    ]
    return [node.name for node in searched(nodes, words, lambda _: "")]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("IT", ["Team IT"]),
        ("q3", ["Sales (Q3)"]),
        ("13", ["Item 13"]),
        ("3", []),
        ("edi", ["Edit the unit"]),
        ("unit", ["Edit the unit"]),
    ],
)
def test_a_word_of_one_or_two_characters_stands_alone(words: str, found: list[str]) -> None:
    assert names(words) == found
