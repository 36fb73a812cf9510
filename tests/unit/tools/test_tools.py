"""The table as a model sees it: names, aliases, short schemas. No browser."""

from __future__ import annotations

import json

import pytest

from cdp_agent.api.composite.steps import StepRow
from cdp_agent.api.extraction.coerce import NO_VALUE, coerce, likeness
from cdp_agent.mcp_server.server import listed_tools
from cdp_agent.tools import ALIASES, TOOLS, ToolResult, find_tool, schemas
from cdp_agent.tools.verbs.composite import _row
from tests.support.real_tokens import count_tokens

NAMED_BY_CONTRACT = (
    *("navigate", "snapshot", "click", "fill", "type", "press", "select", "check", "hover"),
    *("drag", "scroll", "upload", "wait", "tabs", "dialog", "screenshot", "execute", "extract"),
    "read",
)


def test_the_whole_list_keeps_to_its_budget() -> None:
    listed = [tool.model_dump(exclude_none=True, by_alias=True) for tool in listed_tools()]

    assert count_tokens(json.dumps(schemas())) < 3_000
    assert count_tokens(json.dumps(listed)) < 3_000


@pytest.mark.parametrize("name", NAMED_BY_CONTRACT)
def test_the_tools_of_the_contract_are_there(name: str) -> None:
    assert f"browser_{name}" in TOOLS


def test_the_snapshot_has_an_alias_that_is_not_listed() -> None:
    assert find_tool("get_snapshot") is TOOLS["browser_snapshot"]
    assert not set(ALIASES) & {schema["name"] for schema in schemas()}


def test_an_element_is_always_called_ref() -> None:
    for schema in schemas():
        properties = schema["input_schema"]["properties"]
        assert not {"id", "element", "selector"} & set(properties), schema["name"]


def test_schemas_are_plain_objects_without_noise() -> None:
    for schema in schemas():
        text = json.dumps(schema["input_schema"])
        assert schema["input_schema"]["type"] == "object"
        assert not [word for word in ('"title"', "$ref", '"null"', "$defs") if word in text]


NUMBERS = {
    "$1,299.50": 1299.5,
    "1.299,50 €": 1299.5,
    "1,299": 1299,
    "12,5": 12.5,
    "-3": -3,
    "\u22123.5 °C": -3.5,
    "1 234 567": 1234567,
    "about 7.": 7,
    "1.234.567": 1234567,
}


@pytest.mark.parametrize(("text", "number"), NUMBERS.items())
def test_texts_become_numbers(text: str, number: float) -> None:
    assert coerce(text, {"type": "number"}) == number


def test_what_does_not_fit_is_no_value() -> None:
    assert coerce("many", {"type": "number"}) is NO_VALUE
    assert coerce("3.5", {"type": "integer"}) is NO_VALUE
    assert coerce("maybe", {"type": "boolean"}) is NO_VALUE
    assert coerce("Red", {"enum": ["red", "blue"]}) == "red"
    assert coerce("green", {"enum": ["red", "blue"]}) is NO_VALUE


def test_names_are_like_what_pages_call_things() -> None:
    assert likeness("unit_price", "Unit price:") == 1.0
    assert likeness("unitPrice", "unit-price") == 1.0
    assert likeness("email", "E-mail") == 1.0
    assert likeness("total", "Grand total") > 0.55
    assert likeness("total", "Subject") == 0.0


def test_the_text_of_a_result_is_its_words_its_page_and_its_notes() -> None:
    result = ToolResult("clicked", "Page: A\nbutton", "alert opened")

    assert result.text == "clicked\nPage: A\nbutton\nalert opened"
    assert ToolResult(page_text="Page: A").with_words_before("first").text == "first\nPage: A"
    assert result.with_notes(["again"]).text == f"{result.text}\nagain"
    assert ToolResult("Page: x").page_line == ""


def test_a_row_of_steps_shows_values_as_they_are() -> None:
    row = StepRow("fill_in", "fill", "done", {"value": "snake_case"})

    assert _row(row) == "fill_in done (value snake_case)"
    assert _row(StepRow("2. click", "click")) == "2. click not run"
