"""The interface of a model. Messages are those of the Messages API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from cdp_agent.snapshot import Snapshot

#: `{"role": "user" | "assistant", "content": [blocks]}`.
Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; `input_tokens` cost the full price."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )

    @property
    def total(self) -> int:
        return self.input_tokens + self.output_tokens + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens; for cached input, the share of `input`."""

    input: float
    output: float
    cache_read: float = 0.1
    cache_write: float = 1.25

    def of(self, usage: Usage) -> float:
        cached = self.cache_read * usage.cache_read + self.cache_write * usage.cache_write
        read = usage.input_tokens + cached
        return (read * self.input + usage.output_tokens * self.output) / 1_000_000


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call that a model asks for. `problem`: its arguments cannot be read, and why."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question. `snapshot` is the page of the last message, for scripted models."""

    system: str
    messages: Sequence[Message]
    tools: Sequence[Mapping[str, Any]]
    snapshot: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """`content` are the blocks as the model wrote them: they go back to it unchanged."""

    content: tuple[Mapping[str, Any], ...]
    calls: tuple[ToolUse, ...] = ()
    usage: Usage = field(default_factory=Usage)
    stop_reason: str = ""
    #: How often it had to be asked before it answered.
    attempts: int = 1

    @property
    def text(self) -> str:
        parts = [str(block["text"]) for block in self.content if block.get("type") == "text"]
        return "\n".join(part for part in parts if part.strip())


class Model(Protocol):
    """A model that decides. One question at a time; cancelling a question is safe."""

    @property
    def name(self) -> str: ...

    @property
    def price(self) -> Price | None:
        """None: not known, so no cost is reported."""

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Raises: ModelError: it cannot be asked, and trying again will not help."""

    async def aclose(self) -> None:
        """Let go of connections. May be called twice."""
