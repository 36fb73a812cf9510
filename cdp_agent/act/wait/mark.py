"""The state of a page before an action, for finding afterwards its effects."""

from __future__ import annotations

from dataclasses import dataclass

from cdp_agent.targets import Frame, PageTarget


@dataclass(slots=True)
class Mark:
    """Counters of a page before an action; the difference later is its effect."""

    requests: int
    console: int
    dialogs: int
    popups: int
    main_documents: int
    frame: Frame
    frame_documents: int
    frame_url: str
    main_url: str
    downloads: int = 0
    navigations_dropped: int = 0
    messages: int = 0
    sockets: int = 0
    sockets_opened: int = 0
    elsewhere: int = 0
    #: Set when the action is over: what its new document still loads, `2 requests`.
    loading: str = ""

    @classmethod
    def set(cls, target: PageTarget, frame: Frame) -> Mark:
        main = target.frames.main
        return cls(
            requests=target.requests.last_number,
            console=target.console.last_number,
            dialogs=target.dialogs.count,
            popups=len(target.popups),
            main_documents=main.documents,
            frame=frame,
            frame_documents=frame.documents,
            frame_url=frame.url,
            main_url=main.url,
            downloads=len(target.downloads),
            navigations_dropped=target.navigations_dropped,
            messages=target.messages.last_number,
            sockets=target.sockets.sent_number,
            sockets_opened=target.sockets.opened_number,
            elsewhere=len(target.elsewhere),
        )


def is_navigating(target: PageTarget, mark: Mark) -> bool:
    return any(
        frame.navigation_requested or bool(frame.pending_loader)
        for frame in {target.frames.main, mark.frame}
        if frame.session is not None
    )


def has_navigated(target: PageTarget, mark: Mark) -> bool:
    return (
        target.frames.main.documents != mark.main_documents
        or mark.frame.documents != mark.frame_documents
    )


def navigated_to(target: PageTarget, mark: Mark) -> str | None:
    """The address that the page or the frame went to because of the action."""
    main = target.frames.main
    if main.documents != mark.main_documents or main.url != mark.main_url:
        return main.url
    if mark.frame.documents != mark.frame_documents or mark.frame.url != mark.frame_url:
        return mark.frame.url
    if is_navigating(target, mark):
        waiting = main if main.pending_loader or main.navigation_requested else mark.frame
        return waiting.pending_url or waiting.url
    return None


def open_requests(target: PageTarget, mark: Mark) -> str:
    """The requests since then without an answer, `2 requests`; empty when there is none."""
    count = len(target.requests.open_since(mark.requests))
    return f"{count} request{'s' if count > 1 else ''}" if count else ""


#: More lines about requests say no more.
_MOST_REQUESTS = 3


def request_lines(target: PageTarget, mark: Mark, *, failed: bool = False) -> tuple[str, ...]:
    """Requests since then that wrote or failed: `PUT /note 204`, `POST /save failed: 500`.

    Equal lines are one. `failed` leaves out what went well.
    """
    origin = target.frames.main.origin
    counts: dict[str, int] = {}
    for exchange in target.requests.exchanges_since(mark.requests):
        if exchange.failed or not failed:
            line = exchange.line(origin)
            counts[line] = counts.get(line, 0) + 1
    lines = [line if n == 1 else f"{line} ({n} times)" for line, n in counts.items()]
    if len(lines) > _MOST_REQUESTS:
        rest = len(lines) - _MOST_REQUESTS + 1
        lines[_MOST_REQUESTS - 1 :] = [f"and {rest} more requests"]
    return tuple(lines)
