"""Facts with what a page told since the last look in them."""

from __future__ import annotations

from typing import Any

import msgspec

from cdp_agent.protocol.codec import decode
from cdp_agent.snapshot.renewal import Renewal, renewed
from cdp_agent.snapshot.told import Told
from tests.unit.pages import Document, button, el, text

_STYLES = ["pointer", "visible", "visible", "visible", "block", "visible", "auto"]
_NOTHING: dict[str, Any] = {
    "scroll": [0, 0],
    "size": [800, 2000],
    "removed": [],
    "texts": [],
    "attributes": [],
    "replaced": [],
    "styled": [],
    "states": [],
    "moved": [],
    "added": [],
    "count": 0,
    "look": 2,
}


def _renewed(page: Document, ids: list[int], **told: Any) -> Renewal | None:
    answer: Told = decode(msgspec.json.encode({**_NOTHING, **told}), Told)
    return renewed(page.facts, answer, ids, frozenset())


def _row(node: int, parent: int, name: str, **facts: Any) -> dict[str, Any]:
    return {
        "node": node,
        "parent": parent,
        "type": 3 if name == "#text" else 1,
        "name": name,
        **facts,
    }


def test_a_page_that_has_nothing_to_tell_keeps_its_facts() -> None:
    page = Document(button("Buy"))
    found = _renewed(page, [])
    assert found is not None
    assert found.changes.identical
    assert found.dom is page.facts


def test_another_text_and_another_attribute_leave_the_older_facts_alone() -> None:
    words, buy = text("one"), button("Buy", attrs={"id": "buy"})
    page = Document(el("paragraph", "", words, tag="p"), buy)
    ids = [page.number(words), page.number(buy)]
    found = _renewed(
        page,
        ids,
        texts=[{"node": 0, "value": "two"}],
        attributes=[{"node": 1, "attributes": ["id", "other"], "clicks": False, "off": False}],
    )
    assert found is not None
    assert found.dom.text(ids[0]) == "two"
    assert found.dom.attributes(ids[1]) == {"id": "other"}
    assert found.dom.registers.having("id") == {ids[1]: "other"}
    assert found.changes.lost_ids == {"buy"}
    assert found.touched == set(ids)
    assert page.facts.text(ids[0]) == "one"
    assert page.facts.attributes(ids[1]) == {"id": "buy"}
    assert page.facts.registers.having("id") == {ids[1]: "buy"}


def test_a_text_put_in_the_place_of_another_moves_nothing_else() -> None:
    words, buy = text("one"), button("Buy")
    paragraph = el("paragraph", "", words, tag="p")
    page = Document(paragraph, buy)
    old, parent, new = page.number(words), page.number(paragraph), 900
    found = _renewed(
        page,
        [old, parent, new],
        removed=[0],
        added=[
            {
                "parent": 1,
                "after": -1,
                "rows": [_row(2, -1, "#text", value="two", box=[10, 10, 100, 20])],
            }
        ],
    )
    assert found is not None
    assert found.dom.text(parent) == "two"
    assert old not in found.dom
    assert found.dom.position(new) == page.facts.position(old)
    assert found.dom.position(page.number(buy)) == page.facts.position(page.number(buy))
    assert found.touched == {new}


def test_what_came_and_went_stands_in_its_place() -> None:
    first, second = el("listitem", "", text("a"), tag="li"), el("listitem", "", text("b"), tag="li")
    items, end = el("list", "", first, second, tag="ul"), button("End")
    page = Document(items, end)
    ids = [page.number(items), page.number(first), page.number(second), 900, 901]
    rows = [
        _row(3, -1, "LI", attributes=["id", "new"], styles=_STYLES, box=[0, 0, 50, 20]),
        _row(4, 0, "#text", value="c", box=[0, 0, 50, 20]),
    ]
    added = [{"parent": 0, "after": 2, "rows": rows}]
    found = _renewed(page, ids, removed=[1], added=added)
    assert found is not None
    dom = found.dom
    assert dom.text(ids[0]) == "b c"
    assert ids[1] not in dom
    assert dom.parent(900) == ids[0]
    assert dom.position(ids[2]) < dom.position(900) < dom.position(page.number(end))
    assert dom.xpath(900) == "/html[1]/body[1]/ul[1]/li[2]"
    assert dom.has_pointer(900)
    assert dom.registers.pointers == {900}
    assert dom.bounds(page.number(end)) == page.facts.bounds(page.number(end))
    assert found.touched == {900, 901}
    assert page.facts.text(ids[0]) == "a b"


def test_boxes_that_moved_are_told_by_the_number_of_the_element() -> None:
    buy, sell = button("Buy"), button("Sell")
    page = Document(buy, sell)
    # html, body, Buy, Sell
    found = _renewed(page, [], moved=[{"place": 3, "box": [1, 2, 3, 4]}], count=4)
    assert found is not None
    assert found.dom.bounds(page.number(sell)) == (1, 2, 3, 4)
    assert found.moved == {page.number(sell)}
    assert not found.touched
    assert _renewed(page, [], moved=[{"place": 3, "box": [1, 2, 3, 4]}], count=5) is None
