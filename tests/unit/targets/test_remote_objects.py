"""Remote objects: what is resolved is released, whatever happens in between."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from cdp_agent.errors import CdpAgentError, ProtocolError
from cdp_agent.protocol import Connection, Session
from cdp_agent.protocol.chrome_errors import is_node_gone
from cdp_agent.targets import World
from cdp_agent.targets.remote_objects import (
    call_function,
    describe_object,
    find_object,
    node_object,
    resolve_node,
)
from tests.unit.memory_transport import Command, MemoryTransport, Refusal

WORLD = World(7, "unique")


@pytest.fixture
def wire() -> MemoryTransport:
    wire = MemoryTransport()
    wire.script("DOM.resolveNode", {"object": {"type": "object", "objectId": "O1"}})
    return wire


@pytest_asyncio.fixture
async def session(wire: MemoryTransport) -> AsyncIterator[Session]:
    connection = Connection(wire)
    yield connection.root
    await connection.aclose()


def released(wire: MemoryTransport) -> list[str]:
    return [command.params["objectId"] for command in wire.commands("Runtime.releaseObject")]


async def test_a_node_is_resolved_in_its_world_and_released_at_the_end(
    session: Session, wire: MemoryTransport
) -> None:
    async with node_object(session, 12, WORLD, 2) as object_id:
        assert object_id == "O1"
        assert released(wire) == []

    assert released(wire) == ["O1"]
    params = {"backendNodeId": 12, "executionContextId": 7}
    assert wire.sent[0] == Command(1, "DOM.resolveNode", params, "")


async def test_without_a_world_it_is_the_pages_own(session: Session, wire: MemoryTransport) -> None:
    await resolve_node(session, 12, None, 2)
    assert wire.sent[0].params == {"backendNodeId": 12}


async def test_a_node_is_released_when_what_it_was_for_fails(
    session: Session, wire: MemoryTransport
) -> None:
    wire.script("Runtime.callFunctionOn", Refusal("Cannot find context with specified id"))
    with pytest.raises(CdpAgentError):
        async with node_object(session, 12, WORLD, 2) as object_id:
            await call_function(session, WORLD, "e => e", [{"objectId": object_id}], seconds=2)
    assert released(wire) == ["O1"]


async def test_a_node_of_a_document_that_is_not_shown_is_gone(
    session: Session, wire: MemoryTransport
) -> None:
    """Chromium answers without an object, not by an error."""
    wire.script("DOM.resolveNode", {"object": {"type": "object", "subtype": "null"}})

    assert await find_object(session, 12, WORLD, 2) is None
    with pytest.raises(ProtocolError) as raised:
        await resolve_node(session, 12, WORLD, 2)
    assert is_node_gone(raised.value)
    assert released(wire) == []


@pytest.mark.parametrize("reply", [{"node": {"backendNodeId": 12}}, Refusal("gone")], ids=repr)
async def test_an_object_that_is_described_is_released(
    session: Session, wire: MemoryTransport, reply: Refusal | dict[str, object]
) -> None:
    wire.script("DOM.describeNode", reply)
    if isinstance(reply, Refusal):
        with pytest.raises(ProtocolError):
            await describe_object(session, "O2", 2)
    else:
        assert (await describe_object(session, "O2", 2))["backendNodeId"] == 12
    assert released(wire) == ["O2"]
