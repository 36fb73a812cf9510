"""A conversation with one target (the browser, a tab, an out-of-process frame)."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_agent.config import COMMAND_TIMEOUT
from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol.domains import Domains
from cdp_agent.protocol.events import EventQueue
from cdp_agent.protocol.generators import run_generator

if TYPE_CHECKING:
    from cdp_use.cdp.library import CDPLibrary

    from cdp_agent.protocol.connection import Connection
    from cdp_agent.protocol.typed_commands import Post, SendOnly

T = TypeVar("T")


class Session:
    """Sends on behalf of one target.

    `post` and `send_only` are typed for the commands that this package sends; `cdp` has every
    command of the protocol, for users: `await session.cdp.Page.navigate({"url": url})`.
    """

    cdp: CDPLibrary

    def __init__(
        self,
        connection: Connection,
        session_id: str,
        *,
        target_id: str,
        target_type: str,
        parent: Session | None,
    ) -> None:
        self._connection = connection
        self.id = session_id
        self.target_id = target_id
        self.target_type = target_type
        self.parent = parent
        self.ended: CdpAgentError | None = None
        #: While set, the target answers none of these methods (prefixes), for this reason.
        self.held: tuple[tuple[str, ...], CdpAgentError] | None = None
        self.cdp = Domains(self)  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Session {self.id[:8]} {self.target_type} {self.target_id[:8]}>"

    def post_untyped(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        into: Any = dict,
        timeout: float = COMMAND_TIMEOUT,
    ) -> asyncio.Future[Any]:
        """Send now, await the reply when you like: several commands can be under way.

        For methods and parameters that are known only at run time; all others use `post`.
        """
        return self._connection.post(self, method, params, into, timeout)

    def send_only_untyped(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a command whose outcome does not matter (releasing, undoing)."""
        self._connection.send_only(self, method, params)

    # The same two functions with the types of the protocol: an unknown method, a missing or a
    # misspelt parameter is an error of mypy. At run time there is no other code.
    if TYPE_CHECKING:
        post: Post
        send_only: SendOnly
    else:
        post = post_untyped
        send_only = send_only_untyped

    async def execute(
        self, command: Generator[dict[str, Any], Any, T], *, timeout: float = COMMAND_TIMEOUT
    ) -> T:
        """Run a command of the PyCDP form: a generator that yields what to send, once.

        It yields `{"method": …, "params": …}`, is sent the result as plain data, and returns it as
        whatever it makes of it. `pycdp` and `chrome-devtools-protocol` have such commands:
        `await session.execute(pycdp.cdp.page.navigate(url))`.

        Raises:
            InvalidParams: it is not such a generator.
            ProtocolError: Chromium refused the command.
        """
        return await run_generator(self, command, timeout)

    def events(self, *methods: str) -> EventQueue:
        """Hear these events of this session from now on; use it in a `with`."""
        return self._connection.listen(self.id, methods)

    def fail(self, reason: CdpAgentError) -> None:
        """Fail what is under way. The session itself may go on."""
        self._connection.fail_session(self.id, reason)

    def hold(self, methods: tuple[str, ...], reason: CdpAgentError) -> None:
        """Fail commands whose methods begin so, those under way and those to come."""
        self.held = methods, reason
        self._connection.fail_session(self.id, reason, methods)

    def refusal(self, method: str) -> CdpAgentError | None:
        """The reason why a command would get no answer, or None."""
        if self.held is not None and method.startswith(self.held[0]):
            return self.held[1]
        return self.ended
