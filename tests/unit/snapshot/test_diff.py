"""Differences between snapshots: every node that differs is told once, and no other."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Change, Node, Snapshot, SnapshotDiff
from cdp_agent.snapshot.text.line import format_line
from tests.unit.pages import plain_snapshot


def node(number: int, role: str = "button", name: str = "", depth: int = 0, **more: object) -> Node:
    element_id = ElementId(0, number)
    more.setdefault("id", element_id)
    return Node(str(element_id), depth, role, name, **more)  # type: ignore[arg-type]


# -- all that may happen ------------------------------------------------------------------------


ROLES, NAMES = st.sampled_from(["button", "text"]), st.sampled_from(["Save", "Open", ""])
VALUES = st.sampled_from([None, "", "x"])
STATES = st.sampled_from([{}, {"checked": True}, {"checked": False}, {"disabled": True}])
DEPTHS = st.integers(0, 2)


@st.composite
def lines(draw: st.DrawFn, number: int) -> Node:
    element_id = ElementId(0, number)
    can_act = draw(st.booleans())
    return Node(
        str(element_id),
        draw(DEPTHS),
        draw(ROLES),
        draw(NAMES),
        draw(VALUES),
        draw(STATES),
        element_id if can_act else None,
    )


NODES = st.lists(st.integers(1, 6), unique=True, max_size=6).flatmap(
    lambda numbers: st.tuples(*(lines(number) for number in numbers))
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Snapshot, Snapshot]:
    """A page, and the page after a little was done to it."""
    before = list(draw(NODES))
    after = list(before)
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, 6))
        what = draw(st.sampled_from(["remove", "add", "move", "edit", "edit", "edit"]))
        if what == "add":
            after.insert(place, draw(lines(10 + len(after) + len(before))))
        elif place < len(after):
            one = after.pop(place)
            if what == "move":
                after.insert(draw(st.integers(0, len(after))), one)
            elif what == "edit":
                after.insert(place, draw(edited(one)))
    keys = [one.key for one in after]
    after = [one for number, one in enumerate(after) if one.key not in keys[:number]]
    loader = draw(st.sampled_from(["L1", "L1", "L1", "L2"]))
    return plain_snapshot(before, loader="L1"), plain_snapshot(after, loader=loader)


@st.composite
def edited(draw: st.DrawFn, one: Node) -> Node:
    field = draw(st.sampled_from(["role", "name", "value", "state", "depth", "id"]))
    if field == "id":
        return replace(one, id=None if one.id is not None else ElementId.parse(one.key))
    choices = {"role": ROLES, "name": NAMES, "value": VALUES, "state": STATES, "depth": DEPTHS}
    changes: dict[str, Any] = {field: draw(choices[field])}
    return replace(one, **changes)


def by_key(snapshot: Snapshot) -> dict[str, Node]:
    return {node.key: node for node in snapshot.nodes}


@settings(deadline=None, max_examples=60)
@given(NODES)
def test_nothing_differs_between_equal_snapshots(nodes: tuple[Node, ...]) -> None:
    snapshot = plain_snapshot(nodes)
    again = replace(snapshot, nodes=tuple(replace(one) for one in snapshot.nodes))

    diff = again.diff(snapshot)

    assert diff.is_empty
    assert diff.text == "(no change)"


@settings(deadline=None, max_examples=60)
@given(pairs())
def test_what_came_and_what_went_is_told_once(pair: tuple[Snapshot, Snapshot]) -> None:
    before, after = pair
    same_document = before.frames[0].loader_id == after.frames[0].loader_id
    old, new = set(by_key(before)), set(by_key(after))
    stayed = old & new if same_document else set()

    diff = after.diff(before)

    assert sorted(one.key for one in diff.added) == sorted(new - stayed)
    assert sorted(one.key for one in diff.removed) == sorted(old - stayed)
    assert {change.key for change in diff.changed} <= stayed
    assert set(diff.moved) <= stayed


@settings(deadline=None, max_examples=60)
@given(pairs())
def test_every_field_that_differs_is_told_once_with_both_values(
    pair: tuple[Snapshot, Snapshot],
) -> None:
    before, after = pair
    same_document = before.frames[0].loader_id == after.frames[0].loader_id
    old, new = by_key(before), by_key(after)
    wanted: list[tuple[str, str, object, object]] = []
    for key in old.keys() & new.keys() if same_document else ():
        was, now = old[key], new[key]
        fields = [
            (name, getattr(was, name), getattr(now, name)) for name in ("role", "name", "value")
        ]
        fields += [
            (name, was.state.get(name), now.state.get(name)) for name in ("checked", "disabled")
        ]
        wanted += [(key, name, a, b) for name, a, b in fields if a != b]

    changed = [(c.key, c.field, c.before, c.after) for c in after.diff(before).changed]

    shown = [row for row in changed if row[1] != "id"]  # that one can act on it now or no more
    assert sorted(shown, key=repr) == sorted(wanted, key=repr)


@settings(deadline=None, max_examples=60)
@given(pairs())
def test_a_line_that_reads_differently_is_told(pair: tuple[Snapshot, Snapshot]) -> None:
    before, after = pair
    if before.frames[0].loader_id != after.frames[0].loader_id:
        return
    old, new = by_key(before), by_key(after)
    reads_differently = {
        key for key in old.keys() & new.keys() if format_line(old[key]) != format_line(new[key])
    }

    told = {change.key for change in after.diff(before).changed}

    assert reads_differently <= told


@settings(deadline=None, max_examples=200)
@given(pairs())
def test_what_was_and_the_difference_make_what_is(pair: tuple[Snapshot, Snapshot]) -> None:
    before, after = pair

    assert after.diff(before).apply(before) == after.nodes


@settings(deadline=None, max_examples=60)
@given(pairs())
def test_what_did_not_move_kept_its_order_and_depth(pair: tuple[Snapshot, Snapshot]) -> None:
    before, after = pair
    diff = after.diff(before)
    gone = {one.key for one in (*diff.added, *diff.removed)}
    old = [(n.key, n.depth) for n in before.nodes if n.key not in gone and n.key not in diff.moved]
    new = [(n.key, n.depth) for n in after.nodes if n.key not in gone and n.key not in diff.moved]

    assert old == new
    assert len(set(diff.moved)) == len(diff.moved)


@settings(deadline=None, max_examples=60)
@given(pairs())
def test_the_text_has_a_line_for_each_node_that_differs(pair: tuple[Snapshot, Snapshot]) -> None:
    before, after = pair
    diff = after.diff(before)
    touched = {change.key for change in diff.changed}

    marks = Counter(line[0] for line in diff.text.split("\n")) if not diff.is_empty else Counter()

    redrawn = len(diff.added) - marks["+"]
    alike = [reading(one) for one in diff.added if one.id is None]
    assert 0 <= redrawn <= sum(reading(one) in alike for one in diff.removed)
    assert marks["-"] == len(removed_subtrees(diff)) - redrawn
    assert marks["~"] == len(touched)
    assert marks[">"] == len(set(diff.moved) - touched)


def reading(one: Node) -> Node:
    return replace(one, key="")


def removed_subtrees(diff: SnapshotDiff) -> list[Node]:
    """Removed nodes, without those in a subtree that was removed as a whole."""
    gone, nodes = {one.key for one in diff.removed}, diff.before.nodes
    tops: list[Node] = []
    end = 0
    for index, one in enumerate(nodes):
        if index < end or one.key not in gone:
            continue
        tops.append(one)
        below = [n for n, other in enumerate(nodes) if n > index and other.depth <= one.depth]
        subtree = range(index, below[0] if below else len(nodes))
        if all(nodes[n].key in gone for n in subtree):
            end = subtree.stop
    return tops


# -- single cases -------------------------------------------------------------------------------

TABLE = [
    node(20, "table", "Orders"),
    node(21, "row", depth=1),
    node(22, "cell", "Ada", depth=2),
    node(23, "cell", "open", depth=2),
    node(24, "cell", "Paid", depth=2),
    node(25, "checkbox", "Paid", depth=3),
]
FORM = [node(4, "textbox", "Email"), node(5, "checkbox", "Agree"), node(6, "button", "Send")]

OK = node(11, "button", "OK", 1)
NOTE = node(30, "text", "One", id=None)
NO_CHANGE = ["(no change)"]

CASES: dict[str, tuple[list[Node], list[Node], list[str]]] = {
    "a value": (
        FORM,
        [replace(FORM[0], value="a@b.c"), *FORM[1:]],
        ['~ [0-4] textbox "Email" value="a@b.c"'],
    ),
    "a state": (
        FORM,
        [FORM[0], replace(FORM[1], state={"checked": True}), FORM[2]],
        ['~ [0-5] checkbox "Agree" checked'],
    ),
    "two fields of one node are one line": (
        FORM,
        [*FORM[:2], replace(FORM[2], name="Sent", state={"disabled": True})],
        ['~ [0-6] button "Sent" disabled'],
    ),
    "a line that came, where it stands": (
        FORM,
        [FORM[0], node(9, "text", "Wrong", depth=1), *FORM[1:]],
        ['+  [0-9] text "Wrong"'],
    ),
    "a line that went": (FORM, FORM[1:], ['- [0-4] textbox "Email"']),
    "the one that moved, not those it passed": (
        FORM,
        [FORM[2], FORM[0], FORM[1]],
        ['> [0-6] button "Send"'],
    ),
    "one that moved inward": (
        FORM,
        [*FORM[:2], replace(FORM[2], depth=1)],
        ['> [0-6] button "Send"'],
    ),
    "one that can be clicked now": (
        [replace(FORM[2], id=None)],
        [FORM[2]],
        ['~ [0-6] button "Send"'],
    ),
    "one that can be clicked no more": (
        [FORM[2]],
        [replace(FORM[2], id=None)],
        ['~ button "Send"'],
    ),
    "a cell is told by its row": (
        TABLE,
        [*TABLE[:3], replace(TABLE[3], name="shipped"), *TABLE[4:]],
        ['~ [0-21] row [0-22] "Ada" | [0-23] "shipped" | [0-24], [0-25] checkbox "Paid"'],
    ),
    "two cells of a row are one line": (
        TABLE,
        [*TABLE[:3], replace(TABLE[3], name=""), *TABLE[4:5], replace(TABLE[5], name="Open")],
        ['~ [0-21] row [0-22] "Ada" | [0-23] | [0-24] "Paid", [0-25] checkbox "Open"'],
    ),
    "what went from behind a table is none of its last row": (
        [*TABLE, node(40, "button", "Save")],
        TABLE,
        ['- [0-40] button "Save"'],
    ),
    "a cell that went is told by its row": (
        TABLE,
        [*TABLE[:3], *TABLE[4:]],
        ['~ [0-21] row [0-22] "Ada" | [0-24], [0-25] checkbox "Paid"'],
    ),
    "a subtree that went is one line": (
        [*FORM, *TABLE],
        FORM,
        ['- [0-20] table "Orders" (1 row)'],
    ),
    "a list that closed is one line": (
        [*FORM, node(9, "listbox", id=None), *(node(n, "option", "A", 1) for n in range(50, 71))],
        FORM,
        ["- listbox (21 options)"],
    ),
    "a dialog that closed is one line": (
        [*FORM, node(9, "dialog", "Delete?"), node(10, "text", "Sure", 1, id=None), OK],
        FORM,
        ['- [0-9] dialog "Delete?" (1 element)'],
    ),
    "what stays of a subtree that went is not counted with it": (
        [*FORM, node(9, "dialog", "Delete?"), node(10, "button", "No", 1), OK],
        [*FORM, replace(OK, depth=0)],
        ['> [0-11] button "OK"', '- [0-9] dialog "Delete?"', '- [0-10] button "No"'],
    ),
    "many lines that went are counted": (
        [*FORM, *(node(n, "button", f"B{n}") for n in range(50, 71))],
        FORM,
        [*(f'- [0-{n}] button "B{n}"' for n in (50, 51, 52)), "- 18 more"],
    ),
    "focus that went elsewhere is told where it is": (
        [replace(FORM[0], state={"focused": True}), *FORM[1:]],
        [*FORM[:2], replace(FORM[2], state={"focused": True})],
        ['~ [0-6] button "Send" focused'],
    ),
    "focus that is lost": (
        [replace(FORM[0], state={"focused": True}), *FORM[1:]],
        FORM,
        ["(no change)"],
    ),
    "focus that is lost, and a value": (
        [replace(FORM[0], state={"focused": True}), *FORM[1:]],
        [replace(FORM[0], value="x"), *FORM[1:]],
        ['~ [0-4] textbox "Email" value="x"'],
    ),
    "a text drawn anew as it was": ([*FORM, NOTE], [*FORM, replace(NOTE, key="0-33")], NO_CHANGE),
    "texts drawn anew, one of them otherwise": (
        [*FORM, NOTE, node(31, "text", "Two", id=None), node(32, "text", "Three", id=None)],
        [*FORM, *(node(n, "text", t, id=None) for n, t in ((33, "One"), (34, "2"), (35, "Three")))],
        ['+ text "2"', '- text "Two"'],
    ),
    "texts that changed places are told": (
        [NOTE, *FORM],
        [*FORM, replace(NOTE, key="0-33")],
        ['+ text "One"', '- text "One"'],
    ),
    "a text in something drawn anew is told": (
        [*FORM, node(40, "group"), replace(NOTE, depth=1)],
        [*FORM, node(41, "group"), replace(NOTE, key="0-33", depth=1)],
        ["+ [0-41] group", '+  text "One"', "- [0-40] group (1 line)"],
    ),
    "a link drawn anew has another id": (
        [*FORM, node(40, "link", "More")],
        [*FORM, node(41, "link", "More")],
        ['+ [0-41] link "More"', '- [0-40] link "More"'],
    ),
    "nothing": (FORM, FORM, NO_CHANGE),
}


@pytest.mark.parametrize(("before", "after", "lines"), CASES.values(), ids=CASES.keys())
def test_a_difference_reads_like_this(
    before: list[Node], after: list[Node], lines: list[str]
) -> None:
    diff = plain_snapshot(after).diff(plain_snapshot(before))

    assert diff.text.split("\n") == lines


def test_a_change_has_its_field_and_both_values() -> None:
    before = plain_snapshot([node(4, "checkbox", "Agree", state={"checked": False})])
    after = plain_snapshot([node(4, "checkbox", "Agreed", state={"checked": True})])

    assert after.diff(before).changed == (
        Change("0-4", "name", "Agree", "Agreed"),
        Change("0-4", "checked", False, True),
    )


def test_a_header_that_changed_comes_first() -> None:
    before, after = plain_snapshot(FORM), plain_snapshot(FORM[:2], title="Thanks")

    assert after.diff(before).text.split("\n") == [
        "Page: Thanks · https://shop.test/ · 800x600, scrolled 0 of 1400",
        '- [0-6] button "Send"',
    ]


# -- when it is worth sending -------------------------------------------------------------------


def form_of(size: int) -> list[Node]:
    return [node(number, "textbox", f"Field {number}") for number in range(10, 10 + size)]


WORTH: dict[str, tuple[Snapshot, Snapshot, bool]] = {
    "one change of many lines": (
        plain_snapshot(form_of(30)),
        plain_snapshot([*form_of(29), node(39, "textbox", "Field 39", value="x")]),
        True,
    ),
    "no change": (plain_snapshot(form_of(30)), plain_snapshot(form_of(30)), True),
    "everything is new": (plain_snapshot(form_of(3)), plain_snapshot(form_of(30)), False),
    "another document, however alike": (
        plain_snapshot(form_of(30), loader="L1"),
        plain_snapshot(form_of(30), loader="L2"),
        False,
    ),
}


@pytest.mark.parametrize(("before", "after", "is_worth_it"), WORTH.values(), ids=WORTH.keys())
def test_a_difference_is_sent_when_it_is_short_and_of_the_same_document(
    before: Snapshot, after: Snapshot, is_worth_it: bool
) -> None:
    assert after.diff(before).is_worth_it is is_worth_it


def test_a_frame_that_shows_another_document_has_all_its_nodes_anew() -> None:
    before, after = plain_snapshot(FORM, loader="L1"), plain_snapshot(FORM, loader="L2")

    diff = after.diff(before)

    assert [one.key for one in diff.added] == [one.key for one in diff.removed]
    assert len(diff.added) == 3
    assert (diff.changed, diff.moved) == ((), ())
