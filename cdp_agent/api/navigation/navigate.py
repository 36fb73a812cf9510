"""Going to an address, back, forward and again."""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from cdp_agent.deadline import seconds_until
from cdp_agent.errors import (
    ActionTimeout,
    CommandTimeout,
    InvalidParams,
    NavigationFailed,
    ProtocolError,
)
from cdp_agent.protocol.chrome_errors import is_between_documents
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets import PageTarget
from cdp_agent.targets.network.auth import origin_of, without_password
from cdp_agent.targets.page_reports import is_elsewhere

if TYPE_CHECKING:
    from cdp_use.cdp.page.commands import NavigateParameters, NavigateReturns

#: After DOMContentLoaded the rest of the page (pictures, frames) is given this long.
_LOAD_GRACE = 5.0
#: An address that turns out to be a file is given this long to come.
_DOWNLOAD_GRACE = 2.0
#: The browser's page about what went wrong is there within this.
_ERROR_PAGE = 1.0
#: Nothing is shown instead: a file, an empty answer, another navigation.
_ABORTED = "net::ERR_ABORTED"
#: `localhost:8000`, in which everybody sees an address, and a parser a scheme.
_HOST_AND_PORT = re.compile(r"(localhost|[^:/]+\.[^:/]+):\d", re.IGNORECASE)
#: Characters that browsers leave out of an address: at its ends, and everywhere.
_STRIPPED = "".join(map(chr, range(0x21)))
_IGNORED = re.compile(r"[\t\n\r]")
_SCRIPT = re.compile(r"(view-source:)*\s*javascript:", re.IGNORECASE)
_OFFLINE = "The page was set offline, or this machine has no network."
_REFUSED = "the server refused the user name or password"

#: A tab between two documents is asked again after this.
_BETWEEN = 0.05
#: A document that was stopped by a navigation of its own begins with that within this.
_ELSEWHERE = 0.2


def require_url(url: Any) -> str:
    """The address as a browser reads it.

    Raises:
        InvalidParams: it is none that can be shown, or a script.
    """
    if isinstance(url, str):
        # As URL parsers of browsers do, or `java\tscript:` would be one thing here, another there.
        url = _IGNORED.sub("", url.strip(_STRIPPED))
        if _SCRIPT.match(url):
            raise InvalidParams(
                "a script is not an address", hint="page.evaluate runs scripts; goto opens pages."
            )
    try:
        is_absolute = isinstance(url, str) and bool(urlsplit(url).scheme)
    except ValueError:
        is_absolute = False
    if not is_absolute or _HOST_AND_PORT.match(url):
        written = f"http://{url}" if is_absolute else "https://…"
        raise InvalidParams(
            f"{url!r} is not an absolute address", hint=f"Write it with its scheme: {written}"
        )
    if not _names_a_host(urlsplit(url)):
        raise InvalidParams(
            f"{url!r} names no host, or no port that there is",
            hint="Write it as https://host/path.",
        )
    if is_elsewhere(str(url)):
        raise InvalidParams(
            f"{url!r} is for another program, not for a browser",
            hint="Only what a browser can show: https://…",
        )
    return str(url)


def _names_a_host(parts: SplitResult) -> bool:
    if parts.scheme not in ("http", "https"):
        return True
    try:
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # beyond all ports
        return False


async def navigate(target: PageTarget, url: str, seconds: float, referer: str = "") -> bool:
    """Show `url`. True when it has loaded, False when pictures or frames are missing.

    Also False when the page asks a question meanwhile: it loads no further until that is answered.

    Raises:
        NavigationFailed: the address cannot be shown.
        ActionTimeout: it was not read to its end in time; what came so far can be used.
    """
    deadline = time.monotonic() + seconds
    before = target.frames.main.documents
    downloads, refused = len(target.downloads), target.auth.refused
    try:
        params: NavigateParameters = {"url": url, "referrer": referer} if referer else {"url": url}
        reply = await target.session.post("Page.navigate", params, timeout=seconds)
    except CommandTimeout:
        raise ActionTimeout(
            f"the navigation to {url} did not begin within {seconds:g} s",
            hint="The server or the page shown now does not answer: retry, or page.recover().",
            url=url,
        ) from None
    if reply.get("isDownload"):
        raise await _is_download(target, url, downloads, deadline)
    problem = reply.get("errorText")
    if problem and "AUTH_CREDENTIALS" in problem:
        given = target.auth.credentials.find(origin_of(url)) is not None
        raise _not_let_in(url, f"{_REFUSED} ({problem})" if given else problem)
    if problem:
        await _until_told(target, reply, problem, deadline)
        raise _not_shown(url, problem)
    target.crashed = False  # Chromium has begun to show something: the tab lives again
    loader_id = reply.get("loaderId")
    if loader_id is None:
        return True  # the same document, another fragment
    await _until_read(target, url, loader_id, deadline, seconds, before)
    if target.auth.refused > refused:
        raise _not_let_in(url, _REFUSED)
    return await _until_loaded(target, loader_id, deadline)


async def _until_told(
    target: PageTarget, reply: NavigateReturns, problem: str, deadline: float
) -> None:
    """Wait until the error page is there: commands would reach the page before it."""
    main, loader_id = target.frames.main, reply.get("loaderId")
    if problem != _ABORTED and loader_id is not None:
        seconds = min(seconds_until(deadline), _ERROR_PAGE)
        await target.until(lambda: main.loader_id == loader_id, seconds, alive=False)


def _not_shown(url: str, reason: str) -> NavigationFailed:
    hint = _OFFLINE if "INTERNET_DISCONNECTED" in reason else None
    return NavigationFailed(f"cannot show {url}: {reason}", hint=hint, url=url, reason=reason)


def _not_let_in(url: str, reason: str) -> NavigationFailed:
    return NavigationFailed(
        f"cannot show {without_password(url)}: 401, {reason}",
        hint="It asks for a user name and password: credentials=(name, password) of launch,"
        " new_context or new_page, or page.set_credentials.",
        url=without_password(url),
        reason=reason,
    )


async def _is_download(
    target: PageTarget, url: str, before: int, deadline: float
) -> NavigationFailed:
    """The error for an address that sends a file; the file is fetched all the same."""

    def over() -> bool:
        begun = target.downloads[before:]
        return bool(begun) and begun[-1].state != "in_progress"

    await target.until(over, max(min(deadline - time.monotonic(), _DOWNLOAD_GRACE), 0))
    if len(target.downloads) <= before:
        return NavigationFailed(f"{url} is a download, not a page", url=url)
    download = target.downloads[-1]
    return NavigationFailed(
        f"{url} is a download, not a page: {download.name}, {download.state}",
        hint="The page stays where it was. The file is the last one of page.downloads.",
        url=url,
        name=download.name,
        path=str(download.path or ""),
        state=download.state,
    )


async def reload(target: PageTarget, seconds: float) -> bool:
    """Load the page again.

    Raises:
        NavigationFailed: it cannot be shown any more.
        ActionTimeout: it was not read to its end in time.
    """
    deadline = time.monotonic() + seconds
    main = target.frames.main
    before = main.documents
    await _post_reload(target, deadline)
    target.crashed = False  # Chromium gives it a new process
    await target.until(
        lambda: main.documents != before or _asks(target), deadline - time.monotonic()
    )
    if main.documents == before:
        if _asks(target):
            return False
        raise _too_slow(target.url, seconds)
    loader_id = main.loader_id
    await _until_read(target, target.url, loader_id, deadline, seconds)
    _require_shown(target)
    return await _until_loaded(target, loader_id, deadline)


async def _post_reload(target: PageTarget, deadline: float) -> None:
    """Reload, once more where the tab is between two documents."""
    while True:
        seconds = seconds_until(deadline, 0.1)
        try:
            await target.session.post("Page.reload", {}, timeout=seconds)
            return
        except ProtocolError as error:
            if not is_between_documents(error) or time.monotonic() + _BETWEEN > deadline:
                raise
        await asyncio.sleep(_BETWEEN)


async def traverse(target: PageTarget, steps: int, seconds: float) -> bool:
    """Go through the history.

    False when there is nothing in that direction, or when the page has put itself back at once, as
    one does that answers `popstate` with a new entry.
    """
    deadline = time.monotonic() + seconds
    history = await target.session.post("Page.getNavigationHistory", timeout=seconds)
    wanted = history["currentIndex"] + steps
    if not 0 <= wanted < len(history["entries"]):
        return False
    entry = history["entries"][wanted]
    main = target.frames.main
    documents, moves = main.documents, main.moves
    await target.session.post(
        "Page.navigateToHistoryEntry", {"entryId": entry["id"]}, timeout=seconds
    )

    def there() -> bool:
        # Counted: a page may be back where it was before anybody looks.
        return main.documents != documents or main.moves != moves

    await target.until(lambda: there() or _asks(target), deadline - time.monotonic())
    if not there():
        if _asks(target):
            return False
        raise _too_slow(entry["url"], seconds)
    left = seconds_until(deadline, 0.1)
    await target.until(lambda: main.dom_ready or _asks(target), left)
    _require_shown(target)
    await _until_loaded(target, main.loader_id, deadline)
    if main.documents != documents or _asks(target):
        return True
    left = seconds_until(deadline, 0.5)
    await evaluate_in_frame(target, main, "cdpAgent.nextFrame(50)", left)
    history = await target.session.post("Page.getNavigationHistory", timeout=left)
    return bool(history["entries"][history["currentIndex"]]["id"] == entry["id"])


def _require_shown(target: PageTarget) -> None:
    """Raises: NavigationFailed: Chromium shows an error page in place of the address."""
    main = target.frames.main
    if main.error_url:
        raise _not_shown(main.error_url, main.failure or "Chromium shows an error page")


async def _until_read(
    target: PageTarget, url: str, loader_id: str, deadline: float, seconds: float, before: int = -1
) -> None:
    main = target.frames.main

    def read() -> bool:
        if main.loader_id == loader_id:
            return main.dom_ready
        if main.documents == before:
            return False  # still the old one
        # Something else was shown instead: a redirect by script, another navigation.
        return main.pending_loader not in ("", loader_id) or (
            not main.pending_loader and main.dom_ready and main.loader_id != ""
        )

    def left() -> float:
        return seconds_until(deadline, 0.05)

    def stopped() -> bool:
        return main.stopped and main.loader_id == loader_id

    await target.until(lambda: read() or stopped() or _asks(target), left())
    if not read() and _asks(target):
        return
    if not read() and stopped():
        # Stopped before its end. By a script that goes elsewhere, which begins now, or for good.
        await target.until(lambda: read() or not stopped() or bool(main.pending_loader), _ELSEWHERE)
        if stopped() and not main.pending_loader:
            main.dom_ready = True  # nothing more will be said of it
    await target.until(lambda: read() or _asks(target), left())
    if not read() and not _asks(target):
        raise _too_slow(url, seconds)


async def _until_loaded(target: PageTarget, loader_id: str, deadline: float) -> bool:
    main = target.frames.main
    grace = min(seconds_until(deadline, 0.05), _LOAD_GRACE)

    def over() -> bool:
        return main.loaded or main.stopped or main.loader_id != loader_id or _asks(target)

    return await target.until(over, grace) and (main.loaded or main.loader_id != loader_id)


def _asks(target: PageTarget) -> bool:
    """Returns whether a dialog waits for an answer: nothing else comes before that."""
    return target.dialog is not None


def _too_slow(url: str, seconds: float) -> ActionTimeout:
    return ActionTimeout(
        f"{url} was not read to its end within {seconds:g} s",
        hint="What came so far can be used: take a snapshot. Or page.recover().",
        url=url,
    )
