"""Compares the engine with Playwright on real applications, by wall time, CPU time and tokens.

    scripts/setup bench
    .venv/bin/python scripts/bench/apps.py
    .venv/bin/python scripts/bench/apps.py --apps datasette,tiddlywiki --rounds 15 --json out.json
    .venv/bin/python scripts/bench/apps.py --running datasette=http://127.0.0.1:8001/library/books

Installs the applications by pip and npm into `.bench/`, seeds and starts them on free loopback
ports, and stops them at the end. With `--running` it installs nothing and measures the pages at the
given addresses. A step is an action and the observation after it. Linux only: CPU times come from
the kernel's clocks of the processes. `late-row` is a page of our own, on which a row appears 50 ms
after the click.

Exit code 0: all rounds of ours proven, all late rows seen. 1: not so. 2: it could not be run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from cdp_agent.chromium.find import find_browser
from scripts.bench.applications.catalog import CATALOG, parse_running
from scripts.bench.applications.late_row import (
    DOCUMENT,
    NAME as LATE_ROW,
    PATH,
    LateRow,
    all_seen,
    late_row_lines,
    measure_late_row,
)
from scripts.bench.applications.rounds import AppResult, measure
from scripts.bench.applications.servers import NotStarted, run_application
from scripts.bench.applications.table import AppReport
from scripts.bench.applications.worker import Worker
from scripts.bench.generated.server import PageServer
from scripts.bench.measurement.contenders import playwright_problem

_NAMES = (*CATALOG, LATE_ROW)


def main(argv: Sequence[str] | None = None) -> int:
    options = _parse(argv)
    try:
        executable = find_browser()
    except cdp_agent.BrowserNotFound as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return 2
    if problem := playwright_problem():
        print(problem, file=sys.stderr)
        return 2
    report, late_rows = _compare(executable, options.apps, options.running, options.rounds)
    if not report.results and not late_rows:
        print("Nothing was measured.", file=sys.stderr)
        return 2
    if report.results:
        _print("", *report.table())
    _print(*late_row_lines(late_rows, report.ours, report.theirs))
    if options.json is not None:
        samples = {
            **report.as_json(),
            "late_row": {result.about: result.as_json() for result in late_rows},
        }
        options.json.write_text(json.dumps(samples, indent=2) + "\n")
    return 0 if report.is_good and all_seen(late_rows, report.ours) else 1


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    def names(text: str) -> list[str]:
        chosen = text.split(",")
        if unknown := [name for name in chosen if name not in _NAMES]:
            raise argparse.ArgumentTypeError(f"no application {', '.join(unknown)}")
        return chosen

    def running(text: str) -> dict[str, str]:
        try:
            return parse_running(text.split(","))
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        epilog=f"Applications: {', '.join(_NAMES)}.",
    )
    parser.add_argument("--apps", type=names, metavar="NAME,…", help="names with commas (all)")
    parser.add_argument("--rounds", type=int, default=9, help="measured rounds (9)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples there")
    parser.add_argument(
        "--running",
        type=running,
        metavar="NAME=ADDRESS,…",
        help="measure these pages, which run already, and install nothing",
    )
    options = parser.parse_args(argv)
    if options.rounds < 1:
        parser.error("rounds are 1 or more")
    return options


def _compare(
    executable: Path, names: list[str] | None, running: dict[str, str] | None, rounds: int
) -> tuple[AppReport, list[LateRow]]:
    chosen = names or [*(running or CATALOG), LATE_ROW]
    late_rows: list[LateRow] = []
    with ExitStack() as stack:
        ours = stack.enter_context(Worker("cdp_agent", executable))
        theirs = stack.enter_context(Worker("playwright", executable))
        results: list[AppResult] = []
        setting = {
            "browser": ours.version,
            "playwright": theirs.version,
            "machine": f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start",
            "rounds": rounds,
        }
        report = AppReport(results, ours.name, theirs.name, setting)
        _print(*(f"{key}: {value}" for key, value in setting.items()), *report.detail_heading())
        for name in chosen:
            if name == LATE_ROW:
                with PageServer() as pages:
                    pages.add({PATH: DOCUMENT})
                    url = pages.url(PATH, "127.0.0.1")
                    late_rows += measure_late_row(url, (ours, theirs), rounds)
                continue
            app = CATALOG[name]
            with ExitStack() as server:
                try:
                    if running is None:
                        url = server.enter_context(run_application(app))
                    else:
                        url = running[name]
                except (NotStarted, KeyError) as error:
                    _print(f"{name:<11} left out: {error}")
                    continue
                results.append(measure(app, url, (ours, theirs), rounds))
            _print(*report.detail(results[-1]))
    return report, late_rows


def _print(*lines: str) -> None:
    """Print at once: a run that is stopped has still printed its results so far."""
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
