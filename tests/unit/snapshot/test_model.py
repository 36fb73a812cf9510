"""A snapshot as a value: finding elements, and its plain form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from cdp_agent.errors import ElementNotFound
from cdp_agent.snapshot.schema import SnapshotJson
from tests.unit.pages import Document, button, el, snapshot_of, text, textbox

FRAME = el("Iframe", "", tag="iframe")
MAIN = Document(
    button("Save"),
    button("Save as…"),
    button("save"),
    el("LabelText", "", text("Email"), tag="label"),
    textbox("Email", "a@b.c", props={"focused": True, "required": True}),
    el("link", "Terms", text("Terms"), tag="a", box=None),
    FRAME,
)
INNER = Document(button("Save"), index=1, parent=0, owner=MAIN.number(FRAME), loader="I")
SNAPSHOT = snapshot_of(MAIN, INNER)

FOUND: dict[str, tuple[dict[str, Any], str]] = {
    "by role and name": ({"role": "textbox", "name": "Email"}, "0-12"),
    "by a part of the name": ({"role": "link", "name": "erm"}, "0-13"),
    "whatever the case": ({"role": "link", "name": "TERMS"}, "0-13"),
    "by role alone": ({"role": "link"}, "0-13"),
    "an equal name wins over one that contains it": ({"name": "Save", "frame": 0}, "0-4"),
    "so does an equal one in small letters": ({"name": "save", "frame": 0}, "0-8"),
    "exactly": ({"name": "Save as…", "exact": True}, "0-6"),
    "in one frame": ({"role": "button", "frame": 1}, "1-4"),
    "the first": ({"role": "button", "nth": 0}, "0-4"),
    "the last": ({"role": "button", "nth": -1}, "1-4"),
    "by name alone a field is meant and not its label": ({"name": "Email"}, "0-12"),
}


@pytest.mark.parametrize(("asked", "element_id"), FOUND.values(), ids=FOUND.keys())
def test_one_element_is_found(asked: dict[str, Any], element_id: str) -> None:
    assert SNAPSHOT.find(**asked).id == element_id


NOT_FOUND: dict[str, tuple[dict[str, Any], str]] = {
    "none of that role": ({"role": "slider"}, "there is no slider"),
    "none of that name": ({"role": "button", "name": "Buy"}, "there is no button 'Buy'"),
    "none in that frame": ({"role": "link", "frame": 1}, "there is no link"),
    "exactly means exactly": ({"name": "term", "exact": True}, "there is no element 'term'"),
    "several": ({"role": "button", "name": "Save"}, "2 elements fit button 'Save': 0-4"),
    "beyond the last": ({"role": "button", "nth": 4}, "number 4, only 4"),
    "before the first": ({"role": "button", "nth": -5}, "number -5, only 4"),
}


@pytest.mark.parametrize(("asked", "message"), NOT_FOUND.values(), ids=NOT_FOUND.keys())
def test_what_is_not_there_or_not_the_only_one_is_an_error_in_words(
    asked: dict[str, Any], message: str
) -> None:
    with pytest.raises(ElementNotFound) as caught:
        SNAPSHOT.find(**asked)

    assert message in caught.value.message


def test_several_that_fit_are_listed_so_that_one_can_be_chosen() -> None:
    with pytest.raises(ElementNotFound) as caught:
        SNAPSHOT.find("button", "Save")

    assert caught.value.data["matches"] == ["0-4", "1-4"]
    assert "nth" in caught.value.hint


def test_a_list_of_hundreds_is_not_repeated_whole() -> None:
    crowd = snapshot_of(Document(*(button(f"Row {n}") for n in range(300))))

    with pytest.raises(ElementNotFound) as caught:
        crowd.find("button")

    assert "300 elements fit button" in caught.value.message
    assert "and 292 more" in caught.value.message
    assert len(caught.value.message) < 500


def test_all_that_fit_are_found_in_order() -> None:
    assert [element.id for element in SNAPSHOT.find_all("button", "save")] == [
        "0-4",
        "0-6",
        "0-8",
        "1-4",
    ]
    assert SNAPSHOT.find_all("slider") == []
    assert len(SNAPSHOT.find_all()) == len(SNAPSHOT.elements)


def test_an_element_is_had_by_its_id() -> None:
    assert SNAPSHOT.get("0-12").name == "Email"
    with pytest.raises(ElementNotFound, match="0-99"):
        SNAPSHOT.get("0-99")


def test_maps_lead_from_ids_to_nodes_paths_and_frames() -> None:
    ids = [element.id for element in SNAPSHOT.elements]

    assert SNAPSHOT.backend_node_map == {
        element.id: element.backend_node_id for element in SNAPSHOT.elements
    }
    assert list(SNAPSHOT.xpath_map) == ids
    assert len(SNAPSHOT.xpath_map) == len(ids)
    assert SNAPSHOT.xpath_map["0-6"] == "/html[1]/body[1]/button[2]"
    assert SNAPSHOT.xpath_map["1-4"] == "/html[1]/body[1]/button[1]"
    with pytest.raises(KeyError):
        SNAPSHOT.xpath_map["0-99"]
    assert SNAPSHOT.frame_map[1].parent_index == 0


def test_the_focused_element_is_known() -> None:
    assert SNAPSHOT.focused is not None
    assert SNAPSHOT.focused.id == "0-12"
    assert snapshot_of(Document(button("x"))).focused is None


def test_the_plain_form_is_what_its_schema_says_and_survives_json() -> None:
    plain = SNAPSHOT.model_dump()

    read = json.loads(json.dumps(plain))

    TypeAdapter(SnapshotJson).validate_json(json.dumps(plain), strict=True)
    assert read["text"] == SNAPSHOT.text
    email = next(one for one in read["elements"] if one["id"] == "0-12")
    assert email == {
        "id": "0-12",
        "ref": "0-12",
        "role": "textbox",
        "name": "Email",
        "value": "a@b.c",
        "state": {"focused": True, "required": True},
        "states": ["visible", "enabled", "focused"],
        "tag": "input",
        "level": None,
        "bounds": [10, 10, 100, 20],
        "bbox": {"x": 10, "y": 10, "width": 100, "height": 20},
        "children": [],
        "frame_index": 0,
        "backend_node_id": 12,
        "hints": ["editable"],
    }
    assert next(one for one in read["elements"] if one["id"] == "0-13")["bounds"] is None
