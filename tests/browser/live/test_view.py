"""The live page shows a browser, and texts of pages stay texts."""

from __future__ import annotations

import asyncio
import base64
import io
from typing import Any, cast

import pytest
from PIL import Image

from cdp_agent import Browser, Page
from cdp_agent.agent.safety.approvals import Decision, Question
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.live import Board, LiveServer, Pane
from cdp_agent.tools import ToolSession, call as call_tool
from tests.browser.live.conftest import FORM, Call, Wire
from tests.support.site import Site
from tests.support.stage import OpenPage

SECRET = "correct-horse-battery"
HOSTILE = "<img src=x onerror=document.title='taken'><script>document.title='taken'</script>"


async def test_actions_and_their_outcomes_are_shown_as_they_happen(
    open_page: OpenPage, look: Page, call: Call
) -> None:
    await open_page(FORM)
    await call("browser_fill", ref="label=Name", value="Ada")
    await look.wait_for(text='holds "Ada"', timeout=10)
    await call("browser_click", ref="text=Nowhere")
    await look.wait_for(text="element_not_found", timeout=10)

    text = (await look.snapshot()).text

    assert 'heading "Order a lamp"' in text
    assert 'textbox \\"Name\\"' in text, "what the agent reads"
    assert "Form · http://" in text, "where the browser is"


async def test_the_picture_is_of_the_page(
    page: Page, open_page: OpenPage, pane: Pane, look: Page
) -> None:
    await open_page("<style>body { background: #00ff00 }</style>")
    colour = """(async () => { const image = document.getElementById("picture");
      for (let tries = 0; tries < 200; tries++) {
        if (image.complete && image.naturalWidth) {
          const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
          pen.drawImage(image, 0, 0);
          const [red, green] = pen.getImageData(100, 100, 1, 1).data;
          if (green > 200 && red < 60) return "green";
        }
        await new Promise(requestAnimationFrame);
      }
      return "another"; })()"""
    assert await look.evaluate(colour) == "green"


@pytest.mark.parametrize("width", [200, 640])
async def test_the_last_of_many_changes_is_shown(
    page: Page, open_page: OpenPage, pane: Pane, wire: Wire, width: int
) -> None:
    """Chromium drops frames while some are not acknowledged, be it the last one."""
    await open_page("<style>body { background: rgb(255, 0, 0) }</style>")

    def is_green(message: dict[str, Any]) -> bool:
        if message["type"] != "frame":
            return False
        picture = Image.open(io.BytesIO(base64.b64decode(message["source"].partition(",")[2])))
        red, green, _ = cast("tuple[int, int, int]", picture.convert("RGB").getpixel((50, 50)))
        return green > 200 and red < 60

    await wire.send(type="watch", panes={pane.id: width})
    await wire.next("frame")
    await page.evaluate(
        """(async () => { for (let n = 0; n <= 25; n++) {
        document.body.style.background = `rgb(${250 - n * 10}, ${n * 10}, 0)`;
        await new Promise(requestAnimationFrame) } })()"""
    )
    await wire.until(is_green)


async def test_no_pictures_are_taken_while_nobody_looks(
    page: Page, open_page: OpenPage, pane: Pane, wire: Wire
) -> None:
    await open_page("<p id=p>0</p>")
    change = "p.textContent = 1 + +p.textContent; new Promise(requestAnimationFrame)"
    await wire.send(type="watch", panes={pane.id: 640})
    await wire.next("frame")
    with page.resolve_frame_session(0).events("Page.screencastFrame") as frames:
        await wire.send(type="watch", panes={})
        await wire.send(type="watch", panes={"unknown": 10})
        await wire.send_text("{}")
        await wire.next("error")  # the messages before it have been taken
        await page.evaluate(change)
        await page.screenshot()
        while frames.get_nowait() is not None:
            pass  # what was under way when they looked away
        for _ in range(5):
            await page.evaluate(change)
            await page.screenshot()
        assert frames.get_nowait() is None
        await wire.send(type="watch", panes={pane.id: 640})
        await wire.next("frame")


async def test_script_in_texts_of_a_page_is_shown_as_text(
    open_page: OpenPage, look: Page, pane: Pane, call: Call
) -> None:
    escaped = HOSTILE.replace("<", "&lt;").replace("'", "&#39;")
    await open_page(
        f"<!doctype html><title>{escaped}</title><button aria-label='{escaped}'>x</button>"
        f"<button onclick='confirm(this.textContent)'>{escaped}</button>"
    )
    pane.title = HOSTILE
    await call("browser_snapshot")
    await call("browser_click", ref="css=button:last-of-type")
    await look.wait_for(text="The page shows: confirm", timeout=10)

    names = "[...document.querySelectorAll('main *, aside *')].map(one => one.localName)"
    shown = await look.evaluate(names)

    assert not {"script"} & set(shown)
    assert shown.count("img") == 1, "the picture"
    assert await look.evaluate("document.title") != "taken"
    assert "onerror" in (await look.snapshot()).text


async def test_nothing_else_may_run_or_be_loaded(look: Page, server: LiveServer) -> None:
    policy = """fetch(location.href).then(reply =>
      [reply.headers.get("content-security-policy"), reply.headers.get("referrer-policy")])"""
    security, referrer = await look.evaluate(policy)
    assert "default-src 'none'" in security
    assert "unsafe" not in security
    assert referrer == "no-referrer"
    inline = """(() => { const made = document.createElement("script");
      made.textContent = "window.ran = true"; document.body.append(made); return window.ran })()"""
    assert await look.evaluate(inline) is None


@pytest.mark.parametrize("width", [375, 320])
async def test_it_fits_a_phone(
    open_page: OpenPage, board: Board, look: Page, call: Call, width: int
) -> None:
    await open_page(FORM)
    for number in range(4):
        board.open_pane(f"another browser with a long name, number {number}")
    overview = board.open_overview(20)
    overview.update("a-long-name-of-a-task-" * 3, "failed", "a long reason " * 20)
    overview.update("short", "running", pane=board.open_pane("short").id)
    await call("browser_fill", ref="label=Name", value="an-unbroken-text-" * 40)
    await look.wait_for(text="an-unbroken-text", timeout=10)
    session = look.resolve_frame_session(0)
    await session.post(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 700, "deviceScaleFactor": 2, "mobile": True},
    )
    wide = "[document.documentElement.scrollWidth, innerWidth]"
    assert await look.evaluate(wide) == [width, width]
    thumbnails = "[...document.querySelectorAll('#panes button')].map(one => one.offsetWidth)"
    assert set(await look.evaluate(thumbnails)) == {132}, "several fit beside each other"
    sizes = "[...document.querySelectorAll('#bar button')].map(b => b.offsetHeight)"
    assert min(await look.evaluate(sizes)) >= 44, "large enough for a finger"
    await look.click(str(await look.find("text=Tasks")))
    words = (
        "[...document.querySelectorAll('#overview :is(th, td:nth-child(2), button)')]"
        ".map(cell => { const range = new Range(); range.selectNodeContents(cell);"
        " return [cell.textContent, new Set([...range.getClientRects()].map(r => r.top)).size] })"
    )
    assert [word for word, lines in await look.evaluate(words) if lines > 1] == [], "broken words"


async def test_a_page_that_is_closed_is_shown_as_closed(
    browser: Browser, site: Site, board: Board, look: Page
) -> None:
    closing = await browser.new_page(site.page("<h1>Shop</h1>"))
    board.open_pane("Order a lamp").watch(closing)
    await look.wait_for(text="Test page", text_gone="No picture yet", timeout=10)
    await closing.close()
    await look.wait_for(text=["This page is closed", "Test page"], timeout=10)
    snapshot = await look.snapshot()
    assert snapshot.find("status", "closed")
    assert snapshot.find("button", "Take over").state["disabled"]


async def test_the_list_of_many_browsers_scrolls_beside_the_picture(
    board: Board, look: Page, pane: Pane
) -> None:
    for number in range(30):
        board.open_pane(f"browser {number}")
    await look.wait_for(text="browser 29", timeout=10)
    sizes = (
        "[document.getElementById('panes').offsetHeight, document.body.offsetHeight, innerHeight]"
    )
    listed, whole, window = await look.evaluate(sizes)
    assert listed < window
    assert whole < 1.5 * window


async def test_a_batch_has_an_overview(board: Board, pane: Pane, look: Page) -> None:
    overview = board.open_overview(40)
    overview.update("order-1", "done", seconds=2.0)
    overview.update("order-2", "failed", "the shop is closed")
    overview.update("order-3", "running", pane=pane.id)
    await look.wait_for(
        text="2 of 40 finished: 1 done, 1 failed, 1 running, 37 waiting", timeout=10
    )
    await look.click(str(await look.find("text=Tasks")))
    assert "the shop is closed" in (await look.snapshot()).text
    await look.check(str(await look.find("label=Failed only")))
    shown = (
        "[...document.querySelectorAll('#batch-rows tr')].filter(row => row.offsetHeight).length"
    )
    assert await look.evaluate(shown) == 1


async def test_a_browser_that_asks_is_told_in_the_title_and_shown_next(
    board: Board, pane: Pane, look: Page
) -> None:
    quiet, asking = board.open_pane("quiet"), board.open_pane("order 17")
    question = Question("checkpoint", "pay", 'use "Pay now"', "It costs 19.90.", "")
    answer = asyncio.create_task(asking.ask(question))
    title = "document.title"
    await look.wait_for(text="asks you", timeout=10)
    assert (await look.evaluate(title)).startswith("(1) Order a lamp")
    await board.close_pane(pane)
    await look.wait_for(text=["It costs 19.90.", "quiet"], timeout=10)
    asking.answer(next(iter(asking._asked)), Decision(True))
    assert (await asyncio.wait_for(answer, 10)).approved
    await look.wait_for(text_gone="It costs 19.90.", timeout=10)
    assert await look.evaluate(title) == "order 17 - cdp-agent live"
    for shown in (quiet, asking):
        await board.close_pane(shown)
    await look.wait_for(text="No browser is open now.", timeout=10)


async def test_secrets_are_in_no_text_and_in_no_picture(
    page: Page, open_page: OpenPage, server: LiveServer, wire: Wire, board: Board
) -> None:
    url = await open_page(f"<title>{SECRET}</title><label>Code <input></label><p id=p></p>")
    secrets = Secrets({"code": SECRET}, origins=[url])
    pane = board.open_pane(f"use {SECRET}", secrets)
    pane.watch(page)
    session = ToolSession(
        page,
        **pane.around({"before_call": [secrets.before_call], "after_call": [secrets.after_call]}),
    )
    texts: list[str] = []

    def is_picture(message: dict[str, object]) -> bool:
        texts.append(str(message))
        return message["type"] == "frame"

    try:
        await wire.send(type="watch", panes={pane.id: 640})
        assert (await wire.until(is_picture))["source"].startswith("data:image/png")
        result = await call_tool(
            session, "browser_fill", {"ref": "label=Code", "value": "{{secret:code}}"}
        )
        assert not result.is_error
        await page.evaluate("p.textContent = document.querySelector('input').value; 0")
        shown = await wire.until(lambda m: is_picture(m) and bool(m["withheld"]))
        assert "secret" in shown["withheld"]
        assert shown["source"] == ""
    finally:
        page.browser.picture_cover = None
    assert any("secret:code" in text for text in texts)
    assert not [text for text in texts if SECRET in text]


async def test_a_picture_with_secrets_painted_over_has_the_size_of_the_page(
    browser: Browser, site: Site, wire: Wire, board: Board
) -> None:
    """Clicks are sent by it. Chromium scales such a picture and then calls the page that small."""
    url = site.page("<p id=p>0</p>")
    async with await browser.new_context() as context:
        page = await context.new_page(url, viewport=(1280, 720))
        pane = board.open_pane("Order a lamp", Secrets({"code": SECRET}, origins=[url]))
        pane.watch(page)
        try:
            await wire.send(type="watch", panes={pane.id: 640})
            for _ in range(4):
                frame = await wire.next("frame")
                assert (frame["width"], frame["height"]) == (1280, 720)
                await page.evaluate("p.textContent++")
        finally:
            browser.picture_cover = None
