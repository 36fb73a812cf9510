"""A connection that breaks is made again: pages go on, and ids of living documents stay valid."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

import cdp_agent
from cdp_agent import Browser, ConnectionLost, Page, Policy, StaleRef, TargetClosed
from cdp_agent.tools.host import BrowserHost, ToolClient
from tests.browser.conftest import BROWSER_ARGS
from tests.browser.fronts.bap.raw import serving
from tests.browser.fronts.conftest import endpoint_of
from tests.faults.fault_proxy import FaultProxy
from tests.support.devtools import devtools_port_and_path
from tests.support.site import Request, Response, Site

COUNTS = "onclick='window.clicks = (window.clicks || 0) + 1'"
SHOP = f"<title>Shop</title><h1>Lamp</h1><button {COUNTS}>Order</button>"
STATE = "navigator.permissions.query({name: 'geolocation'}).then(found => found.state)"


@pytest_asyncio.fixture(loop_scope="session")
async def proxy(browser: Browser) -> AsyncIterator[FaultProxy]:
    port = int(endpoint_of(browser).rpartition(":")[2])
    async with FaultProxy(port) as made:
        yield made


async def cut(proxy: FaultProxy, page: Page) -> ConnectionLost:
    """Break the connection under a call; what it ends with."""
    under_way = asyncio.ensure_future(page.evaluate("new Promise(() => {})"))
    await asyncio.sleep(0)  # it is on its way now
    proxy.cut()
    with pytest.raises(ConnectionLost) as lost:
        await asyncio.wait_for(under_way, 10)
    return lost.value


def tab_of(browser: Browser, page: Page) -> Page:
    """The same tab through the connection of the tests."""
    [found] = [one for one in browser.pages if one.target_id == page.target_id]
    return found


async def test_ids_of_living_documents_stay_valid_in_every_frame(
    proxy: FaultProxy, site: Site
) -> None:
    inner = site.page(f"<button {COUNTS}>Pay</button>", host="b.test")
    frames = "".join(f"<iframe id={name} src='{inner}'></iframe>" for name in ("first", "second"))
    async with (
        cdp_agent.connect(proxy.address) as engine,
        await engine.new_context(permissions={"geolocation": "granted"}) as context,
    ):
        page = await context.new_page(site.page(SHOP + frames, host="127.0.0.1"))
        await page.set_viewport(640, 480)
        await page.evaluate("first.remove()")
        seen = await page.snapshot()
        pay, order = seen.find("button", "Pay").id, seen.find("button", "Order").id
        assert pay.frame_index == 2  # counted anew it would be 1
        assert await page.evaluate(STATE) == "granted"

        lost = await cut(proxy, page)
        assert lost.can_retry
        assert "reconnect" in lost.hint
        await engine.reconnect()
        await engine.reconnect()  # may be called twice

        assert engine.is_connected
        assert context.pages == [page]
        await page.click(pay)
        await page.click(order)
        assert await page.evaluate("window.clicks", pay.frame_index) == 1
        assert await page.evaluate("[window.clicks, innerWidth]") == [1, 640]
        assert await page.evaluate(STATE) == "granted"
        again = await page.snapshot()
        assert [again.find("button", name).id for name in ("Pay", "Order")] == [pay, order]
        other = await context.new_page(site.page("<p>more"))
        assert "more" in (await other.snapshot()).text


async def test_what_happened_meanwhile_is_noticed(
    browser: Browser, proxy: FaultProxy, site: Site
) -> None:
    async with cdp_agent.connect(proxy.address) as engine, await engine.new_context() as context:
        left, closed = [await context.new_page(site.page(SHOP)) for _ in range(2)]
        old = (await left.snapshot()).find("button", "Order").id
        await cut(proxy, left)
        await tab_of(browser, left).goto(site.page("<title>Other</title><button>Buy</button>"))
        await tab_of(browser, closed).close()

        await engine.reconnect()

        with pytest.raises(StaleRef):
            await left.click(old)
        with pytest.raises(TargetClosed, match="while the connection was lost"):
            await closed.snapshot()
        assert context.pages == [left]
        assert (await left.snapshot()).find("button", "Buy")


async def test_it_breaks_again_and_is_made_again(proxy: FaultProxy, site: Site) -> None:
    async with cdp_agent.connect(proxy.address) as engine, await engine.new_context() as context:
        page = await context.new_page(site.page(SHOP))
        order = (await page.snapshot()).find("button", "Order").id
        for clicks in (1, 2):
            await cut(proxy, page)
            await asyncio.gather(engine.reconnect(), engine.reconnect())
            await page.click(order)
            assert await page.evaluate("window.clicks") == clicks


async def until_lost(browser: Browser) -> None:
    lost = asyncio.Event()
    browser.connection.on_end(lambda _: lost.set())
    if browser.is_connected:
        await asyncio.wait_for(lost.wait(), 10)


async def test_passwords_and_the_folder_of_downloads_stay(site: Site, tmp_path: Path) -> None:
    """In a browser of its own: Chromium resets downloads for all when a client leaves."""

    def staff(request: Request) -> Response:
        if "Authorization" in request.headers:
            return Response(200, {"Content-Type": "text/html"}, b"<h1>Staff</h1>")
        headers = {"Content-Type": "text/html", "WWW-Authenticate": 'Basic realm="staff"'}
        return Response(401, headers, b"<h1>No</h1>")

    attachment = {"Content-Disposition": "attachment; filename=report.txt"}
    site.route("/staff", staff)
    site.route("/report", lambda _: Response(200, attachment, b"report"))
    async with (
        cdp_agent.launch(args=BROWSER_ARGS) as own,
        FaultProxy(devtools_port_and_path(own)[0]) as proxy,
        cdp_agent.connect(proxy.address) as engine,
        await engine.new_context(
            credentials=("ada", "lovelace"), downloads_dir=tmp_path
        ) as context,
    ):
        page = await context.new_page(site.page("<a href=/report>Report</a>"))
        link = (await page.snapshot()).find("link", "Report").id
        await page.click(link)
        await cut(proxy, page)
        await engine.reconnect()

        (download,) = (await page.click(link)).downloads
        assert download.path is not None
        assert download.path.parent == tmp_path
        assert download.path.read_bytes() == b"report"
        await page.goto(site.url("/staff"))
        assert "Staff" in (await page.snapshot()).text
        other = await context.new_page(site.url("/staff"))
        assert "Staff" in (await other.snapshot()).text


async def test_a_browser_that_cannot_be_connected_again_says_so(proxy: FaultProxy) -> None:
    async with cdp_agent.connect(proxy.address, policy=Policy()) as held:
        proxy.cut()
        await until_lost(held)
        with pytest.raises(ConnectionLost) as refused:
            await held.reconnect()
        assert not refused.value.can_retry
    engine = await cdp_agent.connect(proxy.address)
    await engine.close()
    with pytest.raises(ConnectionLost):
        await engine.reconnect()
    async with cdp_agent.launch(headless=True, args=["--remote-debugging-port=0"]) as own:
        gone = await cdp_agent.connect(endpoint_of(own))
    await until_lost(gone)
    with pytest.raises(ConnectionLost):
        await gone.reconnect()
    await gone.close()


async def test_clients_of_a_server_go_on_with_their_pages(proxy: FaultProxy, site: Site) -> None:
    host = BrowserHost(lambda: cdp_agent.connect(proxy.address))
    client = ToolClient(host)

    async def use(name: str, **arguments: Any) -> Any:
        return await client.call(f"browser_{name}", arguments)

    try:
        opened = await use("navigate", url=site.page(SHOP))
        session = await client.session()
        [(page_id, page)] = session.pages.items()
        order = (await page.snapshot()).find("button", "Order").id
        await cut(proxy, page)
        assert list(session.pages) == [page_id]

        pressed = await use("click", ref=str(order))

        assert pressed.code == opened.code
        assert list(session.pages) == [page_id]
        assert await page.evaluate("window.clicks") == 1
    finally:
        await client.aclose()
        await host.aclose()


async def test_a_client_over_the_wire_goes_on_with_its_page_and_its_events(
    proxy: FaultProxy, site: Site
) -> None:
    url = site.page("<button onclick=\"console.log('pressed')\">Go</button>")
    press = {"action": "click", "params": {"selector": "text=Go"}}
    wait = {"action": "wait", "params": {"text": "never", "timeout": 60}}
    async with (
        serving(proxy.address, "a-long-token") as address,
        cdp_agent.Client(address, token="a-long-token") as client,
        client.events("console") as events,
    ):
        opened = await client.new_page(url)
        acting = asyncio.ensure_future(client.act([press, wait, press]))
        assert await events.get(30) is not None
        proxy.cut()
        cut_off = await acting
        error = cut_off.steps[cut_off.failed_at or 0].error
        assert error is not None
        assert (error["code"], error["can_retry"]) == ("connection_lost", True)
        assert cut_off.steps[-1].status == "not_run"

        assert (await client.act([press])).success
        event = await events.get(30)
        assert event is not None
        assert (event.page, event.data["text"]) == (opened, "pressed")
        assert [page["id"] for page in await client.pages()] == [opened]
