"""Packed columns say what Chromium sent, and nodes are found in them however many there are."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cdp_agent.snapshot.columns import Box, Boxes, Ints
from cdp_agent.snapshot.dom import DomFacts, documents_by_frame
from cdp_agent.snapshot.places import places_of
from cdp_agent.snapshot.wire import read_capture


def _reply(rows: int, bounds: list[list[float]], styles: list[list[int]]) -> msgspec.Raw:
    document: dict[str, Any] = {
        "frameId": 0,
        "nodes": {
            "parentIndex": [-1, *range(rows - 1)],
            "nodeType": [1] * rows,
            "nodeName": [1] * rows,
            "nodeValue": [-1] * rows,
            "backendNodeId": [*range(7, 7 + rows)],
            "attributes": [[1, 0]] * rows,
            "isClickable": {"index": [0]},
        },
        "layout": {
            "nodeIndex": [*range(rows)],
            "bounds": bounds,
            "styles": styles,
            "text": [-1] * rows,
        },
        "scrollOffsetY": 3.5,
    }
    return msgspec.Raw(msgspec.json.encode({"documents": [document], "strings": ["F", "DIV"]}))


@pytest.mark.parametrize("rows", [0, 1, 40_000])
def test_rows_that_are_read_in_pieces_are_all_there_in_their_order(rows: int) -> None:
    bounds = [[n, n / 3, 10, 0.25] for n in range(rows)]
    styles = [[0, 1, -1] if n % 2 else [] for n in range(rows)]

    (document,) = read_capture(_reply(rows, bounds, styles)).documents

    assert [list(box) for box in document.layout.bounds] == bounds
    assert [list(row) for row in document.layout.styles] == styles
    assert document.nodes.backendNodeId.tolist() == [*range(7, 7 + rows)]
    assert len({id(row) for row in document.nodes.attributes}) <= 1
    assert document.scrollOffsetY == 3.5


def test_half_a_character_in_a_reply_loses_nothing_else() -> None:
    whole = bytes(_reply(2, [[0, 0, 1, 1]] * 2, [[0]] * 2))

    capture = read_capture(msgspec.Raw(whole.replace(b'"DIV"', b'"D\\ud83d"')))

    assert capture.strings == ["F", "D\ufffd"]
    assert len(capture.documents[0].layout.bounds) == 2


@pytest.mark.parametrize("spread", [1, 3, 40], ids=["dense", "with gaps", "sparse"])
def test_places_of_many_nodes_are_those_of_a_dict(spread: int) -> None:
    chance = random.Random(spread)
    ids = Ints(chance.sample(range(5, 5 + 40_000 * spread), 40_000))
    wanted = {backend: index for index, backend in enumerate(ids)}

    places = places_of(ids)

    assert all(places.get(n, -1) == wanted.get(n, -1) for n in range(45_000))
    assert all((n in places) == (n in wanted) for n in (-1, 0, *range(0, 45_000, 7), 10**9))
    assert dict(places) == wanted
    assert len(places) == len(wanted)
    with pytest.raises(KeyError):
        places[10**9]


@given(st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 4), max_size=20), st.data())
def test_boxes_are_a_list_of_boxes(sides: list[Any], data: st.DataObject) -> None:
    boxes = Boxes(sides)

    assert [boxes[n] for n in range(len(boxes))] == [Box(*one) for one in sides]
    assert list(boxes) == sides
    if sides:
        place = data.draw(st.integers(0, len(sides) - 1))
        other = boxes.copy()
        other[place] = (1e7, 2, 3, 4)
        assert other[place] == Box(1e7, 2, 3, 4)
        assert boxes == Boxes(sides)
        assert boxes != other


@given(st.lists(st.integers(0, 10**6), max_size=60))
def test_children_are_found_in_the_order_of_the_document(seeds: list[int]) -> None:
    parents = [-1, *[seed % (index + 1) for index, seed in enumerate(seeds)]]
    rows = len(parents)
    reply = msgspec.json.decode(_reply(rows, [[0, 0, 1, 1]] * rows, [[]] * rows))
    reply["documents"][0]["nodes"]["parentIndex"] = parents

    facts: DomFacts = documents_by_frame(read_capture(msgspec.Raw(msgspec.json.encode(reply))))["F"]

    for index in range(rows):
        assert facts.children_at(index) == [n for n, one in enumerate(parents) if one == index]
    assert facts.children_at(-1) == []
