"""The reported cost of a run."""

from __future__ import annotations

import pytest

from cdp_agent.agent.models.model_interface import Price, Usage
from cdp_agent.agent.models.prices import price_of
from cdp_agent.errors import InvalidParams

PRICES = {
    "claude-sonnet-5-5": Price(2, 10),
    "claude-haiku-4-5-20251001": Price(1, 5),
    "claude-sonnet-5-latest": Price(2, 10),
    # Of a later version nothing is known, whatever its name begins with.
    "claude-sonnet-5-9": None,
    "llama-4": None,
}


@pytest.mark.parametrize(("model", "price"), PRICES.items(), ids=PRICES.keys())
def test_a_model_costs_its_list_price(
    model: str, price: Price | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CDP_AGENT_PRICE", raising=False)
    assert price_of(model) == price


def test_the_environment_knows_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CDP_AGENT_PRICE", "3/15")
    assert price_of("claude-sonnet-5-5") == Price(3, 15)
    assert price_of("llama-4") == Price(3, 15)
    for wrong in ("3", "a/b", "3/-1"):
        monkeypatch.setenv("CDP_AGENT_PRICE", wrong)
        with pytest.raises(InvalidParams, match="CDP_AGENT_PRICE"):
            price_of("llama-4")


def test_cached_input_costs_its_share() -> None:
    usage = Usage(1_000_000, 1_000_000, cache_read=1_000_000, cache_write=1_000_000)
    assert Price(4, 20, cache_read=0.05).of(usage) == pytest.approx(4 + 20 + 0.2 + 5)
