"""Handlers of a tab's protocol events, by the event's name.

Handlers never wait: what a tab knows when a reply reaches its caller includes everything that was
on the wire before that reply.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cdp_agent import log
from cdp_agent.errors import TargetCrashed
from cdp_agent.ids import FrameId, LoaderId
from cdp_agent.protocol import Session
from cdp_agent.targets.dialog import BLOCKED_METHODS
from cdp_agent.targets.network.activity import CANCELLED
from cdp_agent.targets.page_reports import is_elsewhere, take_report
from cdp_agent.targets.setup import hand_over

if TYPE_CHECKING:
    from cdp_agent.targets.page_target import PageTarget

_log = log.get("targets")

#: Navigations that keep the document.
_SAME_DOCUMENT = frozenset({"sameDocument", "historySameDocument"})


def _frame_attached(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    if page.frames.is_gone(params["frameId"]):
        return
    parent_id = FrameId(params["parentFrameId"])
    page.frames.attached(FrameId(params["frameId"]), parent_id, session)


def _frame_navigated(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    if page.frames.is_gone(params["frame"]["id"]):
        return
    frame = page.committed(session, params["frame"])
    _log.debug("frame %d shows %s (%s)", frame.index, frame.url, frame.loader_id[:8])
    if params.get("type") == "BackForwardCacheRestore":
        frame.dom_ready = frame.loaded = True
        frame.pending_loader = ""
        # Its frames are not announced again: ask for them.
        tree = session.post("Page.getFrameTree")
        tree.add_done_callback(lambda reply: hand_over(reply, lambda t: page.seed(session, t)))
    if frame is page.frames.main:
        page.crashed = False
        page.requests.clear()
        page.publish("page", "navigated")


def _navigated_within(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    frame = page.frames.find(params["frameId"])
    if frame is not None:
        frame.url = params["url"]
        frame.moves += 1
        frame.navigation_requested = False
        if frame is page.frames.main:
            page.publish("page", "navigated")


def _frame_detached(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    swapped = params.get("reason") == "swap"
    page.frames.detached(FrameId(params["frameId"]), session, swapped=swapped)


def _lifecycle(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    frame = page.frames.find(params["frameId"])
    if frame is None or frame.session is not session:
        return
    name = params["name"]
    if name == "init" and not frame.loader_id:
        frame.loader_id = LoaderId(params["loaderId"])  # the empty document it begins with
    elif frame.loader_id == params["loaderId"]:
        if name == "DOMContentLoaded":
            frame.dom_ready = True
        elif name == "load":
            frame.dom_ready = frame.loaded = True
        elif name == "firstContentfulPaint":
            frame.painted = time.monotonic()
        if frame is page.frames.main and name in ("DOMContentLoaded", "load"):
            page.publish("page", name.lower())


def _navigation_requested(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    disposition = params.get("disposition", "currentTab")
    if disposition == "download":
        return
    if disposition != "currentTab":
        page.popups_expected += 1
        page.openings.append(params.get("url", ""))
        return
    frame = page.frames.find(params["frameId"])
    if frame is not None:
        frame.navigation_requested = True


def _window_opened(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    page.popups_expected += 1
    page.openings.append(params.get("url", ""))


def _navigation_began(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    frame = page.frames.find(params["frameId"])
    if frame is None:
        return
    frame.navigation_requested = False
    if is_elsewhere(url := params.get("url", "")):
        page.asks_person = url
    if params.get("navigationType") not in _SAME_DOCUMENT:
        frame.failure = ""
        frame.pending_loader = params["loaderId"]
        frame.pending_url = url


def _loading_stopped(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    frame = page.frames.find(params["frameId"])
    if frame is not None and frame.session is session:
        if frame.pending_loader:
            page.navigations_dropped += 1
        frame.pending_loader = ""  # committed, or turned into a download, or failed
        frame.navigation_requested = False
        frame.stopped = True


def _dialog_opened(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    main = page.frames.main
    frame = page.frames.find(params.get("frameId", "")) or main
    documents = main.documents, frame.documents

    def was_left() -> bool:
        return page.closed is not None or (main.documents, frame.documents) != documents

    page.dialogs.opened(session, params, was_left)
    page.publish("dialog", "opened", page.dialogs.last)
    if page.dialog is not None:
        for held in page.sessions:
            held.hold(BLOCKED_METHODS, page.dialog.error)


def _dialog_closed(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    closed = page.dialogs.open_of(session) or page.dialogs.last
    stays = page.dialogs.closed(session, params)
    page.publish("dialog", "closed", closed)
    page.release_sessions()
    if stays:
        # What was asked for will not begin, and nothing else says so.
        for frame in page.frames:
            frame.navigation_requested = False
            frame.pending_loader = ""


def _is_of_worker(params: dict[str, Any]) -> bool:
    """Returns whether a request is of a worker's own script.

    The page is told that it begins, and the worker, which is not watched, that it ends.
    """
    url = params["request"]["url"].partition("#")[0]
    return not params.get("loaderId") and params.get("documentURL", "").partition("#")[0] == url


def _request_began(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    if params.get("type") == "Script" and _is_of_worker(params):
        page.request_log.began({**params, "type": "worker"})
        page.request_log.ended(params)
        return
    page.request_log.began(params)
    page.requests.began(
        params["requestId"],
        params["request"]["url"],
        params.get("type", ""),
        params.get("frameId", ""),
        method=params["request"]["method"],
        redirect_status=params.get("redirectResponse", {}).get("status", 0),
    )


def _request_answered(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    page.request_log.answered(params)
    answer = params["response"]
    page.requests.answered(params["requestId"], answer["status"], answer.get("mimeType", ""))


def _request_ended(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    page.request_log.ended(params)
    problem = CANCELLED if params.get("canceled") else params.get("errorText", "")
    page.requests.ended(params["requestId"], problem)
    if params.get("type") == "Document" and "errorText" in params:
        # The request of a document has the number of the document.
        for frame in page.frames:
            if params["requestId"] in (frame.pending_loader, frame.loader_id):
                frame.failure = params["errorText"]


def _crashed(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    reason = TargetCrashed(f"the page {page.url} has crashed")
    session.fail(reason)
    if session is page.session:
        page.crashed = True
        page.dialogs.waiting = None
        page.publish("page", "crashed")
        page.release_sessions()
    else:
        page.frames.session_crashed(session)


HANDLERS: dict[str, Callable[[PageTarget, Session, dict[str, Any]], None]] = {
    "Page.frameAttached": _frame_attached,
    "Page.frameNavigated": _frame_navigated,
    "Page.navigatedWithinDocument": _navigated_within,
    "Page.frameDetached": _frame_detached,
    "Page.lifecycleEvent": _lifecycle,
    "Page.frameRequestedNavigation": _navigation_requested,
    "Page.windowOpen": _window_opened,
    "Page.frameStartedNavigating": _navigation_began,
    "Page.frameStoppedLoading": _loading_stopped,
    "Page.javascriptDialogOpening": _dialog_opened,
    "Page.javascriptDialogClosed": _dialog_closed,
    "Fetch.requestPaused": lambda page, s, p: page.auth.paused(s, p),
    "Fetch.authRequired": lambda page, s, p: page.auth.required(s, p),
    "Page.fileChooserOpened": lambda page, s, p: page.choosers.opened(s, p),
    "Runtime.executionContextCreated": lambda page, s, p: page.contexts.created(s, p),
    "Runtime.executionContextDestroyed": lambda page, s, p: page.contexts.destroyed(p),
    "Runtime.executionContextsCleared": lambda page, s, p: page.contexts.cleared(s),
    "Runtime.consoleAPICalled": lambda page, _, p: page.console.called(p),
    "Runtime.exceptionThrown": lambda page, _, p: page.console.thrown(p),
    "Log.entryAdded": lambda page, _, p: page.console.logged(p),
    "Network.requestWillBeSent": _request_began,
    "Network.responseReceived": _request_answered,
    "Network.loadingFinished": _request_ended,
    "Network.loadingFailed": _request_ended,
    "Network.webSocketCreated": lambda page, _, __: page.sockets.opened(),
    "Network.webSocketFrameSent": lambda page, _, p: page.sockets.sent(
        p["requestId"], acting=page.requests.acting
    ),
    "Network.webSocketFrameReceived": lambda page, _, p: page.sockets.received(p["requestId"]),
    "Network.webSocketClosed": lambda page, _, p: page.sockets.closed(p["requestId"]),
    "Runtime.bindingCalled": take_report,
    "Inspector.targetCrashed": _crashed,
}

HANDLED_EVENTS = tuple(HANDLERS)
