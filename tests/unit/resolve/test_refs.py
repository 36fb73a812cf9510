"""Every id that was handed out: what it named, in which document, and for how long."""

from __future__ import annotations

import gc

import pytest

from cdp_agent.errors import CdpAgentError, RefInvalid
from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.resolve import RefBook
from cdp_agent.snapshot import Snapshot
from cdp_agent.snapshot.dom.facts import DomFacts
from tests.unit.pages import Document, button, el, snapshot_of, text


def page(*names: str, loader: str = "L", url: str = "https://shop.test/") -> Snapshot:
    """Buttons 0-4, 0-6 … with these names."""
    return snapshot_of(Document(*(button(name) for name in names), loader=loader, url=url))


def first(snapshot: Snapshot) -> ElementId:
    return snapshot.elements[0].id


def test_an_id_leads_to_what_it_named() -> None:
    book, snapshot = RefBook(), page("Save", "Open")
    assert book.is_empty

    book.remember(snapshot)

    ref = book.require(ElementId.parse("0-6"))
    assert (ref.id, ref.loader_id, ref.url) == ("0-6", "L0", "https://shop.test/")
    assert (ref.role, ref.name, ref.tag) == ("button", "Open", "button")
    assert ref.xpath == "/html[1]/body[1]/button[2]"
    assert ref.box == (10, 10, 100, 20)
    assert not book.is_empty


@pytest.mark.parametrize("ref", ["0-5", "1-4", "7-7"])
def test_an_id_that_no_snapshot_has_shown_is_unknown(ref: str) -> None:
    book = RefBook()
    book.remember(page("Save"))

    with pytest.raises(RefInvalid) as caught:
        book.require(ElementId.parse(ref))

    assert ref in caught.value.message


def test_an_id_of_an_earlier_snapshot_of_the_same_document_stays_good() -> None:
    """An agent may act on an id that it saw five steps ago, also if it was cut off since."""
    book = RefBook()
    book.remember(page("Save", "Open"))
    book.remember(page("Save"))

    ref = book.require(ElementId.parse("0-6"))

    assert (ref.name, ref.xpath) == ("Open", "/html[1]/body[1]/button[2]")
    assert ref.box is None  # where it stands now is not known


def test_a_name_that_changed_is_the_newest() -> None:
    book = RefBook()
    book.remember(page("Save"))
    book.remember(page("Saved"))

    assert book.require(ElementId.parse("0-4")).name == "Saved"


# -- documents ----------------------------------------------------------------------------------


def test_equal_numbers_of_two_documents_are_told_apart_by_the_document() -> None:
    book, old, new = RefBook(), page("Old", loader="A"), page("New", loader="B")
    book.remember(old)
    book.remember(new)

    assert book.require(first(old)).name == "Old"
    assert book.require(first(old)).loader_id == "A0"
    assert book.require(first(new)).name == "New"


def test_an_id_from_a_text_is_of_the_newest_document_that_has_it() -> None:
    book = RefBook()
    book.remember(page("Old", "Only in the old one", loader="A"))
    book.remember(page("New", loader="B"))

    assert book.require(ElementId.parse("0-4")).loader_id == "B0"
    assert book.require(ElementId.parse("0-6")).loader_id == "A0"


def test_an_id_of_another_document_is_not_taken_for_one_of_this() -> None:
    book = RefBook()
    book.remember(page("Save", loader="A"))

    with pytest.raises(CdpAgentError):
        book.require(ElementId(0, 4, LoaderId("of another tab")))


def test_a_document_that_comes_back_is_the_newest_again() -> None:
    book, old, new = RefBook(), page("Old", loader="A"), page("New", loader="B")
    for snapshot in (old, new, old):
        book.remember(snapshot)

    assert book.require(ElementId.parse("0-4")).name == "Old"
    assert book.require(first(new)).name == "New"


def test_an_id_of_a_document_long_gone_is_stale_and_not_unknown() -> None:
    book, oldest = RefBook(), page("Oldest", loader="first")
    book.remember(oldest)
    for number in range(20):
        book.remember(page("Later", loader=f"later {number}"))

    with pytest.raises(CdpAgentError) as caught:
        book.require(first(oldest))

    assert caught.value.code == "stale_ref"


def test_documents_of_one_frame_do_not_push_out_those_of_another() -> None:
    book = RefBook()
    main = Document(el("Iframe", "", tag="iframe"), button("Main"), loader="M")
    for number in range(20):
        inner = Document(button("Inner"), index=1, parent=0, owner=4, loader=f"I{number} ")
        book.remember(snapshot_of(main, inner))

    assert book.require(ElementId.parse("0-5")).name == "Main"
    assert book.require(ElementId.parse("1-4")).loader_id == "I19 1"


# -- what may be healed -------------------------------------------------------------------------


UNIQUE: dict[str, tuple[Snapshot, bool]] = {
    "the only one": (page("Save", "Open"), True),
    "two of a name": (page("Save", "Save"), False),
    "the same name on another tag": (
        snapshot_of(Document(button("Save"), button("Save", tag="input"))),
        True,
    ),
    "the same name of another role": (
        snapshot_of(Document(button("Save"), el("link", "Save", text("Save"), tag="a"))),
        True,
    ),
    "the same in another frame": (
        snapshot_of(
            Document(button("Save"), el("Iframe", "", tag="iframe")),
            Document(button("Save"), index=1, parent=0, owner=6),
        ),
        True,
    ),
}


@pytest.mark.parametrize(("snapshot", "is_unique"), UNIQUE.values(), ids=UNIQUE.keys())
def test_only_the_only_one_of_its_kind_can_be_found_again(
    snapshot: Snapshot, is_unique: bool
) -> None:
    book = RefBook()

    book.remember(snapshot)

    assert book.require(first(snapshot)).unique is is_unique


# -- memory -------------------------------------------------------------------------------------


def documents_in_memory() -> int:
    gc.collect()
    return sum(isinstance(thing, DomFacts) for thing in gc.get_objects())


def test_the_documents_of_old_snapshots_are_let_go() -> None:
    book, before = RefBook(), documents_in_memory()

    for number in range(30):
        names = [f"only in {number}", "always"]
        book.remember(page(*names, loader=f"L{number // 10} "))

    assert documents_in_memory() - before <= 1
