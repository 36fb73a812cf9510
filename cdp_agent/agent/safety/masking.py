"""Finds secret values in a text, however a page, an address or a log wrote them.

Values are compared by their letters and digits alone: spaces, punctuation, quoting, accents and
letter case may differ. A value with few of them is compared by all that is not white space. Parts
of a value count as well, from a length on at which they are no word of a language.
"""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import quote, quote_plus

#: Shorter values would be found everywhere, and masking them would garble the page.
SHORTEST = 4
#: Parts that are not the whole value count from this length on.
_PART = 8
#: The first characters of a value count from this length on, before a cut from `SHORTEST` on.
_START = 6
#: A part of letters alone may be a word of the page. From this length on it counts all the same.
_WORDS = 12
_START_WORDS = 10
#: More characters than this between two of a value, and they do not belong together.
_GAP = 6
_WIDEST_GAP = 80
#: The only ones between the characters of a short value.
_SPACERS = frozenset(("", " ", "\u00a0", "-", "_"))
_CUT = re.compile(r"[^\w\"']{0,2}(?:\.\.|…|[*•·●xX]{2})")
_MENTION = re.compile(r"\{\{\s*secret:\s*[A-Za-z0-9_.-]+\s*\}\}")
#: An element id: digits of a short value may stand in it by chance.
_ELEMENT_ID = re.compile(r"\d+-\d+")
_ID_LETTERS = frozenset("0123456789-")


@dataclass(frozen=True, slots=True)
class _Spelling:
    """One way to write a value, reduced to the characters that are compared."""

    name: str
    reduced: str
    is_alnum: bool
    gap: int
    lead: str = ""
    tail: str = ""


class Masker:
    """`mask` replaces every value by `{{secret:name}}`. Pure."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._spellings: list[_Spelling] = []
        for name, value in values.items():
            self._spellings.extend(_spellings(name, value))
        #: By kind of reduction and length of the first characters: where these occur in values.
        self._starts: dict[tuple[bool, int], dict[str, list[tuple[_Spelling, int]]]] = {}
        for spelling in self._spellings:
            self._add(spelling, 0, SHORTEST)
            for offset in range(1, len(spelling.reduced) - _PART + 1):
                self._add(spelling, offset, _START)

    def _add(self, spelling: _Spelling, offset: int, size: int) -> None:
        grams = self._starts.setdefault((spelling.is_alnum, size), {})
        grams.setdefault(spelling.reduced[offset : offset + size], []).append((spelling, offset))

    def mask(self, text: str) -> str:
        """The text with each value, or part of one, replaced by its name."""
        if not self._spellings or len(text) < SHORTEST:
            return text
        done, parts = 0, []
        for mention in _MENTION.finditer(text):  # our own words are not masked again
            parts += [self._masked(text[done : mention.start()]), mention[0]]
            done = mention.end()
        parts.append(self._masked(text[done:]))
        return "".join(parts)

    def finds(self, text: str) -> bool:
        return self.mask(text) != text

    def _masked(self, text: str) -> str:
        parts, done = [], 0
        for start, end, name in _joined(sorted(self._matches(text))):
            parts += [text[done:start], f"{{{{secret:{name}}}}}"]
            done = end
        return "".join((*parts, text[done:]))

    def _matches(self, text: str) -> Iterator[tuple[int, int, str]]:
        for is_alnum in {kind for kind, _ in self._starts}:
            reduced, positions = _reduced(text, is_alnum)
            sizes = {
                size: grams for (kind, size), grams in self._starts.items() if kind is is_alnum
            }
            for size, grams in sizes.items():
                at = 0
                while at <= len(reduced) - size:
                    longest = 0
                    for spelling, offset in grams.get(reduced[at : at + size], ()):
                        length = _common(text, reduced, positions, at, spelling, offset)
                        if length <= longest:
                            continue
                        found = reduced[at : at + length]
                        start, end = positions[at], positions[at + length - 1] + 1
                        if _counts(text, found, start, end, spelling, offset):
                            longest = length
                            yield _span(text, start, end, spelling, offset, length)
                    # Another value may begin with the last characters of this one.
                    at += max(1, longest - _PART)


def _common(
    text: str, reduced: str, positions: list[int], at: int, spelling: _Spelling, offset: int
) -> int:
    """The number of characters from `at` on that are the value's from `offset` on."""
    length, most = 0, min(len(reduced) - at, len(spelling.reduced) - offset)
    value = spelling.reduced
    while length < most and reduced[at + length] == value[offset + length]:
        if length:
            between = text[positions[at + length - 1] + 1 : positions[at + length]]
            if between and not _joins(between, spelling.gap):
                break
        length += 1
    return length


def _joins(between: str, gap: int) -> bool:
    """Returns whether characters of a value belong together with these between them."""
    if gap == 1:
        return between in _SPACERS
    # Each time that a text is quoted anew, backslashes double.
    signs = sum(not letter.isspace() and letter != "\\" for letter in between)
    return signs <= gap and len(between) <= _WIDEST_GAP


def _counts(text: str, found: str, start: int, end: int, spelling: _Spelling, offset: int) -> bool:
    """Returns whether so much of a value gives it away."""
    length = len(found)
    if length == len(spelling.reduced):
        return not _is_in_id(text, start, end)
    is_word = found.isalpha() and found.isascii()
    if offset:
        return length >= (_WORDS if is_word else _PART)
    if length >= (_START_WORDS if is_word else _START):
        return True
    return length >= SHORTEST and _CUT.match(text, end) is not None


def _is_in_id(text: str, start: int, end: int) -> bool:
    """Returns whether digits are an element id, in brackets or as the whole text."""
    first, last = start, end
    while first > 0 and text[first - 1] in _ID_LETTERS:
        first -= 1
    while last < len(text) and text[last] in _ID_LETTERS:
        last += 1
    if _ELEMENT_ID.fullmatch(text, first, last) is None:
        return False
    is_whole = first == 0 and last == len(text)
    return is_whole or (text[first - 1 : first] == "[" and text[last : last + 1] == "]")


def _span(
    text: str, start: int, end: int, spelling: _Spelling, offset: int, length: int
) -> tuple[int, int, str]:
    """The start and end of a match, with the value's own punctuation around it."""
    if offset == 0 and spelling.lead and text.endswith(spelling.lead, 0, start):
        start -= len(spelling.lead)
    is_end = offset + length == len(spelling.reduced)
    if is_end and spelling.tail and text.startswith(spelling.tail, end):
        end += len(spelling.tail)
    return start, end, spelling.name


def _joined(spans: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Spans that do not overlap: those that do are joined."""
    held: tuple[int, int, str] | None = None
    for span in spans:
        if held is None or span[0] >= held[1]:
            if held is not None:
                yield held
            held = span
        elif span[1] > held[1]:
            longer = span if span[1] - span[0] > held[1] - held[0] else held
            held = held[0], span[1], longer[2]
    if held is not None:
        yield held


def _reduced(text: str, is_alnum: bool) -> tuple[str, list[int]]:
    """The characters that are compared, and where each stands in the text."""
    keep = _is_letter if is_alnum else _is_mark
    if text.isascii():
        positions = [number for number, letter in enumerate(text) if keep(letter)]
        return "".join(text[number] for number in positions).lower(), positions
    letters, positions = [], []
    for number, letter in enumerate(text):
        for plain in _folded(letter):
            if keep(plain):
                letters.append(plain)
                positions.append(number)
    return "".join(letters), positions


def _folded(letter: str) -> str:
    return letter.lower() if letter.isascii() else unicodedata.normalize("NFKD", letter).casefold()


def _is_letter(letter: str) -> bool:
    return letter.isalnum()


def _is_mark(letter: str) -> bool:
    return not letter.isspace() and letter != "\\" and unicodedata.category(letter)[0] not in "MC"


def _spellings(name: str, value: str) -> Iterator[_Spelling]:
    """The value as pages, addresses, logs and files write it."""
    written = json.dumps(value)[1:-1]
    data = value.encode()
    ways = [
        value,
        *([value[::-1]] if len(value) >= _PART else ()),
        quote(value, safe=""),
        quote(quote(value, safe=""), safe=""),
        quote(value),
        quote_plus(value),
        html.escape(value),
        html.escape(html.escape(value)),
        written,
        json.dumps(value, ensure_ascii=False)[1:-1],
        json.dumps(written)[1:-1],
        repr(value)[1:-1],
        repr(written)[1:-1],
        data.hex(),
        *_by_number(value),
        *_in_base64(data),
    ]
    seen = set()
    for way in ways:
        spelling = _spelling(name, way)
        key = spelling.reduced, spelling.is_alnum
        if len(spelling.reduced) >= SHORTEST and key not in seen:
            seen.add(key)
            yield spelling


def _spelling(name: str, way: str) -> _Spelling:
    marks = _reduced(way, False)[0]
    letters, positions = _reduced(way, True)
    is_alnum = len(letters) >= SHORTEST and len(letters) * 10 >= len(marks) * 6
    if not is_alnum:
        return _Spelling(name, marks if len(marks) >= SHORTEST else way.lower(), False, _GAP)
    run = max(after - before for before, after in pairwise(positions)) - 1
    gap = max(_GAP, 2 * run + 2)
    if len(letters) < _PART and run == 0:
        gap = 1  # a few digits would be found everywhere
    return _Spelling(name, letters, True, gap, way[: positions[0]], way[positions[-1] + 1 :])


_NUMBERED: tuple[Callable[[int], str], ...] = (
    lambda code: f"&#{code};",
    lambda code: f"&#x{code:x};",
    lambda code: f"\\u{code:04x}",
    lambda code: f"\\x{code:02x}",
    lambda code: f"{code} ",
)


def _by_number(value: str) -> Iterator[str]:
    """Each character by its number, or only those beside letters and digits."""
    for write in _NUMBERED:
        yield "".join(write(ord(letter)) for letter in value)
        yield "".join(letter if letter.isalnum() else write(ord(letter)) for letter in value)


def _in_base64(data: bytes) -> Iterator[str]:
    """Also from the middle of a longer text, which begins at any of three places."""
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + data).decode().rstrip("=")
        # Characters at the ends hold bits of what stands beside the value.
        first = (shift * 8 + 5) // 6
        last = ((shift + len(data)) * 8) // 6
        inner = whole[first:last]
        yield inner
        yield inner.replace("+", "-").replace("/", "_")
