"""A session: one target's share of the connection, from its attaching to its end."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import pytest
import pytest_asyncio

from cdp_agent.errors import TargetClosed, TargetCrashed
from cdp_agent.protocol import Connection, Session
from tests.unit.memory_transport import Command, MemoryTransport, until


@pytest.fixture
def wire() -> MemoryTransport:
    return MemoryTransport()


@pytest_asyncio.fixture
async def connection(wire: MemoryTransport) -> AsyncIterator[Connection]:
    connection = Connection(wire)
    yield connection
    await connection.aclose()


def attached(connection: Connection, wire: MemoryTransport, name: str, parent: str = "") -> Session:
    kind = "iframe" if parent else "page"
    wire.attach(f"session-{name}", f"target-{name}", kind, parent=parent)
    session = connection.find_session(f"session-{name}")
    assert session is not None
    return session


async def test_a_session_is_born_with_its_target_and_its_parent(
    connection: Connection, wire: MemoryTransport
) -> None:
    tab = attached(connection, wire, "tab")
    frame = attached(connection, wire, "frame", parent=tab.id)

    assert (tab.target_id, tab.target_type, tab.parent) == ("target-tab", "page", connection.root)
    assert (frame.target_id, frame.target_type, frame.parent) == ("target-frame", "iframe", tab)
    assert connection.sessions == [tab, frame]
    assert repr(frame) == "<Session session- iframe target-f>"


async def test_a_session_can_be_used_by_whoever_hears_of_it(
    connection: Connection, wire: MemoryTransport
) -> None:
    """The event is heard after the session exists, so that a listener can send on it at once."""
    with connection.listen("*", ("Target.attachedToTarget",)) as queue:
        wire.attach("S1", "T1")
        event = await queue.get()

    session = connection.find_session(event.params["sessionId"])
    assert session is not None
    session.send_only("Runtime.runIfWaitingForDebugger")
    assert wire.methods("S1") == ["Runtime.runIfWaitingForDebugger"]


async def test_typed_commands_go_out_by_their_name_on_their_session(
    connection: Connection, wire: MemoryTransport
) -> None:
    wire.script("Page.navigate", {"frameId": "F", "loaderId": "L"})
    wire.script("Page.getNavigationHistory", {"currentIndex": 0, "entries": []})
    tab = attached(connection, wire, "tab")

    navigated = await tab.cdp.Page.navigate({"url": "about:blank"})
    history = await tab.cdp.Page.getNavigationHistory()

    assert navigated["loaderId"] == "L"
    assert history["currentIndex"] == 0
    assert wire.sent == [
        Command(1, "Page.navigate", {"url": "about:blank"}, tab.id),
        Command(2, "Page.getNavigationHistory", {}, tab.id),
    ]


async def test_several_commands_can_be_under_way_before_the_first_is_awaited(
    connection: Connection, wire: MemoryTransport
) -> None:
    class Root(msgspec.Struct):
        nodeId: int

    tab = attached(connection, wire, "tab")
    first = tab.post("DOM.getDocument", into=Root)
    second = tab.post("DOM.enable", {})
    assert wire.methods(tab.id) == ["DOM.getDocument", "DOM.enable"]

    wire.answer(wire.sent[1], {})
    wire.answer(wire.sent[0], {"nodeId": 7})

    assert await first == Root(7)
    assert await second == {}


async def test_a_command_that_needs_no_reply_leaves_nothing_behind(
    connection: Connection, wire: MemoryTransport
) -> None:
    tab = attached(connection, wire, "tab")

    tab.send_only("Runtime.releaseObject", {"objectId": "1"})
    wire.answer(wire.sent[0], {})

    assert wire.sent == [Command(1, "Runtime.releaseObject", {"objectId": "1"}, tab.id)]


async def test_a_session_hears_its_own_events_only(
    connection: Connection, wire: MemoryTransport
) -> None:
    tab, other = attached(connection, wire, "tab"), attached(connection, wire, "other")

    with tab.events("Page.loadEventFired") as loaded:
        wire.event("Page.loadEventFired", {"of": "other"}, other.id)
        wire.event("Page.loadEventFired", {"of": "browser"})
        wire.event("Page.loadEventFired", {"of": "tab"}, tab.id)
        event = await loaded.get()

    assert event.params == {"of": "tab"}
    assert event.session_id == tab.id
    assert loaded.get_nowait() is None


async def test_when_a_session_ends_its_waiters_learn_it_and_the_others_go_on(
    connection: Connection, wire: MemoryTransport
) -> None:
    tab = attached(connection, wire, "tab")
    frame = attached(connection, wire, "frame", parent=tab.id)
    of_frame, of_tab = frame.post("DOM.enable"), tab.post("DOM.enable")
    command = wire.commands("DOM.enable", tab.id)[0]
    with frame.events("Page.loadEventFired") as heard, tab.events("Test.event") as of_parent:
        wire.event("Page.loadEventFired", {}, frame.id)

        wire.detach(frame.id, parent=tab.id)

        await heard.get()  # it came before the end
        with pytest.raises(TargetClosed):
            await heard.get()
        wire.event("Test.event", {"n": 1}, tab.id)
        assert (await of_parent.get()).params == {"n": 1}
    with pytest.raises(TargetClosed):
        await of_frame
    wire.answer(command, {"still": "here"})
    assert await of_tab == {"still": "here"}
    assert connection.sessions == [tab]


async def test_a_session_that_ended_sends_nothing_more(
    connection: Connection, wire: MemoryTransport
) -> None:
    tab = attached(connection, wire, "tab")
    wire.detach(tab.id)

    tab.send_only("DOM.enable")
    with pytest.raises(TargetClosed):
        await tab.post("DOM.enable")

    assert wire.sent == []
    assert isinstance(tab.ended, TargetClosed)
    assert connection.find_session(tab.id) is None


async def test_sessions_below_one_that_ends_end_with_it(
    connection: Connection, wire: MemoryTransport
) -> None:
    """Chromium says nothing of them: leaving a page with a frame of another process inside a
    frame of another process is one `detachedFromTarget`, for the outer one.
    """
    tab = attached(connection, wire, "tab")
    outer = attached(connection, wire, "outer", parent=tab.id)
    inner = attached(connection, wire, "inner", parent=outer.id)
    reply = inner.post("DOM.enable", timeout=2)

    wire.detach(outer.id, parent=tab.id)

    with pytest.raises(TargetClosed):
        await reply
    assert connection.sessions == [tab]


async def test_a_crashed_session_fails_what_is_under_way_and_can_be_used_again(
    connection: Connection, wire: MemoryTransport
) -> None:
    tab, other = attached(connection, wire, "tab"), attached(connection, wire, "other")
    lost, kept = tab.post("DOM.enable"), other.post("DOM.enable")

    tab.fail(TargetCrashed("the page has crashed"))
    wire.answer(wire.sent[1], {})

    with pytest.raises(TargetCrashed):
        await lost
    assert await kept == {}
    wire.script("Page.navigate", {"loaderId": "L"})
    assert await tab.post_untyped("Page.navigate") == {"loaderId": "L"}


async def test_the_end_of_an_unknown_session_is_no_news(
    connection: Connection, wire: MemoryTransport
) -> None:
    tab = attached(connection, wire, "tab")

    wire.detach("session-of-somebody-else")

    reply = tab.post("DOM.enable")
    wire.answer(wire.sent[0], {})
    await until(reply.done)
    assert await reply == {}
    assert connection.ended is None
