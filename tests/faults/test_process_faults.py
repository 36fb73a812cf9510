"""A session's background process and an MCP server killed in the middle of a call."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from tests.browser.fronts.conftest import COMMAND, ROOT, Shell, environment
from tests.support.leaks import Process, processes
from tests.support.site import Site

PAGE = "<!doctype html><title>Shop</title><button onclick=\"document.title = 'ordered'\">Order"
_SECONDS = 20.0
#: How a command ends whose session is killed after it acted, before it asked (another session is
#: started, with an empty page), and in between.
ENDS = {0: "", 1: "element_not_found", 2: "connection_lost"}


def with_word(word: str) -> list[Process]:
    """The processes that have a word in their environment, so those that one of them started."""
    found = []
    for process in processes().values():
        try:
            environment = Path(f"/proc/{process.pid}/environ").read_bytes()
        except OSError:
            continue
        if word.encode() in environment:
            found.append(process)
    return found


async def until_gone(word: str) -> None:
    """Wait until nothing that was started with a word in its environment is left."""
    deadline = time.monotonic() + _SECONDS
    while left := with_word(word):
        assert time.monotonic() < deadline, left
        await asyncio.sleep(0.05)


async def test_a_killed_session_is_an_error_and_the_next_command_opens_another(
    round_number: int, fault_site: Site, nothing_left: None
) -> None:
    random = Random(round_number)
    with tempfile.TemporaryDirectory(prefix="s") as folder:
        word = f"faults-{os.getpid()}-{round_number}"
        shell = Shell(Path(folder))
        shell.variables = {"CDP_AGENT_FAULT": word}
        url = fault_site.page(PAGE)
        args = ("--session", "f")
        assert (await shell("open", url.replace("a.test", "127.0.0.1"), *args)).code == 0
        servers = [
            p for p in with_word(word) if "session" in p.command and "chrom" not in p.command
        ]
        assert len(servers) == 1, servers
        command = asyncio.create_task(shell("click", "text=Order", *args))
        await asyncio.sleep(random.random() * 0.4)  # at any moment of it
        os.kill(servers[0].pid, signal.SIGKILL)

        said = await asyncio.wait_for(command, _SECONDS)

        assert said.code in ENDS, said
        assert ENDS[said.code] in said.err, said
        again = await shell("open", url.replace("a.test", "127.0.0.1"), *args)
        assert (again.code, "Shop" in again.out) == (0, True), again
        assert (await shell("close", *args)).code == 0
        await until_gone(word)


@asynccontextmanager
async def mcp_server(word: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        "mcp",
        env=environment(CDP_AGENT_FAULT=word),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=10_000_000,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.communicate(), _SECONDS)


async def call(server: asyncio.subprocess.Process, method: str, **params: Any) -> dict[str, Any]:
    """One request over stdio; an empty answer where the server is gone."""
    assert server.stdin is not None
    assert server.stdout is not None
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    try:
        server.stdin.write((json.dumps(message) + "\n").encode())
        await server.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        return {}
    async with asyncio.timeout(_SECONDS):
        line = await server.stdout.readline()
    return json.loads(line) if line else {}


async def started(server: asyncio.subprocess.Process, url: str) -> dict[str, Any]:
    """A server that has opened a page: the answer to that."""
    assert server.stdin is not None
    info = {"name": "faults", "version": "1"}
    await call(server, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=info)
    server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    return await call(server, "tools/call", name="browser_navigate", arguments={"url": url})


async def test_a_killed_mcp_server_leaves_no_browser_and_another_one_works(
    round_number: int, fault_site: Site, nothing_left: None
) -> None:
    random = Random(round_number)
    word = f"faults-mcp-{os.getpid()}-{round_number}"
    url = fault_site.page(PAGE).replace("a.test", "127.0.0.1")
    async with mcp_server(word) as server:
        assert "Shop" in str(await started(server, url))
        arguments = {"ref": "text=Order"}
        calling = asyncio.create_task(
            call(server, "tools/call", name="browser_click", arguments=arguments)
        )
        await asyncio.sleep(random.random() * 0.15)  # at any moment of it
        os.kill(server.pid, signal.SIGKILL)
        await asyncio.wait_for(calling, _SECONDS)
    await until_gone(word)
    async with mcp_server(word) as server:
        assert "Shop" in str(await started(server, url))
    await until_gone(word)
