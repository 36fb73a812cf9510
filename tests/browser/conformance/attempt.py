"""For rows that allow an effect or an error, but nothing in between."""

from __future__ import annotations

from collections.abc import Awaitable

from cdp_agent import CdpAgentError, Outcome


async def attempt(action: Awaitable[Outcome]) -> Outcome | CdpAgentError:
    """What the action gave or how it refused; anything else it raises is a failure."""
    try:
        return await action
    except CdpAgentError as error:
        return error
