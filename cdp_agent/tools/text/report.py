"""The result of an action, in a few lines for a model."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from cdp_agent.api.outcome import Outcome
from cdp_agent.api.tab import Observe
from cdp_agent.errors import CdpAgentError, DialogOpen, StaleRef
from cdp_agent.snapshot import Snapshot, SnapshotOptions
from cdp_agent.targets.dialog import DialogInfo
from cdp_agent.targets.network.downloads import Download
from cdp_agent.targets.page_reports import LostValue
from cdp_agent.text import one_line, quoted
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.text.page_text import cut_text, look, observation, page_text
from cdp_agent.tools.tool import ToolCall

#: `POST /orders/7/change/ 302`.
_SENT_ELSEWHERE = re.compile(r" 30[12378]$")
#: Tokens of the page after a failure: the error says what is wrong, and often lists what there is.
FAILED_PAGE_TOKENS = 600
_MOST_EQUALS = 5
_MOST_ERRORS = 3
_MOST_STOPPED = 3
_MOST_NEW_PAGES = 2
#: Of a page that has just opened: enough to know what it is.
_MOST_FIRST_LINES = 8
_FIRST_LINES = SnapshotOptions(max_tokens=200, timeout=2.0)


async def acted(
    call: ToolCall,
    perform: Callable[[Observe], Awaitable[Outcome]],
    said: str | Callable[[Outcome], str],
    *,
    tells_address: bool = True,
) -> ToolResult:
    """Perform an action, observed with the options of its call, and report it."""
    began = time.perf_counter()
    outcome = await perform(observation(call))
    seconds = time.perf_counter() - began
    first = said if isinstance(said, str) else said(outcome)
    return await reported(call, outcome, first, seconds, tells_address=tells_address)


async def reported(
    call: ToolCall,
    outcome: Outcome,
    first: str,
    seconds: float = 0.0,
    *,
    tells_address: bool = True,
) -> ToolResult:
    """The result for an outcome, with the page after it."""
    shown = outcome if tells_address else replace(outcome, navigated=None)
    lines = [first, *effects(call, shown), *await new_page_lines(call, outcome)]
    lines.extend(stopped_lines(call))
    snapshot, shown_page = outcome.snapshot, ""
    if call.page.is_closed:
        lines.append(f"page {call.page_id} closed")
    else:
        if outcome.snapshot is None and "look" in outcome.data:
            lines.append(one_line(outcome.data["look"], 300))
        elif call.page.dialog is None:
            snapshot, shown_page = await page_text(call, snapshot)
            if not shown_page and not tells_address:
                lines[0] += address(call)
    return ToolResult(
        "\n".join(lines),
        shown_page,
        outcome=outcome,
        snapshot=snapshot,
        data=facts(call, outcome),
        seconds=seconds,
    )


def address(call: ToolCall) -> str:
    """The address, for an answer without the page; in a step, only a new one."""
    title = f" {quoted(one_line(call.page.title, 100))}" if call.page.title else ""
    given = getattr(call.args, "url", None) or " "
    is_given = call.is_step and call.page.url.rstrip("/").endswith(given.rstrip("/"))
    return title if title and is_given else f" {one_line(call.page.url, 200)}{title}"


def _download_line(download: Download) -> str:
    path = f": {download.path}" if download.path is not None else ""
    return f"download {quoted(one_line(download.name, 100))} {download.state}{path}"


def _shown_address(call: ToolCall, url: str) -> str:
    """An address; in a step, one of the site that the page was on without that."""
    origin = call.origin_before
    is_same = call.is_step and bool(origin) and url.startswith(f"{origin}/")
    return one_line(url.removeprefix(origin) if is_same else url, 200)


def effects(call: ToolCall, outcome: Outcome) -> list[str]:
    """The effects of an action besides what the page shows."""
    lines = []
    if outcome.healed:
        lines.append("the element had been replaced; its equal was used")
    if "inside" in outcome.data and outcome.receipt is not None:
        words = one_line(outcome.data["inside"], 120)
        lines.append(f"the frame's document took it: {outcome.receipt.target} {words}")
    if outcome.navigated:
        lines.append(f"navigated to {_shown_address(call, outcome.navigated)}")
    lines.extend(dialog_lines(outcome.dialogs))
    lines.extend(
        f"opened page {call.session.adopt(page)} {one_line(page.url, 200)}"
        for page in outcome.new_pages
        if not page.is_closed
    )
    lines.extend(map(_download_line, outcome.downloads))
    if outcome.receipt is not None and outcome.receipt.stopped:
        lines.append("the page stopped the event above the element; what listens there heard none")
    chosen = outcome.data.get("label") is not None  # a list that closes takes its options along
    if outcome.receipt is not None and outcome.receipt.release and not chosen:
        how = one_line(outcome.receipt.release, 200)
        lines.append(f"the press arrived; the release went elsewhere: {how}")
    lines.extend(
        f"not opened: {one_line(url, 200)} is for another program"
        for url in outcome.data.get("elsewhere", ())
    )
    kept_back = outcome.data.get("invalid", ())
    lines.extend(f"the form was not sent: {one_line(field, 200)}" for field in kept_back)
    if outcome.data.get("refused"):
        lines.append("the page prevented the key: nothing was entered")
    lines.extend(LostValue(**lost).line for lost in outcome.data.get("lost_values", ()))
    if outcome.data.get("covered"):
        lines.append(f"now covered by {one_line(outcome.data['covered'], 200)}")
    lines.extend(_error_lines(outcome.console_errors))
    lines.extend(one_line(line, 200) for line in _told_requests(outcome))
    if outcome.loading:
        lines.append(f"still loading: {outcome.loading}")
    elif not outcome.settled:
        lines.append("the page is still busy")
    return lines


def _error_lines(errors: Iterable[str]) -> list[str]:
    """The errors of the console; one that repeats is a line with its count."""
    counts = Counter(one_line(error, 200) for error in errors)
    lines = [
        f"console error: {error}" + (f" ({count} times)" if count > 1 else "")
        for error, count in islice(counts.items(), _MOST_ERRORS)
    ]
    more = sum(counts.values()) - sum(count for _, count in islice(counts.items(), _MOST_ERRORS))
    return [*lines, f"and {more} more console errors"] if more else lines


def _told_requests(outcome: Outcome) -> Iterable[str]:
    """Request lines without redirects that the navigation tells already."""
    for line in outcome.requests:
        if not outcome.navigated or not _SENT_ELSEWHERE.search(line):
            yield line


async def new_page_lines(call: ToolCall, outcome: Outcome) -> list[str]:
    """The first lines of the pages that an action opened, and the current page's id."""
    opened = [page for page in outcome.new_pages if not page.is_closed]
    lines = []
    for page in opened[:_MOST_NEW_PAGES]:
        page_id = call.session.adopt(page)
        try:
            snapshot = await page.snapshot(_FIRST_LINES)
        except CdpAgentError:
            lines.append(f"{page_id} shows nothing yet")
            continue
        shown = snapshot.text.splitlines()
        lines.extend(f"{page_id} | {line}" for line in shown[:_MOST_FIRST_LINES])
    if opened and not call.page.is_closed:
        other = call.session.adopt(opened[-1])
        lines.append(
            f"current page is still {call.session.current}: `tabs select {other}` switches"
        )
    return lines


def dialog_lines(dialogs: Iterable[DialogInfo]) -> list[str]:
    """A line for each; one that is open has to be answered."""
    return [
        f"{dialog.line}: answer it with browser_dialog" if dialog.open else dialog.line
        for dialog in dialogs
    ]


def with_dialogs(result: ToolResult, dialogs: Sequence[DialogInfo]) -> ToolResult:
    """The result, with dialogs of the page that nothing in it has reported."""
    if result.code == DialogOpen.code:
        dialogs = [dialog for dialog in dialogs if not dialog.open]
    if not dialogs:
        return result
    more = [dialog.to_dict() for dialog in dialogs]
    data = {**result.data, "dialogs": [*more, *result.data.get("dialogs", ())]}
    return replace(result.with_notes(dialog_lines(dialogs)), data=data)


def stopped_lines(call: ToolCall) -> list[str]:
    """The requests that the policy kept in the browser during a call."""
    return [f"blocked_by_policy: {one_line(one, 400)}" for one in _stopped(call)[:_MOST_STOPPED]]


def _stopped(call: ToolCall) -> list[str]:
    gate = call.page.browser.gate
    return gate.blocked_since(call.stopped_before) if gate is not None else []


def facts(call: ToolCall, outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data."""
    return {
        "page": call.page_id,
        "url": call.page.url,
        "success": outcome.success,
        "healed": outcome.healed,
        "settled": outcome.settled,
        "loading": outcome.loading,
        "requests": list(outcome.requests),
        "navigated": outcome.navigated,
        "dialogs": [dialog.to_dict() for dialog in outcome.dialogs],
        "new_pages": [call.session.adopt(p) for p in outcome.new_pages if not p.is_closed],
        "downloads": [
            {"name": d.name, "path": str(d.path), "size": d.size, "state": d.state}
            for d in outcome.downloads
        ],
        "console_errors": list(outcome.console_errors),
        "blocked": _stopped(call),
        **outcome.data,
    }


async def page_after_error(call: ToolCall, error: CdpAgentError) -> tuple[Snapshot | None, str]:
    """The part of the page that the reader needs to get on, in few tokens.

    That is what is new, for a lost id what has its name now, for an id that never was the page.
    """
    page = call.page
    if page.is_closed or page.dialog is not None or {"matches", "nearest"} & error.data.keys():
        return None, ""  # a selector's error lists what it may have meant
    if call.args.show is not None and call.args.show.quiet:
        return None, ""
    snapshot = await look(call, FAILED_PAGE_TOKENS)
    if error.code in ("ref_invalid", "element_not_found"):
        return snapshot, call.view.show(snapshot)  # its reader has another page in mind
    lines = equals_now(call, snapshot) if error.code == StaleRef.code else []
    seen = call.view.seen
    if seen is not None and snapshot.unfiltered.diff(seen.unfiltered).is_empty:
        lost = [value.line for value in snapshot.lost_values]
        return snapshot, "\n".join([*lines, *dialog_lines(snapshot.dialogs), *lost])
    text = cut_text(call.view.update(snapshot), FAILED_PAGE_TOKENS)
    return snapshot, "\n".join([*lines, text])


def equals_now(call: ToolCall, snapshot: Snapshot) -> list[str]:
    """A line with the elements that have the role and the name of one that is gone."""
    ref = getattr(call.args, "ref", None)
    role, name = call.element_facts.get(ref or "", ("", ""))
    if not name:
        return []
    same = [e for e in snapshot.unfiltered.elements if (e.role, e.name) == (role, name)]
    listed = ", ".join(f"[{e.id}]" for e in same[:_MOST_EQUALS])
    return [f"{role} {quoted(one_line(name, 60))} is now {listed}"] if same else []
