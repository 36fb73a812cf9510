"""Starting a small script as if it were a browser, and seeing what becomes of it."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from cdp_agent.chromium import BrowserProcess, LaunchOptions, start_browser

ANSWER = r"""printf '{"id":0,"result":{}}\0' >&4"""
RUN_UNTIL_TERM = "exec sleep 300"

Fake = Callable[[str], Path]


@contextlib.asynccontextmanager
async def started(executable: Path, **options: Any) -> AsyncIterator[BrowserProcess]:
    browser = await start_browser(LaunchOptions(executable=executable, **options))
    try:
        yield browser
    finally:
        await browser.aclose(timeout=0)


async def until(condition: Callable[[], bool], seconds: float = 10) -> None:
    for _ in range(int(seconds / 0.01)):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError(f"not within {seconds} s")


def is_gone(pid: int) -> bool:
    """Returns whether the process has ended, also where nobody has collected its exit code yet."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return not listed.stdout.strip() or listed.stdout.strip().startswith("Z")


def running_commands() -> str:
    return subprocess.run(
        ["ps", "-axww", "-o", "command="], capture_output=True, text=True, check=True
    ).stdout
