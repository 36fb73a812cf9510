"""Act and observe over MCP, beside two peers: `python -m scripts.bench.assistants [--rounds N]`.

A step is what an assistant does again and again: click something and read what the page shows
then. Each server runs on stdio with a headless Chromium of its own, all on the same page; a peer
that does not answer with the page is asked for it, and that is part of its step. The peers are
installed from npm into a folder of the bench's own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from cdp_agent.chromium import find_browser
from scripts.bench.generated.pages import BenchPage, make_pages
from scripts.bench.generated.server import PageServer

ROOT = Path(__file__).parents[2]
PEERS = {"@playwright/mcp": "0.0.83", "chrome-devtools-mcp": "1.11.0"}
#: Our step's share of each peer's, at most.
LIMITS = {"playwright-mcp": 0.15, "chrome-devtools-mcp": 0.3}


@dataclass(frozen=True)
class Contender:
    name: str
    command: list[str]
    navigate: tuple[str, str]
    click: str
    snapshot: str
    #: The id of the button in a snapshot.
    pattern: str
    #: The click's arguments, from the names it takes and the id.
    arguments: Callable[[set[str], str], dict[str, Any]]


@dataclass
class Measured:
    steps: list[float] = field(default_factory=list)
    characters: list[int] = field(default_factory=list)


def contenders(folder: Path) -> list[Contender]:
    chrome = str(find_browser())
    bin_folder = folder / "node_modules" / ".bin"
    return [
        Contender(
            "cdp-agent",
            [sys.executable, "-m", "cdp_agent.cli.main", "mcp"],
            ("browser_navigate", "url"),
            "browser_click",
            "browser_snapshot",
            r'\[(\d+-\d+)\] button "{name}"',
            lambda _, ref: {"ref": ref},
        ),
        Contender(
            "playwright-mcp",
            [
                str(bin_folder / "playwright-mcp"),
                *("--headless", "--isolated", "--no-sandbox", "--executable-path", chrome),
            ],
            ("browser_navigate", "url"),
            "browser_click",
            "browser_snapshot",
            r'button "{name}".*?\[ref=(\w+)\]',
            lambda known, ref: {
                "element": "the button",
                ("ref" if "ref" in known else "target"): ref,
            },
        ),
        Contender(
            "chrome-devtools-mcp",
            [
                str(bin_folder / "chrome-devtools-mcp"),
                *("--headless", "--isolated", "--executablePath", chrome),
                # It is not to call home from here.
                *("--chromeArg=--no-sandbox", "--no-usage-statistics", "--no-performance-crux"),
            ],
            ("navigate_page", "url"),
            "click",
            "take_snapshot",
            r'uid=(\w+) button "{name}"',
            lambda known, ref: {
                "uid": ref,
                **({"includeSnapshot": True} if "includeSnapshot" in known else {}),
            },
        ),
    ]


def text_of(result: types.CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))


async def measure(contender: Contender, url: str, page: BenchPage, rounds: int) -> Measured:
    with tempfile.TemporaryDirectory() as folder:  # some write what they see where they stand
        return await _measure_in(folder, contender, url, page, rounds)


async def _measure_in(
    folder: str, contender: Contender, url: str, page: BenchPage, rounds: int
) -> Measured:
    server = StdioServerParameters(
        cwd=folder,
        command=contender.command[0],
        args=contender.command[1:],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    measured = Measured()
    async with Client(stdio_client(server)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        known = set(tools[contender.click].input_schema.get("properties", {}))
        which: dict[str, Any] = {}
        if "pageId" in known:
            pages = text_of(await client.call_tool("list_pages", {}))
            first = re.search(r"^(\d+):", pages, re.MULTILINE)
            which = {"pageId": int(first[1]) if first else 1}
        tool, argument = contender.navigate
        await client.call_tool(tool, {argument: url, **which})
        shown = text_of(await client.call_tool(contender.snapshot, which))
        found = re.search(contender.pattern.format(name=re.escape(page.button)), shown)
        if found is None:
            raise SystemExit(f"{contender.name} does not show the button:\n{shown[:2000]}")
        arguments = {**which, **contender.arguments(known, found[1])}
        for number in range(1, rounds + 3):
            began = time.perf_counter()
            answer = text_of(await client.call_tool(contender.click, arguments))
            if page.said(number) not in answer:
                answer = text_of(await client.call_tool(contender.snapshot, which))
            seconds = time.perf_counter() - began
            if page.said(number) not in answer:
                raise SystemExit(f"{contender.name} did not see click {number}:\n{answer[:1000]}")
            if number > 2:  # the first two warm up
                measured.steps.append(seconds * 1000)
                measured.characters.append(len(answer))
    return measured


def install(folder: Path) -> None:
    wanted = [f"{name}@{version}" for name, version in PEERS.items()]
    command = ["npm", "install", "--no-save", "--silent", "--prefix", str(folder), *wanted]
    subprocess.run(command, check=True, timeout=600)


async def compare(folder: Path, rounds: int) -> dict[str, Measured]:
    with PageServer() as server:
        page = make_pages(server.port)["form"]
        server.add(page.documents)
        url = f"http://127.0.0.1:{server.port}{page.path}"
        return {
            contender.name: await measure(contender, url, page, rounds)
            for contender in contenders(folder)
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--npm", type=Path, default=Path(tempfile.gettempdir()) / "cdp-agent-npm")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    install(args.npm)
    found = asyncio.run(compare(args.npm, args.rounds))
    medians = {name: round(statistics.median(m.steps), 1) for name, m in found.items()}
    if args.json:
        print(json.dumps({"rounds": args.rounds, "step_median_ms": medians}))
        return 0
    print("| server | step, ms | characters to read | our share of it | at most |")
    print("|---|---|---|---|---|")
    for name, measured in found.items():
        share = medians["cdp-agent"] / medians[name]
        limit = f"{LIMITS[name]:g}" if name in LIMITS else ""
        characters = statistics.median(measured.characters)
        print(f"| {name} | {medians[name]:.1f} | {characters:.0f} | {share:.2f} | {limit} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
