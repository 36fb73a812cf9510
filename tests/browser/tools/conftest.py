"""A client of the tool table on the test's own page."""

from __future__ import annotations

from typing import Any, Protocol

import pytest

from cdp_agent import Page
from cdp_agent.tools import ToolResult, ToolSession, call


class Use(Protocol):
    async def __call__(self, tool: str, **arguments: Any) -> ToolResult: ...


@pytest.fixture
def session(page: Page) -> ToolSession:
    return ToolSession(page)


@pytest.fixture
def use(session: ToolSession) -> Use:
    """`await use("click", ref="0-4")`: the result, error or not."""

    async def use(tool: str, **arguments: Any) -> ToolResult:
        return await call(session, f"browser_{tool}", arguments)

    return use
