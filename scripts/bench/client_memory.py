"""Measures the memory of the Python side, in processes that do nothing else."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from scripts.bench.generated.pages import MAIN_HOST, make_pages, more_pages
from scripts.bench.generated.server import PageServer
from scripts.bench.measurement.contenders import ARGS, VIEWPORT

_MOST_MB = 60
_LOOKS = 500
#: Looks at a page of 10,000 rows, a change before each.
_AGAIN = 10
#: What a heap may wander without growing.
_WANDER_MB = 8


async def measure_memory(executable: Path) -> list[str]:
    """A line for each promise."""
    with PageServer() as server:
        pages = {**make_pages(server.port), **more_pages()}
        urls = {name: server.url(pages[name].path, MAIN_HOST) for name in ("form", "list10k")}
        for name in urls:
            server.add(pages[name].documents)
        large, small = urls["list10k"], urls["form"]
        default = await _child(executable, large, _AGAIN, "default")
        once = await _child(executable, large, 1, "whole")
        again = await _child(executable, large, _AGAIN, "whole")
        few = await _child(executable, small, 20, "whole")
        many = await _child(executable, small, _LOOKS, "whole")
    return [
        _said(f"list10k: MB at most, {_AGAIN} default looks", default, _MOST_MB),
        _said("list10k: MB at most, a look at the whole page", once, _MOST_MB),
        _said(f"list10k: MB at most, {_AGAIN} looks at the whole page", again, _MOST_MB),
        _said(f"form: MB more after {_LOOKS} looks than after 20", many - few, _WANDER_MB),
    ]


def _said(what: str, measured: float, most: float) -> str:
    word = "met   " if measured <= most else "missed"
    return f"{word} {what}: {measured:.0f}, at most {most:g}"


async def _child(executable: Path, url: str, looks: int, kind: str) -> float:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        __file__,
        str(executable),
        url,
        str(looks),
        kind,
        stdout=asyncio.subprocess.PIPE,
    )
    answer, _ = await process.communicate()
    return float(answer)


async def _looked(executable: Path, url: str, looks: int, kind: str) -> None:
    async with cdp_agent.launch(executable, args=ARGS, viewport=VIEWPORT) as browser:
        tab = await browser.new_page(url)
        max_tokens = 8000 if kind == "default" else None
        for _ in range(looks):
            await tab.evaluate("count()")
            assert (await tab.snapshot(max_tokens=max_tokens, timeout=120)).text


def _peak_mb() -> float:
    """The most memory this process had since it began.

    `getrusage` would count what the process that started it had before.
    """
    status = Path("/proc/self/status").read_text("ascii")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if "VmHWM" in line)


if __name__ == "__main__":
    asyncio.run(_looked(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]))
    print(_peak_mb())
