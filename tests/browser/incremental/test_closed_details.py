"""What is put away (closed details, `content-visibility: hidden`) is not there to be used."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.fresh_snapshot import fields, fresh_snapshot
from tests.support.site import Site

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
