"""Reading what an action answered: an effect or an error, and the evidence for it."""

from __future__ import annotations

from collections.abc import Awaitable

from cdp_agent import CdpAgentError, Outcome, Receipt


async def attempt(action: Awaitable[Outcome]) -> Outcome | CdpAgentError:
    """The result or the refusal of an action; any other exception is a failure."""
    try:
        return await action
    except CdpAgentError as error:
        return error


def receipt_of(outcome: Outcome) -> Receipt:
    """The evidence, without which input is never called a success."""
    assert outcome.receipt is not None
    return outcome.receipt
