"""Refs of the Action Protocol in texts and data, without a browser."""

from __future__ import annotations

from cdp_agent.ws_server.action_protocol.action_refs import Refs
from tests.unit.pages import Document, button, snapshot_of

PAGE = snapshot_of(Document(button("One"), button("Two")))
ONE, TWO = (str(element.id) for element in PAGE.elements)


def refs() -> Refs:
    made = Refs()
    made.assign(PAGE)
    return made


def test_a_text_names_refs_for_ids() -> None:
    said = refs().text(f"{TWO} is under [{ONE}] button, since 2024-11")

    assert said == "ref 2 is under ref 1 button, since 2024-11"


def test_data_has_refs_where_ids_stood_and_values_as_they_are() -> None:
    told = refs().data({"id": TWO, "value": TWO, "lost": [{"id": ONE, "now": ONE}], "count": 2})

    assert told == {"id": 2, "value": TWO, "lost": [{"id": 1, "now": ONE}], "count": 2}


def test_a_ref_is_a_whole_number_of_the_last_snapshot() -> None:
    made = refs()

    assert made.find(2) == TWO
    assert [made.find(wrong) for wrong in (0, 3, True, "1", 1.0, None, [1])] == [None] * 7
