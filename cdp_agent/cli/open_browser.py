"""The browser a command works with: launched for it, or one that runs already."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import cdp_agent
from cdp_agent.cli.address import complete_endpoint
from cdp_agent.cli.failure import EnvironmentFailure
from cdp_agent.errors import CdpAgentError

if TYPE_CHECKING:
    from cdp_agent import Browser, Policy
    from cdp_agent.api.opening import Opening


@asynccontextmanager
async def open_browser(
    connect: str | None = None, *, headless: bool = True, policy: Policy | None = None
) -> AsyncIterator[Browser]:
    """Raises: EnvironmentFailure: it could not be started or reached."""
    async with AsyncExitStack() as stack:
        try:
            opening = opening_for(connect, headless=headless, policy=policy)()
            browser = await stack.enter_async_context(opening)
        except CdpAgentError as error:
            raise EnvironmentFailure(error) from error
        yield browser


def opening_for(
    connect: str | None = None, *, headless: bool = True, policy: Policy | None = None
) -> Callable[[], Opening]:
    """What opens the browser that the options name, as often as it is needed."""
    if connect:
        return partial(cdp_agent.connect, complete_endpoint(connect), policy=policy)
    return partial(cdp_agent.launch, headless=headless, policy=policy)
