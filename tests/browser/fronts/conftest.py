"""Servers and command lines in processes of their own, on the run's Chromium."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cdp_agent import Browser

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "cdp_agent.cli.main"]
TOKEN = "a-token-of-the-tests"


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "CDP_AGENT_TOKEN": TOKEN, **more}


@pytest.fixture
def endpoint(browser: Browser) -> str:
    """Where the run's Chromium listens: what `--connect` takes."""
    assert browser.user_data_dir is not None
    port = (browser.user_data_dir / "DevToolsActivePort").read_text().split()[0]
    return f"http://127.0.0.1:{port}"


@asynccontextmanager
async def served(*arguments: str) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """A server of ours; its address is on its first line. It has to end when it is told to."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, env=environment(), stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    try:
        line = (await asyncio.wait_for(process.stderr.readline(), 20)).decode()
        assert "://" in line, line + (await process.stderr.read()).decode()
        yield line.split()[-1], process
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.communicate(), 20)
