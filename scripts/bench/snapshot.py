"""What it costs to look at a page: the first time, and again after one change.

    scripts/setup bench
    .venv/bin/python scripts/bench/snapshot.py
    .venv/bin/python scripts/bench/snapshot.py --pages form,list1k --rounds 10

Three ways on the same pages and the same Chromium: ours, Playwright's snapshot for models, and the
floor, which is Chromium's accessibility tree by itself, fetched anew and made into no text. A look
counts only if it shows the page as it is: the change before it has to be in the text.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from cdp_agent.launch.find import find_browser
from scripts.bench.contenders import ARGS, VIEWPORT, Playwright, start_playwright
from scripts.bench.measure import rounds_for
from scripts.bench.pages import MAIN_HOST, BenchPage, make_pages
from scripts.bench.server import PageServer

_ROW = "{:<10} {:<12} {:>10} {:>10} {:>10} {:>7} {:>9} {:>9}"


def main(argv: Sequence[str] | None = None) -> int:
    names = list(make_pages(0))
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=10, help="looks after a change (10)")
    parser.add_argument("--pages", default=",".join(names), help=f"of {', '.join(names)}")
    options = parser.parse_args(argv)
    chosen = options.pages.split(",")
    if options.rounds < 1 or any(name not in names for name in chosen):
        parser.error(f"rounds are 1 or more, pages are {', '.join(names)}")
    try:
        executable = find_browser()
    except cdp_agent.BrowserNotFound as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return 2
    return asyncio.run(_run(executable, chosen, options.rounds))


async def _run(executable: Path, names: list[str], rounds: int) -> int:
    good = True
    async with AsyncExitStack() as stack:
        server = stack.enter_context(PageServer())
        browser = await stack.enter_async_context(
            cdp_agent.launch(executable, args=ARGS, viewport=VIEWPORT)
        )
        theirs = await stack.enter_async_context(start_playwright(executable))
        print(f"{browser.version}; playwright {theirs.version}; milliseconds, medians")
        print(
            _ROW.format("page", "", "cdp_agent", "playwright", "floor", "ratio", "chars", "theirs")
        )
        for name in names:
            page = make_pages(server.port)[name]
            server.add(page.documents)
            url = server.url(page.path, MAIN_HOST)
            good = await _measure(page, url, browser, theirs, rounds_for(page, rounds)) and good
    return 0 if good else 1


async def _measure(
    page: BenchPage, url: str, browser: cdp_agent.Browser, theirs: Playwright, rounds: int
) -> bool:
    ours = await browser.new_page(url)
    try:
        await theirs.open(page, url)
        index = next(f.index for f in ours.frames if urlsplit(f.url).path == page.acts_in)

        async def look() -> str:
            return (await ours.snapshot()).text

        first, text = await _timed(look)
        their_first, their_text = await _timed(theirs.snapshot)
        sizes = len(text), len(their_text)
        _print(page.name, "first", first, their_first, None, sizes)
        again: list[float] = []
        their_again: list[float] = []
        floor: list[float] = []
        fresh = True
        for number in range(1, rounds + 1):
            await ours.evaluate("count()", index)
            seconds, text = await _timed(look)
            again.append(seconds)
            await theirs.frame.evaluate("count()")
            seconds, their_text = await _timed(theirs.snapshot)
            their_again.append(seconds)
            floor.append((await _timed(lambda: _floor(ours)))[0])
            fresh = fresh and page.said(number) in text and page.said(number) in their_text
        middle = statistics.median
        _print(page.name, "again", middle(again), middle(their_again), middle(floor), sizes)
        if not fresh:
            print(f"{page.name}: a look was out of date")
        return fresh
    finally:
        await ours.close()
        await theirs.leave()


async def _timed(look: Callable[[], Awaitable[str]]) -> tuple[float, str]:
    began = time.perf_counter()
    text = await look()
    return time.perf_counter() - began, text


async def _floor(page: cdp_agent.Page) -> str:
    """The bare trees of all frames at once."""
    replies = [
        page.resolve_frame_session(frame.index).post(
            "Accessibility.getFullAXTree", {"frameId": frame.frame_id}, timeout=60
        )
        for frame in page.frames
    ]
    await asyncio.gather(*replies)
    return ""


def _print(
    name: str, what: str, ours: float, theirs: float, floor: float | None, sizes: tuple[int, int]
) -> None:
    shown = f"{floor * 1000:.1f}" if floor is not None else ""
    times = f"{ours * 1000:.1f}", f"{theirs * 1000:.1f}", shown
    print(_ROW.format(name, what, *times, f"{ours / theirs:.2f}", *sizes), flush=True)


if __name__ == "__main__":
    sys.exit(main())
