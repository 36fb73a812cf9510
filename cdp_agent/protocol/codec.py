"""JSON texts to values and back.

An envelope is read first, its result left as it came: only what somebody waits for is decoded,
straight into the struct they want. A 4.9 MB accessibility tree costs 15 ms that way, 126 ms as
dicts.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

#: Above this many bytes the garbage collector is paused while a reply is decoded: it would walk
#: the growing heap again and again, and costs more than the parsing.
_LARGE = 200_000

EMPTY = msgspec.Raw(b"{}")


class ErrorBody(msgspec.Struct, gc=False):
    code: int = 0
    message: str = ""
    data: Any = None


class Envelope(msgspec.Struct, gc=False):
    id: int = 0
    method: str = ""
    sessionId: str = ""
    params: msgspec.Raw = EMPTY
    result: msgspec.Raw = EMPTY
    error: ErrorBody | None = None


_decode_envelope = msgspec.json.Decoder(Envelope).decode
_encode = msgspec.json.Encoder().encode
_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}


def read_envelope(message: bytes | bytearray) -> Envelope:
    try:
        return _decode_envelope(message)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        return _decode_envelope(_mended(bytes(message)))


def decode(raw: msgspec.Raw | bytes, into: type[T] | Any) -> T:
    """Decode a result or an event's parameters into `into` (a Struct, or dict)."""
    decoder = _decoders.get(into)
    if decoder is None:
        decoder = _decoders[into] = msgspec.json.Decoder(into)
    data = memoryview(raw)  # no second copy of what may be many megabytes
    pause = len(data) > _LARGE and gc.isenabled()
    if pause:
        gc.disable()
    try:
        value: T = decoder.decode(data)
        return value
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        mended: T = decoder.decode(_mended(bytes(data)))
        return mended
    finally:
        if pause:
            gc.enable()


def _mended(data: bytes) -> bytes:
    """The JSON with U+FFFD in place of lone surrogates, which pages may hold."""
    text = json.dumps(json.loads(data.decode("utf-8", "replace")), ensure_ascii=False)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def encode_command(number: int, method: str, params: Mapping[str, Any], session_id: str) -> bytes:
    command: dict[str, Any] = {"id": number, "method": method, "params": params}
    if session_id:
        command["sessionId"] = session_id
    try:
        return _encode(command)
    except UnicodeEncodeError:
        return _mended(json.dumps(command).encode())
