"""Plays MiniWoB++ by scripted policies that see only the task's sentence and a page's text.

    scripts/setup bench
    .venv/bin/python scripts/bench/miniwob.py
    .venv/bin/python scripts/bench/miniwob.py --tasks click-tab,use-slider --engines cdp_agent

The pages are those of the package `miniwob`, installed under `.bench/` by the first run. Each
episode is seeded, begun and rewarded by the page's own script; between that the policy reads our
snapshot and the differences after each action, and acts by the ids in them. The same policies play
by Playwright's snapshot for AI and its refs. Tasks that are about colours, shapes or positions are
left out: no text says those. (So are the pie menus, whose chosen slice is drawn anew under the
pointer, of which Chromium makes no click; and the stock market, where a price changes ten times a
second.) An episode is won with the full reward, before the
time penalty; one whose sentence fits two emails is void.

Tokens are those of everything read, by the tokenizer o200k. Seconds run from the first snapshot to
the end of the policy.

Exit code 0: ours won 99 % of the episodes or more. 1: not so. 2: it could not be run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from cdp_agent.chromium.find import find_browser
from scripts.bench.applications.install import NotInstalled
from scripts.bench.measurement.contenders import playwright_problem
from scripts.bench.wob.episodes import EngineName, Episode, play, start_hand
from scripts.bench.wob.pages import page_folder, serve
from scripts.bench.wob.policies import POLICIES

_ENGINES: tuple[EngineName, ...] = ("cdp_agent", "playwright")
_WANTED = 0.99
_MOST_LOSSES = 40


def main(argv: Sequence[str] | None = None) -> int:
    options = _parse(argv)
    try:
        folder = options.pages or page_folder()
        browser = find_browser()
    except (NotInstalled, cdp_agent.BrowserNotFound) as error:
        _print(str(error), file=sys.stderr)
        return 2
    engines: list[EngineName] = options.engines
    if "playwright" in engines and (problem := playwright_problem()) is not None:
        _print(problem, file=sys.stderr)
        return 2
    episodes: list[Episode] = []
    with serve(folder) as address:
        for engine in engines:
            episodes += asyncio.run(_play_all(engine, browser, address, options))
    _print(*summary(episodes))
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in episodes], indent=1) + "\n")
    ours = [one for one in episodes if one.engine == "cdp_agent" and not one.void]
    return 0 if sum(one.won for one in ours) >= _WANTED * len(ours) else 1


async def _play_all(
    engine: EngineName, browser: Path, address: str, options: argparse.Namespace
) -> list[Episode]:
    episodes = []
    async with start_hand(engine, browser) as hand:
        for task in options.tasks:
            for seed in range(options.first_seed, options.first_seed + options.seeds):
                played = await play(hand, engine, task, seed, address, POLICIES[task])
                episodes.append(played)
                if options.verbose or (engine == "cdp_agent" and not played.won):
                    _print(f"{engine} {task} {seed}: {played.problem or 'won'}", file=sys.stderr)
    return episodes


def summary(episodes: Sequence[Episode]) -> list[str]:
    """Returns a table with a row for each engine, and the losses by task."""
    engines = list(dict.fromkeys(one.engine for one in episodes))
    counted = {name: [o for o in episodes if o.engine == name and not o.void] for name in engines}
    lines = ["engine       episodes   won     %  calls  tokens  seconds (means of an episode)"]
    lines += [_row(name, mine) for name, mine in counted.items()]
    if len(engines) > 1:
        won = [{(o.task, o.seed) for o in mine if o.won} for mine in counted.values()]
        both = set.intersection(*won)
        lines.append("Episodes that all have won:")
        for name, mine in counted.items():
            lines.append(_row(name, [o for o in mine if (o.task, o.seed) in both]))
    for name, mine in counted.items():
        lost: dict[str, list[Episode]] = {}
        for one in mine:
            if not one.won:
                lost.setdefault(one.task, []).append(one)
        for task, some in list(lost.items())[:_MOST_LOSSES]:
            lines.append(f"lost by {name}: {task}, {len(some)} times: {some[0].problem[:110]}")
    if voids := sum(one.void for one in episodes):
        lines.append(f"void: {voids}")
    return lines


def _row(engine: str, episodes: Sequence[Episode]) -> str:
    if not episodes:
        return f"{engine:<12} none"
    won = sum(one.won for one in episodes)
    calls, tokens, seconds = (
        statistics.mean(getattr(one, field) for one in episodes)
        for field in ("calls", "tokens", "seconds")
    )
    share = 100 * won / len(episodes)
    means = f"{calls:>6.1f} {tokens:>7.0f} {seconds:>8.2f}"
    return f"{engine:<12} {len(episodes):>8} {won:>5} {share:>5.1f} {means}"


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=_tasks, default=list(POLICIES), help="names, with commas")
    parser.add_argument("--seeds", type=int, default=5, help="episodes of each task")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--engines", type=_engines, default=list(_ENGINES))
    parser.add_argument("--pages", type=Path, help="the html folder of miniwob, if it is there")
    parser.add_argument("--json", type=Path, help="write all episodes to this file")
    parser.add_argument("--verbose", action="store_true", help="print every episode")
    return parser.parse_args(argv)


def _tasks(text: str) -> list[str]:
    return _known(text, list(POLICIES))


def _engines(text: str) -> list[str]:
    return _known(text, list(_ENGINES))


def _known(text: str, known: list[str]) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(f"{name} is not one of {', '.join(known)}")
    return names


def _print(*lines: str, file: TextIO | None = None) -> None:
    for line in lines:
        print(line, file=file, flush=True)


if __name__ == "__main__":
    sys.exit(main())
