"""Ids of elements: texts that know their parts and their document."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from cdp_agent.errors import RefInvalid
from cdp_agent.ids import ElementId, LoaderId

LOADER = LoaderId("67F1EB1E951FE04B")


@settings(deadline=None)
@given(st.integers(0, 999_999), st.integers(0, 2**31 - 1))
def test_an_id_reads_as_it_is_written(frame: int, node: int) -> None:
    written = ElementId(frame, node)

    read = ElementId.parse(str(written))

    assert read == written == f"{frame}-{node}"
    assert (read.frame_index, read.backend_node_id, read.loader_id) == (frame, node, None)


def test_an_id_is_a_text_like_any_other() -> None:
    element_id = ElementId(2, 1047, LOADER)

    assert f"[{element_id}]" == "[2-1047]"
    assert "2-1047" in {element_id}
    assert json.dumps({"ref": element_id}) == '{"ref": "2-1047"}'
    assert repr(element_id) == "'2-1047'"


def test_an_id_out_of_a_snapshot_is_taken_with_its_document() -> None:
    element_id = ElementId(0, 41, LOADER)

    assert ElementId.parse(element_id) is element_id


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES.keys())
def test_a_copy_knows_the_document_too(duplicate: Any) -> None:
    found = duplicate(ElementId(3, 7, LOADER))

    assert type(found) is ElementId
    assert (found, found.frame_index, found.backend_node_id) == ("3-7", 3, 7)
    assert found.loader_id == LOADER


NOT_IDS: dict[str, Any] = {
    "empty": "",
    "a number": 41,
    "None": None,
    "a name": "button",
    "only the node": "41",
    "no node": "0-",
    "no frame": "-41",
    "three parts": "0-41-2",
    "in brackets": "[0-41]",
    "a space before": " 0-41",
    "a line end after": "0-41\n",
    "a sign": "0-+41",
    "a fraction": "0-4.1",
    "hexadecimal": "0-0x29",
    "another dash": "0\u201341",
    "digits of another script": "\u0660-\u0664\u0661",
    "more digits than any node has": "0-12345678901",
    "bytes": b"0-41",
}


@pytest.mark.parametrize("text", NOT_IDS.values(), ids=NOT_IDS.keys())
def test_what_is_no_id_is_refused_with_an_example(text: Any) -> None:
    with pytest.raises(RefInvalid) as caught:
        ElementId.parse(text)

    assert caught.value.code == "ref_invalid"
    assert "0-41" in caught.value.hint
    assert caught.value.data["ref"] == repr(text)[:60]


def test_a_page_of_text_in_place_of_an_id_is_not_repeated_whole() -> None:
    with pytest.raises(RefInvalid) as caught:
        ElementId.parse("x" * 100_000)

    assert len(str(caught.value)) < 200
