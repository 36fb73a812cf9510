"""File choosers: Chromium reports them instead of showing its own window.

Intercepted, a chooser is either answered with files (`upload`) or cancelled, which is what a
person does who closes the window. The switch is a session's own and lives in its renderer, so
every out-of-process frame has one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cdp_agent.protocol import Session
from cdp_agent.targets.remote_objects import keep_node, release_group

if TYPE_CHECKING:
    from cdp_use.cdp.page.commands import SetInterceptFileChooserDialogParameters

#: `cancel`: told of and cancelled. `hold`: told of and left open. `off`: a person's own.
Interception = Literal["cancel", "hold", "off"]

_PARAMS: dict[Interception, SetInterceptFileChooserDialogParameters] = {
    "cancel": {"enabled": True, "cancel": True},
    "hold": {"enabled": True, "cancel": False},
    "off": {"enabled": False},
}
_REMEMBERED = 20
#: Remote objects of inputs that wait for their files.
_HELD = "cdp-agent-chooser"


@dataclass(frozen=True, slots=True)
class FileChooser:
    """A chooser that the page opened, and its input, which may be in no document."""

    session: Session
    frame_id: str
    #: None when the page asked by the File System Access API, which takes no files from us.
    backend_node_id: int | None


class FileChoosers:
    """Those of one page, the newest last."""

    def __init__(self) -> None:
        #: How many there have been.
        self.count = 0
        self._last: list[FileChooser] = []
        self._mode: dict[str, Interception] = {}

    def switch(
        self, sessions: Iterable[Session], mode: Interception
    ) -> list[asyncio.Future[dict[str, Any]]]:
        """Set the interception in these sessions; the replies of those that changed."""
        replies = []
        for session in sessions:
            if self._mode.get(session.id, "off") != mode:
                self._mode[session.id] = mode
                replies.append(
                    session.post("Page.setInterceptFileChooserDialog", _PARAMS[mode], timeout=5)
                )
        for reply in replies:
            reply.add_done_callback(lambda done: done.cancelled() or done.exception())
        return replies

    def opened(self, session: Session, params: dict[str, Any]) -> None:
        self.count += 1
        self._last.append(FileChooser(session, params["frameId"], params.get("backendNodeId")))
        del self._last[:-_REMEMBERED]
        if self._mode.get(session.id) == "hold" and "backendNodeId" in params:
            # An input in no document is known to its chooser alone, and the next sweep of the
            # page's memory would take it.
            keep_node(session, params["backendNodeId"], _HELD)

    def since(self, count: int) -> list[FileChooser]:
        """Those after the first `count`, as far as they are remembered."""
        new = self.count - count
        return self._last[-new:] if new > 0 else []

    def let_go(self, sessions: Iterable[Session]) -> None:
        """Inputs that were held for their files are the page's own again."""
        for session in sessions:
            release_group(session, _HELD)

    def session_ended(self, session: Session) -> None:
        self._mode.pop(session.id, None)
