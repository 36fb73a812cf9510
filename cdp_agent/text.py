"""Page text made safe to quote: one line, no control or bidi characters, a bounded length."""

from __future__ import annotations

import re

MASKED_PASSWORD = "•••"

#: Controls, zero-width and bidirectional marks, soft hyphens, tags, unpaired surrogates: they carry
#: no meaning for a reader and could make a line look like something it is not.
_REMOVED = re.compile(
    "[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPACES = re.compile(r"[\s\u0085\u2028\u2029]+")


def one_line(text: str, limit: int) -> str:
    """Fold white space, strip what cannot be seen, cut at `limit` with `...`.

    Joiners inside emoji are kept: they are part of the character.
    """
    if not text:
        return ""
    if not (text.isascii() and text.isprintable()):
        size = limit * 4 + 64
        while True:
            folded = _SPACES.sub(" ", _REMOVED.sub(_keep_joiner, text[:size])).strip()
            if len(folded) > limit or size >= len(text):
                return cut(folded, limit)
            size *= 4
    elif "  " in text:
        text = _SPACES.sub(" ", text)
    return cut(text.strip(), limit)


def cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + "..."


def _keep_joiner(match: re.Match[str]) -> str:
    if match[0] != "\u200d":
        return ""
    before = match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    return match[0] if before > "\u2000" and after > "\u2000" else ""


def quoted(text: str) -> str:
    """In double quotes, with those inside escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
