"""Layout facts of a document, looked up by node."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.pages import Document, El, button, el, text, wrapper

SPAN = el("", "", text("deep"), tag="span")
SHADOW = El("", "", (wrapper(SPAN), El("", tag="b")), tag="#shadow")
HOST = El("generic", "", (SHADOW,), tag="my-card", attrs={"id": "card", "hidden": ""})
SECOND = button("Two", box=(30, 40, 50, 60))
LIST = El("list", "", (button("One"), text("between"), SECOND, HOST), tag="section")
PAGE = Document(LIST, El("", "", (El("", tag="i"),), tag="svg"))
FACTS = PAGE.facts


def number(one: El) -> int:
    return PAGE.number(one)


XPATHS: dict[str, tuple[El, str]] = {
    "the first of its kind": (LIST, "/html[1]/body[1]/section[1]"),
    "counted among those of its own name": (SECOND, "/html[1]/body[1]/section[1]/button[2]"),
    "a custom element": (HOST, "/html[1]/body[1]/section[1]/my-card[1]"),
    "below a shadow root": (
        SPAN,
        "/html[1]/body[1]/section[1]/my-card[1]/#shadow-root/div[1]/span[1]",
    ),
}


@pytest.mark.parametrize(("one", "path"), XPATHS.values(), ids=XPATHS.keys())
def test_an_element_has_a_path(one: El, path: str) -> None:
    assert FACTS.xpath(number(one)) == path


def test_paths_of_many_siblings_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Document(El("list", "", tuple(button(str(n)) for n in range(400)), tag="section"))
    facts, asked = page.facts, 0
    children_at = facts.children_at

    def counting(index: int) -> list[int]:
        nonlocal asked
        asked += 1
        return children_at(index)

    monkeypatch.setattr(facts, "children_at", counting)

    numbers = [n for n in facts.document.nodes.backendNodeId if facts.tag(n) != "#text"]
    paths = [facts.xpath(n) for n in numbers]

    assert paths[-1].endswith("/section[1]/button[400]")
    assert asked < 10


def test_no_two_elements_have_the_same_path() -> None:
    page = Document(*(wrapper(button("a"), button("b")) for _ in range(20)))
    numbers = [n for n in range(4, 200) if n in page.facts and page.facts.tag(n) != "#text"]

    paths = {page.facts.xpath(n) for n in numbers}

    assert len(paths) == len(numbers) == 60


def test_tags_and_attributes_are_as_written() -> None:
    assert FACTS.tag(number(HOST)) == "my-card"
    assert FACTS.attributes(number(HOST)) == {"id": "card", "hidden": ""}
    assert FACTS.attributes(number(LIST)) == {}


def test_a_box_is_in_the_documents_own_coordinates() -> None:
    assert FACTS.bounds(number(SECOND)) == (30, 40, 50, 60)
    assert FACTS.bounds(number(SHADOW)) is None


def test_what_is_unknown_has_no_facts() -> None:
    assert 9999 not in FACTS
    assert (FACTS.tag(9999), FACTS.attributes(9999), FACTS.bounds(9999)) == ("", {}, None)
    assert (FACTS.xpath(9999), FACTS.text(9999), FACTS.position(9999)) == ("", "", -1)
    assert not FACTS.is_clickable(9999)
    assert not FACTS.has_pointer(9999)
    assert FACTS.pointer_owner(9999) == 0
    assert not FACTS.contains(9999, 4)
    assert not FACTS.contains(4, 9999)


def test_one_node_stands_in_another_or_does_not() -> None:
    assert FACTS.contains(number(LIST), number(SPAN))
    assert FACTS.contains(number(SPAN), number(SPAN))
    assert not FACTS.contains(number(SPAN), number(LIST))
    assert not FACTS.contains(number(SECOND), number(HOST))


def test_the_words_below_a_node_are_read_in_order_and_no_further_than_asked() -> None:
    assert FACTS.text(number(LIST)) == "One between Two deep"
    assert FACTS.text(number(LIST), limit=3) == "One"


def test_what_a_line_marks_in_a_word_does_not_part_the_word() -> None:
    marked = El("", "", (text("P-02"),), tag="span", display="inline")
    option = El("", "", (marked, text("4"), El("", "", (text("late"),))))
    page = Document(option)

    assert page.facts.text(page.number(option)) == "P-024 late"


def test_words_that_are_not_rendered_are_left_out_below_a_node_that_is() -> None:
    source = replace(text("var a = 1;"), box=None)
    script = El("", "", (source,), tag="script", box=None)
    hidden = El("", "", (script,), box=None)
    contents = El("", "", (El("", "", (text("rows"),)),), tag="my-part", box=None)
    label = El("", "", (text("137"), contents, script), tag="label")
    page = Document(label, hidden)

    assert page.facts.text(page.number(label)) == "137 rows"
    assert page.facts.text(page.number(hidden)) == "var a = 1;"


def test_nodes_are_in_the_order_of_the_document() -> None:
    assert FACTS.position(number(LIST)) < FACTS.position(number(SECOND))
    assert FACTS.position(number(SECOND)) < FACTS.position(number(SPAN))


LETTER = text("x")
INNER = wrapper(LETTER, tag="span")
OUTER = wrapper(INNER, cursor="pointer")
HANDS: dict[str, tuple[El, El, bool]] = {
    "the outermost with a hand": (OUTER, LETTER, True),
    "broken by another cursor": (
        wrapper(wrapper(wrapper(LETTER, tag="b"), cursor="default"), cursor="pointer"),
        LETTER,
        False,
    ),
    "nobody": (wrapper(LETTER), LETTER, False),
}


@pytest.mark.parametrize(("top", "inside", "is_owner"), HANDS.values(), ids=HANDS.keys())
def test_a_hand_belongs_to_the_outermost_element_that_has_it(
    top: El, inside: El, is_owner: bool
) -> None:
    page = Document(top)

    owner = page.facts.pointer_owner(page.number(inside))

    assert owner == (page.number(top) if is_owner else 0)
    assert page.facts.has_pointer(page.number(top)) is (top.cursor == "pointer")


def test_a_hand_over_the_whole_page_belongs_to_what_is_on_it() -> None:
    page = Document(wrapper(text("x"), tag="p"))
    everywhere = Document(El("", "", (wrapper(LETTER, tag="p", cursor="pointer"),), tag="body"))

    assert page.facts.pointer_owner(5) == 0
    assert everywhere.facts.tag(everywhere.facts.pointer_owner(everywhere.number(LETTER))) == "p"


def test_a_listener_is_known_by_its_element() -> None:
    listener, other = wrapper(text("a"), listens=True), wrapper(text("b"))
    page = Document(listener, other)

    assert page.facts.is_clickable(page.number(listener))
    assert not page.facts.is_clickable(page.number(other))


SIZES = {
    "as large as the page": ((0, 0, 800, 2000), True),
    "nearly": ((0, 0, 730, 1300), True),
    "narrow": ((0, 0, 300, 2000), False),
    "low": ((0, 0, 800, 600), False),
}


@pytest.mark.parametrize(("box", "fills"), SIZES.values(), ids=SIZES.keys())
def test_what_is_as_large_as_the_page_is_no_button(
    box: tuple[float, float, float, float], fills: bool
) -> None:
    top = wrapper(box=box)
    page = Document(top)

    assert page.facts.fills_viewport(page.number(top)) is fills
