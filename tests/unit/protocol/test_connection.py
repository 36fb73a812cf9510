"""One connection: replies find their commands, events their listeners, the end everybody."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from cdp_agent.errors import (
    CdpAgentError,
    CommandTimeout,
    ConnectionLost,
    ProtocolError,
    TargetClosed,
    TargetCrashed,
)
from cdp_agent.protocol import Connection
from tests.unit.memory_transport import Command, MemoryTransport, Refusal, idle, until


@pytest.fixture
def wire() -> MemoryTransport:
    return MemoryTransport()


@pytest_asyncio.fixture
async def connection(wire: MemoryTransport) -> AsyncIterator[Connection]:
    connection = Connection(wire)
    yield connection
    await connection.aclose()


# -- commands and replies ---------------------------------------------------------------------


async def test_a_command_is_one_json_text_with_a_number_of_its_own(
    connection: Connection, wire: MemoryTransport
) -> None:
    wire.attach("S1", "T1")
    session = connection.find_session("S1")
    assert session is not None

    connection.root.post("Browser.getVersion")
    session.post("Page.navigate", {"url": "about:blank"})

    assert wire.sent == [
        Command(1, "Browser.getVersion", {}, ""),
        Command(2, "Page.navigate", {"url": "about:blank"}, "S1"),
    ]


async def test_replies_find_their_commands_in_whatever_order_they_come(
    connection: Connection, wire: MemoryTransport
) -> None:
    replies = [connection.root.post_untyped("Test.echo", {"n": n}) for n in range(5)]

    for command in reversed(wire.sent):
        wire.answer(command, command.params)

    assert await asyncio.gather(*replies) == [{"n": n} for n in range(5)]


async def test_a_reply_is_decoded_into_what_its_caller_wants(
    connection: Connection, wire: MemoryTransport
) -> None:
    class Version(msgspec.Struct):
        product: str

    wire.script("Browser.getVersion", {"product": "Chrome/156", "revision": "x"})

    version = await connection.root.post("Browser.getVersion", into=Version)

    assert version == Version("Chrome/156")


async def test_a_reply_of_another_shape_is_its_callers_failure_and_nobody_elses(
    connection: Connection, wire: MemoryTransport
) -> None:
    class Version(msgspec.Struct):
        product: int

    wire.script("Browser.getVersion", {"product": "Chrome/156"})
    other = connection.root.post("Browser.getVersion")

    with pytest.raises(ProtocolError, match=r"Browser.getVersion.*product"):
        await connection.root.post("Browser.getVersion", into=Version)

    assert await other == {"product": "Chrome/156"}


REFUSALS: dict[str, tuple[Refusal, type[CdpAgentError], str]] = {
    "a refusal has the method and the reason": (
        Refusal("Invalid parameters"),
        ProtocolError,
        "DOM.focus: Invalid parameters",
    ),
    "details follow in brackets": (
        Refusal("Invalid parameters", data="url: string value expected"),
        ProtocolError,
        "DOM.focus: Invalid parameters (url: string value expected)",
    ),
    "a session that is gone": (
        Refusal("Session with given id not found.", -32001),
        TargetClosed,
        "the tab or frame is gone",
    ),
    "a page that crashed": (
        Refusal("Target crashed"),
        TargetCrashed,
        "DOM.focus: Target crashed",
    ),
}


@pytest.mark.parametrize(("refusal", "kind", "message"), REFUSALS.values(), ids=REFUSALS.keys())
async def test_a_refusal_becomes_an_error_with_a_type(
    connection: Connection,
    wire: MemoryTransport,
    refusal: Refusal,
    kind: type[CdpAgentError],
    message: str,
) -> None:
    wire.script("DOM.focus", refusal)

    with pytest.raises(kind) as caught:
        await connection.root.post("DOM.focus")

    assert caught.value.message == message


async def test_a_command_without_an_answer_ends_at_its_deadline(
    connection: Connection, wire: MemoryTransport
) -> None:
    with pytest.raises(CommandTimeout) as caught:
        await connection.root.post_untyped("Page.navigate", timeout=0.01)

    assert caught.value.code == "timeout"
    assert caught.value.data == {"method": "Page.navigate"}
    assert "Page.navigate got no answer within 0.01 s" in str(caught.value)


async def test_an_answer_that_comes_too_late_is_nobodys(
    connection: Connection, wire: MemoryTransport
) -> None:
    late = connection.root.post_untyped("Page.navigate", timeout=0.01)
    with pytest.raises(CommandTimeout):
        await late
    again = connection.root.post_untyped("Page.navigate")

    wire.answer(wire.sent[0], {"loaderId": "old"})
    wire.answer(wire.sent[1], {"loaderId": "new"})
    wire.deliver(b'{"id": 999, "result": {}}')

    assert await again == {"loaderId": "new"}


async def test_a_caller_that_is_cancelled_takes_nothing_along(
    connection: Connection, wire: MemoryTransport
) -> None:
    async def ask() -> Any:
        return await connection.root.post_untyped("Page.navigate")

    task = asyncio.create_task(ask())
    await until(lambda: bool(wire.sent))
    task.cancel()
    await asyncio.wait([task])
    wire.answer(wire.sent[0], {})
    wire.script("Browser.getVersion", {"product": "Chrome"})

    assert await connection.root.post("Browser.getVersion") == {"product": "Chrome"}


ENDINGS = ["answered", "refused", "timed out", "cancelled"]


@pytest.mark.parametrize("ending", ENDINGS)
async def test_a_command_that_is_over_is_forgotten(
    connection: Connection, wire: MemoryTransport, ending: str
) -> None:
    seconds = 0.01 if ending == "timed out" else 30
    reply = connection.root.post_untyped("Page.navigate", timeout=seconds)
    if ending == "answered":
        wire.answer(wire.sent[0], {})
    elif ending == "refused":
        wire.answer(wire.sent[0], Refusal("no"))
    elif ending == "cancelled":
        reply.cancel()
    await asyncio.wait([reply])
    remembered = weakref.ref(reply)

    del reply
    await idle()
    gc.collect(1)

    assert remembered() is None


UNREADABLE = {
    "nothing": b"",
    "half a message": b'{"id": 1, "resu',
    "no JSON": b"hello",
    "no object": b"[1, 2]",
    "a bare null": b"null",
    "bytes that are no text": b"\xff\xfe\x00",
    "a number that is none": b'{"id": "one", "result": {}}',
    "a method that is not a name": b'{"method": 5, "params": {}}',
    "an object without sense": b"{}",
}


@pytest.mark.parametrize("message", UNREADABLE.values(), ids=UNREADABLE.keys())
async def test_a_message_that_cannot_be_read_is_left_out_and_the_rest_goes_on(
    connection: Connection, wire: MemoryTransport, message: bytes
) -> None:
    reply = connection.root.post("Browser.getVersion", timeout=2)

    wire.deliver(message)
    wire.answer(wire.sent[0], {"product": "Chrome"})

    assert await reply == {"product": "Chrome"}


async def test_half_a_character_in_a_page_does_not_cost_the_reply(
    connection: Connection, wire: MemoryTransport
) -> None:
    reply = connection.root.post_untyped("Runtime.evaluate", timeout=1)

    wire.deliver(rb'{"id": 1, "result": {"value": "a\ud83db"}}')

    assert await reply == {"value": "a\ufffdb"}


# -- the end ----------------------------------------------------------------------------------


async def test_when_the_wire_is_cut_everybody_learns_why(
    connection: Connection, wire: MemoryTransport
) -> None:
    told: list[str] = []
    connection.on_end(lambda reason: told.append(reason.message))
    wire.attach("S1", "T1")
    session = connection.find_session("S1")
    assert session is not None
    waiting = [connection.root.post_untyped("Test.command"), session.post_untyped("Test.command")]
    with session.events("Test.event") as queue, connection.listen("*", ("*",)) as all_events:
        wire.event("Test.event", {"n": 1}, "S1")

        wire.drop("browser exited 139")

        assert (await queue.get()).params == {"n": 1}  # what came before the end is not lost
        await all_events.get()
        for listener in (queue, all_events):
            with pytest.raises(ConnectionLost, match="browser exited 139"):
                await listener.get()
    for reply in waiting:
        with pytest.raises(ConnectionLost, match="browser exited 139"):
            await reply
    assert told == ["browser exited 139"]
    assert connection.ended is not None
    assert connection.ended.code == "connection_lost"


async def test_after_the_end_nothing_is_sent_and_everything_fails_at_once(
    connection: Connection, wire: MemoryTransport
) -> None:
    wire.drop("gone")

    connection.root.send_only_untyped("Test.command")
    with pytest.raises(ConnectionLost, match="gone"):
        await connection.root.post_untyped("Test.command")
    with (
        connection.listen("", ("Test.event",)) as queue,
        pytest.raises(ConnectionLost, match="gone"),
    ):
        await queue.get()

    assert wire.sent == []


async def test_closing_twice_is_closing_once_and_the_first_reason_stays(
    connection: Connection, wire: MemoryTransport
) -> None:
    told: list[str] = []
    connection.on_end(lambda reason: told.append(reason.message))
    reply = connection.root.post_untyped("Test.command")

    await connection.aclose()
    await connection.aclose()

    with pytest.raises(ConnectionLost, match="closed by this side"):
        await reply
    assert told == ["closed by this side"]
    assert wire.is_closed


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_command_that_nobody_awaits_causes_no_complaint_at_the_end(
    connection: Connection, wire: MemoryTransport, moment: str
) -> None:
    """Input events are sent without being awaited: their failure is no "never retrieved"."""
    complaints: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    try:
        if moment == "before":
            connection.root.post_untyped("Input.dispatchMouseEvent")
        wire.drop("gone")
        if moment == "after":
            connection.root.post_untyped("Input.dispatchMouseEvent")
        await idle()
        gc.collect(1)
    finally:
        loop.set_exception_handler(None)

    assert complaints == []
