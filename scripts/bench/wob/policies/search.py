"""Tasks of search results over several pages."""

from __future__ import annotations

from scripts.bench.wob.hands import Hand
from scripts.bench.wob.policies.policy import Policy, numbers, part, quoted

#: Results of one page.
_SHOWN = 3


async def nth_result(sentence: str, hand: Hand) -> None:
    await hand.fill(hand.view.fields()[0], quoted(sentence)[0])
    await hand.click(hand.view.one("button", "Search"))
    nth = numbers(part(r"click the (\d+)", sentence))[0] - 1
    for _n in range(nth // _SHOWN):
        await hand.click(hand.view.one(name=">"))
    results = hand.view.after("Search").all("link")
    await hand.click(results[nth % _SHOWN])


POLICIES: dict[str, Policy] = {"search-engine": nth_result}
