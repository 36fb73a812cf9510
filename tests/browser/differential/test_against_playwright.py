"""Both engines do the same thing to the same page: the page must not be able to tell them apart."""

from __future__ import annotations

import difflib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from cdp_agent.chromium.find import find_browser
from tests.browser.conftest import BROWSER_ARGS
from tests.browser.differential.differences import difference_in
from tests.browser.differential.drivers import act_by_playwright, act_by_us
from tests.browser.differential.situations import WHOLE_LOG, Situation, situations
from tests.support.leaks import LeakCheck
from tests.support.site import Site
from tests.support.stage import AROUND, HOSTS, MakeStage

if TYPE_CHECKING:
    from playwright.async_api import Page as PlaywrightPage

SITUATIONS = list(situations())


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def their_page(leak_check: LeakCheck | None) -> AsyncIterator[PlaywrightPage]:
    """One page of one browser for all situations, in the Chromium that we use ourselves."""
    playwright = pytest.importorskip(
        "playwright.async_api", reason="Playwright is not installed: scripts/setup dev brings it"
    )
    async with playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(
            executable_path=str(find_browser()),
            args=[one for one in BROWSER_ARGS if "debugging" not in one],
        )
        page = await browser.new_page(viewport={"width": 800, "height": 600})
        yield page
        await browser.close()


def seconds_for(one: Situation) -> float:
    return 0.6 if one.refused else 10


async def by_playwright(page: PlaywrightPage, site: Site, one: Situation) -> tuple[bool, list[str]]:
    url = site.page(one.html, host=HOSTS[one.frame_kind])
    in_frame = one.frame_kind != "main"
    await page.goto(site.page(AROUND.format(url=url, outer="")) if in_frame else url)
    frame = page.frame(name="stage") if in_frame else page.main_frame
    assert frame is not None
    if one.meanwhile:
        await frame.evaluate(f"() => {{ {one.meanwhile} }}")
    done = await act_by_playwright(frame.locator("#target"), one.action, seconds_for(one))
    return done, list(await frame.evaluate(WHOLE_LOG))


async def by_us(make_stage: MakeStage, one: Situation) -> tuple[bool, list[str]]:
    stage = await make_stage(one.html, one.frame_kind)
    target = await stage.js(one.node)
    if one.meanwhile:
        await stage.eval(f"(() => {{ {one.meanwhile} }})()")
    done = await act_by_us(stage.page, target, one.action, seconds_for(one))
    return done, list(await stage.eval(WHOLE_LOG))


def test_there_are_enough_situations() -> None:
    assert len(SITUATIONS) >= 60
    assert len({one.name for one in SITUATIONS}) == len(SITUATIONS)


@pytest.mark.parametrize(
    "one",
    [pytest.param(one, id=one.name) for one in SITUATIONS],
)
async def test_a_page_cannot_tell_the_two_apart(
    their_page: PlaywrightPage, make_stage: MakeStage, site: Site, one: Situation
) -> None:
    theirs = await by_playwright(their_page, site, one)
    ours = await by_us(make_stage, one)

    known = difference_in(one.name)
    if known is not None:
        theirs = known.apply(theirs)
    assert ours[0] == theirs[0]
    assert known is not None or ours[0] == (not one.refused)
    assert ours[1] == theirs[1], "\n".join(difflib.ndiff(theirs[1], ours[1]))
