"""Chromium's own recording of a page: what its processes did, frame by frame.

The result is the JSON that DevTools (Performance), Perfetto and chrome://tracing open.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cdp_agent.errors import BrowserError, InvalidParams, ProtocolError
from cdp_agent.protocol import Session

if TYPE_CHECKING:
    from cdp_use.cdp.tracing.commands import StartParameters
    from cdp_use.cdp.tracing.types import TraceConfig

#: As DevTools' own panel has them.
CATEGORIES = (
    "-*",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "loading",
    "latencyInfo",
    "v8.execute",
    "blink.user_timing",
)
_SCREENSHOTS = "disabled-by-default-devtools.screenshot"
_BUFFER_KB = 100_000
_END_SECONDS = 60.0
_CHUNK_SECONDS = 30.0
_CHUNK_BYTES = 1 << 20
_MOST_BYTES = 500_000_000


async def start_recording(
    session: Session, categories: Sequence[str] | None, *, screenshots: bool
) -> None:
    """Raises: InvalidParams: a recording is under way, or a category is unknown."""
    chosen = tuple(categories) if categories is not None else CATEGORIES
    if isinstance(categories, str) or not all(isinstance(name, str) and name for name in chosen):
        raise InvalidParams(f"categories are names, not {categories!r}")
    wanted = (*chosen, _SCREENSHOTS) if screenshots else chosen
    config: TraceConfig = {
        "recordMode": "recordUntilFull",  # bounded, whatever the page does and however long
        "traceBufferSizeInKb": _BUFFER_KB,
        "includedCategories": [name for name in wanted if not name.startswith("-")],
        "excludedCategories": [name[1:] for name in wanted if name.startswith("-")],
    }
    params: StartParameters = {"transferMode": "ReturnAsStream", "traceConfig": config}
    try:
        await session.post("Tracing.start", params)
    except ProtocolError as error:
        raise InvalidParams(
            f"the recording does not start: {error.reason}", hint="Stop the other one first."
        ) from None


async def stop_recording(session: Session) -> bytes:
    """End the recording; what it holds, as JSON.

    Raises:
        InvalidParams: none is under way.
        BrowserError: Chromium does not hand it over.
    """
    with session.events("Tracing.tracingComplete") as completed:
        try:
            await session.post("Tracing.end")
        except ProtocolError as error:
            raise InvalidParams(
                f"no recording is under way: {error.reason}", hint="Start one first."
            ) from None
        try:
            async with asyncio.timeout(_END_SECONDS):
                event = await completed.get()
        except TimeoutError:
            raise BrowserError(f"the recording did not end within {_END_SECONDS:g} s") from None
    return await _read_stream(session, event.params["stream"])


async def _read_stream(session: Session, handle: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    try:
        while size < _MOST_BYTES:
            reply = await session.post(
                "IO.read", {"handle": handle, "size": _CHUNK_BYTES}, timeout=_CHUNK_SECONDS
            )
            data = reply["data"]
            part = base64.b64decode(data) if reply.get("base64Encoded") else data.encode()
            parts.append(part)
            size += len(part)
            if reply["eof"]:
                return b"".join(parts)
    finally:
        session.send_only("IO.close", {"handle": handle})
    raise BrowserError(f"the recording is larger than {_MOST_BYTES // 1_000_000} MB")
