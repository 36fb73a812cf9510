"""Errors of the tests' own client."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

# How Chromium says that a document or process went away while it was being asked.
GONE = (
    "Cannot find context",
    "Execution context was destroyed",
    "Inspected target navigated",
    "Session with given id not found",
    "uniqueContextId not found",
    "No frame",
    "Promise was collected",
    "Target crashed",
)


class OracleError(Exception):
    """A command was refused, or the page's expression threw."""


class Gone(OracleError):
    """The document that was asked has been replaced; asking again may work."""


@contextlib.asynccontextmanager
async def bound(seconds: float, complaint: Callable[[], str]) -> AsyncIterator[None]:
    """A failed wait is a failed assertion, in words that say what was waited for."""
    try:
        async with asyncio.timeout(seconds) as deadline:
            yield
    except TimeoutError:
        if not deadline.expired():
            raise
        raise AssertionError(f"{complaint()} within {seconds:g} s") from None
