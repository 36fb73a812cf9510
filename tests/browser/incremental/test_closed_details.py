"""Closed details and `content-visibility: hidden`: their content is not offered."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.fresh_snapshot import fields, fresh_snapshot
from tests.support.site import Site
from tests.support.stage import OpenPage

_STYLE = "<style>.hand{cursor:pointer} .away{content-visibility:hidden}</style>"
_INSIDE = "<a class=hand id=inner><svg width=20 height=20></svg></a><b onclick='x()'>bold</b>"
PLACES = {
    "closed details": f"<details><summary>More</summary><div>{_INSIDE}</div></details>",
    "second summary": f"<details><summary>More</summary><summary>{_INSIDE}</summary></details>",
    "until found": f"<p>More</p><div hidden=until-found>{_INSIDE}</div>",
    "put away": f"<p>More</p><div class=away>{_INSIDE}</div>",
}


@pytest.mark.parametrize("place", PLACES)
async def test_what_is_put_away_is_not_listed_whatever_was_measured_before(
    page: Page, site: Site, place: str
) -> None:
    await page.goto(site.page(_STYLE + PLACES[place]))
    first = await page.snapshot()
    # From then on it has boxes, which nobody sees.
    await page.evaluate("inner.getBoundingClientRect().width")
    second = await fresh_snapshot(page)
    for seen in (first, second):
        assert [e.tag for e in seen.elements if e.tag in ("a", "b")] == []
    assert fields(first) == fields(second)


async def test_what_is_shown_again_is_listed(page: Page, site: Site) -> None:
    await page.goto(site.page(_STYLE + PLACES["closed details"]))
    seen = await page.snapshot()
    await page.click(seen.find("button", "More").id)
    assert [e.tag for e in (await page.snapshot()).elements if e.tag == "a"] == ["a"]


async def test_a_control_that_is_left_out_of_layout_is_in_every_snapshot(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(
        "<h1>Order</h1><div style='height:5000px'></div>"
        "<div style='content-visibility:auto;contain-intrinsic-size:1px 500px'>"
        "<button>Send</button></div>"
    )
    first = (await page.snapshot()).find("button", "Send")

    # A script that reads its style gives it a box without a place.
    await page.evaluate("getComputedStyle(document.querySelector('button')).display")

    assert (await page.snapshot()).find("button", "Send").id == first.id
