"""A model behind the Messages API, by the anthropic SDK: streams, caches, retries.

The SDK's own retries are off: they do not cover a stream that breaks in the middle, and two loops
of retries would multiply. Events are put together here and not by the SDK's helper, because the
helper throws away an answer whose tool arguments are no JSON, where the model only has to be told.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cdp_agent import log
from cdp_agent.agent.models.model_interface import (
    Message,
    ModelReply,
    ModelRequest,
    Price,
    ToolUse,
    Usage,
)
from cdp_agent.agent.models.prices import price_of
from cdp_agent.errors import ModelError

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_log = log.get("agent")

DEFAULT_MODEL = "claude-sonnet-5-5"
MODEL_VARIABLE = "CDP_AGENT_MODEL"

#: Of one answer. Current models think before they answer, and that counts.
_MAX_TOKENS = 8192
_ATTEMPTS = 6
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
#: Between two pieces of a stream; a server that is silent for longer has gone.
_SILENCE = 60.0
_BUSY = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
#: Errors that arrive inside a stream whose status was 200.
_BUSY_TYPES = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})

NO_KEY = ModelError(
    "no API key for the model",
    hint="Set ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL for a server of your own that needs none). "
    "`cdp-agent demo` runs without a key.",
)


@dataclass(frozen=True, slots=True)
class Pace:
    """Pauses and attempts when a server is busy. Tests make them short."""

    attempts: int = _ATTEMPTS
    first_pause: float = _FIRST_PAUSE
    longest_pause: float = _LONGEST_PAUSE
    silence: float = _SILENCE

    def pause(self, attempt: int, asked_for: float | None) -> float:
        """Exponential with full jitter, and never less than the server asked for."""
        ceiling = min(self.first_pause * 2.0 ** (attempt - 1), self.longest_pause)
        pause = ceiling * (0.5 + random.random() / 2)
        return max(pause, min(asked_for or 0.0, 120.0))


class AnthropicModel:
    """A client of the Messages API. Raises (when made): ModelError: a key is missing."""

    def __init__(
        self,
        name: str | None = None,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        max_tokens: int = _MAX_TOKENS,
        price: Price | None = None,
        pace: Pace | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._name = name or os.environ.get(MODEL_VARIABLE) or DEFAULT_MODEL
        self._max_tokens = max_tokens
        self._price = price or price_of(self._name)
        self._pace = pace or Pace()
        self._sleep = sleep
        self._client = _client(api_key, base_url, self._pace.silence)

    @property
    def name(self) -> str:
        return self._name

    @property
    def price(self) -> Price | None:
        return self._price

    async def aclose(self) -> None:
        await self._client.close()

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Ask, and ask again while the server is busy or the line breaks.

        Raises:
            ModelError: it refused for a reason that time does not heal, or stayed busy.
        """
        import anthropic

        attempt = 0
        while True:
            attempt += 1
            try:
                return await self._ask(request, attempt)
            except (anthropic.APIError, _BrokenStream) as error:
                again, asked_for = _again(error)
                if not again:
                    raise _said(error, self._name) from error
                if attempt >= self._pace.attempts:
                    raise ModelError(
                        f"the model did not answer in {attempt} attempts: {_short(error)}",
                        hint="The provider is overloaded or unreachable. Try again later.",
                    ) from error
                pause = self._pace.pause(attempt, asked_for)
                _log.info("model: %s; asking again in %.1f s", _short(error), pause)
                await self._sleep(pause)

    async def _ask(self, request: ModelRequest, attempt: int) -> ModelReply:
        import httpx2

        answer = _StreamedMessage()
        params: dict[str, Any] = {
            "model": self._name,
            "max_tokens": self._max_tokens,
            "system": [{"type": "text", "text": request.system, "cache_control": _CACHED}],
            "messages": _with_cache_mark(list(request.messages)),
            "tools": list(request.tools),
            "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
            "stream": True,
        }
        try:
            stream = await self._client.messages.create(**params)
            async with stream:
                events = aiter(stream)
                while True:
                    async with asyncio.timeout(self._pace.silence):
                        event = await anext(events, None)
                    if event is None:
                        break
                    answer.take(event.to_dict())
        except TimeoutError:
            raise _BrokenStream(f"nothing came for {self._pace.silence:g} s") from None
        except httpx2.HTTPError as error:
            # The SDK translates what happens before the first byte, not what happens after it.
            raise _BrokenStream(f"the stream broke off: {type(error).__name__}") from error
        except json.JSONDecodeError as error:
            raise _BrokenStream("the stream is not what the Messages API sends") from error
        if not answer.complete:
            raise _BrokenStream("the stream ended in the middle of the answer")
        return answer.reply(attempt)


class _BrokenStream(Exception):
    """An answer that did not arrive whole."""


_CACHED = {"type": "ephemeral"}


@dataclass(slots=True)
class _StreamedMessage:
    """Puts the pieces of a stream together."""

    blocks: dict[int, dict[str, Any]] = field(default_factory=dict)
    _json: dict[int, list[str]] = field(default_factory=dict)
    usage: dict[str, int] = field(default_factory=dict)
    stop_reason: str = ""
    complete: bool = False

    def take(self, event: Mapping[str, Any]) -> None:
        kind = event.get("type")
        if kind == "message_start":
            self._count(event["message"].get("usage"))
        elif kind == "content_block_start":
            self.blocks[event["index"]] = dict(event["content_block"])
            self._json[event["index"]] = []
        elif kind == "content_block_delta":
            self._grow(event["index"], event["delta"])
        elif kind == "message_delta":
            self.stop_reason = str(event["delta"].get("stop_reason") or "")
            self._count(event.get("usage"))
        elif kind == "message_stop":
            self.complete = True

    def _grow(self, index: int, delta: Mapping[str, Any]) -> None:
        block = self.blocks.setdefault(index, {"type": "text", "text": ""})
        kind = delta.get("type")
        if kind == "text_delta":
            block["text"] = str(block.get("text", "")) + str(delta["text"])
        elif kind == "input_json_delta":
            self._json.setdefault(index, []).append(str(delta["partial_json"]))
        elif kind == "thinking_delta":
            block["thinking"] = str(block.get("thinking", "")) + str(delta["thinking"])
        elif kind == "signature_delta":
            block["signature"] = delta["signature"]

    def _count(self, usage: Mapping[str, Any] | None) -> None:
        for key, value in (usage or {}).items():
            if isinstance(value, int):
                self.usage[key] = value

    def reply(self, attempts: int) -> ModelReply:
        content: list[dict[str, Any]] = []
        calls: list[ToolUse] = []
        for index in sorted(self.blocks):
            block = self.blocks[index]
            if block["type"] == "tool_use":
                use = _tool_use(block, "".join(self._json.get(index, ())), self.stop_reason)
                calls.append(use)
                content.append(
                    {
                        "type": "tool_use",
                        "id": use.id,
                        "name": use.name,
                        "input": dict(use.arguments),
                    }
                )
            elif block["type"] != "text" or str(block.get("text", "")).strip():
                content.append(block)  # an empty text block would be refused when sent back
        usage = Usage(
            self.usage.get("input_tokens", 0),
            self.usage.get("output_tokens", 0),
            self.usage.get("cache_read_input_tokens", 0),
            self.usage.get("cache_creation_input_tokens", 0),
        )
        return ModelReply(tuple(content), tuple(calls), usage, self.stop_reason, attempts)


def _tool_use(block: Mapping[str, Any], written: str, stop_reason: str) -> ToolUse:
    name, use_id = str(block["name"]), str(block["id"])
    try:
        arguments = json.loads(written) if written.strip() else block.get("input") or {}
    except ValueError as error:
        cut = " (the answer was cut off at its length limit)" if stop_reason == "max_tokens" else ""
        return ToolUse(use_id, name, {}, f"the arguments are no JSON: {error}{cut}")
    if not isinstance(arguments, dict):
        return ToolUse(use_id, name, {}, "the arguments must be a JSON object")
    return ToolUse(use_id, name, arguments)


def _with_cache_mark(messages: list[Message]) -> list[Message]:
    """Mark the last block: the next question reads all before it from the cache."""
    if not messages:
        return messages
    last = messages[-1]
    content = [dict(block) for block in last["content"]]
    if content and content[-1].get("type") in ("text", "tool_result", "image"):
        content[-1]["cache_control"] = _CACHED
    return [*messages[:-1], {**last, "content": content}]


def _client(api_key: str | None, base_url: str | None, silence: float) -> AsyncAnthropic:
    import anthropic
    import httpx2

    key = api_key or os.environ.get("ANTHROPIC_API_KEY")
    token = None if key else os.environ.get("ANTHROPIC_AUTH_TOKEN")
    if not key and not token:
        if not (base_url or os.environ.get("ANTHROPIC_BASE_URL")):
            raise NO_KEY
        key = "none"  # a server of one's own that asks for none
    return anthropic.AsyncAnthropic(
        api_key=key,
        auth_token=token,
        base_url=base_url,
        max_retries=0,
        timeout=httpx2.Timeout(silence, connect=10.0),
    )


def _again(error: Exception) -> tuple[bool, float | None]:
    """Returns whether time heals it, and the pause that the server asks for."""
    import anthropic

    if isinstance(error, _BrokenStream | anthropic.APIConnectionError):
        return True, None
    if isinstance(error, anthropic.APIStatusError):
        busy = error.status_code in _BUSY or error.type in _BUSY_TYPES
        return busy, _retry_after(error.response.headers)
    return False, None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
    return None


def _said(error: Exception, model: str) -> ModelError:
    import anthropic

    if isinstance(error, anthropic.AuthenticationError | anthropic.PermissionDeniedError):
        return ModelError(
            f"the provider refused the key: {_short(error)}",
            hint="Check ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL. `cdp-agent demo` needs no key.",
        )
    if isinstance(error, anthropic.NotFoundError):
        return ModelError(
            f"the provider does not know {model!r}: {_short(error)}",
            hint=f"Name another with --model or {MODEL_VARIABLE}.",
        )
    return ModelError(f"the provider refused the request: {_short(error)}")


def _short(error: Exception) -> str:
    said = getattr(error, "api_message", None) or str(error)
    status = getattr(error, "status_code", None)
    return f"{status} {said}"[:300] if status else str(said)[:300]
