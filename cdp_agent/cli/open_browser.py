"""The browser a command works with: launched for it, or one that runs already."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import cdp_agent
from cdp_agent.cli.address import complete_endpoint
from cdp_agent.cli.failure import EnvironmentFailure
from cdp_agent.errors import CdpAgentError

if TYPE_CHECKING:
    from cdp_agent import Browser


@asynccontextmanager
async def open_browser(
    connect: str | None = None, *, headless: bool = True
) -> AsyncIterator[Browser]:
    """Raises: EnvironmentFailure: it could not be started or reached."""
    async with AsyncExitStack() as stack:
        try:
            if connect:
                opening = cdp_agent.connect(complete_endpoint(connect))
            else:
                opening = cdp_agent.launch(headless=headless)
            browser = await stack.enter_async_context(opening)
        except CdpAgentError as error:
            raise EnvironmentFailure(error) from error
        yield browser
