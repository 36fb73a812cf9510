"""The events that a click and a key press send; none leaves a button or key held."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from cdp_agent.act.input import inputs
from cdp_agent.act.input.keys import MODIFIERS, parse_chord
from cdp_agent.action_table.entry import Button
from cdp_agent.errors import InvalidParams
from cdp_agent.protocol import Connection
from cdp_agent.resolve.frame_point import Point
from tests.unit.memory_transport import MemoryTransport

ALT, CONTROL, META, SHIFT = (MODIFIERS[name] for name in ("Alt", "Control", "Meta", "Shift"))


@pytest.fixture
def wire() -> MemoryTransport:
    return MemoryTransport(answers_all=True)


@pytest_asyncio.fixture
async def connection(wire: MemoryTransport) -> AsyncIterator[Connection]:
    connection = Connection(wire)
    yield connection
    await connection.aclose()


def sent(wire: MemoryTransport, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(command.params.get(name) for name in names) for command in wire.sent]


CLICKS: dict[str, tuple[Button, int, list[tuple[Any, ...]]]] = {
    "one click": (
        "left",
        1,
        [
            ("mouseMoved", "none", 0, None),
            ("mousePressed", "left", 1, 1),
            ("mouseReleased", "left", 0, 1),
        ],
    ),
    "two clicks count up": (
        "left",
        2,
        [
            ("mouseMoved", "none", 0, None),
            ("mousePressed", "left", 1, 1),
            ("mouseReleased", "left", 0, 1),
            ("mousePressed", "left", 1, 2),
            ("mouseReleased", "left", 0, 2),
        ],
    ),
    "the right button": (
        "right",
        1,
        [
            ("mouseMoved", "none", 0, None),
            ("mousePressed", "right", 2, 1),
            ("mouseReleased", "right", 0, 1),
        ],
    ),
    "the middle button": (
        "middle",
        1,
        [
            ("mouseMoved", "none", 0, None),
            ("mousePressed", "middle", 4, 1),
            ("mouseReleased", "middle", 0, 1),
        ],
    ),
}


@pytest.mark.parametrize(("button", "count", "events"), CLICKS.values(), ids=CLICKS.keys())
async def test_a_click_moves_presses_and_lets_go(
    connection: Connection,
    wire: MemoryTransport,
    button: Button,
    count: int,
    events: list[tuple[Any, ...]],
) -> None:
    replies = inputs.click(connection.root, Point(10.5, 20), button, count, CONTROL)

    assert sent(wire, "type", "button", "buttons", "clickCount") == events
    assert {(c.params["x"], c.params["y"], c.params["modifiers"]) for c in wire.sent} == {
        (10.5, 20, CONTROL)
    }
    assert len(replies) == len(events)


PRESSES: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "a letter types": ("a", [("keyDown", "a", 0, "a"), ("keyUp", "a", 0, None)]),
    "Enter types a line end": (
        "Enter",
        [("keyDown", "Enter", 0, "\r"), ("keyUp", "Enter", 0, None)],
    ),
    "an arrow types nothing": (
        "ArrowLeft",
        [("rawKeyDown", "ArrowLeft", 0, None), ("keyUp", "ArrowLeft", 0, None)],
    ),
    "with Shift a letter types its capital": (
        "Shift+a",
        [
            ("rawKeyDown", "Shift", SHIFT, None),
            ("keyDown", "A", SHIFT, "A"),
            ("keyUp", "A", SHIFT, None),
            ("keyUp", "Shift", 0, None),
        ],
    ),
    "with Control it types nothing": (
        "Control+a",
        [
            ("rawKeyDown", "Control", CONTROL, None),
            ("rawKeyDown", "a", CONTROL, None),
            ("keyUp", "a", CONTROL, None),
            ("keyUp", "Control", 0, None),
        ],
    ),
    "modifiers are let go in the other order": (
        "Control+Shift+K",
        [
            ("rawKeyDown", "Control", CONTROL, None),
            ("rawKeyDown", "Shift", CONTROL | SHIFT, None),
            ("rawKeyDown", "K", CONTROL | SHIFT, None),
            ("keyUp", "K", CONTROL | SHIFT, None),
            ("keyUp", "Shift", CONTROL, None),
            ("keyUp", "Control", 0, None),
        ],
    ),
    "a modifier alone is held while it is down": (
        "Shift",
        [("rawKeyDown", "Shift", SHIFT, None), ("keyUp", "Shift", 0, None)],
    ),
}


@pytest.mark.parametrize(("chord", "events"), PRESSES.values(), ids=PRESSES.keys())
async def test_a_press_holds_its_modifiers_and_lets_go_of_all(
    connection: Connection, wire: MemoryTransport, chord: str, events: list[tuple[Any, ...]]
) -> None:
    inputs.press(connection.root, *parse_chord(chord))

    assert sent(wire, "type", "key", "modifiers", "text") == events


CHARACTERS: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "a small letter": ("a", [("keyDown", "a", 0, "a"), ("keyUp", "a", 0, None)]),
    "a capital is typed with Shift": (
        "A",
        [("keyDown", "A", SHIFT, "A"), ("keyUp", "A", SHIFT, None)],
    ),
    "a character above a digit": (
        "!",
        [("keyDown", "!", SHIFT, "!"), ("keyUp", "!", SHIFT, None)],
    ),
    "a line end is Enter": (
        "\n",
        [("keyDown", "Enter", 0, "\r"), ("keyUp", "Enter", 0, None)],
    ),
    "a space": (" ", [("keyDown", " ", 0, " "), ("keyUp", " ", 0, None)]),
    "one that has no key is inserted": ("é", [(None, None, None, "é")]),
    "an emoji is inserted whole": ("\U0001f600", [(None, None, None, "\U0001f600")]),
}


@pytest.mark.parametrize(("character", "events"), CHARACTERS.values(), ids=CHARACTERS.keys())
async def test_a_character_is_typed_by_its_key_or_inserted(
    connection: Connection, wire: MemoryTransport, character: str, events: list[tuple[Any, ...]]
) -> None:
    inputs.type_character(connection.root, character)

    assert sent(wire, "type", "key", "modifiers", "text") == events
    methods = {"Input.insertText"} if events[0][0] is None else {"Input.dispatchKeyEvent"}
    assert set(wire.methods()) == methods


BITS: dict[str, tuple[Any, int]] = {
    "none": ((), 0),
    "one": (("Shift",), SHIFT),
    "several": (("Alt", "Control", "Meta", "Shift"), ALT | CONTROL | META | SHIFT),
    "twice the same": (("Shift", "Shift"), SHIFT),
    "a list": (["Control"], CONTROL),
    "a bare name": ("Meta", META),
    "small letters": (("shift", "control"), SHIFT | CONTROL),
    "short forms": (("Ctrl", "cmd", "Option"), CONTROL | META | ALT),
}


@pytest.mark.parametrize(("names", "bits"), BITS.values(), ids=BITS.keys())
def test_modifiers_of_a_click_are_bits(names: Any, bits: int) -> None:
    assert inputs.modifier_bits(names) == bits


@pytest.mark.parametrize("names", [("Hyper",), ("a",), ("",), "Ctl"])
def test_what_is_no_modifier_is_refused(names: Any) -> None:
    with pytest.raises(InvalidParams, match="is not a modifier"):
        inputs.modifier_bits(names)


async def test_a_button_that_no_mouse_has_is_refused_before_anything_is_sent(
    connection: Connection, wire: MemoryTransport
) -> None:
    with pytest.raises(InvalidParams):
        inputs.click(connection.root, Point(1, 1), "primary")  # type: ignore[arg-type]

    assert wire.sent == []
