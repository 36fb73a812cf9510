"""Tasks of one inbox: open, delete, mark, answer and forward an email."""

from __future__ import annotations

from scripts.bench.wob.hands import Hand
from scripts.bench.wob.policies.policy import Policy, part, quoted
from scripts.bench.wob.view import Ambiguous, Line, NotShown


def _thread(hand: Hand, sender: str) -> Line:
    """Returns the row of the email by somebody. Raises: NotShown, Ambiguous."""
    rows = []
    for line in hand.view.all("generic"):
        inside = [inner.name for inner in hand.view.below(line)]
        if inside and inside[0] == sender:
            rows.append(line)
    if not rows:
        raise NotShown(sender)
    if len(rows) > 1:
        raise Ambiguous(f"{len(rows)} emails by {sender}")
    return rows[0]


async def by_sentence(sentence: str, hand: Hand) -> None:
    sender = part(r"by (\w+)", sentence)
    if "delete" in sentence:
        await _icon(hand, sender, "trash")
    elif "important" in sentence:
        await _icon(hand, sender, "star")
    elif "forward" in sentence:
        await _forward(hand, sender, part(r"to (\w+)\.?$", sentence))
    else:
        await _reply(hand, sender, quoted(sentence)[0])


async def _icon(hand: Hand, sender: str, name: str) -> None:
    await hand.click(hand.view.below(_thread(hand, sender)).hinted(name)[0])


async def _forward(hand: Hand, sender: str, receiver: str) -> None:
    await hand.click(_thread(hand, sender))
    await hand.click(hand.view.one(name="Forward"))
    await hand.fill(hand.view.fields()[0], receiver)
    await hand.click(hand.view.hinted("send-forward")[0])


async def _reply(hand: Hand, sender: str, words: str) -> None:
    await hand.click(_thread(hand, sender))
    await hand.click(hand.view.one(name="Reply"))
    await hand.fill(hand.view.fields()[-1], words)
    await hand.click(hand.view.hinted("send-reply")[0])


POLICIES: dict[str, Policy] = dict.fromkeys(
    (
        "email-inbox",
        "email-inbox-delete",
        "email-inbox-forward",
        "email-inbox-important",
        "email-inbox-noscroll",
        "email-inbox-reply",
        "email-inbox-star-reply",
    ),
    by_sentence,
)
