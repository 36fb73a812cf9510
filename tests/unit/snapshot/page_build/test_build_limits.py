"""Lines of long names, long values and deep trees."""

from __future__ import annotations

from tests.unit.pages import button, el, lines_of, text, textbox, wrapper


def test_a_long_name_is_cut_with_a_mark() -> None:
    lines = lines_of(button("x" * 50), max_name_length=10)

    assert lines[0] == f'[0-4] button "{"x" * 10}..."'


def test_a_text_at_which_a_name_was_cut_goes_on_there() -> None:
    words = "abcdefghijklmnopqrstuvwxyz"
    page = el("link", words, text(words), tag="a")

    assert lines_of(page, max_name_length=20) == [
        f'[0-4] link "{words[:20]}..."',
        f' text "...{words[20:]}"',
    ]


def test_a_long_value_is_cut_and_says_how_long_it_is() -> None:
    page = textbox("Note", "line\n" * 400)

    (line,) = lines_of(page)

    assert line.endswith('line\\n..." (cut, 2,000 characters)')
    assert len(line) < 700


def test_a_page_nested_beyond_pythons_recursion_is_walked() -> None:
    page = button("Deep")
    for _ in range(3_000):
        page = wrapper(page)

    assert lines_of(page) == ['[0-3004] button "Deep"']
