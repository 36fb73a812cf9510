"""The first command, which any browser answers as soon as it is up.

Raw bytes on purpose: the connection to come is made on the same pipe by another layer, and
a browser sends no event before it is asked for some, so nothing is lost here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from urllib.parse import urlsplit


async def pipe_replies(read_fd: int, write_fd: int) -> bool:
    """Ask for the version and read the reply. False when the pipe ends first."""
    os.set_blocking(read_fd, False)
    try:
        os.write(write_fd, b'{"id":0,"method":"Browser.getVersion"}\0')
    except BrokenPipeError:
        return False
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(read_fd, readable.set)
    try:
        while True:
            await readable.wait()
            readable.clear()
            with contextlib.suppress(BlockingIOError):
                data = os.read(read_fd, 65536)
                if not data or data.endswith(b"\0"):
                    return bool(data)
    finally:
        loop.remove_reader(read_fd)


async def port_replies(ws_url: str) -> bool:
    """Ask the same over HTTP. False when nobody answers."""
    address = urlsplit(ws_url)
    try:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
    except OSError:
        return False
    try:
        writer.write(f"GET /json/version HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
        return (await reader.readline()).startswith(b"HTTP/1.1 200")
    except OSError:
        return False
    finally:
        writer.transport.abort()
