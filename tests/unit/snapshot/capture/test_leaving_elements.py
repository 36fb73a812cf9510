"""Elements that left the page between two commands of one capture are not listed."""

from __future__ import annotations

import pytest

from tests.unit.pages import El, el, lines_of, text

#: Rendered when layout was captured; the accessibility tree, which came later, has none of them.
LEFT: dict[str, El] = {
    "a button": El("", tag="button", cursor="pointer", attrs={"title": "Delete this tiddler"}),
    "an icon in a button": El(
        "", children=(El("", tag="button", children=(El("", tag="i", cursor="pointer"),)),)
    ),
    "an icon beside words": El(
        "", children=(El("", "Edit", tag="#text"), El("", tag="i", cursor="pointer"))
    ),
    "a link deep in a view": El(
        "", children=(El("", children=(El("", tag="a", cursor="pointer", listens=True),)),)
    ),
}


@pytest.mark.parametrize("left", LEFT.values(), ids=LEFT.keys())
def test_what_the_tree_would_have_if_it_were_there_is_not_listed(left: El) -> None:
    assert lines_of(*[el("heading", "News", text("News")), left]) == ['heading "News"']


def test_an_icon_that_the_tree_never_has_is_listed() -> None:
    icon = El("", tag="i", cursor="pointer", attrs={"title": "Delete"})

    assert lines_of(*[el("heading", "News", text("News")), icon])[1:] == ['[0-6] generic "Delete"']
