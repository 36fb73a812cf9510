"""Waiting answers the line that has the text, and on request only one that is new."""

from __future__ import annotations

import pytest

from cdp_agent import ActionTimeout, CdpAgentError, Page
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_line_that_has_the_text_is_answered(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<h1>Orders</h1><p>Order <b>12</b>  was SAVED today</p>", frame_kind)

    outcome = await stage.page.wait_for(text=["saved", "orders"])

    assert outcome.data["lines"] == ["Order 12 was SAVED today", "Orders"]


async def test_a_text_over_several_lines_is_answered_with_what_is_around_it(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<p>First, all</p><p>is well, last</p>")

    outcome = await page.wait_for(text="all is well")

    assert outcome.data["lines"] == ["First, all is well, last"]


async def test_a_new_text_is_none_that_was_there_before(page: Page, open_page: OpenPage) -> None:
    await open_page("<p>Saved 0</p>")
    with pytest.raises(ActionTimeout) as late:
        await page.wait_for(text="Saved", new=True, timeout=0.5)
    assert "'Saved' (no new one)" in late.value.message
    assert "shown already when the wait began" in late.value.hint

    await open_page(
        "<p>Saved 0</p><script>let n = 0; setInterval(() => document.body.insertAdjacentHTML("
        "'beforeend', `<p>Saved ${++n}</p>`), 100)</script>"
    )
    [line] = (await page.wait_for(text="Saved", new=True)).data["lines"]
    assert line != "Saved 0"


async def test_a_text_that_went_away_and_comes_back_is_new(page: Page, open_page: OpenPage) -> None:
    await open_page(
        "<p id=note>Saved</p><script>setInterval(() => note.hidden = !note.hidden, 200)</script>"
    )

    assert (await page.wait_for(text="Saved", new=True)).data["lines"] == ["Saved"]


async def test_new_may_count_from_an_earlier_moment(page: Page, open_page: OpenPage) -> None:
    await open_page("<p>Saved 1</p><p id=said></p>")
    before = await page.lines_with(["Saved"])
    await page.evaluate("said.textContent = 'Saved 2'")

    assert (await page.wait_for(text="Saved", new=before)).data["lines"] == ["Saved 2"]
    with pytest.raises(ActionTimeout):
        await page.wait_for(text="Saved 1", new=await page.lines_with(["Saved 1"]), timeout=0.3)


async def test_the_same_text_in_another_document_is_new(
    page: Page, open_page: OpenPage, site: Site
) -> None:
    there = site.page("<p>Saved</p>", path="/waiting/new.html")
    await open_page("<p>Saved</p>")
    await page.evaluate(f"void setTimeout(() => location.href = {there!r}, 1000)")

    outcome = await page.wait_for(text="Saved", new=True)

    assert outcome.navigated == there


async def test_new_without_a_text_is_refused(page: Page, open_page: OpenPage) -> None:
    await open_page("<p>Saved</p>")
    with pytest.raises(CdpAgentError) as caught:
        await page.wait_for(quiet=True, new=True)
    assert caught.value.code == "invalid_params"
