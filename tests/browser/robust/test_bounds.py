"""Calls end in time also where a page stops answering on the way: during, after, in a part of it.

The bounds here catch a call that hangs, not a slow machine: the rule is the timeout and one second
more, and whoever breaks it waits for the thirty seconds of a command.
"""

from __future__ import annotations

import asyncio

import pytest
import pytest_asyncio

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.site import Request, Response, Site
from tests.support.stage import OpenPage

BOUND = 8
#: While a request that is not asynchronous is under way, the page answers nobody.
HANG = """<script>onmessage = () => {
  const request = new XMLHttpRequest();
  request.open('GET', '/hangs-now', false);
  request.send();
  for (;;);
}</script>"""


@pytest_asyncio.fixture(loop_scope="session")
async def hung(site: Site) -> asyncio.Event:
    """Set when a page that was sent a message has stopped answering."""
    loop, event = asyncio.get_running_loop(), asyncio.Event()

    def handler(_: Request) -> Response:
        loop.call_soon_threadsafe(event.set)
        return Response()

    site.route("/hangs-now", handler)
    return event


@pytest.mark.parametrize("observe", [True, False])
async def test_a_click_after_which_the_page_hangs_is_told_of_in_time(
    page: Page, open_page: OpenPage, observe: bool
) -> None:
    await open_page("<button onclick='setTimeout(() => { for (;;); })'>Hang</button>")
    button = (await page.snapshot()).find("button", "Hang").id

    async with asyncio.timeout(BOUND):
        outcome = await page.click(button, observe=observe, timeout=1)
    assert (await page.recover()).success

    # It was clicked, and that is certain; to say no more than an error would have it clicked twice.
    assert outcome.success
    assert not outcome.settled
    assert outcome.snapshot is None
    assert ("look" in outcome.data) == observe


async def test_every_way_to_look_at_a_page_that_hangs_ends_in_time(
    page: Page, oracle: PageOracle, open_page: OpenPage, hung: asyncio.Event
) -> None:
    await open_page(f"<main><button>Order</button></main>{HANG}")
    button = (await page.snapshot()).find("button", "Order").id
    await oracle.eval("void postMessage('', '*')")
    await asyncio.wait_for(hung.wait(), BOUND)

    for options in (
        {"root": str(button)},
        {"focus": {"frame_index": 0, "selector": "main"}},
        {"max_tokens": 500},
        {"screenshot": True},
    ):
        async with asyncio.timeout(BOUND / 2):
            with pytest.raises(CdpAgentError) as error:
                await page.snapshot(**options, timeout=0.5)
        assert error.value.code == "timeout", options
    assert (await page.recover()).success


async def test_a_budgeted_look_does_not_wait_for_a_frame_that_hangs(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage, hung: asyncio.Event
) -> None:
    inner = site.page(f"<button>Inner</button>{HANG}", host="b.test")
    await open_page(f"<button>Outer</button><iframe name=inner src='{inner}'></iframe>")
    await page.snapshot()
    await oracle.eval_in("inner", "void postMessage('', '*')")
    await asyncio.wait_for(hung.wait(), BOUND)

    async with asyncio.timeout(BOUND):
        snapshot = await page.snapshot(max_tokens=2000)
    assert (await page.recover()).success

    assert snapshot.find("button", "Outer")
    assert "frame 1" in snapshot.warnings[0]
