"""Snapshot texts as the policies of MiniWoB++ read them."""

from __future__ import annotations

from scripts.bench.wob.view import View, read_ours


def test_the_shapes_of_one_line_are_elements_of_their_own() -> None:
    text = 'graphics-symbol [0-94] hint="rect" [0-95] hint="a \\"[b]" [0-96] focused'

    shapes = View(read_ours(text))

    assert [line.ref for line in shapes] == ["0-94", "0-95", "0-96"]
    assert [line.ref for line in shapes.hinted("rect")] == ["0-94"]


def test_the_texts_of_one_line_are_texts_of_their_own() -> None:
    assert View(read_ours(' text "Total:" "5" "of [0-1]"')).texts() == ["Total:", "5", "of [0-1]"]


def test_one_text_keeps_what_stands_behind_it() -> None:
    (line,) = read_ours('text "Draft" hidden')

    assert (line.name, line.rest) == ("Draft", " hidden")
