"""Measures a long run on one browser: its growth, and its steps a second on many pages.

    .venv/bin/python scripts/bench/soak.py                       # 10,000 actions on 40 pages
    .venv/bin/python scripts/bench/soak.py --actions 400 --pages 8 --levels 1,4 --steps 80

First mixed actions on `--pages` pages of one browser, each in a context of its own that is closed
and opened anew after 100 actions: memory, handles, tasks and processes after the warm-up beside
those at the end, and every click counted by its page. Then, for each of `--levels` pages at once,
steps per second (a click and an observation after it) and the client's memory beside Playwright's
library on the same Chromium; `--levels 0` leaves that out.

Exit code 0: flat, all proven, and all targets met. 1: not so. 2: it could not be run.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from cdp_agent.chromium.find import find_browser
from scripts.bench.generated.pages import MAIN_HOST
from scripts.bench.generated.server import PageServer
from scripts.bench.load.mixed import PAGE, soak
from scripts.bench.load.parallel import throughput
from scripts.bench.load.resources import Usage, growths
from scripts.bench.measurement.contenders import playwright_problem

#: Of 40 pages at once, beside Playwright's library.
_STEPS_RATIO, _MEMORY_RATIO, _TARGET_PAGES = 1.5, 0.5, 40
_MOST_FAILURES_SHOWN = 10


def main(argv: Sequence[str] | None = None) -> int:
    options = _parse(argv)
    if options.part:
        print(json.dumps(asyncio.run(_part(options)), default=dataclasses.asdict))
        return 0
    try:
        find_browser()
    except cdp_agent.BrowserNotFound as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return 2
    if any(options.levels) and (problem := playwright_problem()):
        print(problem, file=sys.stderr)
        return 2
    with PageServer() as server:
        server.add({"/orders.html": PAGE})
        url = server.url("/orders.html", MAIN_HOST)
        is_good = _soak(options, url)
        if any(options.levels):
            is_good = _compare(options, url) and is_good
    return 0 if is_good else 1


def _soak(options: argparse.Namespace, url: str) -> bool:
    facts = _child("mixed", url, "--actions", str(options.actions), "--pages", str(options.pages))
    done = sum(facts["done"].values())
    rate = done / facts["seconds"]
    print(
        f"{done} actions on {options.pages} pages in {facts['seconds']:.0f} s, {rate:.1f} a second"
    )
    print("  " + ", ".join(f"{count} {name}" for name, count in sorted(facts["done"].items())))
    found = growths([Usage(**sample) for sample in facts["samples"]])
    for growth in found:
        print(growth.line)
    failures = facts["failures"]
    for failure in failures[:_MOST_FAILURES_SHOWN]:
        print(f"failed {failure}")
    print(f"{len(failures)} actions failed")
    return not failures and all(growth.is_flat for growth in found)


def _compare(options: argparse.Namespace, url: str) -> bool:
    heads = ("pages", "ours/s", "theirs/s", "ratio", "ours MB", "theirs MB")
    print("\n" + " ".join(f"{head:>9}" for head in heads))
    is_good = True
    for pages in options.levels:
        facts = {
            engine: _child(
                "parallel", url, "--engine", engine, "--pages", str(pages),
                "--steps", str(options.steps),
            )
            for engine in ("ours", "theirs")
        }  # fmt: skip
        ours, theirs = facts["ours"], facts["theirs"]
        ratio = ours["per_second"] / theirs["per_second"]
        memory = ours["client_mb"] / theirs["client_mb"]
        verdict = ""
        if pages == _TARGET_PAGES:
            is_met = ratio >= _STEPS_RATIO and memory <= _MEMORY_RATIO
            verdict = "met" if is_met else f"missed: {_STEPS_RATIO} and {_MEMORY_RATIO} are wanted"
            is_good = is_good and is_met
        if unproven := ours["unproven"] + theirs["unproven"]:
            verdict, is_good = f"{unproven} pages counted other steps", False
        figures = (ours["per_second"], theirs["per_second"], ratio)
        sizes = (ours["client_mb"], theirs["client_mb"])
        cells = [*(f"{figure:9.2f}" for figure in figures), *(f"{size:9.0f}" for size in sizes)]
        print(f"{pages:>9}", *cells, verdict, flush=True)
    return is_good


def _child(part: str, url: str, *more: str) -> dict[str, Any]:
    """A part in a process that does nothing else."""
    words = [sys.executable, __file__, "--part", part, "--url", url, *more]
    answer = subprocess.run(words, check=True, stdout=subprocess.PIPE)
    facts: dict[str, Any] = json.loads(answer.stdout)
    return facts


async def _part(options: argparse.Namespace) -> dict[str, Any]:
    executable = find_browser()
    if options.part == "mixed":
        return await soak(executable, options.url, options.actions, options.pages)
    return await throughput(options.engine, executable, options.url, options.pages, options.steps)


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="a long run, and many pages at once")
    parser.add_argument("--actions", type=int, default=10_000)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--steps", type=int, default=400, help="of each engine at each level")
    parser.add_argument(
        "--levels",
        type=lambda text: [int(word) for word in text.split(",")],
        default=[1, 4, 16, 40],
        help="numbers of pages at once, beside Playwright; 0 for none",
    )
    # What a part is told by the run that started it.
    parser.add_argument("--part", choices=("mixed", "parallel"), help=argparse.SUPPRESS)
    parser.add_argument("--engine", choices=("ours", "theirs"), help=argparse.SUPPRESS)
    parser.add_argument("--url", default="", help=argparse.SUPPRESS)
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
