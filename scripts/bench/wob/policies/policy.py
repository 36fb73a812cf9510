"""The type of all policies, and how a sentence is read."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from scripts.bench.wob.hands import Hand
from scripts.bench.wob.view import NotShown

#: Plays one episode: the task's sentence, and the hands that read and act.
Policy = Callable[[str, Hand], Awaitable[None]]


def quoted(sentence: str) -> list[str]:
    """Returns the parts in double quotes."""
    return [part.strip() for part in re.findall(r'"([^"]*)"', sentence)]


def numbers(sentence: str) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", sentence)]


def part(pattern: str, sentence: str) -> str:
    """Returns the first group of a pattern. Raises: NotShown: the sentence is of another form."""
    match = re.search(pattern, sentence)
    if match is None:
        raise NotShown(f"the sentence has no {pattern}: {sentence}")
    return match[1].strip()


async def submit(hand: Hand, name: str = "Submit") -> None:
    await hand.click(hand.view.one("button", name))
