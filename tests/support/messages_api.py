"""A Messages API of our own on loopback: what a model says is written in the test.

It streams as the real one does (server-sent events, one block after another) and misbehaves on
demand. Every request it gets is kept, and checked as the real one checks it: roles alternate, each
`tool_use` is answered by a `tool_result` in the next message and by nothing else.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

USAGE = {"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 50}


@dataclass(frozen=True)
class Use:
    """A tool call; `raw` is sent in place of the arguments' JSON."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    raw: str | None = None


@dataclass(frozen=True)
class Say:
    """An answer: words, then calls."""

    text: str = ""
    uses: Sequence[Use] = ()
    stop_reason: str = ""


@dataclass(frozen=True)
class Refuse:
    """An error status."""

    status: int
    kind: str = "api_error"
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = "no"


@dataclass(frozen=True)
class Drop:
    """The line breaks in the middle of an answer."""


@dataclass(frozen=True)
class Stall:
    """An answer that begins and then says nothing more until the server closes."""


@dataclass(frozen=True)
class FailInside:
    """Status 200, and then an error event inside the stream."""

    kind: str = "overloaded_error"


Turn = Say | Refuse | Drop | Stall | FailInside
#: Given the request's body, says what is answered.
Policy = Callable[[Mapping[str, Any]], Turn]


def use(tool: str, /, **arguments: Any) -> Say:
    return Say(uses=(Use(tool, arguments),))


class MessagesApi:
    """Use it in `with`. `turns` are answered in order, or a policy decides from the request."""

    def __init__(self, turns: Sequence[Turn] | Policy) -> None:
        self._policy = turns if callable(turns) else None
        self._turns: Iterator[Turn] = iter(() if callable(turns) else turns)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        #: What was wrong with requests; a test asserts that it is empty.
        self.problems: list[str] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Exchange)
        self._server.api = self
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.05},
            name="messages-api",
            daemon=True,
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def turn(self, body: dict[str, Any], headers: dict[str, str]) -> Turn:
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            self.problems.extend(problems_of(body["messages"]))
            if self._policy is not None:
                return self._policy(body)
            return next(self._turns, Refuse(400, "invalid_request_error", message="no more turns"))


def problems_of(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The problems for which the real service would refuse a conversation."""
    found: list[str] = []
    if not messages or messages[0]["role"] != "user":
        found.append("the first message is not the user's")
    for number, message in enumerate(messages):
        before = messages[number - 1] if number else None
        if before is not None and before["role"] == message["role"]:
            found.append(f"two {message['role']} messages in a row at {number}")
        if not message["content"]:
            found.append(f"message {number} is empty")
        asked = _ids(before, "tool_use", "id") if before is not None else []
        answered = _ids(message, "tool_result", "tool_use_id")
        if message["role"] == "user" and sorted(asked) != sorted(answered):
            found.append(f"message {number} answers {answered}, asked were {asked}")
    if messages and _ids(messages[-1], "tool_use", "id"):
        found.append("the last tool_use is not answered")
    return found


def _ids(message: Mapping[str, Any], kind: str, key: str) -> list[str]:
    return [block[key] for block in message["content"] if block.get("type") == kind]


def _events(say: Say, number: int) -> Iterator[dict[str, Any]]:
    start = {**USAGE, "output_tokens": 1}
    yield {
        "type": "message_start",
        "message": {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": "test",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": start,
        },
    }
    index = 0
    if say.text:
        block = {"type": "text", "text": ""}
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for part in (say.text[:7], say.text[7:]):
            delta = {"type": "text_delta", "text": part}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
        index += 1
    for one in say.uses:
        call = {"type": "tool_use", "id": f"toolu_{number}_{index}", "name": one.name, "input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": call}
        written = one.raw if one.raw is not None else json.dumps(dict(one.arguments))
        for part in (written[:5], written[5:]):
            delta = {"type": "input_json_delta", "partial_json": part}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
        index += 1
    reason = say.stop_reason or ("tool_use" if say.uses else "end_turn")
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": None},
        "usage": {"output_tokens": USAGE["output_tokens"]},
    }
    yield {"type": "message_stop"}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    api: MessagesApi

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is not an event."""


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        api = self.server.api
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length))
        headers = {name.lower(): value for name, value in self.headers.items()}
        turn = api.turn(body, headers)
        if isinstance(turn, Refuse):
            self._refuse(turn)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        say = turn if isinstance(turn, Say) else Say("about to", (Use("browser_snapshot"),))
        for position, event in enumerate(_events(say, len(api.requests))):
            if position == 3 and not isinstance(turn, Say):
                self._break(turn)
                return
            self._send(event)
        self._chunk(b"")

    def _refuse(self, turn: Refuse) -> None:
        error = {"type": "error", "error": {"type": turn.kind, "message": turn.message}}
        text = json.dumps(error).encode()
        self.send_response(turn.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        for name, value in turn.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def _break(self, turn: Drop | Stall | FailInside) -> None:
        if isinstance(turn, FailInside):
            error = {"type": "error", "error": {"type": turn.kind, "message": "Overloaded"}}
            self._send(error)
            self._chunk(b"")
            return
        if isinstance(turn, Stall):
            self.server.api.closing.wait(30)
        self.close_connection = True  # without the last chunk: the answer is not whole

    def _send(self, event: Mapping[str, Any]) -> None:
        text = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
        self._chunk(text.encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Silent: `MessagesApi.requests` is the log."""
