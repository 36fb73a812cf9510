"""A recorded tab, alone or with two frames."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.unit.recorded_tab import Tab, add_frame, open_tab


@pytest_asyncio.fixture
async def tab() -> AsyncIterator[Tab]:
    async with open_tab() as tab:
        yield tab


@pytest_asyncio.fixture
async def framed(tab: Tab) -> Tab:
    await add_frame(tab)
    return tab
