"""Events on their way from the wire to whoever listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest
import pytest_asyncio

from cdp_agent.protocol import Connection
from tests.unit.memory_transport import MemoryTransport, idle


@pytest.fixture
def wire() -> MemoryTransport:
    return MemoryTransport()


@pytest_asyncio.fixture
async def connection(wire: MemoryTransport) -> AsyncIterator[Connection]:
    connection = Connection(wire)
    yield connection
    await connection.aclose()


async def test_a_listener_hears_its_session_and_its_methods_in_order(
    connection: Connection, wire: MemoryTransport
) -> None:
    wire.event("Page.loadEventFired", {"n": 0}, "S1")
    with (
        connection.listen("S1", ("Page.loadEventFired", "Page.frameAttached")) as own,
        connection.listen("*", ("Page.loadEventFired",)) as everywhere,
        connection.listen("S1", ("*",)) as whole_session,
    ):
        wire.event("Page.loadEventFired", {"n": 1}, "S1")
        wire.event("Page.loadEventFired", {"n": 2}, "S2")
        wire.event("Page.frameAttached", {"n": 3}, "S1")
        wire.event("Page.frameDetached", {"n": 4}, "S1")
        heard = {
            "own": [(await own.get()).params["n"] for _ in range(2)],
            "everywhere": [(await everywhere.get()).params["n"] for _ in range(2)],
            "whole session": [(await whole_session.get()).params["n"] for _ in range(3)],
        }
        assert own.get_nowait() is None
        assert everywhere.get_nowait() is None

    assert heard == {"own": [1, 3], "everywhere": [1, 2], "whole session": [1, 3, 4]}


async def test_a_listener_that_was_closed_hears_nothing_more(
    connection: Connection, wire: MemoryTransport
) -> None:
    with connection.listen("", ("Test.event",)) as queue:
        wire.event("Test.event", {"n": 1})
    wire.event("Test.event", {"n": 2})
    queue.close()

    assert (await queue.get()).params == {"n": 1}
    assert queue.get_nowait() is None


async def test_what_came_before_a_reply_is_heard_when_the_reply_is(
    connection: Connection, wire: MemoryTransport
) -> None:
    with connection.listen("", ("Test.event",)) as queue:
        reply = connection.root.post_untyped("Test.command")
        wire.event("Test.event", {"n": 1})
        wire.answer(wire.sent[0], {})
        await reply

        event = queue.get_nowait()

    assert event is not None
    assert event.params == {"n": 1}


async def test_an_event_can_be_read_as_a_dict_or_straight_into_a_struct(
    connection: Connection, wire: MemoryTransport
) -> None:
    class Loaded(msgspec.Struct):
        timestamp: float

    with connection.listen("", ("Page.loadEventFired",)) as queue:
        wire.event("Page.loadEventFired", {"timestamp": 7.5, "more": "x"})
        event = await queue.get()

    assert event.into(Loaded) == Loaded(7.5)
    assert event.params == {"timestamp": 7.5, "more": "x"}
    assert event.params is event.params  # decoded once


async def test_a_waiting_listener_is_woken(connection: Connection, wire: MemoryTransport) -> None:
    with connection.listen("", ("Test.event",)) as queue:
        waiting = asyncio.create_task(queue.get())
        await idle()

        wire.event("Test.event", {"n": 1})

        assert (await waiting).params == {"n": 1}


async def test_a_flood_that_nobody_reads_costs_the_oldest_events_and_no_reply(
    connection: Connection, wire: MemoryTransport
) -> None:
    with connection.listen("", ("Test.event",), limit=10) as queue:
        reply = connection.root.post_untyped("Test.command")
        for number in range(25):
            wire.event("Test.event", {"n": number})
        wire.answer(wire.sent[0], {"ok": True})
        assert await reply == {"ok": True}

        heard = [(await queue.get()).params["n"] for _ in range(10)]

    assert heard == list(range(15, 25))
    assert queue.dropped == 15
    assert queue.get_nowait() is None


async def test_half_a_character_in_an_event_does_not_cost_the_event(
    connection: Connection, wire: MemoryTransport
) -> None:
    with connection.listen("", ("Runtime.consoleAPICalled",)) as queue:
        wire.deliver(rb'{"method": "Runtime.consoleAPICalled", "params": {"text": "\udc00 x"}}')

        event = queue.get_nowait()

    assert event is not None
    assert event.params == {"text": "\ufffd x"}
