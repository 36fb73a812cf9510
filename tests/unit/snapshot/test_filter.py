"""A snapshot cut down to what its options ask for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from cdp_agent.snapshot import Element, Node, SnapshotOptions
from cdp_agent.snapshot.fetch.in_view import NodesInView
from cdp_agent.snapshot.filter import apply_options
from cdp_agent.snapshot.text.line import format_line
from tests.unit.pages import VIEWPORT, Document, El, built, button, el, text, textbox

LOGO = el("link", "Home", text("Home"), tag="a", box=(0, 0, 50, 20))
FIELD = textbox("Search", box=(60, 0, 50, 20))
FRAME = el("Iframe", "Card", tag="iframe", box=(0, 100, 300, 300))
FAR = button("Far below", box=(0, 1900, 50, 20))
HEADER = el("banner", "", LOGO, FIELD)
MAIN = el("main", "", el("heading", "Pay", text("Pay"), props={"level": 1}), FRAME, FAR)
PAGE = Document(HEADER, MAIN)
CARD = Document(
    el("group", "Card", textbox("Number", box=(5, 5, 50, 20)), button("Pay", box=(5, 30, 50, 20))),
    index=1,
    parent=0,
    owner=PAGE.number(FRAME),
    offset=(0, 100),
)

WHOLE = [
    "banner",
    ' link "Home"',
    ' textbox "Search"',
    "main",
    ' heading "Pay" 1',
    ' iframe 1 "Card" https://shop.test',
    '  group "Card"',
    '   textbox "Number"',
    '   button "Pay"',
    ' button "Far below"',
]


def cut(top: tuple[int, int] | None = None, **options: Any) -> tuple[list[str], list[Element], int]:
    found = built(PAGE, CARD)
    frames = {0: PAGE.capture, 1: CARD.capture}
    wanted = SnapshotOptions.make(**options)
    in_view = NodesInView(VIEWPORT, frames, {}) if wanted.viewport_only else None
    nodes, elements, omitted = apply_options(found, wanted, frames, top, in_view)
    return shown(nodes), elements, omitted


def shown(nodes: list[Node]) -> list[str]:
    """Lines without their ids: numbers say nothing here."""
    return [" " * n.depth + format_line(n).split("] ")[-1] for n in nodes]


CUTS: dict[str, tuple[dict[str, Any], list[str], list[str], int]] = {
    "everything": ({}, WHOLE, ["Home", "Search", "Number", "Pay", "Far below"], 0),
    "what can be seen now, and what it stands in": (
        {"viewport_only": True},
        WHOLE[:9],
        ["Home", "Search", "Number", "Pay"],
        1,
    ),
    "what one can act on, and what it stands in": (
        {"interactive_only": True},
        [*WHOLE[:4], *WHOLE[5:]],
        ["Home", "Search", "Number", "Pay", "Far below"],
        0,
    ),
    "some roles": (
        {"roles": ["textbox"]},
        [WHOLE[0], WHOLE[2], WHOLE[3], *WHOLE[5:8]],
        ["Search", "Number"],
        3,
    ),
    "a role that can only be read": ({"roles": ["heading"]}, WHOLE[3:5], [], 5),
    "a role that is not there": ({"roles": "slider"}, [], [], 5),
    "the first elements, and all that is said": (
        {"max_elements": 2},
        WHOLE[:7],
        ["Home", "Search"],
        3,
    ),
    "no deeper than asked": (
        {"max_depth": 2},
        [*WHOLE[:6], WHOLE[9]],
        ["Home", "Search", "Far below"],
        2,
    ),
    "only the top": ({"max_depth": 1}, [WHOLE[0], WHOLE[3]], [], 5),
    "a limit that is not reached": (
        {"max_elements": 5},
        WHOLE,
        ["Home", "Search", "Number", "Pay", "Far below"],
        0,
    ),
}


@pytest.mark.parametrize(("options", "lines", "names", "omitted"), CUTS.values(), ids=CUTS.keys())
def test_what_stays_and_how_much_went(
    options: dict[str, Any], lines: list[str], names: list[str], omitted: int
) -> None:
    stayed, elements, went = cut(**options)

    assert stayed == lines
    assert [element.name for element in elements] == names
    assert went == omitted


TOPS: dict[str, tuple[tuple[int, int], list[str], list[str]]] = {
    "a part of the page": (
        (0, PAGE.number(HEADER)),
        WHOLE[:3],
        ["Home", "Search"],
    ),
    "one element": ((0, PAGE.number(FIELD)), ['textbox "Search"'], ["Search"]),
    "a part with a frame in it": (
        (0, PAGE.number(FRAME)),
        [
            'iframe 1 "Card" https://shop.test',
            ' group "Card"',
            '  textbox "Number"',
            '  button "Pay"',
        ],
        ["Number", "Pay"],
    ),
    "a part of a frame": (
        (1, 4),
        ['group "Card"', ' textbox "Number"', ' button "Pay"'],
        ["Number", "Pay"],
    ),
    "what is not there": ((0, 9999), [], []),
}


@pytest.mark.parametrize(("top", "lines", "names"), TOPS.values(), ids=TOPS.keys())
def test_a_subtree_is_what_stands_in_it_with_frames(
    top: tuple[int, int], lines: list[str], names: list[str]
) -> None:
    stayed, elements, _ = cut(top)

    assert stayed == lines
    assert [element.name for element in elements] == names


def test_the_ids_of_a_subtree_are_those_of_the_whole() -> None:
    whole = {element.name: element.id for element in built(PAGE, CARD).elements}

    _, elements, _ = cut((0, PAGE.number(HEADER)))

    assert {element.name: element.id for element in elements} == {
        "Home": whole["Home"],
        "Search": whole["Search"],
    }


def test_elements_without_a_line_of_their_own_stay_with_the_whole_page() -> None:
    """A label says nothing that its field does not, but it can be found and clicked."""
    label = el("LabelText", "", text("Email"), tag="label")
    page = Document(label, textbox("Email"))
    found = built(page)

    _, elements, omitted = apply_options(found, SnapshotOptions(), {0: page.capture}, None)

    assert [element.role for element in elements] == ["label", "textbox"]
    assert omitted == 0


EDGES: dict[str, tuple[tuple[float, float, float, float] | None, bool]] = {
    "inside": ((10, 10, 50, 20), True),
    "half outside on the right": ((780, 10, 50, 20), True),
    "half above": ((10, -10, 50, 20), True),
    "just above": ((10, -20, 50, 20), False),
    "just below": ((10, 600, 50, 20), False),
    "just to the right": ((800, 10, 50, 20), False),
    "just to the left": ((-50, 10, 50, 20), False),
    "not rendered": (None, False),
}


@pytest.mark.parametrize(("box", "is_seen"), EDGES.values(), ids=EDGES.keys())
def test_the_viewport_ends_at_its_edges(
    box: tuple[float, float, float, float] | None, is_seen: bool
) -> None:
    page = Document(button("Here", box=box))
    frames = {0: page.capture}
    in_view = NodesInView(VIEWPORT, frames, {})

    _, elements, _ = apply_options(
        built(page), SnapshotOptions(viewport_only=True), frames, None, in_view
    )

    assert [element.name for element in elements] == (["Here"] if is_seen else [])


# -- whatever is asked for ----------------------------------------------------------------------


def trees(depth: int) -> st.SearchStrategy[El]:
    leaf = st.sampled_from(["a", "b", "c"]).map(lambda name: button(name))
    if depth == 0:
        return leaf
    inner = st.lists(trees(depth - 1), min_size=1, max_size=3)
    return leaf | st.builds(
        lambda role, children: el(role, "", *children),
        st.sampled_from(["list", "main", "generic", "row"]),
        inner,
    )


@settings(deadline=None, max_examples=40)
@given(
    st.lists(trees(2), max_size=3),
    st.fixed_dictionaries(
        {},
        optional={
            "max_elements": st.integers(1, 4),
            "max_depth": st.integers(1, 4),
            "interactive_only": st.booleans(),
            "roles": st.just(["button"]),
        },
    ),
)
def test_what_is_left_is_a_tree_of_the_same_lines_in_the_same_order(
    top: list[El], asked: dict[str, Any]
) -> None:
    page = Document(*top)
    found = built(page)
    options = SnapshotOptions.make(**asked)

    nodes, elements, omitted = apply_options(found, options, {0: page.capture}, None)

    whole = [node.key for node in found.nodes]
    kept = [node.key for node in nodes]
    assert kept == [key for key in whole if key in set(kept)]
    with_line: list[Element] = [e for e in found.elements if str(e.id) in whole]
    assert [e.id for e in elements] == [n.key for n in nodes if n.id is not None]
    assert omitted == len(with_line) - len(elements)
    depth = -1
    for node in nodes:  # no line hangs in the air
        assert node.depth <= depth + 1
        depth = node.depth
