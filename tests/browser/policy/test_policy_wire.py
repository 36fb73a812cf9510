"""Ways out of the allowed origin: none gets through, by what the forbidden server saw."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

import cdp_agent
from cdp_agent import BlockedByPolicy, Browser, Page, Policy
from cdp_agent.targets.network.policy import HeldRequest
from tests.browser.conftest import BROWSER_ARGS
from tests.support.devtools import devtools_port_and_path
from tests.support.site import Request, Response, Site

GOOD, BAD = "a.test", "evil.test"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def strict(site: Site) -> AsyncIterator[Browser]:
    """A browser that may reach two hosts of the site, and not the third."""
    policy = Policy((f"http://{GOOD}:{site.port}", f"http://localhost:{site.port}"))
    async with cdp_agent.launch(args=BROWSER_ARGS, policy=policy) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def tab(strict: Browser) -> AsyncIterator[Page]:
    page = await strict.new_page()
    yield page
    await page.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def worn_tab(strict: Browser) -> AsyncIterator[Page]:
    """For tests that begin with a page of their own and leave nothing but that."""
    page = await strict.new_page()
    yield page
    await page.close()


def to(host: str, site: Site, path: str) -> str:
    return f"http://{host}:{site.port}{path}"


def seen(site: Site, host: str, path: str) -> bool:
    return any(r.host == host and r.path == path for r in site.requests)


async def until_seen(site: Site, host: str, path: str, seconds: float = 5) -> bool:
    deadline = asyncio.get_running_loop().time() + seconds
    while not seen(site, host, path):
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True


#: Each page goes to HOST by itself or by a click; OUT is the address it wants to reach.
WAYS = {
    "link": "<a href='OUT'>go</a>",
    "form post": "<form method=post action='OUT'><button>go</button></form>",
    "popup": "<button onclick=\"window.open('OUT')\">go</button>",
    "link to a new tab": "<a target=_blank rel=noopener href='OUT'>go</a>",
    "script navigation": "<button onclick=\"location.href = 'OUT'\">go</button>",
    "redirect": "<a href='/redirect-to-KEY'>go</a>",
    "meta refresh": "<meta http-equiv=refresh content='0; url=OUT'>",
    "iframe": "<iframe src='OUT'></iframe>",
    "image": "<img src='OUT'>",
    "prefetch": "<link rel=prefetch href='OUT'>",
    "fetch": "<script>fetch('OUT', {mode: 'no-cors'}).catch(() => 0)</script>",
    "beacon": "<script>navigator.sendBeacon('OUT', 'x')</script>",
    "stylesheet": "<link rel=stylesheet href='OUT'>",
    "WebSocket": "<script>new WebSocket('OUT'.replace('http', 'ws'))</script>",
    "WebSocket of a worker": "<script>new Worker('/socket-worker-KEY.js')</script>",
    "fetch of a worker": "<script>new Worker('/fetch-worker-KEY.js')</script>",
    "iframe without an address": "<iframe srcdoc=\"<img src='OUT'><script>"
    "new WebSocket('OUT'.replace('http', 'ws'))</script>\"></iframe>",
}


def serve(site: Site, key: str, html: str, out: str) -> None:
    """The page `/way-KEY`, and what it needs beside it."""
    scripts = {
        f"/socket-worker-{key}.js": f"new WebSocket('{out.replace('http', 'ws')}')",
        f"/fetch-worker-{key}.js": f"fetch('{out}', {{mode: 'no-cors'}}).catch(() => 0)",
    }
    for path, script in scripts.items():
        site.page(script, path=path, content_type="text/javascript")

    def redirect(_: Request) -> Response:
        return Response(302, {"Location": out})

    site.route(f"/redirect-to-{key}", redirect)
    site.page(html.replace("OUT", out).replace("KEY", key), path=f"/way-{key}")


async def go(tab: Page, site: Site, key: str) -> None:
    await tab.goto(to(GOOD, site, f"/way-{key}"))
    snapshot = await tab.snapshot()
    for element in snapshot.elements:
        if element.name == "go":
            await tab.click(element.id)
            break


@pytest.mark.parametrize("way", WAYS)
async def test_no_way_leads_to_a_forbidden_origin(
    worn_tab: Page, strict: Browser, site: Site, way: str
) -> None:
    key = f"bad-{list(WAYS).index(way)}"
    serve(site, key, WAYS[way], to(BAD, site, f"/out-{key}"))
    # The same way to an allowed origin is the proof that it is one, and the end of the wait.
    good = f"good-{list(WAYS).index(way)}"
    serve(site, good, WAYS[way], to("localhost", site, f"/out-{good}"))

    await go(worn_tab, site, key)
    await go(worn_tab, site, good)

    assert await until_seen(site, "localhost", f"/out-{good}"), f"{way} does not lead anywhere"
    assert not seen(site, BAD, f"/out-{key}")


async def test_a_context_in_a_found_browser_lets_no_websocket_out(
    browser: Browser, site: Site
) -> None:
    assert browser.user_data_dir is not None
    port, _ = devtools_port_and_path(browser)
    policy = Policy((f"http://{GOOD}:{site.port}", f"http://localhost:{site.port}"))
    for host, key in ((BAD, "found-bad"), ("localhost", "found-good")):
        serve(site, key, WAYS["WebSocket"], to(host, site, f"/out-{key}"))

    async with (
        cdp_agent.connect(f"http://127.0.0.1:{port}", policy=policy) as found,
        await found.new_context() as context,
    ):
        tab = await context.new_page()
        await go(tab, site, "found-bad")
        await go(tab, site, "found-good")
        assert await until_seen(site, "localhost", "/out-found-good")
    assert not seen(site, BAD, "/out-found-bad")


async def test_a_service_worker_does_not_get_out_either(tab: Page, site: Site) -> None:
    """On localhost, where pages may have one."""
    bad, good = to(BAD, site, "/sw-out"), to("localhost", site, "/sw-in")
    script = (
        "addEventListener('install', event => event.waitUntil((async () => {"
        f"await fetch('{bad}', {{mode: 'no-cors'}}).catch(() => 0);"
        f"try {{ new WebSocket('{bad.replace('http', 'ws')}') }} catch {{}}"
        f"await fetch('{good}'); }})()))"
    )
    site.page(script, path="/sw.js", content_type="text/javascript")
    site.page("<script>navigator.serviceWorker.register('/sw.js')</script>", path="/sw-page")

    await tab.goto(to("localhost", site, "/sw-page"))

    assert await until_seen(site, "localhost", "/sw-in")
    assert not seen(site, BAD, "/sw-out")


CLOSED = ["file:///etc/hostname", "chrome://version", "devtools://devtools/bundled/inspector.html",
          "view-source:http://a.test/"]  # fmt: skip


@pytest.mark.parametrize("url", CLOSED)
async def test_the_machine_itself_is_closed(tab: Page, url: str) -> None:
    with pytest.raises(BlockedByPolicy):
        await tab.goto(url)
    with pytest.raises(BlockedByPolicy):
        await tab.goto(f"http://{BAD}/")


async def test_a_redirect_out_is_told_as_what_it_is(tab: Page, site: Site) -> None:
    serve(site, "told", "", to(BAD, site, "/told"))

    with pytest.raises(BlockedByPolicy, match=BAD):
        await tab.goto(to(GOOD, site, "/redirect-to-told"))


async def test_a_page_that_tries_stays_usable_and_the_attempt_is_known(
    tab: Page, strict: Browser, site: Site
) -> None:
    serve(site, "stays", WAYS["link"], to(BAD, site, "/stays"))
    gate = strict.gate
    assert gate is not None
    before = gate.blocked_count

    await go(tab, site, "stays")

    assert tab.url == to(GOOD, site, "/way-stays")
    assert [entry for entry in gate.blocked_since(before) if "/stays" in entry]
    assert (await tab.snapshot()).find("link", "go")


@pytest.mark.parametrize("agreed", [True, False], ids=["approved", "refused"])
async def test_a_write_is_held_until_it_is_decided(site: Site, agreed: bool) -> None:
    asked: list[HeldRequest] = []
    path = f"/order-{agreed}"

    async def decide(held: HeldRequest) -> bool:
        asked.append(held)
        assert not seen(site, GOOD, path)  # nothing has left the browser
        return agreed

    site.page("thanks", path=path)
    html = f"<form method=post action='{path}'><input name=item value=7><button>Buy</button></form>"
    async with cdp_agent.launch(args=BROWSER_ARGS, policy=Policy(hold=decide)) as browser:
        page = await browser.new_page(site.page(html))
        await page.click((await page.snapshot()).find("button", "Buy").id)
        assert browser.gate is not None
        await browser.gate.until_decided()
        await page.snapshot()

    assert [(one.method, one.host, one.summary) for one in asked] == [
        ("POST", f"{GOOD}:{site.port}", "item=7")
    ]
    assert seen(site, GOOD, path) is agreed
