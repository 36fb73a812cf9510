"""What dies or breaks under a call: it ends in time with the right word, and the next page works.

Each schedule has a Chromium of its own, an engine that drives it through a proxy, and eyes of the
tests' own beside it. `--schedules 300` runs that many.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from contextlib import AsyncExitStack

import pytest
from websockets.exceptions import ConnectionClosed

import cdp_agent
from cdp_agent import Browser, CdpAgentError, Page
from tests.faults.fault_proxy import FaultProxy, Strike
from tests.faults.schedule import CALLS, CODES, SECONDS, Schedule
from tests.support.devtools import devtools_port_and_path
from tests.support.leaks import processes
from tests.support.oracle import Oracle, PageOracle
from tests.support.oracle_errors import Gone, OracleError
from tests.support.site import Site

ARGS = ("--host-resolver-rules=MAP *.test 127.0.0.1", "--site-per-process",
        "--remote-debugging-port=0")  # fmt: skip
COUNTER = "onclick='window.clicks = (window.clicks || 0) + 1'"
FRAME = f"<button {COUNTER}>Pay</button><label>Card <input></label>"
#: A call that has not ended so long after its time is a hang.
_HANG_SECONDS = 12.0


def shop(site: Site) -> str:
    frame = site.page(FRAME, host="b.test")
    return site.page(
        f"<title>Shop</title><h1>Lamp</h1><button {COUNTER}>Order</button>"
        "<label>Name <input></label><label>Size <select><option>Small<option>Large</select></label>"
        f"<iframe src='{frame}' style='width:300px;height:120px'></iframe>"
    )


def children(browser: Browser, kind: str) -> list[int]:
    """The processes of a browser that are of a kind (`renderer`, `gpu-process`), oldest first."""
    everyone = processes()

    def descends(pid: int) -> bool:
        while pid in everyone and pid != browser.pid:
            pid = everyone[pid].parent
        return pid == browser.pid

    word = f"--type={kind}"
    return sorted(pid for pid, one in everyone.items() if word in one.command and descends(pid))


class Faults:
    """The faults by their names, on one browser."""

    def __init__(
        self, browser: Browser, proxy: FaultProxy, oracle: PageOracle, site: Site, choice: float
    ) -> None:
        self._browser = browser
        self._proxy = proxy
        self._oracle = oracle
        self._site = site
        self._choice = choice

    def strike(self, fault: str) -> Strike:
        async def strike() -> None:
            if fault == "renderer killed":
                self._kill(children(self._browser, "renderer"))
            elif fault == "GPU process killed":
                self._kill(children(self._browser, "gpu-process"))
            elif fault == "browser killed":
                assert self._browser.pid is not None
                self._kill([self._browser.pid])
            elif fault == "socket cut":
                self._proxy.cut()
            elif fault == "socket slow":
                self._proxy.slow_down(0.02 + self._choice * 0.4)
            elif fault == "socket half open":
                self._proxy.stall("up", "down")
            elif fault == "replies lost":
                self._proxy.stall("down")
            else:
                await self._script(fault)

        return strike

    def _kill(self, pids: list[int]) -> None:
        if pids:
            os.kill(pids[int(self._choice * len(pids))], signal.SIGKILL)

    async def _script(self, fault: str) -> None:
        other = self._site.page("<title>Elsewhere</title>")
        script = {
            "frame detached": "document.querySelector('iframe').remove()",
            "frame navigated": f"document.querySelector('iframe').src = '{other}'",
            "page navigated": f"location.href = '{other}'",
        }[fault]
        # The page may be on its way elsewhere already.
        with contextlib.suppress(Gone, OracleError):
            await self._oracle.eval(f"{script}; 0")


async def code_of(call: object) -> str:
    """The code of the error that a call ends with; empty where it succeeds."""
    try:
        async with asyncio.timeout(SECONDS + _HANG_SECONDS):
            await call  # type: ignore[misc]
    except CdpAgentError as error:
        return error.code
    return ""


async def works(page: Page, site: Site) -> None:
    """A new page does what it is told, with proof."""
    await page.goto(shop(site), timeout=20)
    seen = await page.snapshot(timeout=20)
    await page.click(seen.find("button", "Order").id, timeout=20)
    assert await page.evaluate("window.clicks", timeout=20) == 1


@pytest.mark.timeout(180)
async def test_a_call_ends_rightly_and_the_next_page_works(
    schedule: Schedule, fault_site: Site, nothing_left: None
) -> None:
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(cdp_agent.launch(headless=True, args=ARGS))
        port, path = devtools_port_and_path(browser)
        proxy = await stack.enter_async_context(FaultProxy(port))
        oracle = await Oracle.open(f"ws://127.0.0.1:{port}{path}")
        stack.push_async_callback(oracle.aclose)
        engine = await stack.enter_async_context(cdp_agent.connect(proxy.address))
        page = await engine.new_page(shop(fault_site))
        seen = await page.snapshot()
        eyes = await oracle.attach(page.target_id)
        faults = Faults(browser, proxy, eyes, fault_site, schedule.choice)

        proxy.arm(schedule.message, faults.strike(schedule.fault))
        code = await code_of(CALLS[schedule.call](page, seen))
        proxy.disarm()
        struck = proxy.has_struck
        proxy.heal()

        assert code in (CODES[schedule.fault] if struck else {""}), f"{schedule}: {code}"
        await check_evidence(schedule, eyes, code)
        is_killed = struck and schedule.fault == "browser killed"
        if engine.is_connected and not is_killed:
            await works(await engine.new_page(), fault_site)
        elif not is_killed:
            await engine.reconnect()
            await works(page, fault_site)
            async with cdp_agent.connect(proxy.address) as again:
                await works(await again.new_page(), fault_site)
        else:
            async with cdp_agent.launch(headless=True, args=ARGS) as another:
                await works(await another.new_page(), fault_site)
        await until_answered(engine)
        pids = [browser.pid, *children(browser, "renderer"), *children(browser, "gpu-process")]
    assert not [pid for pid in pids if pid in processes()], "processes of the browser"


async def until_answered(engine: Browser) -> None:
    """No command is left that nobody waits for any more."""
    deadline = time.monotonic() + 5
    while pending := [command.method for command in engine.connection._pending.values()]:
        assert time.monotonic() < deadline, pending
        await asyncio.sleep(0.02)


async def check_evidence(schedule: Schedule, eyes: PageOracle, code: str) -> None:
    """A click of the page that succeeded was one; one that failed was none or one, never two."""
    if schedule.call not in ("click", "click, observed") or schedule.fault == "page navigated":
        return
    try:
        clicks = await eyes.eval("window.clicks || 0")
    except (Gone, OracleError, ConnectionClosed):
        return  # the page is gone, with its evidence
    assert clicks <= 1, schedule
    assert code or clicks == 1, schedule
