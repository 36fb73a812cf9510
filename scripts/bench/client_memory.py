"""What the Python side keeps in memory, measured in processes that do nothing else."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from scripts.bench.contenders import ARGS, VIEWPORT
from scripts.bench.pages import MAIN_HOST, make_pages, more_pages
from scripts.bench.server import PageServer

_MOST_MB = 120
_LOOKS = 500
#: What a heap may wander without growing.
_WANDER_MB = 8


async def measure_memory(executable: Path) -> list[str]:
    """A line for each promise."""
    default = await _child(executable, "list10k", "1", "default")
    whole = await _child(executable, "list10k", "1", "whole")
    few = await _child(executable, "form", "20", "whole")
    many = await _child(executable, "form", str(_LOOKS), "whole")
    return [
        _said("list10k: MB of a process that took the default look", default, _MOST_MB),
        _said("list10k: MB of a process that took the whole page", whole, _MOST_MB),
        _said(f"form: MB more after {_LOOKS} looks than after 20", many - few, _WANDER_MB),
    ]


def _said(what: str, measured: float, most: float) -> str:
    word = "met   " if measured <= most else "missed"
    return f"{word} {what}: {measured:.0f}, at most {most:g}"


async def _child(executable: Path, *arguments: str) -> float:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        __file__,
        str(executable),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
    )
    answer, _ = await process.communicate()
    return float(answer)


async def _looked(executable: Path, name: str, looks: int, kind: str) -> None:
    with PageServer() as server:
        page = {**make_pages(server.port), **more_pages()}[name]
        server.add(page.documents)
        async with cdp_agent.launch(executable, args=ARGS, viewport=VIEWPORT) as browser:
            tab = await browser.new_page(server.url(page.path, MAIN_HOST))
            options = {"max_tokens": 8000} if kind == "default" else {}
            for _ in range(looks):
                await tab.evaluate("count()")
                assert (await tab.snapshot(**options, timeout=120)).text


def _peak_mb() -> float:
    """The most memory this process had since it began.

    `getrusage` would count what the process that started it had before.
    """
    status = Path("/proc/self/status").read_text("ascii")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if "VmHWM" in line)


if __name__ == "__main__":
    asyncio.run(_looked(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]))
    print(_peak_mb())
