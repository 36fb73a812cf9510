"""Page text made safe to quote: no control or bidi characters, a bounded length."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

MASKED_PASSWORD = "•••"

#: Controls, zero-width and bidirectional marks, soft hyphens, variation selectors, fillers, tags,
#: unpaired surrogates: they carry no meaning for a reader and could make a line look like
#: something it is not, or spell words that a person does not see.
_UNSAFE = (
    "\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff"
)
#: Private-use characters: the glyphs of icon fonts, which mean nothing outside their font.
_GLYPHS = "\ue000-\uf8ff\U000f0000-\U0010ffff"
_REMOVED = re.compile(f"[{_UNSAFE}{_GLYPHS}]")
_REMOVED_FROM_LINES = re.compile(f"[{_UNSAFE}]")
#: The same in JSON, where an escape keeps them; line ends as well.
_ESCAPED = re.compile(f"[{_UNSAFE}\u0085\u2028\u2029]")
_SPACES = re.compile(r"[\s\u0085\u2028\u2029]+")
_LINE_END = re.compile("\r\n|[\r\v\f\u0085\u2028\u2029]")
_WIDE_SPACE = re.compile(r"[^\S\n\t ]")
#: How the characters that a line cannot hold are written inside quotes.
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"})


def one_line(text: str, limit: int) -> str:
    """Fold white space, strip what cannot be seen or read, cut at `limit` with `...`.

    Glyphs of icon fonts are stripped as well. Joiners and one selector inside emoji are kept: they
    are part of the character.
    """
    if not text:
        return ""
    if not (text.isascii() and text.isprintable()):
        size = limit * 4 + 64
        while True:
            folded = _SPACES.sub(" ", _REMOVED.sub(_keep_emoji, text[:size])).strip()
            if len(folded) > limit or size >= len(text):
                return cut(folded, limit)
            size *= 4
    elif "  " in text:
        text = _SPACES.sub(" ", text)
    return cut(text.strip(), limit)


def kept_lines(text: str, limit: int) -> str:
    """The text with its lines, tabs and indentation, otherwise as safe as `one_line`.

    For what somebody typed: glyphs of icon fonts stay.
    """
    size = limit * 4 + 64
    while True:
        lines = _REMOVED_FROM_LINES.sub(_keep_emoji, _LINE_END.sub("\n", text[:size]))
        if len(lines) > limit or size >= len(text):
            return cut(_WIDE_SPACE.sub(" ", lines), limit)
        size *= 4


def cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + "..."


def _keep_emoji(match: re.Match[str]) -> str:
    before = match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    if match[0] in "\ufe0e\ufe0f":
        return match[0] if _is_symbol(before) else ""
    if match[0] != "\u200d":
        return ""
    return match[0] if before > "\u2000" and after > "\u2000" else ""


def _is_symbol(letter: str) -> bool:
    return letter in "#*0123456789" if letter < "\u0080" else unicodedata.category(letter) == "So"


def json_text(value: Any, *, indent: int | None = None) -> str:
    """JSON that is safe to show: characters that `one_line` removes are escapes."""
    text = json.dumps(value, ensure_ascii=False, default=str, indent=indent)
    return _ESCAPED.sub(lambda match: json.dumps(match[0])[1:-1], text)


def quoted(text: str) -> str:
    """The text in double quotes; quotes, backslashes, line ends and tabs are escaped."""
    return f'"{text.translate(_ESCAPES)}"'
