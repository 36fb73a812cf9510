"""Counts the protocol commands that the engine sends, read from its debug log."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import cdp_agent

_SENT = re.compile(r"> #\d+ \S* ?([A-Z]\w*\.\w+)")
#: Commands that opening a page still sends after `new_page` returned are not the snapshot's.
_QUIET_SECONDS = 0.5


def sent_method(line: str) -> str | None:
    """The method of a log line that reports a sent command; None for any other line. Pure."""
    found = _SENT.match(line)
    return found[1] if found else None


@contextmanager
def recorded_commands() -> Iterator[list[str]]:
    """Yields a list that grows by one method for every command sent meanwhile."""
    methods: list[str] = []

    class Recorder(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if method := sent_method(record.getMessage()):
                methods.append(method)

    logger = logging.getLogger("cdp_agent.wire")
    level, recorder = logger.level, Recorder()
    logger.addHandler(recorder)
    logger.setLevel(logging.DEBUG)
    try:
        yield methods
    finally:
        logger.setLevel(level)
        logger.removeHandler(recorder)


async def first_snapshot_commands(browser: cdp_agent.Browser, url: str, tokens: int) -> list[str]:
    """The methods that the first snapshot of a freshly opened page sends, in order."""
    page = await browser.new_page(url)
    try:
        await asyncio.sleep(_QUIET_SECONDS)
        with recorded_commands() as methods:
            await page.snapshot(max_tokens=tokens)
            return list(methods)
    finally:
        await page.close()


def commands_line(name: str, methods: list[str]) -> str:
    """The number of commands, and their names. Pure."""
    counts = ", ".join(f"{count} {method}" for method, count in Counter(methods).most_common())
    return f"{name}: {len(methods)} CDP commands for the first snapshot: {counts}"
