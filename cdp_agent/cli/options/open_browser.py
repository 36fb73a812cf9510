"""The browser a command works with: launched for it, or one that runs already."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import cdp_agent
from cdp_agent.cli.exit_codes import EnvironmentFailure
from cdp_agent.cli.options.address import complete_endpoint
from cdp_agent.errors import CdpAgentError, InvalidParams

if TYPE_CHECKING:
    import argparse

    from cdp_agent import Browser, Policy
    from cdp_agent.api.launcher import Opening


@asynccontextmanager
async def open_browser(
    connect: str | None = None,
    *,
    headless: bool = True,
    policy: Policy | None = None,
    profile: str | None = None,
) -> AsyncIterator[Browser]:
    """Raises: EnvironmentFailure: it could not be started or reached."""
    async with AsyncExitStack() as stack:
        try:
            opening = opening_for(connect, headless=headless, policy=policy, profile=profile)()
            browser = await stack.enter_async_context(opening)
        except CdpAgentError as error:
            raise EnvironmentFailure(error) from error
        yield browser


def opening_for_clients(
    args: argparse.Namespace, policy: Policy | None, *, shared: bool
) -> Callable[[], Opening]:
    """Returns a function that opens the browser of a server's clients.

    Raises:
        InvalidParams: the clients have a profile each, so that one that lasts is of no use.
    """
    if args.profile and not shared:
        raise InvalidParams(
            "--profile needs --shared",
            hint="Without it each client has cookies of its own, which end with it.",
        )
    headless = not args.headed
    return opening_for(args.connect, headless=headless, policy=policy, profile=args.profile)


def opening_for(
    connect: str | None = None,
    *,
    headless: bool = True,
    policy: Policy | None = None,
    profile: str | None = None,
) -> Callable[[], Opening]:
    """Returns a function that opens the browser that the options name.

    Raises:
        InvalidParams: a browser that runs already has a profile of its own.
    """
    if connect and profile:
        raise InvalidParams(
            "--connect and --profile do not go together",
            hint="The browser that runs has a profile already.",
        )
    if connect:
        return partial(cdp_agent.connect, complete_endpoint(connect), policy=policy)
    launch = partial(cdp_agent.launch, headless=headless, policy=policy)
    return partial(launch, user_data_dir=profile) if profile else launch
