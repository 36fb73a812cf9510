"""`session.cdp.Page.navigate({...})`: every command, without generated code.

It is for users, who send commands that this package does not; see `Page.resolve_element`. For mypy
the attribute is cdp-use's `CDPLibrary`; at run time it is this: cdp-use would load some 220 modules
and put a filter on the `websockets.client` logger.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cdp_agent.protocol.session import Session


class _Domain:
    __slots__ = ("_name", "_session")

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._name = name

    def __getattr__(self, command: str) -> _Command:
        return _Command(self._session, f"{self._name}.{command}")


class _Command:
    __slots__ = ("_method", "_session")

    def __init__(self, session: Session, method: str) -> None:
        self._session = session
        self._method = method

    def __call__(self, params: Any = None) -> Awaitable[dict[str, Any]]:
        return self._session.post_untyped(self._method, params)


class Domains:
    """The attribute `cdp` of a session; a domain is made for each use."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getattr__(self, name: str) -> _Domain:
        return _Domain(self._session, name)
