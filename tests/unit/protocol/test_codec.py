"""JSON texts to values and back, with everything that a page may put into a string."""

from __future__ import annotations

import gc
import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol.codec import decode, encode_command, read_envelope

#: Any text that JavaScript can hold: halves of surrogate pairs are no accident there.
JS_TEXT = st.text(st.sampled_from('ax \\"\n\u00e4\u4e2d\U0001f600\ud83d\ude00\udc00'), max_size=8)
ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=10),
)
JSON_VALUES = ATOMS | st.lists(ATOMS, max_size=3) | st.dictionaries(st.text(max_size=4), ATOMS)
_HALVES = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")


def as_javascript_prints_it(text: str) -> str:
    """Halves that stand alone as U+FFFD, halves that meet as the character they make."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return _HALVES.sub("\ufffd", joined)


@settings(deadline=None, max_examples=50)
@given(JSON_VALUES)
def test_what_the_browser_wrote_is_what_the_caller_reads(value: Any) -> None:
    message = json.dumps({"id": 3, "sessionId": "S", "result": {"value": value}}).encode()

    envelope = read_envelope(message)

    assert (envelope.id, envelope.sessionId, envelope.error) == (3, "S", None)
    assert decode(envelope.result, dict) == {"value": value}


@settings(deadline=None, max_examples=50)
@given(JS_TEXT)
def test_half_a_surrogate_pair_becomes_a_replacement_character(text: str) -> None:
    """In a reply as in an event."""
    body = json.dumps({"value": text})
    reply = f'{{"id": 1, "result": {body}}}'.encode()
    event = f'{{"method": "Test.event", "params": {body}}}'.encode()
    wanted = {"value": as_javascript_prints_it(text)}

    assert decode(read_envelope(reply).result, dict) == wanted
    assert decode(read_envelope(event).params, dict) == wanted


HALVES = {
    "the first half alone": (rb'"a\ud83db"', "a\ufffdb"),
    "the second half alone": (rb'"a\ude00b"', "a\ufffdb"),
    "in the wrong order": (rb'"\ude00\ud83d"', "\ufffd\ufffd"),
    "a whole pair stays": (rb'"\ud83d\ude00"', "\U0001f600"),
    "half of one before a whole one": (rb'"\ud83d\ud83d\ude00"', "\ufffd\U0001f600"),
    "at the end of the text": (rb'"x\ud83d"', "x\ufffd"),
    "before another escape": (rb'"\ud83d\n"', "\ufffd\n"),
    "a backslash and letters are no escape": (rb'"\\ud83d \ud83d"', "\\ud83d \ufffd"),
    "umlauts beside it stay": ('"\\ud83d äöü"'.encode(), "\ufffd äöü"),
}


@pytest.mark.parametrize(("text", "wanted"), HALVES.values(), ids=HALVES.keys())
def test_halves_of_characters_are_decoded_into_structs_too(text: bytes, wanted: str) -> None:
    class Node(msgspec.Struct):
        name: str

    message = b'{"id": 1, "result": {"name": ' + text + b"}}"

    assert decode(read_envelope(message).result, Node) == Node(wanted)


def test_half_a_character_in_the_reason_of_a_refusal_is_readable() -> None:
    message = rb'{"id": 1, "error": {"code": -32000, "message": "no \ud83d here"}}'

    error = read_envelope(message).error

    assert error is not None
    assert error.message == "no \ufffd here"


MALFORMED = {
    "nothing": b"",
    "half a message": b'{"id": 1, "result": {"va',
    "no JSON": b"Not Found",
    "two messages": b'{"id": 1}{"id": 2}',
    "a list": b"[]",
    "null": b"null",
    "a number in quotes": b'{"id": "1"}',
    "an error that is a text": b'{"id": 1, "error": "no"}',
    "bytes that are no text": b"\xff\xfe",
}


@pytest.mark.parametrize("message", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_no_message_is_refused(message: bytes) -> None:
    with pytest.raises((msgspec.MsgspecError, ValueError)):
        read_envelope(message)


def test_a_reply_of_another_shape_is_refused_and_not_guessed_at() -> None:
    class Node(msgspec.Struct):
        backendNodeId: int

    with pytest.raises(msgspec.ValidationError):
        decode(b'{"backendNodeId": "7"}', Node)


def test_what_chromium_may_nest_can_be_read() -> None:
    """It refuses to answer with more than 300 levels."""
    deep = b"[" * 298 + b"]" * 298
    message = b'{"id": 1, "result": {"value": ' + deep + b"}}"

    value: list[Any] = decode(read_envelope(message).result, dict)["value"]

    levels = 0
    while value:
        value, levels = value[0], levels + 1
    assert levels == 297


class Tree(msgspec.Struct):
    nodes: list[dict[str, Any]]


def large_tree(name: str = "row") -> bytes:
    return json.dumps({"nodes": [{"nodeId": n, "name": name} for n in range(20_000)]}).encode()


LARGE: dict[str, tuple[bytes, bool]] = {
    "a large reply": (large_tree(), True),
    "a large reply with half a character": (large_tree("\ud83d"), True),
    "a large reply of another shape": (large_tree().replace(b"nodes", b"nones"), False),
    "half a large reply": (large_tree()[:-10], False),
}


@pytest.mark.parametrize(("message", "is_good"), LARGE.values(), ids=LARGE.keys())
@pytest.mark.parametrize("enabled", [True, False], ids=["collector on", "collector off"])
def test_a_large_reply_leaves_the_garbage_collector_as_it_was(
    message: bytes, is_good: bool, enabled: bool
) -> None:
    was = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        if is_good:
            assert len(decode(message, Tree).nodes) == 20_000
        else:
            with pytest.raises((msgspec.MsgspecError, ValueError)):
                decode(message, Tree)
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()


def test_no_garbage_is_collected_while_a_large_reply_is_decoded() -> None:
    """The collector would walk the growing heap again and again."""
    collections: list[str] = []

    def note(phase: str, _: dict[str, int]) -> None:
        collections.append(phase)

    message = large_tree()
    gc.callbacks.append(note)
    try:
        json.loads(message)
        assert collections  # so many objects do call for it
        collections.clear()
        decode(message, Tree)
        assert collections == []
    finally:
        gc.callbacks.remove(note)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 2**31), JSON_VALUES, st.sampled_from(["", "9F3A21C0"]))
def test_a_command_can_be_read_by_any_json_reader(number: int, value: Any, session: str) -> None:
    message = encode_command(number, "Runtime.callFunctionOn", {"value": value}, session)

    wanted: dict[str, Any] = {
        "id": number,
        "method": "Runtime.callFunctionOn",
        "params": {"value": value},
    }
    if session:
        wanted["sessionId"] = session
    assert json.loads(message) == wanted
    assert b"\0" not in message  # a zero byte ends a message on the pipe


@pytest.mark.parametrize("text", ["\ud83d", "a\ude00b"])
def test_half_a_character_that_a_caller_types_is_sent_or_refused_in_words(text: str) -> None:
    """A model's JSON may well contain one: it is no reason for a stack trace."""
    try:
        message = encode_command(1, "Input.insertText", {"text": text}, "")
    except CdpAgentError as error:
        assert error.code == "invalid_params"  # noqa: PT017 - either outcome will do
    else:
        assert json.loads(message)["method"] == "Input.insertText"
