"""One `cdp-agent serve` on the run's Chromium, and real BAP clients on pages of their own."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from cdp_agent import Browser
from tests.browser.fronts.bap.raw import RawClient, serving
from tests.browser.fronts.conftest import endpoint_of

pytest.importorskip("browseragentprotocol", reason="the test extra is not installed")

from browseragentprotocol import BAPClient

WATCHER = "only-looking-7"
#: A token for each test, so that none waits for the rate of another.
TOKENS = [f"token-of-test-{number:03}" for number in range(120)]
_numbers = itertools.count()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def address(browser: Browser) -> AsyncIterator[str]:
    async with serving(endpoint_of(browser), *TOKENS, f"{WATCHER}=observe:*") as given:
        yield given


@pytest.fixture
def token() -> str:
    return TOKENS[next(_numbers)]


@pytest_asyncio.fixture(loop_scope="session")
async def client(address: str, token: str) -> AsyncIterator[BAPClient]:
    async with BAPClient(address, token=token) as connected:
        yield connected


@pytest_asyncio.fixture(loop_scope="session")
async def raw(address: str, token: str) -> AsyncIterator[RawClient]:
    async with RawClient.connected(address, token) as connected:
        yield connected
