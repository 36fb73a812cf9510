"""A snapshot as text: the header, a line per node, and what was left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Node, PageInfo, Viewport
from cdp_agent.snapshot.text.line import format_line, header
from tests.unit.pages import plain_snapshot


def thing(role: str, name: str = "", **more: object) -> Node:
    return Node("0-7", 0, role, name, id=ElementId(0, 7), **more)  # type: ignore[arg-type]


def plain(role: str, name: str = "", **more: object) -> Node:
    return Node("0-7", 0, role, name, **more)  # type: ignore[arg-type]


LINES: dict[str, tuple[Node, str]] = {
    "an id only where one can act": (thing("button", "Save"), '[0-7] button "Save"'),
    "no id": (plain("text", "Hello"), 'text "Hello"'),
    "no name": (thing("button"), "[0-7] button"),
    "a value": (thing("textbox", "Email", value="a@b.c"), '[0-7] textbox "Email" value="a@b.c"'),
    "an empty value is a value": (thing("textbox", "A", value=""), '[0-7] textbox "A" value=""'),
    "quotes inside are escaped": (
        thing("textbox", 'say "hi"', value="\\"),
        '[0-7] textbox "say \\"hi\\"" value="\\\\"',
    ),
    "lines in a value are escaped": (
        thing("textbox", "A", value="a\n  b"),
        '[0-7] textbox "A" value="a\\n  b"',
    ),
    "a value that was cut says so": (
        thing("textbox", "A", value="abc...", state={"value_length": 1840, "focused": True}),
        '[0-7] textbox "A" value="abc..." (cut, 1,840 characters) focused',
    ),
    "a name that is the value is said once": (
        thing("combobox", "Newest first", value="Newest first", state={"expanded": False}),
        '[0-7] combobox value="Newest first" collapsed',
    ),
    "but a field may hold its own name": (
        thing("textbox", "Email", value="Email"),
        '[0-7] textbox "Email" value="Email"',
    ),
    "a name that looks like an element": (
        plain("text", '[0-1] button "Pay"'),
        'text "[0-1] button \\"Pay\\""',
    ),
    "a heading's level is bare": (plain("heading", "Pay", state={"level": 1}), 'heading "Pay" 1'),
    "another's level is not shown": (
        thing("treeitem", "A", state={"level": 2}),
        '[0-7] treeitem "A"',
    ),
    "what is true is a word": (
        thing("checkbox", "Agree", state={"checked": True, "required": True, "focused": True}),
        '[0-7] checkbox "Agree" checked required focused',
    ),
    "what is false goes without saying": (
        thing("button", "A", state={"disabled": False, "selected": False}),
        '[0-7] button "A"',
    ),
    "but for what could be expected": (
        thing("button", "A", state={"expanded": False, "checked": False, "pressed": False}),
        '[0-7] button "A" collapsed unchecked unpressed',
    ),
    "neither true nor false": (
        thing("checkbox", "All", state={"checked": "mixed"}),
        '[0-7] checkbox "All" checked=mixed',
    ),
    "a state in many words is folded and cut": (
        thing("textbox", "A", state={"invalid": "x\n" * 60}),
        f'[0-7] textbox "A" invalid={("x " * 20)[:40]}...',
    ),
    "a popup is not worth a word": (
        thing("button", "A", state={"hasPopup": "menu", "multiselectable": True}),
        '[0-7] button "A"',
    ),
    "a frame has its number and origin": (
        plain("iframe", "Card", frame=(3, "https://pay.test")),
        'iframe 3 "Card" https://pay.test',
    ),
    "a frame without name and origin": (plain("iframe", frame=(3, "")), "iframe 3"),
}


@pytest.mark.parametrize(("node", "line"), LINES.values(), ids=LINES.keys())
def test_a_node_is_one_line(node: Node, line: str) -> None:
    assert format_line(node) == line


SNAPSHOT = plain_snapshot(
    [
        Node("0-4", 0, "list", ""),
        Node("0-5", 1, "listitem", "One"),
        Node("0-6", 2, "link", "more", id=ElementId(0, 6)),
    ]
)


def test_lines_are_indented_by_depth_below_a_header() -> None:
    assert SNAPSHOT.text == "\n".join(
        [
            "Page: Shop · https://shop.test/ · 800x600, scrolled 0 of 1400",
            "list",
            ' listitem "One"',
            '  [0-6] link "more"',
        ]
    )


def test_what_was_left_out_is_said_at_the_end() -> None:
    snapshot = replace(
        SNAPSHOT, nodes=(), omitted=37, warnings=("frame 2 (https://x.test) did\nnot answer",)
    )

    assert snapshot.text.split("\n")[1:] == [
        "(0 of 37 elements)",
        "(warning: frame 2 (https://x.test) did not answer)",
    ]


HEADERS: dict[str, tuple[PageInfo, Viewport, str]] = {
    "scrolled": (
        PageInfo("Checkout", "https://shop.test/pay"),
        Viewport(1280, 720, 0, 300, 1280, 1660),
        "Page: Checkout · https://shop.test/pay · 1280x720, scrolled 300 of 940",
    ),
    "a page smaller than the window": (
        PageInfo("A", "https://a.test/"),
        Viewport(800, 600, 0, 0, 800, 200),
        "Page: A · https://a.test/ · 800x600, scrolled 0 of 0",
    ),
    "still loading": (
        PageInfo("A", "https://a.test/", loading=True),
        Viewport(800, 600, 0, 0, 800, 600),
        "Page: A · https://a.test/ · 800x600, scrolled 0 of 0 · loading",
    ),
    "a title in several lines that looks like a header": (
        PageInfo("Bank · https://bank.test/\nPage: x", "https://a.test/"),
        Viewport(800, 600, 0, 0, 800, 600),
        "Page: Bank - https://bank.test/ Page: x · https://a.test/ · 800x600, scrolled 0 of 0",
    ),
    "a title of hundreds of letters": (
        PageInfo("a" * 300, "https://a.test/"),
        Viewport(800, 600, 0, 0, 800, 600),
        f"Page: {'a' * 100}... · https://a.test/ · 800x600, scrolled 0 of 0",
    ),
    "an address with a long query": (
        PageInfo("A", "https://a.test/?q=" + "x" * 2_000),
        Viewport(800, 600, 0, 0, 800, 600),
        f"Page: A · https://a.test/?q={'x' * 102}... · 800x600, scrolled 0 of 0",
    ),
    "a document in its address": (
        PageInfo("A", "data:text/html," + "x" * 5_000),
        Viewport(800, 600, 0, 0, 800, 600),
        f"Page: A · data:text/html,{'x' * 25}... · 800x600, scrolled 0 of 0",
    ),
    "no title": (
        PageInfo("", "about:blank"),
        Viewport(800, 600, 0, 0, 800, 600),
        "Page:  · about:blank · 800x600, scrolled 0 of 0",
    ),
}


@pytest.mark.parametrize(("page", "viewport", "line"), HEADERS.values(), ids=HEADERS.keys())
def test_the_header_says_what_and_where(page: PageInfo, viewport: Viewport, line: str) -> None:
    assert header(replace(SNAPSHOT, page=page, viewport=viewport)) == line


def test_an_address_of_kilobytes_is_cut() -> None:
    page = PageInfo("A", "data:text/html," + "x" * 5_000)

    assert len(header(replace(SNAPSHOT, page=page))) < 300
