"""Differences between two captures of a document, and the nodes that they affect."""

from __future__ import annotations

from cdp_agent.snapshot.ax.tree import AxNode, AxTree, AxValue
from cdp_agent.snapshot.incremental.affected import AffectedNodes
from cdp_agent.snapshot.incremental.ax_refresh import patched
from cdp_agent.snapshot.incremental.dom_diff import DomDiff, diff_documents
from tests.unit.pages import Document, El, button, el, text, textbox, wrapper


def _compare(*old: El, to: tuple[El, ...]) -> tuple[DomDiff, Document]:
    """Nodes are numbered in document order, so equal shapes have equal ids."""
    new = Document(*to)
    return diff_documents(Document(*old).facts, new.facts), new


def _names(document: Document, indices: set[int]) -> list[str]:
    return sorted(document.facts.tag_at(index) for index in indices)


def test_a_document_is_identical_to_itself() -> None:
    diff, _ = _compare(button("Buy"), to=(button("Buy"),))
    assert diff.identical
    assert diff.is_empty


def test_a_box_that_moved_is_no_matter_for_the_tree_but_not_identical() -> None:
    diff, _ = _compare(button("Buy"), to=(button("Buy", box=(10, 50, 100, 20)),))
    assert diff.is_empty
    assert not diff.identical


def test_a_text_that_changed_touches_itself_alone() -> None:
    diff, new = _compare(button("Buy"), wrapper(), to=(button("Sold"), wrapper()))
    assert _names(new, diff.touched) == ["#text"]
    assert not diff.deep


def test_strings_that_moved_in_their_table_are_no_change() -> None:
    # "Extra" pushes every later string one place on.
    old = (button("A"), button("B", attrs={"title": "t"}))
    diff, new = _compare(*old, to=(button("Extra"), old[1]))
    assert _names(new, diff.touched) == ["#text"]


def test_a_class_concerns_the_element_and_an_aria_attribute_all_below() -> None:
    plain, marked = wrapper(button("A")), wrapper(button("A"), attrs={"class": "x"})
    assert not _compare(plain, to=(marked,))[0].deep
    hidden = wrapper(button("A"), attrs={"aria-hidden": "true"})
    diff, new = _compare(plain, to=(hidden,))
    assert _names(new, diff.deep) == ["div"]


def test_a_lost_box_touches_and_a_style_that_no_tree_shows_paints() -> None:
    diff, new = _compare(button("A"), to=(button("A", box=None),))
    assert "button" in _names(new, diff.touched)
    diff, new = _compare(button("A"), to=(button("A", cursor="pointer"),))
    assert "button" in _names(new, diff.painted)
    assert not diff.touched


def test_a_node_that_went_leaves_its_parent_and_its_id() -> None:
    last = button("Two", attrs={"id": "two"})
    diff, new = _compare(button("One"), last, to=(button("One"),))
    assert _names(new, diff.parents) == ["body"]
    assert diff.lost_ids == {"two"}


def test_a_label_reaches_its_control() -> None:
    def form(words: str) -> tuple[El, ...]:
        label = el("LabelText", "", text(words), tag="label", attrs={"for": "mail"})
        return label, textbox(words, attrs={"id": "mail"}), button("Other")

    diff, new = _compare(*form("Mail"), to=form("E-mail"))
    wanted = AffectedNodes(new.facts, diff).backends(20)
    assert wanted is not None
    assert {new.facts.tag(backend) for backend in wanted} == {"#text", "label", "input"}


def test_what_is_described_by_a_changed_text_is_asked_for_again() -> None:
    def page(words: str) -> tuple[El, ...]:
        about = el("paragraph", "", text(words), tag="p", attrs={"id": "about"})
        return about, button("Buy", attrs={"aria-describedby": "other about"}), button("No")

    diff, new = _compare(*page("one"), to=page("two"))
    wanted = AffectedNodes(new.facts, diff).backends(20)
    assert wanted is not None
    assert [new.facts.tag(backend) for backend in wanted] == ["#text", "button"]


def test_too_many_diff_are_for_the_whole_tree() -> None:
    old = tuple(button(f"A{n}") for n in range(9))
    diff, new = _compare(*old, to=tuple(button(f"B{n}") for n in range(9)))
    assert AffectedNodes(new.facts, diff).backends(8) is None
    assert AffectedNodes(new.facts, diff).backends(9) is not None


def _node(number: str, name: str, *children: str, parent: str = "1") -> AxNode:
    return AxNode(
        number,
        "" if number == "1" else parent,
        role=AxValue("button"),
        name=AxValue(name),
        childIds=list(children),
    )


def _texts(tree: AxTree) -> list[str]:
    """In the order of the tree; the list of its nodes has none."""
    found, waiting = [], [tree.nodes[0].nodeId]
    while waiting:
        node = tree.by_id[waiting.pop()]
        found.append(node.text)
        waiting.extend(reversed(node.childIds))
    return found


def test_newer_nodes_take_their_places_and_what_hangs_nowhere_goes() -> None:
    three, below = _node("3", "three", "5"), _node("5", "below", parent="3")
    tree = AxTree([_node("1", "root", "2", "3"), _node("2", "two"), three, below])
    found = patched(tree, [_node("1", "root", "4", "2"), _node("4", "four"), _node("2", "two")])
    assert found is not None
    assert _texts(found) == ["root", "four", "two"]
    assert {node.text for node in found.nodes} == {"root", "four", "two"}
    assert _texts(tree) == ["root", "two", "three", "below"]


def test_a_node_that_moved_stays_and_what_was_asked_about_in_vain_does_not() -> None:
    tree = AxTree([_node("1", "root", "2", "3"), _node("2", "two"), _node("3", "three")])
    news = [_node("1", "root", "2"), _node("2", "two", "3"), _node("3", "three", parent="2")]
    found = patched(tree, [*news, _node("9", "nobody's", "3", parent="2")])
    assert found is not None
    assert _texts(found) == ["root", "two", "three"]
    assert len(found.nodes) == 3


def test_news_that_do_not_fit_are_refused() -> None:
    tree = AxTree([_node("1", "root", "2", "3"), _node("2", "two"), _node("3", "three")])
    assert patched(tree, [_node("1", "root", "2", "3", "9")]) is None
    moved = [_node("2", "two", "3"), _node("3", "three", parent="2")]
    assert patched(tree, moved) is None  # its old parent has it as well
