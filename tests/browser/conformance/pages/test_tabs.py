"""Tabs that pages open, close, crash, prerender, and those that nobody should see."""

from __future__ import annotations

import asyncio

import pytest

from cdp_agent import Browser, Page, TargetCrashed
from tests.support.oracle import Oracle, PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

OPENERS = {
    "window.open": ("<button id=target onclick=\"window.open('{}')\">Open</button>", True),
    "target=_blank": ("<a id=target target=_blank rel=opener href={}>Open</a>", True),
    "rel=noopener": ("<a id=target target=_blank rel=noopener href={}>Open</a>", False),
}


@pytest.mark.row("DLG-09")
@pytest.mark.parametrize(("html", "knows"), OPENERS.values(), ids=OPENERS.keys())
async def test_a_new_tab_is_told_with_its_address(
    make_stage: MakeStage, browser: Browser, site: Site, html: str, knows: bool
) -> None:
    there = site.page("<h1>New</h1>", delay=0.2)
    stage = await make_stage(html.format(there))

    outcome = await stage.page.click(await stage.css())

    [popup] = outcome.new_pages
    assert popup in browser.pages
    assert popup.url == there
    assert popup.opener is (stage.page if knows else None)
    assert await popup.evaluate("opener !== null") is knows
    assert 'heading "New"' in (await popup.snapshot()).text
    await popup.close()


@pytest.mark.row("OOP-29")
async def test_a_tab_opened_from_another_process_is_told_with_its_opener(
    make_stage: MakeStage, site: Site
) -> None:
    there = site.page("<h1>New</h1>", host="c.test")
    stage = await make_stage(
        f"<button id=target onclick=\"window.open('{there}')\">Open</button>", "oopif"
    )

    [popup] = (await stage.page.click(await stage.css())).new_pages

    assert (popup.url, popup.opener) == (there, stage.page)
    await popup.close()


@pytest.mark.row("DLG-10")
async def test_a_popup_that_is_closed_at_once_is_no_tab(
    make_stage: MakeStage, browser: Browser
) -> None:
    stage = await make_stage(
        "<button id=target onclick=\"window.open('about:blank').close()\">Open</button>"
    )
    before = set(browser.pages)

    outcome = await stage.page.click(await stage.css())

    assert outcome.success
    assert outcome.new_pages == ()
    assert set(browser.pages) <= before


@pytest.mark.row("DLG-11")
async def test_a_popup_may_close_itself_under_a_click(
    make_stage: MakeStage, browser: Browser, site: Site
) -> None:
    inner = site.page("<button onclick='window.close()'>Close me</button>")
    stage = await make_stage(f"<button id=target onclick=\"window.open('{inner}')\">Open</button>")
    [popup] = (await stage.page.click(await stage.css())).new_pages

    outcome = await popup.click((await popup.snapshot()).find("button").id)

    assert outcome.success
    assert popup.is_closed
    assert popup not in browser.pages


@pytest.mark.row("DLG-18")
async def test_a_prerendered_page_is_driven_once_it_is_shown(
    page: Page, oracle: PageOracle, open_page: OpenPage, site: Site
) -> None:
    there = site.page(
        "<button id=b onclick=\"this.textContent = 'Pressed'\">Press</button>"
        "<script>window.early = document.prerendering</script>"
    )
    rules = f'{{"prerender": [{{"source": "list", "urls": ["{there}"]}}]}}'
    await open_page(f"<script type=speculationrules>{rules}</script><a href={there}>Go</a>")
    link = (await page.snapshot()).find("link").id
    for _ in range(100):
        if any(recorded.path in there for recorded in site.requests):
            break
        await asyncio.sleep(0.02)

    await page.click(link)
    button = (await page.snapshot()).find("button", "Press").id
    await page.click(button)

    assert page.url == there
    assert (await page.snapshot()).find("button").name == "Pressed"


@pytest.mark.row("DLG-19")
async def test_a_page_under_a_service_worker_is_driven(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    site.page(
        "self.onfetch = event => {}; self.onactivate = event => event.waitUntil(clients.claim())",
        path="/tabs/worker.js",
        content_type="text/javascript",
    )
    url = site.page(
        "<button onclick=\"this.textContent = 'Pressed'\">Press</button>"
        "<script>navigator.serviceWorker.register('/tabs/worker.js')</script>",
        path="/tabs/controlled.html",
        host="127.0.0.1",
    )
    await page.goto(url)
    await oracle.eval("navigator.serviceWorker.ready.then(() => true)")
    await page.goto(url)
    assert await oracle.wait("navigator.serviceWorker.controller !== null")

    await page.click((await page.snapshot()).find("button").id)

    assert await oracle.eval("document.querySelector('button').textContent") == "Pressed"
    registered = "navigator.serviceWorker.getRegistrations().then(all => all[0].unregister())"
    await oracle.eval(registered)


@pytest.mark.row("DLG-22")
async def test_popovers_open_nest_and_close(make_stage: MakeStage) -> None:
    stage = await make_stage(
        "<button popovertarget=outer id=target>Menu</button><div popover id=outer>Outer"
        "<button popovertarget=inner id=more>More</button><div popover id=inner>Inner</div></div>"
    )
    states = "[outer.matches(':popover-open'), inner.matches(':popover-open')]"

    await stage.page.click(await stage.css())
    assert await stage.eval(states) == [True, False]
    await stage.page.click(await stage.css("#more"))
    assert await stage.eval(states) == [True, True]
    await stage.page.press("Escape")
    assert await stage.eval(states) == [True, False]
    await stage.page.press("Escape")
    assert await stage.eval(states) == [False, False]


@pytest.mark.row("DLG-23")
async def test_a_tab_behind_another_is_acted_on(
    make_stage: MakeStage, browser: Browser, site: Site
) -> None:
    stage = await make_stage(
        "<button id=target onclick=\"this.textContent = 'Pressed'\">Press</button><input id=field>"
        "<div style='height:3000px'></div><button id=low>Low</button>"
    )
    front = await browser.new_page(site.page("<h1>In front</h1>"))
    await front.bring_to_front()

    assert (await stage.page.click(await stage.css(), timeout=1)).success
    assert (await stage.page.type(await stage.css("#field"), "text", timeout=1)).success
    assert (await stage.page.scroll_into_view(await stage.css("#low"), timeout=1)).success

    assert await stage.eval("[target.textContent, field.value]") == ["Pressed", "text"]
    assert await stage.eval("scrollY > 1000")
    await front.close()


@pytest.mark.row("DLG-24")
async def test_a_crashed_tab_is_listed_as_such_while_others_work(
    page: Page, browser: Browser, browser_oracle: Oracle, open_page: OpenPage, site: Site
) -> None:
    await open_page("<button>Here</button>")
    doomed = await browser.new_page(site.page("<h1>Doomed</h1>", host="b.test"))
    eyes = await browser_oracle.attach(doomed.target_id)
    crash = asyncio.create_task(eyes.send("Page.crash"))
    with pytest.raises(TargetCrashed):
        await doomed.wait_for(text="Never")
    crash.cancel()
    await asyncio.wait([crash])

    assert doomed in browser.pages
    assert doomed.is_crashed
    assert not page.is_crashed
    with pytest.raises(TargetCrashed):
        await doomed.snapshot()
    assert (await page.click((await page.snapshot()).find("button").id)).success
    await doomed.goto(site.page("<h1>Revived</h1>"))
    assert not doomed.is_crashed
    await doomed.close()


@pytest.mark.row("ROB-28")
async def test_only_pages_are_listed(
    page: Page, oracle: PageOracle, browser: Browser, browser_oracle: Oracle, site: Site
) -> None:
    site.page("onmessage = () => {}", path="/tabs/w.js", content_type="text/javascript")
    inner = site.page("<p>Frame</p>", host="b.test")
    await page.goto(
        site.page(
            f"<iframe src={inner}></iframe><script>new Worker('/tabs/w.js');"
            "try { new SharedWorker('/tabs/w.js') } catch {}</script>"
        )
    )
    await oracle.wait("document.readyState === 'complete'")

    targets = {t["targetId"]: t for t in await browser_oracle.live_targets()}

    assert {"iframe"} <= {target["type"] for target in targets.values()}
    assert all(targets[p.target_id]["type"] == "page" for p in browser.pages)


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_popup_that_waits_for_its_server_does_not_hold_the_click_up(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    slow = site.page("<h1>Late</h1>", delay=3)
    stage = await make_stage(
        f"<button id=target onclick=\"window.open('{slow}')\">Open</button>", frame_kind
    )

    [popup] = (await stage.page.click(await stage.css())).new_pages

    await popup.wait_for(text="Late")
    assert popup.url == slow
    await popup.close()


async def test_a_title_is_what_the_document_says_now(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    await page.goto(site.page("<!doctype html><title>One</title><p>x"))
    assert page.title == "One"

    await oracle.eval("document.title = 'Two'")

    async def look() -> bool | None:
        return page.title == "Two" or None

    assert await page.look_until(look, 10)
    await page.goto(site.page("<!doctype html><p>no title"))
    assert page.title == ""
