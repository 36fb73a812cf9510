"""Page text on its way into a line: visible, on one line, of bounded length, and all there."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given, settings, strategies as st

from cdp_agent.text import cut, json_text, kept_lines, one_line, quoted

TEXTS = {
    "plain": ("Save", "Save"),
    "empty": ("", ""),
    "blank": (" \t\n ", ""),
    "spaces are folded": ("a  b   c", "a b c"),
    "lines are folded": (" Two\n  lines ", "Two lines"),
    "all kinds of line ends": ("a\r\nb\x0bc\x0cd\x85e\u2028f\u2029g", "a b c d e f g"),
    "a space that does not break is a space": ("1\u00a0000", "1 000"),
    "spaces of other widths": ("a\u2003b\u3000c", "a b c"),
    "control characters": ("a\x00b\x07c\x1b[2Kd\x7fe\x9ff", "abc[2Kdef"),
    "marks of direction": ("\u202eabc\u202c\u2066def\u2069\u200e\u200f\u061c", "abcdef"),
    "characters without width": ("a\u200bb\u200cc\u2060d\ufeffe", "abcde"),
    "soft hyphens": ("Donau\u00addampf", "Donaudampf"),
    "tags, which spell unseen words": ("hi\U000e0049\U000e0067\U000e006e", "hi"),
    "halves of characters": ("a\ud83db\udc00c", "abc"),
    "notes between lines": ("a\ufff9b\ufffac\ufffb", "abc"),
    "a joiner between letters": ("a\u200db", "ab"),
    "a joiner at the edges": ("\u200da\u200d", "a"),
    "a family keeps its joiners": (
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    ),
    "a heart on fire": ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
    "selectors that spell unseen words": ("hi\ufe01\ufe0f\U000e0141", "hi"),
    "selectors in a row": ("\u2764\ufe0f\ufe0f\ufe0e", "\u2764\ufe0f"),
    "fillers that look like nothing": ("a\u3164\u115f\u1160\uffa0\u2800\u034fb", "ab"),
    "glyphs of an icon font": ("\uf0c9 info \U000f0001\U0010fffd", "info"),
    "nothing but a glyph": ("\ue900", ""),
    "other scripts": ("שלום مرحبا 你好", "שלום مرحبا 你好"),
    "accents that are marks of their own": ("e\u0301", "e\u0301"),
    "quotes and backslashes stay": ('"\\', '"\\'),
}


@pytest.mark.parametrize(("given_text", "wanted"), TEXTS.values(), ids=TEXTS.keys())
def test_a_text_becomes_one_visible_line(given_text: str, wanted: str) -> None:
    assert one_line(given_text, 200) == wanted


def test_json_on_a_terminal_is_whole_and_harmless() -> None:
    value = {"a": "\u202eb\x9b31m\x1b[2K\u2028\ud83d\U000e0041\ufe01c ä"}

    text = json_text(value)

    assert json.loads(text) == value
    assert "ä" in text
    assert all(letter.isprintable() for letter in text)


KEPT = {
    "lines and indentation": ("a\n  b\n\tc", "a\n  b\n\tc"),
    "all kinds of line ends": ("a\r\nb\rc\x0bd\x85e\u2028f", "a\nb\nc\nd\ne\nf"),
    "control characters and marks of direction": ("a\x1b[2Kb\u202ec\x00", "a[2Kbc"),
    "spaces of other widths": ("a\u00a0b\u3000c", "a b c"),
    "what somebody typed": ("\uf0c9", "\uf0c9"),
    "longer than the limit": ("line\n" * 10, "line\nline\nline\nline\n..."),
}


@pytest.mark.parametrize(("given_text", "wanted"), KEPT.values(), ids=KEPT.keys())
def test_a_text_may_keep_its_lines(given_text: str, wanted: str) -> None:
    assert kept_lines(given_text, 20) == wanted


def test_a_kept_text_is_read_beyond_what_is_removed() -> None:
    assert kept_lines("\u200b" * 3_000 + "important", 20) == "important"


CUTS = {
    "shorter": ("abc", 5, "abc"),
    "as long": ("abcde", 5, "abcde"),
    "longer": ("abcdef", 5, "abcde..."),
    "other scripts": ("äöüßéè", 5, "äöüßé..."),
    "blanks do not count": ("  abcde  ", 5, "abcde"),
    "nor what is removed": ("a\u200bb\u200bc\u200bd\u200be", 5, "abcde"),
    "nor what is folded": ("a \n b \n c", 5, "a b c"),
}


@pytest.mark.parametrize(("given_text", "limit", "wanted"), CUTS.values(), ids=CUTS.keys())
def test_a_text_is_cut_at_what_is_seen_of_it_with_a_mark(
    given_text: str, limit: int, wanted: str
) -> None:
    assert one_line(given_text, limit) == wanted


LONG = {
    "after many line ends": "é" + "\n" * 3_000 + "important",
    "after many characters without width": "é" + "\u200b" * 3_000 + "important",
    "after many blanks": "é" + " " * 3_000 + "important",
    "after many plain blanks": "e" + " " * 3_000 + "important",
}


@pytest.mark.parametrize("given_text", LONG.values(), ids=LONG.keys())
def test_what_is_left_out_is_never_left_out_in_silence(given_text: str) -> None:
    shown = one_line(given_text, 200)

    assert "important" in shown or shown.endswith("...")


def test_a_text_of_megabytes_is_cut_like_any_other() -> None:
    assert one_line("ä" * 5_000_000, 10) == "ä" * 10 + "..."
    assert one_line("a" * 5_000_000, 10) == "a" * 10 + "..."


@settings(deadline=None)
@given(st.text(max_size=30), st.integers(1, 20))
def test_no_line_end_control_or_direction_mark_is_left(given_text: str, limit: int) -> None:
    shown = one_line(given_text, limit)

    assert len(shown) <= limit + 3
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert not {unicodedata.bidirectional(c) for c in shown} & {
        "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
    }  # fmt: skip
    assert "  " not in shown
    assert shown == shown.strip()


QUOTES = {
    "plain": ("Save", '"Save"'),
    "empty": ("", '""'),
    "a quote": ('say "hi"', '"say \\"hi\\""'),
    "a backslash": ("C:\\", '"C:\\\\"'),
    "a backslash before a quote": ('\\"', '"\\\\\\""'),
    "a single quote needs nothing": ("it's", '"it\'s"'),
    "a line end and a tab": ("a\n\tb", '"a\\n\\tb"'),
    "a backslash before an n": ("a\\n", '"a\\\\n"'),
}


@pytest.mark.parametrize(("given_text", "wanted"), QUOTES.values(), ids=QUOTES.keys())
def test_quotes_inside_are_told_from_those_around(given_text: str, wanted: str) -> None:
    assert quoted(given_text) == wanted


def test_cutting_alone_leaves_the_text_as_it_is() -> None:
    assert cut("a  b", 10) == "a  b"
    assert cut("a  b", 2) == "a ..."
