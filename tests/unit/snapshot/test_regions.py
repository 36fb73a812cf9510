"""A page for a reader that has seen another: regions that read as before are one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Node, text_after
from tests.unit.pages import plain_snapshot


def line(number: int, depth: int, role: str, name: str = "", **more: object) -> Node:
    return Node(f"0-{number}", depth, role, name, **more)  # type: ignore[arg-type]


def link(number: int, depth: int, name: str) -> Node:
    return line(number, depth, "link", name, id=ElementId(0, number))


def page_of(shift: int, heading: str) -> list[Node]:
    """A page with a sidebar; in another document all numbers are others."""
    return [
        line(shift + 1, 0, "navigation", "Sidebar"),
        *(link(shift + 2 + n, 1, f"Entry {n}") for n in range(4)),
        line(shift + 10, 0, "main"),
        line(shift + 11, 1, "heading", heading),
        line(shift + 12, 1, "form"),
        *(link(shift + 13 + n, 2, f"Field {n}") for n in range(3)),
    ]


SEEN = plain_snapshot(page_of(0, "Orders"), loader="L1")
FOLDED = 'navigation "Sidebar" unchanged (4 elements) [expand 0-101]'
WHOLE = ['navigation "Sidebar"', *(f' [0-{102 + n}] link "Entry {n}"' for n in range(4))]
FIELDS = [f'  [0-{113 + n}] link "Field {n}"' for n in range(3)]
REST = ["main", ' heading "Customers"', " form", *FIELDS]


def after(nodes: list[Node]) -> list[str]:
    return text_after(plain_snapshot(nodes, loader="L2"), SEEN).split("\n")[1:]


def test_a_region_that_reads_as_before_is_one_line_with_the_id_of_now() -> None:
    assert after(page_of(100, "Customers")) == [FOLDED, *REST]


NEW = page_of(100, "Customers")
CHANGED = {
    "a name": [*NEW[:2], replace(NEW[2], name="Entry X"), *NEW[3:]],
    "a value": [*NEW[:2], replace(NEW[2], value="x"), *NEW[3:]],
    "a state": [*NEW[:2], replace(NEW[2], state={"disabled": True}), *NEW[3:]],
    "an entry more": [*NEW[:5], link(150, 1, "Entry 4"), *NEW[5:]],
    "an entry that cannot be clicked": [*NEW[:2], replace(NEW[2], id=None), *NEW[3:]],
    "another name of the region": [replace(NEW[0], name="Menu"), *NEW[1:]],
    "the focus is in it": [*NEW[:2], replace(NEW[2], state={"focused": True}), *NEW[3:]],
}


@pytest.mark.parametrize("nodes", CHANGED.values(), ids=CHANGED.keys())
def test_a_region_that_reads_differently_is_written(nodes: list[Node]) -> None:
    written = after(nodes)

    assert "unchanged" not in "\n".join(written)
    assert len(written) == len(nodes)


def test_focus_that_left_a_region_does_not_open_it() -> None:
    focused = [*SEEN.nodes[:2], replace(SEEN.nodes[2], state={"focused": True}), *SEEN.nodes[3:]]
    seen = plain_snapshot(focused, loader="L1")

    text = text_after(plain_snapshot(page_of(100, "Customers"), loader="L2"), seen)

    assert text.split("\n")[1:] == [FOLDED, *REST]


def test_a_stub_of_a_region_ends_where_the_region_does() -> None:
    snapshot = plain_snapshot(page_of(100, "Customers"), loader="L2")

    text_after(snapshot, SEEN)

    assert snapshot.stubs == {"0-101": "0-110"}


def test_the_text_of_the_snapshot_itself_knows_nothing_of_what_was_seen() -> None:
    snapshot = plain_snapshot(page_of(100, "Customers"), loader="L2")
    text_after(snapshot, SEEN)

    assert snapshot.text.split("\n")[1:] == [*WHOLE, *REST]


def test_in_a_budget_what_is_new_comes_before_what_was_seen() -> None:
    side = [link(n, 0, f"Account {n}") for n in range(1, 40)]
    old = [link(n, 0, f"Row {n}") for n in range(100, 140)]
    new = [line(200, 0, "textbox", "Payee", id=ElementId(0, 200))]
    new += [link(n, 0, f"Row {n}") for n in range(201, 240)]
    seen = plain_snapshot([*side, *old], loader="L1")

    now = replace(plain_snapshot([*side, *new], loader="L1"), max_tokens=300)
    text = text_after(now, seen).split("\n")

    assert text[1:3] == ["+39 link [expand 0-1]", '[0-200] textbox "Payee"']
    assert any("Row 201" in one for one in text)
    elsewhere = replace(plain_snapshot([*side, *new], loader="L2"), max_tokens=300)
    assert "Account 1" in text_after(elsewhere, seen)
