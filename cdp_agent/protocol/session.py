"""A conversation with one target (the browser, a tab, an out-of-process frame)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar, overload

from cdp_agent.config import COMMAND_TIMEOUT
from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol.domains import Domains
from cdp_agent.protocol.events import EventQueue

if TYPE_CHECKING:
    from cdp_use.cdp.library import CDPLibrary

    from cdp_agent.protocol.connection import Connection

T = TypeVar("T")


class Session:
    """Sends on behalf of one target. `cdp` has the protocol's methods, typed for mypy."""

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

    @overload
    def post(
        self, method: str, params: dict[str, Any] | None = None, *, timeout: float = ...
    ) -> asyncio.Future[dict[str, Any]]: ...

    @overload
    def post(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        into: type[T],
        timeout: float = ...,
    ) -> asyncio.Future[T]: ...

    def post(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        into: Any = dict,
        timeout: float = COMMAND_TIMEOUT,
    ) -> asyncio.Future[Any]:
        """Send now, await the reply when you like: several commands can be under way."""
        return self._connection.post(self, method, params, into, timeout)

    def send_only(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a command whose outcome does not matter (releasing, undoing)."""
        self._connection.send_only(self, method, params)

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
