"""Tasks of choices: checkboxes, options, the best of several offers."""

from __future__ import annotations

import re

from scripts.bench.wob.hands import Hand
from scripts.bench.wob.policies.policy import Policy, numbers, part, quoted, submit
from scripts.bench.wob.view import View

_MOST_TRIES = 200


async def checkboxes(sentence: str, hand: Hand) -> None:
    wanted = part(r"Select (.*) and click", sentence)
    for name in [] if wanted == "nothing" else wanted.split(", "):
        await hand.check(hand.view.one("checkbox", name))
    await submit(hand)


async def option(sentence: str, hand: Hand) -> None:
    await hand.check(hand.view.one("radio", part(r"Select (.*) and click", sentence)))
    await submit(hand)


async def from_list(sentence: str, hand: Hand) -> None:
    names = part(r"Select (.*) from the", sentence).split(", ")
    roles = ("combobox", "listbox")
    await hand.choose(hand.view.one(where=lambda line: line.role in roles), names)
    await submit(hand)


async def ticket(sentence: str, hand: Hand) -> None:
    durations = [numbers(text) for text in hand.view.texts() if re.fullmatch(r"\d+h \d+m", text)]
    offers = hand.view.all("button")
    prices = [numbers(offer.name)[0] for offer in offers]
    ranks = prices if "cost" in sentence else [60 * hours + mins for hours, mins in durations]
    best = max if "longest" in sentence or "most" in sentence else min
    await hand.click(offers[ranks.index(best(ranks))])


async def odd_or_even(_: str, hand: Hand) -> None:
    shown = [int(text) for text in hand.view.texts() if re.fullmatch(r"-?\d+", text)]
    for kind, parity in (("Odd", 1), ("Even", 0)):
        for index, each in enumerate(hand.view.all("button", kind)):
            if shown[index] % 2 == parity:
                await hand.click(each)
    await submit(hand)


async def generated_number(sentence: str, hand: Hand) -> None:
    for _n in range(_MOST_TRIES):
        await hand.click(hand.view.one("button", "Generate"))
        number = int(next(text for text in hand.view.texts() if re.fullmatch(r"\d+", text)))
        limit = numbers(sentence)[0] if numbers(sentence) else 0
        if (
            ("less" in sentence and number < limit)
            or ("greater" in sentence and number > limit)
            or ("odd" in sentence and number % 2 == 1)
            or ("even" in sentence and number % 2 == 0)
        ):
            break
    await submit(hand)


async def guessed_number(_: str, hand: Hand) -> None:
    low, high = 0, 9
    while low <= high:
        guess = (low + high) // 2
        await hand.fill(hand.view.fields()[0], str(guess))
        await submit(hand)
        answer = " ".join(hand.view.texts())
        if "lower than" in answer:
            high = guess - 1
        elif "higher than" in answer:
            low = guess + 1
        else:
            return


async def food(sentence: str, hand: Hand) -> None:
    if "of each item" in sentence:
        items = part(r"item: (.*)", sentence).split(", ")
    else:
        kind, count = part(r"that are (.*)", sentence), numbers(sentence)[0]
        lines = hand.view.lines
        at = next(index for index, line in enumerate(lines) if line.name == kind)
        texts = [line.name for line in lines[:at] if line.role in ("text", "generic")]
        items = [texts[-1]] * count
    for item in items:
        await hand.click(hand.view.after(item).one(name="+"))
    await submit(hand, "Order!")


def _posts(hand: Hand, person: str) -> list[View]:
    """Returns the lines from each post by somebody on."""
    return [
        View(hand.view.lines[index:])
        for index, line in enumerate(hand.view)
        if person in line.name.split()
    ]


async def post(sentence: str, hand: Hand) -> None:
    [name], person = quoted(sentence), part(r"(@\w+)", sentence)
    icons = _posts(hand, person)[0].hinted(name.lower())
    if icons:
        await hand.click(icons[0])
        return
    await hand.click(_posts(hand, person)[0].hinted("more")[0])
    entry = next(line for line in _posts(hand, person)[0] if line.name.startswith(name))
    items = [item for item in hand.view.all("listitem") if entry in hand.view.below(item)]
    await hand.click(items[-1] if items else entry)


async def posts(sentence: str, hand: Hand) -> None:
    """Click a button of the posts by one person: of all, or of the first few."""
    [name], person = quoted(sentence), part(r"(@\w+)", sentence)
    found = _posts(hand, person)
    for each in found[: (numbers(part(r"(on .* by)", sentence)) or [len(found)])[0]]:
        await hand.click(each.hinted(name.lower())[0])
    await submit(hand)


POLICIES: dict[str, Policy] = {
    "buy-ticket": ticket,
    "choose-list": from_list,
    "click-checkboxes": checkboxes,
    "click-checkboxes-large": checkboxes,
    "click-checkboxes-transfer": checkboxes,
    "click-option": option,
    "click-scroll-list": from_list,
    "generate-number": generated_number,
    "guess-number": guessed_number,
    "odd-or-even": odd_or_even,
    "order-food": food,
    "social-media": post,
    "social-media-all": posts,
    "social-media-some": posts,
}
