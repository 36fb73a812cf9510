"""One Chromium and one site for the run, a clean tab for each test, and a session of our own."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

import cdp_agent
from cdp_agent import Browser, Page
from tests.conftest import FAILED
from tests.support.devtools import devtools_port_and_path
from tests.support.leaks import LeakCheck
from tests.support.oracle import Oracle, PageOracle
from tests.support.page_oracles import PageOracles
from tests.support.site import Site
from tests.support.stage import MakeStage, OpenPage, Stage
from tests.support.tabs import Tabs

HERE = Path(__file__).parent
BROWSER_ARGS = (
    "--host-resolver-rules=MAP *.test 127.0.0.1",
    "--site-per-process",
    # The engine talks through its pipe; the port is for the tests' own session.
    "--remote-debugging-port=0",
    "--window-size=800,600",
    # Without toolbars, which are laid out and painted anew at each navigation: a sixth of its cost.
    "--start-fullscreen",
)


# A test that asks for one of these begins by opening a page.
_OPENS = {"open_page", "make_stage"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def leak_check(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[LeakCheck | None]:
    """Outermost: set up before the site and the browser, asked after both are closed."""
    tmp_path_factory.getbasetemp()  # pytest's own folder is made before ours is the system's
    if sys.platform != "linux":
        yield None
        return
    check = LeakCheck()
    try:
        yield check
        leftovers = await check.leftovers()
    finally:
        check.close()
    assert not leftovers, "left behind by the run:\n" + "\n".join(leftovers)


@pytest.fixture(scope="session")
def site(leak_check: LeakCheck | None) -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(leak_check: LeakCheck | None) -> AsyncIterator[Browser]:
    async with cdp_agent.launch(headless=True, args=BROWSER_ARGS) as browser:
        yield browser
        if leak_check is not None:
            leak_check.see()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser_oracle(request: pytest.FixtureRequest, browser: Browser) -> AsyncIterator[Oracle]:
    """The tests' own WebSocket to the same browser."""
    assert browser.user_data_dir is not None
    port, path = devtools_port_and_path(browser)
    oracle = await Oracle.open(f"ws://127.0.0.1:{port}{path}")
    if (rate := request.config.getoption("--cpu-rate")) > 1:
        await oracle.slow_down(rate)
    yield oracle
    await oracle.aclose()


@pytest.fixture(scope="session")
def page_oracles(browser_oracle: Oracle) -> PageOracles:
    return PageOracles(browser_oracle)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def tabs(browser: Browser) -> AsyncIterator[Tabs]:
    async with Tabs(browser) as tabs:
        yield tabs


@pytest_asyncio.fixture(loop_scope="session")
async def page(
    request: pytest.FixtureRequest, tabs: Tabs, page_oracles: PageOracles
) -> AsyncIterator[Page]:
    """A tab as if just opened; what a test leaves in it, no other test finds.

    A test marked `fresh_tab` gets one that was never used, and it is closed afterwards.
    """
    if "oracle" not in request.fixturenames:
        await page_oracles.detach()
    fresh = request.node.get_closest_marker("fresh_tab") is not None
    page = await tabs.take(fresh=fresh, opens=not _OPENS.isdisjoint(request.fixturenames))
    yield page
    tabs.give_back(page, keep=not fresh and not request.node.stash.get(FAILED, False))


@pytest_asyncio.fixture(loop_scope="session")
async def oracle(page: Page, page_oracles: PageOracles) -> AsyncIterator[PageOracle]:
    page_oracle = await page_oracles.attach(page.target_id)
    yield page_oracle
    await page_oracles.give_back(page_oracle)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for the test's own files. Unlike `tmp_path` it is gone after the test."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@pytest.fixture
def open_page(page: Page, site: Site) -> OpenPage:
    """`await open_page(html, **options of Site.page)`: the page shows it; gives its URL."""

    async def open_page(html: str, **options: Any) -> str:
        url = site.page(html, **options)
        await page.goto(url)
        return url

    return open_page


@pytest.fixture
def make_stage(page: Page, oracle: PageOracle, site: Site) -> MakeStage:
    """`await make_stage(html, frame_kind)`: see `tests.support.stage`."""

    async def make_stage(
        html: str, frame_kind: str = "main", *, outer: str = "", **options: Any
    ) -> Stage:
        return await Stage.set(page, oracle, site, html, frame_kind, outer, **options)

    return make_stage
