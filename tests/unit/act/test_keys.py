"""The US keyboard as the standards list it, chords, and what is not a key."""

from __future__ import annotations

import string
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from cdp_agent.act.input.keys import MODIFIERS, Key, find_key, needs_shift, parse_chord, require_key
from cdp_agent.errors import InvalidParams

#: Rows of the keyboard: codes, what they type, what they type with Shift, and their numbers.
WRITING: list[tuple[str, str, str, list[int]]] = [
    (
        "Backquote Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 "
        "Minus Equal",
        "`1234567890-=",
        "~!@#$%^&*()_+",
        [192, 49, 50, 51, 52, 53, 54, 55, 56, 57, 48, 189, 187],
    ),
    (
        "KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Backslash",
        "qwertyuiop[]\\",
        "QWERTYUIOP{}|",
        [81, 87, 69, 82, 84, 89, 85, 73, 79, 80, 219, 221, 220],
    ),
    (
        "KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote",
        "asdfghjkl;'",
        'ASDFGHJKL:"',
        [65, 83, 68, 70, 71, 72, 74, 75, 76, 186, 222],
    ),
    (
        "KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash",
        "zxcvbnm,./",
        "ZXCVBNM<>?",
        [90, 88, 67, 86, 66, 78, 77, 188, 190, 191],
    ),
]
WRITING_KEYS = [
    row
    for codes, plain, shifted, numbers in WRITING
    for row in zip(codes.split(), plain, shifted, numbers, strict=True)
]

#: Code: key, number, text, location.
OTHER_KEYS: dict[str, tuple[str, int, str, int]] = {
    "Escape": ("Escape", 27, "", 0),
    "Tab": ("Tab", 9, "", 0),
    "Backspace": ("Backspace", 8, "", 0),
    "Delete": ("Delete", 46, "", 0),
    "Insert": ("Insert", 45, "", 0),
    "Home": ("Home", 36, "", 0),
    "End": ("End", 35, "", 0),
    "PageUp": ("PageUp", 33, "", 0),
    "PageDown": ("PageDown", 34, "", 0),
    "ArrowLeft": ("ArrowLeft", 37, "", 0),
    "ArrowUp": ("ArrowUp", 38, "", 0),
    "ArrowRight": ("ArrowRight", 39, "", 0),
    "ArrowDown": ("ArrowDown", 40, "", 0),
    "CapsLock": ("CapsLock", 20, "", 0),
    "NumLock": ("NumLock", 144, "", 0),
    "ScrollLock": ("ScrollLock", 145, "", 0),
    "Pause": ("Pause", 19, "", 0),
    "PrintScreen": ("PrintScreen", 44, "", 0),
    "ContextMenu": ("ContextMenu", 93, "", 0),
    "Enter": ("Enter", 13, "\r", 0),
    "NumpadEnter": ("Enter", 13, "\r", 3),
    "Space": (" ", 32, " ", 0),
    "ShiftLeft": ("Shift", 16, "", 1),
    "ShiftRight": ("Shift", 16, "", 2),
    "ControlLeft": ("Control", 17, "", 1),
    "ControlRight": ("Control", 17, "", 2),
    "AltLeft": ("Alt", 18, "", 1),
    "AltRight": ("Alt", 18, "", 2),
    "MetaLeft": ("Meta", 91, "", 1),
    "MetaRight": ("Meta", 92, "", 2),
    "NumpadMultiply": ("*", 106, "*", 3),
    "NumpadAdd": ("+", 107, "+", 3),
    "NumpadSubtract": ("-", 109, "-", 3),
    "NumpadDecimal": (".", 110, ".", 3),
    "NumpadDivide": ("/", 111, "/", 3),
    **{f"F{n}": (f"F{n}", 111 + n, "", 0) for n in range(1, 25)},
    **{f"Numpad{n}": (str(n), 96 + n, str(n), 3) for n in range(10)},
}


@pytest.mark.parametrize(
    ("code", "plain", "shifted", "number"), WRITING_KEYS, ids=[row[0] for row in WRITING_KEYS]
)
def test_a_key_types_its_character_and_another_with_shift(
    code: str, plain: str, shifted: str, number: int
) -> None:
    lower, upper = require_key(plain), require_key(shifted)

    assert lower == Key(plain, code, number, plain)
    assert upper == Key(shifted, code, number, shifted)
    assert require_key(code) == find_key(plain) == lower
    assert find_key(shifted) == upper
    assert parse_chord(plain) == ([], lower)
    assert parse_chord(f"Shift+{code}") == ([require_key("Shift")], upper)
    assert (needs_shift(lower), needs_shift(upper)) == (False, True)


@pytest.mark.parametrize(("code", "facts"), OTHER_KEYS.items(), ids=OTHER_KEYS.keys())
def test_a_key_that_is_no_letter_sends_what_the_standard_says(
    code: str, facts: tuple[str, int, str, int]
) -> None:
    key = require_key(code)

    assert (key.key, key.number, key.text, key.location) == facts
    assert key.code == code
    assert key.keypad is (facts[3] == 3)
    assert not needs_shift(key)


def test_every_character_of_the_keyboard_has_one_key_and_no_other_has_any() -> None:
    typed = {c for c in map(chr, range(0x10000)) if find_key(c) is not None}

    assert typed == {*string.ascii_letters, *string.digits, *string.punctuation, *" \n\r"}


CHORDS = {
    "a chord of one modifier": ("Control+A", ["Control"], "a", "KeyA"),
    "small letters are the same": ("Control+a", ["Control"], "a", "KeyA"),
    "with Shift it is the capital": ("Control+Shift+k", ["Control", "Shift"], "K", "KeyK"),
    "a capital alone needs no chord": ("A", [], "A", "KeyA"),
    "Shift and a letter": ("Shift+a", ["Shift"], "A", "KeyA"),
    "Shift and a digit": ("Shift+1", ["Shift"], "!", "Digit1"),
    "Shift and an arrow": ("Shift+ArrowLeft", ["Shift"], "ArrowLeft", "ArrowLeft"),
    "all modifiers": ("Control+Alt+Meta+Shift+F5", ["Control", "Alt", "Meta", "Shift"], "F5", "F5"),
    "a modifier alone": ("Shift", [], "Shift", "ShiftLeft"),
    "a modifier as the last key": ("Control+Shift", ["Control"], "Shift", "ShiftLeft"),
    "plus alone": ("+", [], "+", "Equal"),
    "plus with a modifier": ("Control++", ["Control"], "+", "Equal"),
    "plus by name": ("Control+Plus", ["Control"], "+", "Equal"),
    "minus": ("Control+-", ["Control"], "-", "Minus"),
    "a code": ("Control+KeyA", ["Control"], "a", "KeyA"),
    "a key of the keypad": ("NumpadAdd", [], "+", "NumpadAdd"),
    "the right modifier": ("ControlRight+c", ["Control"], "c", "KeyC"),
    "space by its name": ("Space", [], " ", "Space"),
    "space by itself": (" ", [], " ", "Space"),
}


@pytest.mark.parametrize(("chord", "held", "key", "code"), CHORDS.values(), ids=CHORDS.keys())
def test_a_chord_is_modifiers_to_hold_and_a_key_to_press(
    chord: str, held: list[str], key: str, code: str
) -> None:
    modifiers, last = parse_chord(chord)

    assert [modifier.key for modifier in modifiers] == held
    assert all(modifier.key in MODIFIERS for modifier in modifiers)
    assert (last.key, last.code) == (key, code)


ALIASES = {
    "Ctrl": "Control", "ctrl": "Control", "CTRL": "Control", "control": "Control",
    "cmd": "Meta", "Command": "Meta", "Win": "Meta", "meta": "Meta",
    "Option": "Alt", "alt": "Alt", "shift": "Shift",
    "Esc": "Escape", "ESC": "Escape", "escape": "Escape",
    "Return": "Enter", "enter": "Enter", "tab": "Tab", "backspace": "Backspace",
    "Del": "Delete", "delete": "Delete", "Ins": "Insert",
    "Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight",
    "PgUp": "PageUp", "pgdn": "PageDown", "space": "Space", "f5": "F5",
}  # fmt: skip


@pytest.mark.parametrize(("name", "key"), ALIASES.items(), ids=ALIASES.keys())
def test_common_short_forms_are_understood(name: str, key: str) -> None:
    assert require_key(name) is require_key(key)
    assert parse_chord(f"Shift+{name}")[1].code == require_key(key).code


NOT_KEYS: dict[str, Any] = {
    "nothing": "",
    "no text": 13,
    "None": None,
    "a word": "Hello",
    "a letter that the keyboard lacks": "é",
    "an emoji": "\U0001f600",
    "a modifier with nothing to press": "Control+",
    "nothing before the plus": "+a",
    "a letter held like a modifier": "a+b",
    "an unknown modifier": "Hyper+a",
    "spaces around": "Control + a",
    "only pluses": "+++",
}


@pytest.mark.parametrize("chord", NOT_KEYS.values(), ids=NOT_KEYS.keys())
def test_what_is_no_key_is_refused_with_examples(chord: Any) -> None:
    with pytest.raises(InvalidParams) as caught:
        parse_chord(chord)

    assert caught.value.code == "invalid_params"


@settings(deadline=None)
@given(st.text(max_size=12))
def test_any_text_is_a_chord_or_refused_in_words(text: str) -> None:
    try:
        held, key = parse_chord(text)
    except InvalidParams:
        return
    assert all(modifier.key in MODIFIERS for modifier in held)
    assert key.code
