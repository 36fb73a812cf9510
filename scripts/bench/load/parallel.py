"""Steps per second of many pages at once, ours and Playwright's: a click and an observation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import cdp_agent
from scripts.bench.load.resources import usage
from scripts.bench.measurement.contenders import ARGS

_WARM_UP = 2

Step = Callable[[], Awaitable[str]]
Count = Callable[[], Awaitable[int]]


async def _ours(stack: AsyncExitStack, executable: Path, url: str, pages: int) -> list[Any]:
    browser = await stack.enter_async_context(cdp_agent.launch(executable, args=ARGS))

    async def open_page() -> tuple[Step, Count]:
        context = await browser.new_context()
        page = await context.new_page(url, viewport=(1280, 720))
        button = (await page.snapshot()).find("button", "Add").id

        async def step() -> str:
            outcome = await page.click(button, observe=True, timeout=60)
            return outcome.snapshot.text if outcome.snapshot is not None else ""

        async def count() -> int:
            return int(await page.evaluate("clicks.value"))

        return step, count

    return [await open_page() for _ in range(pages)]


async def _theirs(stack: AsyncExitStack, executable: Path, url: str, pages: int) -> list[Any]:
    from playwright.async_api import async_playwright

    playwright = await stack.enter_async_context(async_playwright())
    browser = await playwright.chromium.launch(executable_path=executable, args=list(ARGS))
    stack.push_async_callback(browser.close)

    async def open_page() -> tuple[Step, Count]:
        context = await browser.new_context(viewport={"width": 1280, "height": 720})
        page = await context.new_page()
        await page.goto(url)
        button, body = page.get_by_role("button", name="Add"), page.locator("body")

        async def step() -> str:
            await button.click(timeout=60_000)
            return await body.aria_snapshot(mode="ai", timeout=60_000)

        async def count() -> int:
            return int(await page.evaluate("clicks.value"))

        return step, count

    return [await open_page() for _ in range(pages)]


ENGINES = {"ours": _ours, "theirs": _theirs}


async def throughput(
    engine: str, executable: Path, url: str, pages: int, steps: int
) -> dict[str, Any]:
    """Steps per second, the client's memory, and the pages whose count is another."""
    async with AsyncExitStack() as stack:
        opened = await ENGINES[engine](stack, executable, url, pages)

        async def work(step: Step, count: int) -> None:
            for _ in range(count):
                assert "Orders" in await step()

        await asyncio.gather(*(work(step, _WARM_UP) for step, _ in opened))
        each = max(steps // pages, 2)
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.gather(*(work(step, each) for step, _ in opened))
        seconds = loop.time() - began
        client = usage().client_mb
        counts = [await count() for _, count in opened]
    return {
        "per_second": each * pages / seconds,
        "client_mb": client,
        "unproven": sum(count != each + _WARM_UP for count in counts),
    }
