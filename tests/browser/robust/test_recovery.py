"""Pages that hang or crash: calls end in time, the browser stays usable, `recover` helps."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

import cdp_agent
from cdp_agent import Browser, CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.oracle_errors import OracleError
from tests.support.site import Request, Response, Site
from tests.support.stage import OpenPage

ORDER = "<button onclick=\"document.title = 'ordered'\">Order</button>"
HANG = "void setTimeout(() => { for (;;); })"
HANG_AGAIN_AND_AGAIN = "void setInterval(() => { for (;;); })"


async def order(page: Page) -> None:
    await page.click((await page.snapshot()).find("button", "Order").id)
    assert page.title == "ordered" or await page.evaluate("document.title") == "ordered"


async def test_calls_to_a_page_that_hangs_end_in_time_and_say_what_to_do(
    browser: Browser, page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(ORDER)
    button = (await page.snapshot()).find("button", "Order").id
    await oracle.eval(HANG)

    # The bounds catch a hang, not slowness: the rule is the timeout and one second more.
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "snapshot": lambda: page.snapshot(timeout=0.5),
        "click": lambda: page.click(button, timeout=0.5),
        "fill": lambda: page.fill(button, "x", timeout=0.5),
        "press": lambda: page.press("Enter", timeout=0.5),
        "evaluate": lambda: page.evaluate("1", timeout=0.5),
        "screenshot": lambda: page.screenshot(timeout=0.5),
        "goto": lambda: page.goto(page.url, timeout=0.5),
    }
    for name, call in calls.items():
        async with asyncio.timeout(6):
            with pytest.raises(CdpAgentError) as error:
                await call()
        assert error.value.code == "timeout", name
        assert "recover" in error.value.hint, name
    other = await browser.new_page("data:text/html," + ORDER)
    await order(other)
    await other.close()
    assert (await page.recover()).success


async def test_a_click_whose_handler_never_returns_ends_in_time_and_may_be_recovered_from(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(f"{ORDER}<button onclick='for (;;);'>Hang</button>")
    button = (await page.snapshot()).find("button", "Hang").id

    async with asyncio.timeout(6):
        with pytest.raises(CdpAgentError) as error:
            await page.click(button, timeout=0.5)
    outcome = await page.recover()
    await order(page)

    assert error.value.code == "timeout"
    assert outcome.data["step"] == "terminate"


async def test_a_script_that_never_ends_is_ended_and_ids_stay_valid(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(ORDER)
    button = (await page.snapshot()).find("button", "Order").id
    await oracle.eval(HANG)

    outcome = await page.recover()

    assert outcome.data["step"] == "terminate"
    assert outcome.navigated is None
    assert not (await page.click(button)).healed
    assert await oracle.eval("document.title") == "ordered"


async def test_a_frame_of_another_process_that_hangs_is_freed(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    inner = site.page(ORDER, host="b.test")
    await open_page(f"<button>Outer</button><iframe name=inner src='{inner}'></iframe>")
    snap = await page.snapshot()
    await oracle.eval_in("inner", HANG)

    with pytest.raises(CdpAgentError) as error:
        await page.click(snap.find("button", "Order").id, timeout=0.5)
    assert error.value.code == "timeout"
    await page.click(snap.find("button", "Outer").id)
    outcome = await page.recover()
    await page.click(snap.find("button", "Order").id)

    assert outcome.data["step"] == "terminate"
    assert await oracle.eval_in("inner", "document.title") == "ordered"


async def test_a_page_that_hangs_again_at_once_is_shown_anew_and_no_form_is_sent_twice(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    sent: list[str] = []

    def receive(request: Request) -> Response:
        sent.append(request.method)
        return Response(200, {"Content-Type": "text/html"}, ORDER.encode())

    site.route("/receives-a-form", receive)
    await open_page("<form method=post action=/receives-a-form><button>Send</button></form>")
    await page.click((await page.snapshot()).find("button", "Send").id)
    await oracle.eval(HANG_AGAIN_AND_AGAIN)

    outcome = await page.recover()

    assert outcome.data["step"] == "reload"
    assert outcome.navigated == page.url
    assert sent.count("POST") == 1
    await order(page)
    assert await oracle.eval("document.title") == "ordered"
    assert (await page.back()).success


async def test_a_page_that_answers_is_left_alone(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input value=typed>")
    await oracle.eval("window.same = true")

    outcome = await page.recover()

    assert outcome.data["step"] == "none"
    assert await oracle.eval("window.same")


async def test_a_dialog_is_not_taken_for_a_page_that_hangs(page: Page, open_page: OpenPage) -> None:
    await open_page("<button onclick=\"this.textContent = confirm('Sure?')\">Ask</button>")
    await page.click((await page.snapshot()).find("button", "Ask").id)

    with pytest.raises(CdpAgentError) as error:
        await page.recover()

    assert error.value.code == "dialog_open"
    assert page.dialog is not None
    await page.dialog.dismiss()


async def test_a_closed_page_has_nothing_to_recover(browser: Browser) -> None:
    page = await browser.new_page()
    await page.close()

    with pytest.raises(CdpAgentError) as error:
        await page.recover()

    assert error.value.code == "target_closed"


@pytest.mark.parametrize("timeout", [0, -1, "soon", None, True])
async def test_a_timeout_that_is_none_is_refused(page: Page, timeout: object) -> None:
    with pytest.raises(CdpAgentError) as error:
        await page.recover(timeout=timeout)  # type: ignore[arg-type]

    assert error.value.code == "invalid_params"


@pytest.mark.parametrize("by", ["recover", "goto", "reload"])
async def test_a_page_that_crashed_says_so_and_is_revived(
    page: Page, oracle: PageOracle, open_page: OpenPage, by: str
) -> None:
    url = await open_page(ORDER)
    button = (await page.snapshot()).find("button", "Order").id
    with contextlib.suppress(OracleError):
        await oracle.oracle.send("Page.crash", None, oracle._page.session_id, timeout=1)

    for call in (page.snapshot, lambda: page.click(button), lambda: page.evaluate("1")):
        async with asyncio.timeout(3):
            with pytest.raises(CdpAgentError) as error:
                await call()
        assert error.value.code == "target_crashed"
    if by == "recover":
        assert (await page.recover()).data["step"] == "reload"
    elif by == "goto":
        await page.goto(url)
    else:
        await page.reload()

    await order(page)
    assert await oracle.eval("document.title") == "ordered"


@contextlib.asynccontextmanager
async def stopped_renderer(browser: Browser, page: Page) -> AsyncIterator[int]:
    """The page's process, stopped as by a debugger: told from others by the work it does."""

    async def work_done() -> dict[int, float]:
        told = await browser.connection.root.post("SystemInfo.getProcessInfo")
        return {p["id"]: p["cpuTime"] for p in told["processInfo"] if p["type"] == "renderer"}

    before = await work_done()
    await page.evaluate("{ const t = performance.now(); while (performance.now() - t < 400); }")
    after = await work_done()
    pid = max(after, key=lambda pid: after[pid] - before.get(pid, 0))
    os.kill(pid, signal.SIGSTOP)
    try:
        yield pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


@pytest.mark.row("ROB-04")
@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGSTOP")
async def test_a_process_that_was_stopped_works_again_or_is_left_behind(site: Site) -> None:
    args = ["--host-resolver-rules=MAP *.test 127.0.0.1"]
    url = site.page(ORDER)
    async with cdp_agent.launch(args=args, viewport=(700, 500)) as browser:
        page = await browser.new_page(url)
        page.on_dialog("dismiss")
        old = (await page.snapshot()).find("button", "Order").id
        tab = page.target_id

        async with stopped_renderer(browser, page):
            with pytest.raises(CdpAgentError) as error:
                await page.snapshot(timeout=0.5)
        assert error.value.code == "timeout"
        assert "recover" in error.value.hint
        assert (await page.snapshot()).find("button", "Order").id == old

        async with stopped_renderer(browser, page):
            outcome = await page.recover()
            assert outcome.data["step"] == "new_target"
            assert outcome.navigated == page.url == url
            assert page.target_id != tab
            assert browser.pages == [page]
            with pytest.raises(CdpAgentError) as error:
                await page.click(old)
            assert error.value.code == "stale_ref"
            await order(page)
            size = await page.evaluate("[innerWidth, innerHeight, confirm('')]")
            assert size == [700, 500, False]
