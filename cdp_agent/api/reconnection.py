"""Reconnects to a browser that was found running, after its socket broke.

Chromium keeps tabs, contexts and documents when a client is gone, and backend node ids belong to
the document. So a tab that is still there keeps its `Page`, its frames their indexes, and an id
stays valid where its frame shows the same document. Chromium forgets what the lost connection had
set: devices, credentials, permissions and download folders are set again. What happened meanwhile
is not known and not invented: requests, messages and dialogs of the gap are in no log.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from cdp_agent.errors import CdpAgentError, ConnectionLost, TargetClosed
from cdp_agent.protocol import Connection
from cdp_agent.targets import BrowserTargets, PageTarget
from cdp_agent.transport import WebSocketTransport

if TYPE_CHECKING:
    from cdp_agent.api.browser import Browser

#: Pauses before each attempt; after the last one it is given up.
_PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0)
_CONNECT_SECONDS = 5.0
CALL_AGAIN = (
    "The connection broke, and the browser may still run: call again, in Python after"
    " browser.reconnect(). Ids of documents that are still shown stay valid."
)
_READY_SECONDS = 10.0


async def reconnect(browser: Browser, address: str) -> None:
    """Connect to the same browser again; see `Browser.reconnect`.

    Raises:
        ConnectionLost: it cannot be reached, or the new connection broke as well.
    """
    previous = browser._targets
    #: Emptied below: later tabs are new ones, and nothing of a lost connection is kept.
    known = dict(previous.pages)
    connection = Connection(await _open(address))
    targets = BrowserTargets(connection)

    def keep_indexes(target: PageTarget) -> None:
        before = known.get(target.target_id)
        if before is not None:
            target.emulation.adopt(before.emulation)
            target.auth.credentials = before.auth.credentials
            target.frames.keep_indexes(before.frames)

    browser._watch(targets, connection.root)
    targets.on_page(keep_indexes)
    try:
        await targets.start()
        await asyncio.gather(
            *(_ready(target) for target in list(targets.pages.values())),
            browser.settings.set_all_again(connection.root),
            _set_folders_again(browser, previous, targets),
        )
        if connection.ended is not None or not browser.can_reconnect:
            raise connection.ended or ConnectionLost("the browser was closed meanwhile")
    except BaseException:  # also when cancelled: the new connection is given up
        await targets.aclose()
        await connection.aclose()
        raise
    connection.on_end(browser._connection_lost)
    lost, browser._connection, browser._targets = browser._connection, connection, targets
    _move_pages(browser, known, targets)
    known.clear()
    await previous.aclose()
    await lost.aclose()


async def _open(address: str) -> WebSocketTransport:
    problem: ConnectionLost | None = None
    for pause in _PAUSES:
        await asyncio.sleep(pause)
        try:
            # The address names this very browser: another one on the same port refuses it.
            return await WebSocketTransport.open(address, _CONNECT_SECONDS)
        except ConnectionLost as error:
            problem = error
    assert problem is not None
    raise problem


async def _ready(target: PageTarget) -> None:
    """A tab that closes or hangs meanwhile keeps no other tab from coming back."""
    with contextlib.suppress(CdpAgentError):
        await target.wait_ready(_READY_SECONDS)


async def _set_folders_again(
    browser: Browser, previous: BrowserTargets, targets: BrowserTargets
) -> None:
    """Set the folders of downloads, which Chromium took back when the connection broke."""
    for context_id in ("", *(context.id for context in browser._contexts)):
        with contextlib.suppress(CdpAgentError):  # its context may be gone
            await targets.downloads.save_to(previous.downloads.folder_of(context_id), context_id)


def _move_pages(browser: Browser, known: dict[str, PageTarget], targets: BrowserTargets) -> None:
    """Each page object lives in the new target of its tab, or is closed with the tab."""
    for target_id, before in known.items():
        target = targets.pages.get(target_id)
        page = browser.open_tabs.known(before)
        if target is not None and page is not None:
            page._tab.live_in(target)
        elif target is None:
            message = f"the page {before.url} was closed while the connection was lost"
            before.closed = TargetClosed(message)
            browser.open_tabs.forget(before)
