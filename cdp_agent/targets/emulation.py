"""Emulated device, place, language and network of a page, in all of its sessions.

The commands are kept, so that a frame of another process gets them before its first script, and
so does a tab that takes the place of this one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import is_override_taken

_SECONDS = 10.0
USER_AGENT = "Emulation.setUserAgentOverride"
#: The viewport is the tab's: a frame's size is for the page that it is in.
_TAB_ONLY = frozenset({"Emulation.setDeviceMetricsOverride"})


class Emulation:
    """Commands by their method, the last of each."""

    def __init__(self) -> None:
        self._commands: dict[str, Mapping[str, Any]] = {}

    def __contains__(self, method: str) -> bool:
        return method in self._commands

    def add(self, method: str, params: Mapping[str, Any]) -> None:
        """Set the command of a method.

        The user agent's command also carries the languages: only the parts in `params` change, and
        one that is None is removed.
        """
        if method == USER_AGENT:
            parts = {"userAgent": "", **self._commands.get(method, {}), **params}
            params = {name: value for name, value in parts.items() if value is not None}
        self._commands[method] = params

    def copy(self) -> Emulation:
        made = Emulation()
        made._commands = dict(self._commands)
        return made

    def adopt(self, other: Emulation, *, viewport: bool = True) -> None:
        """Take over what another one has set, beside what is set here."""
        for method, params in other._commands.items():
            if viewport or method not in _TAB_ONLY:
                self._commands[method] = params

    def commands(self, *, is_page: bool) -> list[tuple[str, Mapping[str, Any]]]:
        """The commands for a session: of the tab itself, or of a frame of another process."""
        return [(m, p) for m, p in self._commands.items() if is_page or m not in _TAB_ONLY]

    async def send(
        self, sessions: Iterable[Session], page: Session, *methods: str
    ) -> list[Session]:
        """Send commands of these methods to the sessions there are, all at once.

        Returns the sessions in whose process another page's language or time zone holds.

        Raises:
            ProtocolError: Chromium refuses one for another reason.
        """
        sent = [
            (session, session.post_untyped(method, params, timeout=_SECONDS))
            for session in sessions
            for method, params in self.commands(is_page=session is page)
            if not methods or method in methods
        ]
        replies = await asyncio.gather(*(reply for _, reply in sent), return_exceptions=True)
        contested = []
        for (session, _), reply in zip(sent, replies, strict=True):
            if isinstance(reply, BaseException):
                if not is_override_taken(reply):
                    raise reply
                contested.append(session)
        return contested
