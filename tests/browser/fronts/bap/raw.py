"""JSON-RPC by hand, for what the real client cannot send or does not show."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

import cdp_agent
from cdp_agent import Policy
from cdp_agent.tools.host import BrowserHost, ToolClient
from cdp_agent.ws_server import Access, RateLimit, serve

INITIALIZE = {
    "protocolVersion": "0.2.0",
    "clientInfo": {"name": "tests", "version": "1"},
    "capabilities": {},
}


@asynccontextmanager
async def serving(
    endpoint: str | None,
    *tokens: str,
    shared: bool = False,
    origins: tuple[str, ...] = (),
    ask: tuple[str, ...] = (),
    policy: Policy | None = None,
    rate: Callable[[], RateLimit] = RateLimit,
) -> AsyncIterator[str]:
    """The address of a server in this process, as `serve --connect` would start it.

    Without an endpoint it launches a browser of its own.
    """
    if endpoint is None:
        host = BrowserHost(lambda: cdp_agent.launch(headless=True, policy=policy))
    else:
        host = BrowserHost(lambda: cdp_agent.connect(endpoint, policy=policy))
    new_client = partial(ToolClient, host, shared=shared)
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    access = Access.parse(tokens, origins)
    task = asyncio.create_task(
        serve(
            new_client,
            access,
            0,
            new_rate=rate,
            approve=frozenset(ask),
            ready=ready.set_result,
        )
    )
    try:
        yield f"{await asyncio.wait_for(ready, 30)}/"
    finally:
        task.cancel()
        await asyncio.wait([task])
        await host.aclose()


class RawClient:
    """`await raw("page/list")` is the result, or the error as an object."""

    def __init__(self, wire: ClientConnection) -> None:
        self.wire = wire
        self.notifications: list[dict[str, Any]] = []
        self._numbers = itertools.count(1)

    @classmethod
    @asynccontextmanager
    async def connected(cls, address: str, token: str) -> AsyncIterator[RawClient]:
        async with connect(f"{address}?token={token}", max_size=None) as wire:
            made = cls(wire)
            await made("initialize", **INITIALIZE)
            yield made

    async def __call__(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        await self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = await self.answer()
        assert answer["id"] == number
        return answer.get("result", answer.get("error"))

    async def send(self, message: Any) -> None:
        await self.wire.send(json.dumps(message))

    async def answer(self) -> Any:
        """The next message that is not a notification."""
        while True:
            message = json.loads(await self.wire.recv())
            if isinstance(message, list) or "method" not in message:
                return message
            self.notifications.append(message)
