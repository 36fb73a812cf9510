"""Looks at one page by three engines, each look proven by what it must show.

A first look is one at a page that was opened for it. `default` is what tools answer (8,000 tokens),
`whole` is everything. What is timed ends with the text.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import cdp_agent
from cdp_agent.snapshot.options import SnapshotKeywords
from cdp_agent.tools.text.reader_view import DEFAULT_TOKENS
from scripts.bench.generated.pages import BenchPage
from scripts.bench.measurement.contenders import Playwright
from scripts.bench.measurement.measure import rounds_for
from scripts.bench.measurement.tokens import count_tokens

#: Looks at a freshly opened page, of each kind.
_FIRST = 3
_ROLES = "button|link|textbox|checkbox|radio|combobox"
_OURS = re.compile(rf"\[\d+-\d+\] (?:{_ROLES})\b")
_THEIRS = re.compile(rf"- (?:{_ROLES})\b.*\[ref=")
_LATER_STEPS = 5
_KINDS: dict[str, SnapshotKeywords] = {
    "default": {"max_tokens": DEFAULT_TOKENS},
    "whole": {"timeout": 120},
}


@dataclass(slots=True)
class Looks:
    """Medians in seconds, and what the texts are like."""

    page: BenchPage
    first: dict[str, float] = field(default_factory=dict)
    again: dict[str, float] = field(default_factory=dict)
    step: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)
    size: dict[str, int] = field(default_factory=dict)
    #: Interactive elements with an id in the whole text.
    covered: dict[str, int] = field(default_factory=dict)
    stale: list[str] = field(default_factory=list)

    def ratio(self, times: dict[str, float], mine: str) -> float | None:
        theirs = times.get("playwright")
        return times[mine] / theirs if mine in times and theirs else None


async def look_at(
    page: BenchPage,
    url: str,
    browser: cdp_agent.Browser,
    theirs: Playwright,
    rounds: int,
    foreign: cdp_agent.Browser | None = None,
) -> Looks:
    """`foreign`: a browser that was not launched by us; first looks are taken in it, too."""
    looks = Looks(page)
    await _first_looks(looks, url, browser, theirs, foreign)
    ours = await browser.new_page(url)
    try:
        await theirs.open(page, url)
        await _second_looks(looks, ours, theirs, rounds_for(page, rounds))
        if page.name == "later":
            await _late_steps(looks, ours, theirs)
    finally:
        await ours.close()
        await theirs.leave()
    return looks


async def _first_looks(
    looks: Looks,
    url: str,
    browser: cdp_agent.Browser,
    theirs: Playwright,
    foreign: cdp_agent.Browser | None,
) -> None:
    taken: dict[str, list[float]] = {}
    ways = [(kind, browser, options) for kind, options in _KINDS.items()]
    if foreign is not None:
        ways.append(("foreign", foreign, _KINDS["whole"]))
    # One more than counts: scripts are compiled, caches filled. Not where a look takes minutes.
    rounds = range(1) if looks.page.interactive > 10_000 else range(-1, _FIRST)
    for number in rounds:
        for kind, where, options in ways:
            page = await where.new_page(url)
            try:
                seconds, text = await _timed(lambda page=page, o=options: _ours(page, o))  # type: ignore[misc]
            finally:
                await page.close()
            _note(looks, kind, text)
            if number >= 0:
                taken.setdefault(kind, []).append(seconds)
        page = await browser.new_page(url)
        try:
            seconds, _ = await _timed(lambda page=page: _floor(page))  # type: ignore[misc]
        finally:
            await page.close()
        if number >= 0:
            taken.setdefault("floor", []).append(seconds)
        await theirs.open(looks.page, url)
        try:
            seconds, text = await _timed(theirs.snapshot)
        finally:
            await theirs.leave()
        _note(looks, "playwright", text)
        if number >= 0:
            taken.setdefault("playwright", []).append(seconds)
    looks.first = {kind: statistics.median(times) for kind, times in taken.items()}
    looks.covered = {kind: looks.covered[kind] for kind in ("whole", "playwright")}


def _note(looks: Looks, kind: str, text: str) -> None:
    looks.tokens[kind] = count_tokens(text)
    looks.size[kind] = len(text.encode())
    looks.covered[kind] = len((_THEIRS if kind == "playwright" else _OURS).findall(text))


async def _second_looks(
    looks: Looks, ours: cdp_agent.Page, theirs: Playwright, rounds: int
) -> None:
    """One change, then a look at it, in each of our ways and in theirs."""
    page = looks.page
    index = next(f.index for f in ours.frames if urlsplit(f.url).path == page.acts_in)
    count = 0
    for kind, options in _KINDS.items():
        before = await ours.snapshot(**options)
        times = []
        for _ in range(rounds):
            await _change(ours, index, page)
            count += 1
            began = time.perf_counter()
            after = await ours.snapshot(**options)
            text = after.diff(before).text
            times.append(time.perf_counter() - began)
            if page.said(count) not in text:
                looks.stale.append(f"{kind} look {count}")
            looks.tokens[f"{kind} diff"] = count_tokens(text)
            before = after
        looks.again[kind] = statistics.median(times)
    times = []
    await theirs.snapshot()
    for number in range(1, rounds + 1):
        await theirs.frame.evaluate("count()")
        if page.name == "later":
            await theirs.frame.wait_for_function(f"said.textContent.includes('{number} times')")
        seconds, text = await _timed(theirs.snapshot)
        times.append(seconds)
        if page.said(number) not in text:
            looks.stale.append(f"playwright look {number}")
    looks.again["playwright"] = statistics.median(times)


async def _change(ours: cdp_agent.Page, index: int, page: BenchPage) -> None:
    await ours.evaluate("count()", index)
    if page.name == "later":
        await ours.evaluate("new Promise(done => setTimeout(done, 60))", index)


async def _late_steps(looks: Looks, ours: cdp_agent.Page, theirs: Playwright) -> None:
    """Click and observe where the change comes 50 ms later. Theirs is timed, fresh or not."""
    snapshot = await ours.snapshot()
    button = snapshot.find("button", looks.page.button, exact=True).id
    times: dict[str, list[float]] = {"whole": [], "playwright": []}
    for _ in range(_LATER_STEPS):
        due = int(await ours.evaluate("clicks")) + 1
        began = time.perf_counter()
        outcome = await ours.click(button, observe=True)
        text = outcome.snapshot.text if outcome.snapshot is not None else ""
        times["whole"].append(time.perf_counter() - began)
        if looks.page.said(due) not in text:
            looks.stale.append(f"step {due}")
        seconds, _ = await _timed(theirs.step)
        times["playwright"].append(seconds)
    looks.step = {kind: statistics.median(taken) for kind, taken in times.items()}


async def _ours(page: cdp_agent.Page, options: SnapshotKeywords) -> str:
    return (await page.snapshot(**options)).text


async def _floor(page: cdp_agent.Page) -> str:
    """The bare trees of all frames at once."""
    replies = [
        page.resolve_frame_session(frame.index).post(
            "Accessibility.getFullAXTree", {"frameId": frame.frame_id}, timeout=120
        )
        for frame in page.frames
    ]
    await asyncio.gather(*replies)
    return ""


async def _timed(look: Callable[[], Awaitable[str]]) -> tuple[float, str]:
    began = time.perf_counter()
    text = await look()
    return time.perf_counter() - began, text
