"""Compares three command-line tools by what a model pays for: calls, tokens and seconds.

    scripts/setup bench
    .venv/bin/python scripts/bench/economy.py --running django=http://127.0.0.1:8801,…
    .venv/bin/python scripts/bench/economy.py --running … --flows "gradio chat" --json out.json

Plays the walks of `scripts/bench/walks` through tasks on real applications: the calls of a
competent model, written once for each tool as its own documentation advises. The tools are this
project's, `agent-browser` and `playwright-cli`; a peer that is neither on PATH nor given is left
out. Each flow gets a fresh browser, whose start is in its seconds and whose closing is not.

Tokens are those of everything printed, by the tokenizer o200k. playwright-cli writes snapshots to
files and prints their paths: where a walk reads such a file its tokens count, and the reading is
no call of its own, because a shell does it in the same line. Success is proven by what was
printed or by asking the application, not by exit codes.

The tasks need the applications with the seeds that their flows name (order numbers, pages), so
this benchmark only measures applications that run already; it installs none. The installations of
`scripts/bench/apps.py` hold other data.

Exit code 0: ours carried out all flows. 1: not so. 2: it could not be run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from cdp_agent.chromium.find import find_browser
from scripts.bench.walks import django_flows, form_flows, page_flows
from scripts.bench.walks.flow import AGENT_BROWSER, OURS, PLAYWRIGHT, TOOLS
from scripts.bench.walks.play import Played, play
from scripts.bench.walks.table import table_lines, target_lines
from scripts.bench.walks.tools import CommandLine, agent_browser, find_tool, ours, playwright_cli

FLOWS = {flow.name: flow for flow in (*django_flows.FLOWS, *page_flows.FLOWS, *form_flows.FLOWS)}
_APPS = tuple(dict.fromkeys(flow.app for flow in FLOWS.values()))


def main(argv: Sequence[str] | None = None) -> int:
    options = _parse(argv)
    if not options.running:
        _complain(
            "Give the applications that run, with their seeds, as --running NAME=ADDRESS,… "
            f"(names: {', '.join(_APPS)}). This benchmark installs none."
        )
        return 2
    try:
        browser = find_browser()
    except cdp_agent.BrowserNotFound as error:
        _complain(f"{error}\n{error.hint}")
        return 2
    results: list[Played] = []
    with tempfile.TemporaryDirectory(prefix="economy-") as folder:
        tools = _find_tools(options, browser, Path(folder))
        setting = {tool.name: tool.version() for tool in tools}
        setting["machine"] = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start"
        _print(*(f"{key}: {value}" for key, value in setting.items()))
        for name in options.flows or FLOWS:
            flow = FLOWS[name]
            if flow.app not in options.running:
                _print(f"{name} left out: {flow.app} is not among --running")
                continue
            for tool in tools:
                results.append(play(flow, tool, options.running[flow.app]))
                _print(_progress(results[-1]))
    if not results:
        _complain("Nothing was measured.")
        return 2
    names = [tool.name for tool in tools]
    _print("", *table_lines(results, names), "", *target_lines(results, names))
    if options.json is not None:
        data = {"setting": setting, "walks": [played.as_json() for played in results]}
        options.json.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    return 1 if any(played.problem for played in results if played.tool == OURS) else 0


def parse_running(text: str) -> dict[str, str]:
    """Returns names and addresses out of `name=address,…`.

    Raises:
        ValueError: a part has no `=`, an unknown name or no http address.
    """
    servers = {}
    for part in text.split(","):
        name, _, address = part.partition("=")
        parts = urlsplit(address)
        if name not in _APPS or parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{part!r} is not NAME=ADDRESS with a name of {', '.join(_APPS)}")
        servers[name] = f"{parts.scheme}://{parts.netloc}"
    return servers


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    def running(text: str) -> dict[str, str]:
        try:
            return parse_running(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    def flows(text: str) -> list[str]:
        chosen = text.split(",")
        if unknown := [name for name in chosen if name not in FLOWS]:
            raise argparse.ArgumentTypeError(f"no flow {', '.join(unknown)}")
        return chosen

    def tools(text: str) -> list[str]:
        chosen = text.split(",")
        if unknown := [name for name in chosen if name not in TOOLS]:
            raise argparse.ArgumentTypeError(f"no tool {', '.join(unknown)}")
        return chosen

    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0], epilog=f"Flows: {', '.join(FLOWS)}."
    )
    parser.add_argument(
        "--running", type=running, metavar="NAME=ADDRESS,…", help="the applications that run"
    )
    parser.add_argument("--flows", type=flows, metavar="NAME,…", help="names with commas (all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all outputs there")
    parser.add_argument("--agent-browser", type=Path, metavar="PATH", help="its program")
    parser.add_argument("--playwright-cli", type=Path, metavar="PATH", help="its program")
    parser.add_argument("--tools", type=tools, metavar="NAME,…", default=TOOLS, help="(all)")
    return parser.parse_args(argv)


def _find_tools(options: argparse.Namespace, browser: Path, folder: Path) -> list[CommandLine]:
    session = f"economy-{os.getpid()}"
    given = {AGENT_BROWSER: options.agent_browser, PLAYWRIGHT: options.playwright_cli}
    made = {AGENT_BROWSER: agent_browser, PLAYWRIGHT: playwright_cli}
    tools = []
    for name in options.tools:
        place = folder / name
        place.mkdir()
        if name == OURS:
            tools.append(ours(browser, place, session))
        elif program := find_tool(name, given[name]):
            tools.append(made[name](program, browser, place, session))
        else:
            _print(f"{name} left out: {given[name] or 'it'} is not a program that can be run")
    return tools


def _progress(played: Played) -> str:
    outcome = played.problem or "ok"
    return f"{played.flow}, {played.tool}: {played.calls} calls, {played.tokens} tokens, {outcome}"


def _complain(text: str) -> None:
    print(text, file=sys.stderr)


def _print(*lines: str) -> None:
    """Print at once: a run that is stopped has still printed its results so far."""
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
