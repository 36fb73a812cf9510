"""Servers and command lines in processes of their own, on the run's Chromium."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio

from cdp_agent import Browser
from tests.support.devtools import devtools_port_and_path

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "cdp_agent.cli.main"]
TOKEN = "a-token-of-the-tests"


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "CDP_AGENT_TOKEN": TOKEN, **more}


@pytest.fixture
def endpoint(browser: Browser) -> str:
    return endpoint_of(browser)


def endpoint_of(browser: Browser) -> str:
    """The address of the run's Chromium, for `--connect`."""
    assert browser.user_data_dir is not None
    port, _ = devtools_port_and_path(browser)
    return f"http://127.0.0.1:{port}"


@asynccontextmanager
async def served(
    *arguments: str, **variables: str
) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """A server of ours; its first line that is not a log has its address. It ends when told to."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, env=environment(**variables), stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    try:
        line, lines = "", []
        async with asyncio.timeout(60):
            while not re.match(r"[\w -]+ at \w+://", line):
                line = (await process.stderr.readline()).decode()
                lines.append(line)
                assert line, "".join(lines)
        yield line.split()[-1], process
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.communicate(), 20)


class Said(NamedTuple):
    code: int
    out: str
    err: str


class Shell:
    """`await shell("click", "0-4")`, in a folder of sessions of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        #: Variables of its commands.
        self.variables: dict[str, str] = {}

    async def __call__(self, *words: str, given: str = "") -> Said:
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *words,
            env=environment(CDP_AGENT_SESSIONS=str(self.folder), **self.variables),
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(given.encode()), 60)
        assert process.returncode is not None
        return Said(process.returncode, out.decode(), err.decode())


@pytest_asyncio.fixture(loop_scope="session")
async def shell() -> AsyncIterator[Shell]:
    # Short: a socket's path has to fit in 100 characters.
    folder = Path(tempfile.mkdtemp(prefix="s"))
    made = Shell(folder)
    try:
        yield made
    finally:
        for name in os.listdir(folder):
            if name.endswith(".sock"):
                await made("close", "--session", name.removesuffix(".sock"))
        shutil.rmtree(folder)


def ref(text: str, what: str) -> str:
    found = re.search(rf"\[(\d+-\d+)\] {what}", text)
    assert found is not None, text
    return found[1]
