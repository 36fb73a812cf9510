"""Lines of subtrees in which nothing changed are used again; the page reads as built anew."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from cdp_agent.snapshot.ax.tree import AxNode, AxTree
from cdp_agent.snapshot.build.build import build
from cdp_agent.snapshot.build.frame_capture import FrameCapture, NodeChanges
from cdp_agent.snapshot.build.hidden import HiddenNodes
from cdp_agent.snapshot.build.line_cache import BuiltPage, FrameLineCache
from cdp_agent.snapshot.incremental.dom_diff import diff_documents
from tests.unit.pages import Document, El, button, el, text, textbox, wrapper


def following(before: FrameCapture, document: Document, **facts: object) -> FrameCapture:
    """The capture of a document after another: equal nodes of the tree are the same objects."""
    former = before.tree.by_id
    nodes = [former[n.nodeId] if former.get(n.nodeId) == n else n for n in document.tree.nodes]
    assert before.dom is not None
    changes = NodeChanges(
        before.dom, diff_documents(before.dom, document.facts).nodes(document.facts)
    )
    return replace(document.capture, tree=AxTree(nodes), changes=changes, **facts)  # type: ignore[arg-type]


def in_turn(captures: Iterable[FrameCapture]) -> BuiltPage:
    """The lines of the last of these captures, built with those kept of the others."""
    cache, last = FrameLineCache(), BuiltPage([], [])
    for capture in captures:
        last = build({0: capture}, cache=cache)
    return last


def rows(*cells: str, **facts: object) -> El:
    inside = [el("row", "", el("cell", words, text(words))) for words in cells]
    return el("table", "Orders", *inside, **facts)


def test_lines_in_which_nothing_changed_are_the_same_objects() -> None:
    first = Document(rows("one", "two"), textbox("Search", "a"))
    before = first.capture
    after = following(before, Document(rows("one", "two"), textbox("Search", "b")))
    cache = FrameLineCache()
    old = build({0: before}, cache=cache)
    new = build({0: after}, cache=cache)
    same = [one is other for one, other in zip(old.nodes, new.nodes, strict=True)]
    assert same == [True] * (len(same) - 1) + [False]


POINTER = {"cursor": "pointer"}

CASES: dict[str, tuple[list[El], list[El]]] = {
    "the first text of a box that answers clicks goes": (
        [wrapper(text("Open"), el("region", "Orders", text("one")), **POINTER)],
        [
            wrapper(
                replace(text("Open"), role="", box=None),
                el("region", "Orders", text("one")),
                **POINTER,
            )
        ],
    ),
    "a box around gets the hand cursor": (
        [wrapper(rows("one"))],
        [wrapper(rows("one"), **POINTER)],
    ),
    "the parent of what answers clicks gets the hand cursor": (
        [wrapper(el("generic", "", text("Go"), **POINTER), text("x"))],
        [wrapper(el("generic", "", text("Go"), **POINTER), text("x"), **POINTER)],
    ),
    "a control gets the name of a label elsewhere": (
        [el("list", "", el("LabelText", "", text("City"), tag="label")), textbox("Town")],
        [el("list", "", el("LabelText", "", text("City"), tag="label")), textbox("City")],
    ),
    "the class of a list item marks its link": (
        [el("listitem", "", el("link", "Home", text("Home"), tag="a"), tag="li")],
        [
            el(
                "listitem",
                "",
                el("link", "Home", text("Home"), tag="a"),
                tag="li",
                attrs={"class": "active"},
            )
        ],
    ),
    "a table moves": ([rows("one"), button("Ok")], [rows("one"), button("Ok", box=(9, 9, 9, 9))]),
    "a text before a field becomes its label": (
        [text("Mail"), textbox("Town")],
        [text("Town"), textbox("Town")],
    ),
    "an editor's words become bold": (
        [el("textbox", "Text", el("paragraph", "", text("so")), props={"editable": "richtext"})],
        [
            el(
                "textbox",
                "Text",
                el("paragraph", "", text("so"), attrs={"style": "font-weight: bold"}),
                props={"editable": "richtext"},
            )
        ],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_change_outside_a_section_that_its_lines_depend_on_shows(case: str) -> None:
    before, after = (Document(*page) for page in CASES[case])
    steps = [before.capture, following(before.capture, after)]
    assert in_turn(steps) == build({0: after.capture})


def test_text_that_becomes_hidden_shows() -> None:
    document = Document(rows("one", "two"))
    words = next(node for node in document.tree.nodes if node.name and node.text == "two")
    hidden = HiddenNodes(frozenset({words.backendDOMNodeId}))
    after = following(document.capture, document, hidden=hidden)
    assert in_turn([document.capture, after]) == build({0: after})
    assert in_turn([document.capture, after]) != build({0: document.capture})


# -- random pages ---------------------------------------------------------------------------------

KINDS: list[Callable[[random.Random, tuple[El, ...]], El]] = [
    lambda r, inside: wrapper(*inside, listens=r.random() < 0.2),
    lambda r, inside: el("row", "", *(el("cell", "", one) for one in inside)),
    lambda r, inside: el("listitem", "", *inside, tag="li"),
    lambda r, inside: el("region", r.choice(["", "Orders"]), *inside),
    lambda r, inside: el("generic", "", *inside, listens=True),
    lambda r, inside: el("link", r.choice(["Home", "one"]), *inside, tag="a"),
    lambda r, inside: el("LabelText", "", *inside, tag="label"),
    lambda r, inside: el("group", "", *inside, props={"focusable": r.random() < 0.5}),
]


def random_page(r: random.Random, depth: int = 0) -> El:
    if depth == 4 or r.random() < 0.15:
        words = r.choice(["one", "two", "Home", "City"])
        return r.choice([text(words), textbox(words), button(words)])
    inside = tuple(random_page(r, depth + 1) for _ in range(r.randint(1, 4)))
    return r.choice(KINDS)(r, inside)


def mutated(r: random.Random, one: El) -> El:
    """The same elements in the same order, a few of which differ or are not rendered."""
    children = tuple(mutated(r, child) for child in one.children)
    one = replace(one, children=children)
    if r.random() > 0.06:
        return one
    if one.tag == "#text":
        return replace(one, name=r.choice(["one", "two", "Town"]))
    change = r.randrange(6)
    if change == 0:
        return replace(one, cursor=r.choice(["pointer", "auto"]))
    if change == 1:
        return replace(one, attrs={"class": r.choice(["active", "plain"])})
    if change == 2:
        return replace(one, box=(r.randint(0, 50), 10, 100, 20))
    if change == 3:
        return replace(one, attrs={**one.attrs, "draggable": "true"})
    if change == 4 and one.role in ("textbox", "button", "link", "region"):
        return replace(one, name=r.choice(["City", "Home", "one"]))
    return gone(one)


def gone(one: El) -> El:
    return replace(one, role="", box=None, children=tuple(map(gone, one.children)))


@pytest.mark.parametrize("seed", range(150))
def test_a_page_that_changes_at_random_reads_as_built_anew(seed: int) -> None:
    r = random.Random(seed)
    pages = [[random_page(r) for _ in range(3)]]
    for _ in range(4):
        source = pages[0] if r.random() < 0.3 else pages[-1]
        pages.append([mutated(r, one) for one in source])
    cache = FrameLineCache()
    before: FrameCapture | None = None
    for page in pages:
        document = Document(*page)
        hidden = HiddenNodes(frozenset(some_nodes(r, document.tree.nodes)))
        listening = frozenset(some_nodes(r, document.tree.nodes))
        if before is None:
            capture = replace(document.capture, hidden=hidden, listening=listening)
        else:
            capture = following(before, document, hidden=hidden, listening=listening)
        assert build({0: capture}, cache=cache) == build({0: capture})
        before = capture


def some_nodes(r: random.Random, nodes: list[AxNode]) -> list[int]:
    return [node.backendDOMNodeId for node in nodes if r.random() < 0.03]
