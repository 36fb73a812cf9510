"""Mixed actions on many pages of one browser, each page in a context of its own.

A context is closed and another opened after so many actions, as an agent's tasks come and go.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import cdp_agent
from scripts.bench.load.resources import Usage, usage
from scripts.bench.measurement.contenders import ARGS

_PER_CONTEXT = 100
_SAMPLES = 40

PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>Orders</title>
<h1>Orders</h1><button onclick="clicks.value++; rows.append(rows.lastElementChild.cloneNode(true));
if (rows.children.length > 40) rows.firstElementChild.remove()">Add</button>
<output id=clicks>0</output><label>Note <input id=note></label>
<label>Size <select><option>Small<option>Medium<option>Large</select></label>
<label><input type=checkbox> Express</label>
<ul id=rows><li>Lamp, <a href="#lamp">19.90</a></li></ul><div style="height:3000px"></div>"""


class Worker:
    """One page after another in contexts of their own; every click is counted by the page."""

    def __init__(self, browser: cdp_agent.Browser, url: str, seed: int) -> None:
        self._browser = browser
        self._url = url
        self._random = Random(seed)
        self.done: Counter[str] = Counter()
        self.failures: list[str] = []

    async def run(self, left: list[int], tick: Any) -> None:
        """Take actions until there are none left; `left` is shared by all workers."""
        while left[0] > 0:
            async with await self._browser.new_context() as context:
                page = await context.new_page(self._url)
                await self._work(page, left, tick)

    async def _work(self, page: cdp_agent.Page, left: list[int], tick: Any) -> None:
        seen, clicks = await page.snapshot(), 0
        for _ in range(_PER_CONTEXT):
            if left[0] <= 0:
                break
            left[0] -= 1
            name = self._random.choice(
                ("click", "click", "fill", "select", "check", "press", "scroll", "look", "reload")
            )
            try:
                clicks = await self._act(page, seen, name, clicks)
                if name == "reload":
                    seen = await page.snapshot()
            except (cdp_agent.CdpAgentError, LookupError) as error:
                self.failures.append(f"{name}: {error}")
            self.done[name] += 1
            tick()
        counted = int(await page.evaluate("clicks.value"))
        if counted != clicks:
            self.failures.append(
                f"{clicks} clicks were said to be done, the page counted {counted}"
            )

    async def _act(self, page: cdp_agent.Page, seen: Any, name: str, clicks: int) -> int:
        if name == "click":
            await page.click(seen.find("button", "Add").id, observe=True)
            return clicks + 1
        if name == "fill":
            text = f"note {self._random.randrange(1000)}"
            await page.fill(seen.find("textbox", "Note").id, text, observe=True)
        elif name == "select":
            label = self._random.choice(("Small", "Medium", "Large"))
            await page.select(seen.find("combobox", "Size").id, label=label)
        elif name == "check":
            box = seen.find("checkbox", "Express").id
            await (page.check(box) if self._random.random() < 0.5 else page.uncheck(box))
        elif name == "press":
            await page.press("Tab")
        elif name == "scroll":
            await page.scroll(self._random.choice(("down", "up")), pixels=200)
        elif name == "look":
            await page.snapshot(max_tokens=500)
        else:
            await page.reload()
            return 0
        return clicks


async def soak(executable: Path, url: str, actions: int, pages: int) -> dict[str, Any]:
    """Samples of resources while the actions are carried out, and what failed."""
    samples: list[Usage] = []
    every, count = max(actions // _SAMPLES, 1), 0

    def tick() -> None:
        nonlocal count
        count += 1
        if count % every == 0:
            samples.append(usage())

    async with cdp_agent.launch(executable, args=ARGS) as browser:
        left = [actions]
        workers = [Worker(browser, url, seed) for seed in range(pages)]
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.gather(*(worker.run(left, tick) for worker in workers))
        seconds = loop.time() - began
    done: Counter[str] = Counter()
    for worker in workers:
        done += worker.done
    failures = [failure for worker in workers for failure in worker.failures]
    return {"samples": samples, "seconds": seconds, "done": dict(done), "failures": failures}
