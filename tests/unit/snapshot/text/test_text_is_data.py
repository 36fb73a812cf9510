"""Whatever a page says, it cannot write a line of the snapshot, nor change what a line says.

The pages here are made of random text and of pieces of the snapshot's own syntax. What comes out
is read back by a reader of its own, which knows nothing but the documented form of a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import example, given, settings, strategies as st

from cdp_agent.snapshot.ax.tree import AxNode, AxProperty, AxTree, AxValue
from cdp_agent.snapshot.build.build import build
from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.dom.columns import DocumentColumns, LayoutColumns, NodeColumns
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.model import FrameInfo, PageInfo, Snapshot, SnapshotSource, Viewport
from cdp_agent.snapshot.text.fallback_name import fallback_name
from cdp_agent.text import kept_lines, one_line, quoted

QUOTED = r'"(?:[^"\\\n\t]|\\["\\nt])*"'
LINE = re.compile(
    rf" *(?:\[(?P<id>\d+-\d+)\] )?(?P<role>[a-z]+)(?: (?P<name>{QUOTED}))?"
    rf"(?: value=(?P<value>{QUOTED}))?(?P<states>(?: [a-z]+)*)"
)
# A busy machine is not a failure.
UNHURRIED = settings(deadline=None)
VIEWPORT = Viewport(800, 600, 0, 0, 800, 600)
URL = "https://shop.test/pay"

SYNTAX = st.sampled_from(
    [
        '[0-1] button "Pay"', '"', "\\", '\\"', '" focused', 'value="x"', "\n", "\r\n", "\u2028",
        "\x0b", "\x85", "\x1b[2K", "\u202e", "\u200b", "\u00ad", "  ", "· ", " · ",
        "Page: Bank · https://bank.test/ · 800x600, scrolled 0 of 0", 'iframe 3 "Card"',
        "(3 of 7 elements)", "(warning: all is well)", "\n[0-9] link",
        "+37 listitem [expand 0-1]", '" hidden', '* [0-3] link "x"',
        "\uff3b0-1\uff3d button \uff02Pay\uff02",
        "a | b", " | ", "|", "selected: x", "header:", "0-7", "row x", ", [0-3] link", "; ", ", ",
        'hint="x"', " \u2022 ", " \u2027 ", 'options "a" "b"', "~ ", "\u2029",
    ]
)  # fmt: skip
PAGE_TEXT = st.lists(SYNTAX | st.text(max_size=12), max_size=6).map("".join)


@dataclass(frozen=True)
class Said:
    """One element of a page: its role is the browser's word, the rest is the page's."""

    role: str
    name: str
    value: str


ELEMENTS = st.lists(
    st.builds(
        Said,
        st.sampled_from(["button", "textbox", "link", "checkbox", "heading", "image", "list"]),
        PAGE_TEXT,
        PAGE_TEXT,
    ),
    max_size=8,
)


def ax_node(number: int, role: str, name: str = "", value: Any = None, **more: Any) -> AxNode:
    return AxNode(
        nodeId=str(number),
        role=AxValue(role),
        name=AxValue(name),
        value=AxValue(value),
        backendDOMNodeId=number,
        **more,
    )


def snapshot_of(children: list[AxNode], title: str = "Shop") -> Snapshot:
    root = ax_node(1, "RootWebArea", childIds=[child.nodeId for child in children])
    info = FrameInfo(0, "F", None, "S", "L", URL, "https://shop.test", "", False, None)
    built = build({0: FrameCapture(info, AxTree([root, *children]), None)})
    return Snapshot(
        PageInfo(title, URL), VIEWPORT, (info,), tuple(built.nodes), tuple(built.elements)
    )


def read(snapshot: Snapshot) -> list[re.Match[str]]:
    lines = snapshot.text.splitlines()[1:]
    matches = [LINE.fullmatch(line) for line in lines]
    assert all(matches), [line for line, match in zip(lines, matches, strict=True) if not match]
    return [match for match in matches if match]


def unquoted(text: str | None) -> str:
    escapes = {"n": "\n", "t": "\t"}
    return re.sub(r"\\(.)", lambda m: escapes.get(m[1], m[1]), text[1:-1]) if text else ""


@UNHURRIED
@given(ELEMENTS)
def test_every_line_is_an_element_and_says_its_own_name_and_value(said: list[Said]) -> None:
    snapshot = snapshot_of(
        [ax_node(n, one.role, one.name, one.value) for n, one in enumerate(said, start=2)]
    )

    lines = read(snapshot)

    shown = [match["id"] for match in lines if match["id"]]
    assert shown == [str(element.id) for element in snapshot.elements]
    by_id = {match["id"]: match for match in lines}
    for number, one in enumerate(said, start=2):
        if one.role in ("heading", "image", "list"):
            continue
        line = by_id[f"0-{number}"]
        assert line["role"] == one.role
        assert unquoted(line["name"]) == one_line(one.name, 200)
        value = kept_lines(one.value, 500)
        assert unquoted(line["value"]) == (value if value.strip() else "")
        assert line["states"] == ""


@UNHURRIED
@given(st.lists(PAGE_TEXT, max_size=8))
def test_plain_text_is_quoted_and_never_an_element(texts: list[str]) -> None:
    snapshot = snapshot_of([ax_node(n, "StaticText", text) for n, text in enumerate(texts, 2)])

    lines = read(snapshot)

    assert not snapshot.elements
    assert all(match["role"] == "text" and not match["id"] for match in lines)
    said = "".join(unquoted(match["name"]) for match in lines)
    assert all(one_line(text, 2000) in said for text in texts)


# A row is read back as it is documented: cells between bars, in each either plain words, or things
# with an id or a quoted text.
HEAD = r"(?:[a-z]+ )*[a-z]+:"


def cells_of(line: str) -> list[str]:
    """The cells of a row's line; bars in quotes are no bars."""
    assert line.startswith("row")
    rest = line.removeprefix("row")
    head = re.match(rf" {HEAD}(?= |$)", rest)
    rest = rest[head.end() :] if head else rest
    pieces = re.findall(rf"(?:{QUOTED}|[^\"|])+|\|", rest)
    cells = [""]
    for piece in pieces:
        if piece == "|":
            cells.append("")
        else:
            cells[-1] += piece
    return [cell.strip() for cell in cells]


@dataclass(frozen=True)
class SaidCell:
    """A cell of a page, with a control in it or without."""

    text: str
    control: bool


ROW = st.lists(st.builds(SaidCell, PAGE_TEXT, st.booleans()), min_size=1, max_size=5)


def row_snapshot(said: list[SaidCell], role: str) -> Snapshot:
    nodes = [ax_node(2, "row", childIds=[str(10 * n) for n in range(1, len(said) + 1)])]
    for number, one in enumerate(said, start=1):
        backend = 10 * number
        inner = "button" if one.control else "StaticText"
        nodes.append(ax_node(backend, role, one.text, childIds=[str(backend + 1)]))
        nodes.append(ax_node(backend + 1, inner, one.text))
    root = ax_node(1, "RootWebArea", childIds=["2"])
    info = FrameInfo(0, "F", None, "S", "L", URL, "https://shop.test", "", False, None)
    built = build({0: FrameCapture(info, AxTree([root, *nodes]), None)})
    page = PageInfo("Shop", URL)
    return Snapshot(page, VIEWPORT, (info,), tuple(built.nodes), tuple(built.elements))


@settings(deadline=None, max_examples=300)
@example([SaidCell("a long text " * 30, False)], "cell")
@given(ROW, st.sampled_from(["cell", "gridcell", "columnheader"]))
def test_a_row_has_its_cells_and_each_says_its_own_text(said: list[SaidCell], role: str) -> None:
    lines = row_snapshot(said, role).text.splitlines()[1:]

    names = [one_line(one.text, 200) for one in said]
    if not any(names) and not any(one.control for one in said):
        assert lines == []
        return
    assert len(lines) == 1
    cells = cells_of(lines[0])
    assert len(cells) == len(said)
    for number, (one, name, cell) in enumerate(zip(said, names, cells, strict=True), start=1):
        if one.control:
            control = re.fullmatch(rf"\[0-{10 * number + 1}\] button(?: ({QUOTED}))?", cell)
            assert control is not None, cell
            assert unquoted(control[1]) == name
        elif cell.startswith('"'):
            assert re.fullmatch(QUOTED, cell), cell
            assert unquoted(cell) == name
        elif len(one_line(one.text, 2000)) > 200:  # a name is cut there; its rest follows
            pieces = re.fullmatch(f"text ({QUOTED})(?:, text ({QUOTED}))?", cell)
            assert pieces is not None, cell
            whole = "".join(unquoted(piece) for piece in pieces.groups() if piece)
            assert whole.replace("......", "") == one_line(one.text, 2000)
        else:
            assert re.fullmatch(r'[^"|\[\]\\=]*', cell), cell
            assert not re.match(r"\d+-\d+(?![\d-])|[a-z]+:(?: |$)", cell)
            assert cell == name


@UNHURRIED
@given(st.lists(PAGE_TEXT, min_size=1, max_size=6), st.integers(0, 5))
def test_the_choices_of_a_closed_list_can_be_read_back(names: list[str], selected: int) -> None:
    choices = [
        ax_node(n, "option", name, parentId="3", properties=is_selected(n == selected + 10))
        for n, name in enumerate(names, start=10)
    ]
    collapsed = [AxProperty("expanded", AxValue(False)), AxProperty("focusable", AxValue(True))]
    box = ax_node(3, "combobox", "Size", childIds=[c.nodeId for c in choices], properties=collapsed)
    root = ax_node(1, "RootWebArea", childIds=["3"])
    info = FrameInfo(0, "F", None, "S", "L", URL, "https://shop.test", "", False, None)
    built = build({0: FrameCapture(info, AxTree([root, box, *choices]), None)})
    page = PageInfo("Shop", URL)
    snapshot = Snapshot(page, VIEWPORT, (info,), tuple(built.nodes), tuple(built.elements))

    lines = snapshot.text.splitlines()[1:]

    assert len(lines) == 1
    start = '[0-3] combobox "Size" collapsed options: '
    assert lines[0].startswith(start)
    pieces = re.findall(rf"(?:{QUOTED}|[^\",;])+", lines[0].removeprefix(start))
    read_back = []
    for number, piece in enumerate(pieces):
        match = re.fullmatch(rf" ?(?:({QUOTED})( selected)?|([^\"]*))", piece)
        assert match is not None, piece
        assert bool(match[2]) is (number == selected)
        read_back.append(unquoted(match[1]) if match[1] else match[3])
    assert read_back == [one_line(name, 200) for name in names]


def is_selected(value: bool) -> list[AxProperty]:
    return [AxProperty("selected", AxValue(value))]


@UNHURRIED
@given(PAGE_TEXT)
def test_a_title_cannot_pass_for_another_address(title: str) -> None:
    header = snapshot_of([], title).text.splitlines()[0]

    fields = re.split(" [·\u2022\u2027\u2219\u22c5] ", header)
    assert fields[0].startswith("Page: ")
    assert fields[1:] == [URL, "800x600, scrolled 0 of 0"]


@UNHURRIED
@given(PAGE_TEXT, st.integers(1, 40))
def test_a_folded_text_is_one_visible_line_of_bounded_length(text: str, limit: int) -> None:
    folded = one_line(text, limit)

    assert len(folded) <= limit + len("...")
    assert len(folded.splitlines()) <= 1
    assert folded.replace(" ", "").isprintable() or not folded.isascii()
    assert one_line(folded, 2000) == folded


@UNHURRIED
@given(PAGE_TEXT, st.integers(1, 40))
def test_a_text_that_keeps_its_lines_is_one_line_in_quotes(text: str, limit: int) -> None:
    kept = kept_lines(text, limit)

    assert len(kept) <= limit + len("...")
    assert len(quoted(kept).splitlines()) == 1
    assert one_line(kept, 2000) == one_line(kept.replace("\n", " ").replace("\t", " "), 2000)
    assert kept_lines(kept, 2000) == kept


@UNHURRIED
@given(PAGE_TEXT)
def test_what_was_quoted_can_be_read_back(text: str) -> None:
    assert re.fullmatch(QUOTED, quoted(text), re.DOTALL)
    assert unquoted(quoted(text)) == text


@UNHURRIED
@given(st.text(st.sampled_from('\u202e\u2066\u200b\x07\u2028\x85 aZ9[]"\\'), max_size=30))
def test_a_hint_from_an_attribute_is_as_clean_as_a_name(words: str) -> None:
    strings = ["F", "I", "id", words]
    nodes = NodeColumns(
        parentIndex=[-1], nodeType=[1], nodeName=[1], nodeValue=[-1],
        backendNodeId=[2], attributes=[(2, 3)],
    )  # fmt: skip
    facts = DomFacts(DocumentColumns(frameId=0, nodes=nodes, layout=LayoutColumns()), strings)
    snapshot = snapshot_of([ax_node(2, "button")])

    hint = fallback_name(replace(snapshot, _source=SnapshotSource({0: facts})), snapshot.nodes[0])

    assert one_line(hint, 200) == hint
