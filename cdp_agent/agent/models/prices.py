"""Prices of models: the provider's list, or those in `CDP_AGENT_PRICE`.

A cost worked out here is an estimate. Prices change and differ by contract, and a server of one's
own has its own; a model that is not in the list has no price rather than a wrong one.
"""

from __future__ import annotations

import os
import re

from cdp_agent.agent.models.model_interface import Price
from cdp_agent.errors import InvalidParams

PRICE_VARIABLE = "CDP_AGENT_PRICE"

#: As published in November 2026.
_LIST = {
    "claude-fable-5-1": Price(10, 50, cache_read=0.025),
    "claude-fable-5": Price(10, 50),
    "claude-opus-5-5": Price(4, 20, cache_read=0.05),
    "claude-opus-5": Price(5, 25),
    "claude-opus-4-8": Price(5, 25),
    "claude-opus-4-7": Price(5, 25),
    "claude-opus-4-6": Price(5, 25),
    "claude-opus-4-5": Price(5, 25),
    "claude-sonnet-5-5": Price(2, 10),
    "claude-sonnet-5": Price(2, 10),
    "claude-sonnet-4-6": Price(3, 15),
    "claude-sonnet-4-5": Price(3, 15),
    # For prompts up to 100,000 tokens, which a run's history stays under.
    "claude-haiku-5-5": Price(0.10, 0.50),
    "claude-haiku-4-5": Price(1, 5),
}
#: A version may have its date behind it: `claude-haiku-4-5-20251001`.
_DATE = re.compile(r"-(\d{8}|latest)$")


def price_of(model: str) -> Price | None:
    """The price in the environment, else the model's list price, else None.

    Raises:
        InvalidParams: `CDP_AGENT_PRICE` is not two numbers.
    """
    given = os.environ.get(PRICE_VARIABLE, "")
    if not given:
        return _LIST.get(_DATE.sub("", model))
    try:
        into, out = (float(part) for part in given.split("/"))
    except ValueError:
        into = out = -1.0
    if into < 0 or out < 0:
        raise InvalidParams(
            f"{PRICE_VARIABLE} is {given[:40]!r}",
            hint="Dollars for a million tokens in and out: CDP_AGENT_PRICE=3/15",
        )
    return Price(into, out)
