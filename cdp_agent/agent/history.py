"""The conversation, kept within a budget of tokens.

It only grows until it is too long; then it is cut in one go, so that between two cuts the
provider's cache can serve everything but the last turn. A turn (what the model said and what its
calls came to) is kept or dropped as a whole: each `tool_use` stays with its `tool_result`.

What a model thought is bound to the conversation before it: sent back after an edit of that, it is
an error. So a cut, which edits, takes out all of it; what is thought afterwards stays again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cdp_agent.agent.models.model_interface import Message
from cdp_agent.snapshot.text.tokens import estimate_tokens

#: Turns that a cut leaves, at most.
KEPT_TURNS = 10
#: Turns whose results stay whole.
_WHOLE_TURNS = 2
_MOST_SUMMARY_LINES = 60
#: What a cut brings the conversation down to, so that the next one is some turns away.
_TARGET = 0.6
_IMAGE_TOKENS = 1_500
#: The share of the budget that is used: a model may count a quarter more than the estimate.
_CERTAINTY = 0.8
_THOUGHTS = ("thinking", "redacted_thinking")


@dataclass(slots=True)
class Turn:
    """`brief` is the line that stays when the turn goes."""

    number: int
    assistant: Message
    user: Message
    brief: str
    #: The page in its result, word for word.
    page: str = ""


@lru_cache(maxsize=512)
def _tokens(text: str) -> int:
    """The estimate of a text, which is measured again with every turn."""
    return estimate_tokens(text)


class History:
    """`messages()` is what to send now: it fits the budget, and its roles alternate."""

    def __init__(self, goal: str, *, budget: int) -> None:
        self._goal = goal
        self._page = ""
        self._turns: list[Turn] = []
        self._dropped: list[str] = []
        self._budget = int(budget * _CERTAINTY)
        self.cuts = 0

    def begin(self, page: str) -> None:
        """The page that the first message shows."""
        self._page = page

    def add(self, turn: Turn) -> None:
        self._turns.append(turn)

    @property
    def turns(self) -> Sequence[Turn]:
        return tuple(self._turns)

    def messages(self) -> list[Message]:
        if self._size() > self._budget:
            self._cut()
        return self._messages()

    def _messages(self) -> list[Message]:
        parts = [f"Goal: {self._goal}"]
        if self._dropped:
            parts.append("What you have done so far (older turns, shortened):\n" + self._summary())
        if self._page:
            parts.append(self._page)
        made: list[Message] = [
            {"role": "user", "content": [{"type": "text", "text": "\n\n".join(parts)}]}
        ]
        for turn in self._turns:
            made.extend((turn.assistant, turn.user))
        return made

    def _size(self) -> int:
        return sum(_size(message) for message in self._messages())

    def _cut(self) -> None:
        """Shorten old pages, then old turns, then the last results."""
        self.cuts += 1
        target = int(self._budget * _TARGET)
        if self._turns:
            self._page = _first_line(self._page)
        for turn in self._turns[:-_WHOLE_TURNS]:
            turn.user = _shortened(turn.user, turn.page)
        for turn in self._turns:
            turn.assistant = _without_thoughts(turn.assistant)
        while len(self._turns) > KEPT_TURNS or (
            self._size() > target and len(self._turns) > _WHOLE_TURNS
        ):
            gone = self._turns.pop(0)
            self._dropped.append(f"{gone.number}. {gone.brief}")
        if self._size() > self._budget:
            rest = max(target - sum(_size(m) for m in self._messages()[:1]), 1_000)
            results = sum(len(turn.user["content"]) for turn in self._turns)
            share = rest // max(results, 1)
            for turn in self._turns:
                turn.user = _limited(turn.user, share)

    def _summary(self) -> str:
        lines = self._dropped
        if len(lines) <= _MOST_SUMMARY_LINES:
            return "\n".join(lines)
        head = f"({len(lines) - _MOST_SUMMARY_LINES} turns before these)"
        return "\n".join((head, *lines[-_MOST_SUMMARY_LINES:]))


def _size(message: Message) -> int:
    total = 4
    for block in message["content"]:
        total += _block_size(block)
    return total


def _block_size(block: dict[str, Any]) -> int:
    kind = block.get("type")
    if kind == "image":
        return _IMAGE_TOKENS
    if kind == "tool_result":
        content = block.get("content", ())
        if isinstance(content, str):
            return _tokens(content) + 8
        return 8 + sum(_block_size(part) for part in content)
    if kind == "text":
        return _tokens(str(block["text"]))
    return _tokens(str(block))


def _shortened(message: Message, page: str) -> Message:
    """Results without their pages: what was done stays, pictures go."""
    return _each_text(message, lambda text: _without_page(text, page))


def _without_thoughts(message: Message) -> Message:
    kept = [block for block in message["content"] if block.get("type") not in _THOUGHTS]
    return {**message, "content": kept or [{"type": "text", "text": "(thought only)"}]}


def _limited(message: Message, most_tokens: int) -> Message:
    def cut(text: str) -> str:
        cost = _tokens(text)
        if cost <= most_tokens or len(text) <= 100:
            return text
        keep = max(len(text) * most_tokens // cost // 2, 50)
        return f"{text[:keep]}\n(… {len(text) - 2 * keep} characters left out …)\n{text[-keep:]}"

    return _each_text(message, cut)


def _each_text(message: Message, change: Any) -> Message:
    blocks = []
    for block in message["content"]:
        if block.get("type") == "tool_result":
            content = block.get("content", ())
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            kept = [
                {"type": "text", "text": change(str(part["text"]))}
                for part in parts
                if part.get("type") == "text"
            ]
            if len(kept) < len(parts):
                kept.append({"type": "text", "text": "(an old picture was left out)"})
            blocks.append({**block, "content": kept})
        else:
            blocks.append(block)
    return {**message, "content": blocks}


def _without_page(text: str, page: str) -> str:
    if page and page in text:
        first, _, rest = page.partition("\n")
        left_out = f" (old: {len(rest.splitlines())} lines left out)" if rest else ""
        return text.replace(page, first + left_out, 1)
    lines = text.split("\n")
    # The first lines say what happened.
    if len(lines) > 6:
        return "\n".join((*lines[:4], f"(old: {len(lines) - 4} lines left out)"))
    return text


def _first_line(page: str) -> str:
    first, _, rest = page.partition("\n")
    return f"{first} (old: the page at the start)" if rest else page
