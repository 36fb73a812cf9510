"""The US keyboard: what each key sends. Pure.

A key may be named as the DOM names it (`Enter`, `ArrowLeft`, `a`, `F5`), by its code (`KeyA`,
`Digit1`) or by a common short form (`Esc`, `Ctrl`). A chord joins keys with `+`: `Control+Shift+K`.
"""

from __future__ import annotations

from dataclasses import dataclass

from cdp_agent.errors import InvalidParams

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}

ALIASES = {
    "ctrl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "win": "Meta",
    "option": "Alt",
    "esc": "Escape",
    "return": "Enter",
    "del": "Delete",
    "ins": "Insert",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "space": "Space",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "plus": "+",
}


@dataclass(frozen=True, slots=True)
class Key:
    """`text` is what it types; empty for keys that type nothing."""

    key: str
    code: str
    number: int
    text: str = ""
    location: int = 0
    keypad: bool = False


_NAMED = {
    "Escape": 27,
    "Tab": 9,
    "Backspace": 8,
    "Delete": 46,
    "Insert": 45,
    "Home": 36,
    "End": 35,
    "PageUp": 33,
    "PageDown": 34,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "CapsLock": 20,
    "NumLock": 144,
    "ScrollLock": 145,
    "Pause": 19,
    "PrintScreen": 44,
    "ContextMenu": 93,
    **{f"F{number}": 111 + number for number in range(1, 25)},
}
#: Code, number, character, character with Shift.
_PUNCTUATION = (
    ("Backquote", 192, "`", "~"),
    ("Minus", 189, "-", "_"),
    ("Equal", 187, "=", "+"),
    ("BracketLeft", 219, "[", "{"),
    ("BracketRight", 221, "]", "}"),
    ("Backslash", 220, "\\", "|"),
    ("Semicolon", 186, ";", ":"),
    ("Quote", 222, "'", '"'),
    ("Comma", 188, ",", "<"),
    ("Period", 190, ".", ">"),
    ("Slash", 191, "/", "?"),
)
_KEYPAD = (
    ("Multiply", 106, "*"),
    ("Add", 107, "+"),
    ("Subtract", 109, "-"),
    ("Decimal", 110, "."),
    ("Divide", 111, "/"),
)


def _writing_keys() -> tuple[dict[str, Key], dict[str, Key]]:
    """The keys that type a character, by code and character; with Shift by code."""
    rows = [(f"Key{c.upper()}", ord(c.upper()), c, c.upper()) for c in "abcdefghijklmnopqrstuvwxyz"]
    digits = zip("1234567890", "!@#$%^&*()", strict=True)
    rows += [(f"Digit{digit}", ord(digit), digit, shifted) for digit, shifted in digits]
    rows += _PUNCTUATION
    keys: dict[str, Key] = {}
    with_shift: dict[str, Key] = {}
    for code, number, plain, shifted in rows:
        keys[code] = keys[plain] = Key(plain, code, number, plain)
        keys[shifted] = with_shift[code] = Key(shifted, code, number, shifted)
    return keys, with_shift


def _table() -> tuple[dict[str, Key], dict[str, Key]]:
    keys, with_shift = _writing_keys()
    keys |= {name: Key(name, name, number) for name, number in _NAMED.items()}
    keys["Enter"] = keys["\n"] = keys["\r"] = Key("Enter", "Enter", 13, "\r")
    keys["NumpadEnter"] = Key("Enter", "NumpadEnter", 13, "\r", 3, True)
    keys["Space"] = keys[" "] = Key(" ", "Space", 32, " ")
    for name, number in (("Shift", 16), ("Control", 17), ("Alt", 18), ("Meta", 91)):
        keys[name] = keys[f"{name}Left"] = Key(name, f"{name}Left", number, location=1)
        right = 92 if name == "Meta" else number
        keys[f"{name}Right"] = Key(name, f"{name}Right", right, location=2)
    pad = [(digit, 96 + int(digit), digit) for digit in "0123456789"]
    for name, number, text in (*pad, *_KEYPAD):
        keys[f"Numpad{name}"] = Key(text, f"Numpad{name}", number, text, 3, True)
    return keys, with_shift


_KEYS, _SHIFTED = _table()


def find_key(character: str) -> Key | None:
    """The key that types a character, or None where the US keyboard has none."""
    return _KEYS.get(character)


def needs_shift(key: Key) -> bool:
    return _SHIFTED.get(key.code) is key


def require_key(name: str) -> Key:
    """Raises: InvalidParams."""
    key = _KEYS.get(name) or _KEYS.get(ALIASES.get(name.lower(), ""))
    if key is None:
        key = _KEYS.get(name[:1].upper() + name[1:]) or _KEYS.get(name.lower())
    if key is None:
        raise InvalidParams(
            f"there is no key {name!r}",
            hint="Examples: Enter, Tab, Escape, ArrowDown, PageDown, F5, a, Control+A, Shift+Tab.",
        )
    return key


def parse_chord(chord: str) -> tuple[list[Key], Key]:
    """`Control+Shift+K` as the modifiers to hold and the key to press.

    Raises:
        InvalidParams: a part is not a key, or one before the last is not a modifier.
    """
    if not isinstance(chord, str) or not chord:
        raise InvalidParams("press needs a key", hint="For example Enter or Control+A.")
    if chord in _KEYS:
        return [], _KEYS[chord]
    parts = chord.split("+")
    if chord.endswith("++"):
        parts = [*parts[:-2], "+"]
    *held, last = [require_key(part) for part in parts]
    for key in held:
        if key.key not in MODIFIERS:
            raise InvalidParams(f"{key.key!r} in {chord!r} is not a modifier")
    if any(key.key == "Shift" for key in held):
        last = _SHIFTED.get(last.code, last)
    elif held and len(last.key) == 1 and last.key.isupper():
        last = _KEYS[last.code]  # Control+A is A without Shift
    return held, last
