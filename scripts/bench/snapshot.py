"""Measures snapshots of a page: the first one, and one after a change.

    scripts/setup bench
    .venv/bin/python scripts/bench/snapshot.py
    .venv/bin/python scripts/bench/snapshot.py --pages form,list1k --rounds 10
    .venv/bin/python scripts/bench/snapshot.py --pages form,styled,form-bootstrap --no-memory

Three ways on the same pages and the same Chromium: ours (`default`, what tools answer within 8,000
tokens, `whole`, and `foreign`, which is whole in a browser that we did not start), Playwright's
snapshot for models, and the floor, which is Chromium's bare accessibility tree, made into no text.
A look counts only if it shows the page as it is: the change before it has to be in it. Every target
is printed with what was measured, and the CDP commands that the first snapshot of a small page
sends. Pages with Bootstrap are measured when named; npm fetches its style sheet into `.bench/`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from cdp_agent.chromium.find import find_browser
from scripts.bench.applications.engines import DEFAULT_TOKENS
from scripts.bench.applications.install import NotInstalled
from scripts.bench.client_memory import measure_memory
from scripts.bench.generated.bootstrap import bootstrap_css
from scripts.bench.generated.pages import MAIN_HOST, BenchPage, make_pages, more_pages
from scripts.bench.generated.server import PageServer
from scripts.bench.generated.styled_pages import STYLED_NAMES, styled_pages
from scripts.bench.looks import Looks, look_at
from scripts.bench.measurement.commands import commands_line, first_snapshot_commands
from scripts.bench.measurement.contenders import ARGS, VIEWPORT, start_foreign, start_playwright

#: Pages that are also looked at in a browser that was not launched by us.
_IN_FOREIGN = ("list1k", "list10k")
#: The page of one frame whose first snapshot's commands are counted.
_SMALL = "form"
_ROW = "{:<18} {:<16} {:>10} {:>10} {:>10} {:>7} {:>10} {:>8} {:>6}"
#: Page → what → the most it may be of Playwright's time.
TIMES = {
    "list1k": {
        "first default": 0.5,
        "first whole": 1.3,
        "again default": 0.3,
    },
    "list10k": {"first default": 0.15, "again default": 0.1},
}
#: Page → the most seconds of a whole look in a browser that was not launched by us.
FOREIGN_SECONDS = {"list10k": 18}
#: Page → the most tokens of the whole text: 0.8 of the fewest of the peers with all elements.
TOKENS = {"form": 532, "list1k": 56_529, "oopifs10": 2_623}
DIFF_TOKENS = {"list1k": 150}


def main(argv: Sequence[str] | None = None) -> int:
    plain = [*make_pages(0), *more_pages()]
    names = [*plain, *STYLED_NAMES]
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=10, help="looks after a change (10)")
    parser.add_argument("--pages", default=",".join(plain), help=f"of {', '.join(names)}")
    parser.add_argument("--no-memory", action="store_true", help="leave out the client's memory")
    options = parser.parse_args(argv)
    chosen = options.pages.split(",")
    if options.rounds < 1 or any(name not in names for name in chosen):
        parser.error(f"rounds are 1 or more, pages are {', '.join(names)}")
    try:
        executable = find_browser()
    except cdp_agent.BrowserNotFound as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return 2
    try:
        sheet = bootstrap_css() if any(name in STYLED_NAMES for name in chosen) else None
    except NotInstalled as error:
        print(error, file=sys.stderr)
        return 2
    memory = not options.no_memory
    return asyncio.run(_run(executable, chosen, options.rounds, sheet, memory=memory))


async def _run(
    executable: Path, names: list[str], rounds: int, sheet: str | None, *, memory: bool
) -> int:
    """0 when every look was fresh and no element without an id; missed targets are only told."""
    good = True
    verdicts: list[str] = []
    async with AsyncExitStack() as stack:
        server = stack.enter_context(PageServer())
        browser = await stack.enter_async_context(
            cdp_agent.launch(executable, args=ARGS, viewport=VIEWPORT)
        )
        theirs = await stack.enter_async_context(start_playwright(executable))
        foreign = await stack.enter_async_context(start_foreign(executable))
        print(f"{browser.version}; playwright {theirs.version}; milliseconds, medians")
        head = ("cdp_agent", "playwright", "floor", "ratio", "bytes", "tokens", "ids")
        print(_ROW.format("page", "look", *head))
        pages = {**make_pages(server.port), **more_pages()}
        if sheet is not None:
            pages |= styled_pages(server.port, sheet)
        for name in names:
            page = pages[name]
            server.add(page.documents)
            url = server.url(page.path, MAIN_HOST)
            looks = await look_at(
                page, url, browser, theirs, rounds, foreign if name in _IN_FOREIGN else None
            )
            _print(looks)
            verdicts += _verdicts(looks)
            good = good and not looks.stale and looks.covered["whole"] == page.interactive
        verdicts.append(await _first_commands(browser, server, pages[_SMALL]))
    print()
    print("\n".join(verdicts))
    if memory:
        print("\n".join(await measure_memory(executable)))
    return 0 if good else 1


async def _first_commands(browser: cdp_agent.Browser, server: PageServer, page: BenchPage) -> str:
    server.add(page.documents)
    url = server.url(page.path, MAIN_HOST)
    methods = await first_snapshot_commands(browser, url, DEFAULT_TOKENS)
    return commands_line(page.name, methods)


def _print(looks: Looks) -> None:
    name = looks.page.name
    for what, times in (("first", looks.first), ("again", looks.again), ("step", looks.step)):
        for kind in ("default", "whole", "foreign"):
            if kind not in times:
                continue
            tokens = looks.tokens[f"{kind} diff" if what == "again" else kind]
            ratio = looks.ratio(times, kind)
            print(
                _ROW.format(
                    name,
                    f"{what} {kind}",
                    _ms(times.get(kind)),
                    _ms(times.get("playwright")),
                    _ms(times.get("floor")),
                    f"{ratio:.2f}" if ratio is not None else "",
                    looks.size[kind] if what == "first" else "",
                    tokens,
                    looks.covered.get(kind, "") if what == "first" else "",
                ),
                flush=True,
            )
    print(
        _ROW.format(
            name,
            "playwright's",
            *("", "", "", ""),
            looks.size["playwright"],
            looks.tokens["playwright"],
            looks.covered["playwright"],
        ),
        flush=True,
    )
    for stale in looks.stale:
        print(f"{name}: {stale} was out of date", flush=True)


def _ms(seconds: float | None) -> str:
    return f"{seconds * 1000:.1f}" if seconds is not None else ""


def _verdicts(looks: Looks) -> list[str]:
    name = looks.page.name
    lines = []
    for what, most in TIMES.get(name, {}).items():
        when, kind = what.split()
        times = {"first": looks.first, "again": looks.again, "step": looks.step}[when]
        ratio = looks.ratio(times, kind)
        if ratio is not None:
            lines.append(verdict(f"{name}: {what} of Playwright's time", round(ratio, 3), most))
    if name in FOREIGN_SECONDS:
        seconds = round(looks.first["foreign"], 1)
        lines.append(verdict(f"{name}: s, first foreign", seconds, FOREIGN_SECONDS[name]))
    if name in TOKENS:
        lines.append(verdict(f"{name}: tokens, whole", looks.tokens["whole"], TOKENS[name]))
    if name in DIFF_TOKENS:
        tokens = looks.tokens["whole diff"]
        lines.append(verdict(f"{name}: tokens of the difference", tokens, DIFF_TOKENS[name]))
    missing = looks.page.interactive - looks.covered["whole"]
    lines.append(verdict(f"{name}: interactive elements without an id", missing, 0))
    return lines


def verdict(what: str, measured: float, most: float) -> str:
    return f"{'met   ' if measured <= most else 'missed'} {what}: {measured:g}, at most {most:g}"


if __name__ == "__main__":
    sys.exit(main())
