"""Measures common steps of an agent, with the engine and with Playwright in the same run.

    scripts/setup bench
    .venv/bin/python scripts/bench/engine.py
    .venv/bin/python scripts/bench/engine.py --pages form,oopifs10 --rounds 30 --json out.json
    .venv/bin/python scripts/bench/engine.py --pages form,nested3 --bootstrap
    .venv/bin/python scripts/bench/engine.py --profile form

A step is a click and an observation taken after it. Both engines drive the same Chromium, each one
of its own, on pages served from this machine. Times depend on the machine, so the ratio is what
counts; on a busy one take more rounds. `--bootstrap` also measures pages with Bootstrap's style
sheet, which npm fetches into `.bench/`.

Exit code 0: all targets met, all rounds of ours proven. 1: not so. 2: it could not be run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from cdp_agent.chromium.find import find_browser
from scripts.bench.applications.install import NotInstalled
from scripts.bench.generated.bootstrap import bootstrap_css
from scripts.bench.generated.pages import MAIN_HOST, BenchPage, make_pages
from scripts.bench.generated.server import PageServer
from scripts.bench.generated.styled_pages import BOTH_WAYS, STYLED_NAMES, both_ways, styled_pages
from scripts.bench.measurement.contenders import playwright_problem, start_ours, start_playwright
from scripts.bench.measurement.measure import WARM_UP_ROUNDS, NotReady, measure, rounds_for, timed
from scripts.bench.measurement.phases import Recorder, profile_text
from scripts.bench.measurement.report import Report, heading, rows


def main(argv: Sequence[str] | None = None) -> int:
    options = _parse(argv)
    try:
        executable = find_browser()
    except cdp_agent.BrowserNotFound as error:
        return _refuse(f"{error}\n{error.hint}")
    names = [options.profile] if options.profile else options.pages
    try:
        sheet = bootstrap_css() if any(name in STYLED_NAMES for name in names) else None
    except NotInstalled as error:
        return _refuse(str(error))
    if options.profile:
        return asyncio.run(_profile(executable, options.profile, options.rounds, sheet))
    if problem := playwright_problem():
        return _refuse(problem)
    report = asyncio.run(_compare(executable, names, options.rounds, sheet))
    _say(*report.troubles())
    if options.json is not None:
        options.json.write_text(json.dumps(report.as_json(), indent=2) + "\n")
    return 0 if report.is_good else 1


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    plain = list(make_pages(0))
    names = [*plain, *STYLED_NAMES]

    def pages(text: str) -> list[str]:
        chosen = text.split(",")
        if unknown := [name for name in chosen if name not in names]:
            raise argparse.ArgumentTypeError(f"no page {', '.join(unknown)}; there are {names}")
        return chosen

    def count(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= 1000:
            raise argparse.ArgumentTypeError("rounds are from 1 to 1000")
        return int(text)

    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        epilog=f"Pages: {', '.join(names)}. Large ones get a third of the rounds.",
    )
    parser.add_argument("--rounds", type=count, default=20, help="measured rounds (20)")
    parser.add_argument(
        "--pages", type=pages, default=plain, help="names with commas (the plain ones)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples there")
    parser.add_argument(
        "--profile", choices=names, metavar="PAGE", help="where the time of our step goes there"
    )
    parser.add_argument(
        "--bootstrap",
        action="store_true",
        help=f"also {', '.join(BOTH_WAYS)} with Bootstrap, and the page that is styled throughout",
    )
    options = parser.parse_args(argv)
    if options.bootstrap:
        options.pages = both_ways(options.pages)
    return options


def _refuse(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


async def _compare(executable: Path, names: list[str], rounds: int, sheet: str | None) -> Report:
    results = []
    async with AsyncExitStack() as stack:
        server = stack.enter_context(PageServer())
        ours = await stack.enter_async_context(start_ours(executable))
        theirs = await stack.enter_async_context(start_playwright(executable))
        pages = _pages(server.port, sheet)
        setting = {
            "browser": f"{ours.version} ({executable})",
            "playwright": theirs.version,
            "machine": f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start",
        }
        _say(*(f"{key}: {value}" for key, value in setting.items()))
        _say(*heading(ours.name, theirs.name))
        for name in names:
            page = pages[name]
            server.add(page.documents)
            url = server.url(page.path, MAIN_HOST)
            result = await measure(page, url, (ours, theirs), rounds_for(page, rounds))
            _say(*rows(result, ours.name, theirs.name))
            results.append(result)
    return Report(results, ours.name, theirs.name, setting)


def _pages(port: int, sheet: str | None) -> dict[str, BenchPage]:
    """All pages; those with Bootstrap only where its style sheet was fetched."""
    return make_pages(port) | (styled_pages(port, sheet) if sheet is not None else {})


async def _profile(executable: Path, name: str, rounds: int, sheet: str | None) -> int:
    recorder = Recorder()
    async with AsyncExitStack() as stack:
        stack.enter_context(recorder.installed())
        server = stack.enter_context(PageServer())
        ours = await stack.enter_async_context(start_ours(executable))
        page = _pages(server.port, sheet)[name]
        server.add(page.documents)
        try:
            await ours.open(page, server.url(page.path, MAIN_HOST))
        except (NotReady, cdp_agent.CdpAgentError) as error:
            return _refuse(f"{name}: {error}")
        for _ in range(WARM_UP_ROUNDS):
            await timed(ours, page, "step", "")
        for number in range(rounds_for(page, rounds)):
            await ours.fill(f"note {number}")  # as in the comparison: the step moves the focus
            clicks = await ours.clicks()
            recorder.begin()
            seen = await ours.step()
            recorder.end()
            if page.said(clicks + 1) not in seen:
                return _refuse(f"{name}: the observation was out of date")
        await ours.leave()
    print(profile_text(recorder, name))
    return 0


def _say(*lines: str) -> None:
    """At once: a run that is stopped has still told what it saw."""
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
