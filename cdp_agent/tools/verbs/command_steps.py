"""Steps written as commands (`click text=Save`), run in one call.

Each is a call of the tool that the command stands for, under the session's hooks, without the page
in its answer. The sequence ends at the first failure, and before a step that would act on a page
that an earlier step went to without anybody's having said so. The page is shown once, at the end.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cdp_agent.api.outcome import Outcome
from cdp_agent.errors import (
    ActionTimeout,
    CdpAgentError,
    ConditionFailed,
    DialogOpen,
    InvalidParams,
    StaleRef,
)
from cdp_agent.targets.network.auth import origin_of
from cdp_agent.text import one_line
from cdp_agent.tools.result import ToolResult, failure
from cdp_agent.tools.text.page_text import note_new_document, observation, page_text
from cdp_agent.tools.text.report import FAILED_PAGE_TOKENS, equals_now, with_dialogs
from cdp_agent.tools.tool import Show, Tool, ToolCall

if TYPE_CHECKING:
    from cdp_agent.act.wait.lines_before import LinesBefore
    from cdp_agent.api.page import Page
    from cdp_agent.snapshot import Snapshot

MOST_STEPS = 50
#: Tools that go somewhere because they were told to.
_GOES = frozenset({"browser_navigate", "browser_tabs"})
#: The role of a link, and its tag: an element that a CSS selector found may have no role.
_LINKS = frozenset({"link", "a"})


@dataclass(slots=True)
class CommandStep:
    """A step that was read and checked, and what became of it."""

    line: str
    tool: Tool
    args: Any
    result: ToolResult | None = None


@dataclass(slots=True)
class _StepSequence:
    """The steps under way."""

    call: ToolCall
    steps: list[CommandStep]
    #: The number of the step that changed the page's address, while nothing has confirmed that.
    moved: int | None = None
    page_id: str = ""
    failed: int | None = None
    #: What its reader had seen of the page, and what it was when the steps began.
    seen: Snapshot | None = None
    start: Snapshot | None = None
    #: The lines with what a later step waits for anew, before the last action.
    lines_before: LinesBefore | None = None
    #: The call of a step whose element was gone.
    stale: ToolCall | None = None
    texts: list[str] = field(default_factory=list)


def read_steps(call: ToolCall, lines: Sequence[str], folder: str | None) -> list[CommandStep]:
    """Read and check all steps.

    Raises:
        InvalidParams: there are none or too many, or one of them is wrong; says which.
    """
    from cdp_agent.tools.table import checked, require_tool

    read = call.session.read_command
    if read is None:
        raise InvalidParams(
            "steps as texts are not read here", hint="Write them as {action, params}."
        )
    if not 1 <= len(lines) <= MOST_STEPS:
        raise InvalidParams(f"there must be 1 to {MOST_STEPS} steps, not {len(lines)}")
    steps = []
    for number, line in enumerate(lines):
        try:
            name, arguments = read(line, folder)
            tool = call.session.more_tools.get(name) or require_tool(name)
            if tool is call.tool:
                raise InvalidParams("steps cannot have steps")
            steps.append(CommandStep(line, tool, checked(tool, arguments)))
        except CdpAgentError as error:
            message = f"step {number + 1}, {one_line(line, 100)}: {error.message}"
            raise InvalidParams(message, hint=error.hint) from None
    return steps


async def run_commands(call: ToolCall, steps: list[CommandStep]) -> ToolResult:
    """Run the steps; a line for each, and the page after the last."""
    run = _StepSequence(call, steps, page_id=call.page_id)
    await _note_start(run)
    try:
        async with asyncio.timeout(call.args.timeout) as deadline:
            for number in range(len(steps)):
                if not await _run_step(run, number):
                    break
    except TimeoutError:
        if not deadline.expired():
            raise
        number = next(n for n, step in enumerate(steps) if step.result is None)
        seconds = f"{call.args.timeout:g} s"
        _ended(run, number, ActionTimeout(f"the {seconds} for all steps were over", hint=""))
    return await _whole(run)


async def _run_step(run: _StepSequence, number: int) -> bool:
    """Returns whether the sequence goes on."""
    from cdp_agent.tools.table import run_call

    step, session = run.steps[number], run.call.session
    if run.moved is not None and not run.call.args.go_on and not _is_harmless(step.tool):
        page = session.pages.get(run.page_id)
        where = one_line(page.url, 300) if page is not None else "gone"
        error = ConditionFailed(
            f"step {run.moved + 1} changed the address, which is now {where}",
            hint="Look at the page and go on from there. --go-on runs the steps all the same; so "
            "does a wait before the next of them.",
        )
        _ended(run, number, error)
        return False
    made: ToolCall | None = None
    try:
        run.page_id, page = await session.page_for(step.args.page)
        made = ToolCall(session, step.tool, step.args, run.page_id, page)
        made.is_step = step.args.show is None
        made.origin_before = origin_of(page.url)
        made.stopped_before = run.call.stopped_before
        await _note_lines(run, number, made)
        before = _document(page)
        step.result = await run_call(made)
    except CdpAgentError as error:
        if isinstance(error, DialogOpen):
            error.hint = "Answer it with browser_dialog."
        if isinstance(error, StaleRef):
            run.stale = made
        _ended(run, number, error)
        return not run.call.args.stop_on_first_error
    step.result = with_dialogs(step.result, page.report_dialogs())
    _note_address(run, number, made, before)
    if step.tool.reads_only:  # it is read as it is, and often long
        run.texts.append(f"{number + 1}. {one_line(step.line, 100)}\n{step.result.text}")
    else:
        run.texts.append(_numbered(number, step.result.text))
    await run.call.tell(number + 1, len(run.steps), one_line(step.line, 60))
    if step.result.is_error:
        run.failed = number if run.failed is None else run.failed
    return not step.result.is_error or not run.call.args.stop_on_first_error


async def _note_start(run: _StepSequence) -> None:
    """Capture a page that its reader only read, so that just what the steps change is shown."""
    view = run.call.view
    run.seen = view.seen
    if observation(run.call) and run.steps[0].tool.name not in _GOES and not _ends_in_page(run):
        with contextlib.suppress(CdpAgentError):
            await note_new_document(run.call)
    run.start = view.seen


async def _note_lines(run: _StepSequence, number: int, made: ToolCall) -> None:
    """Note before an action what the page shows of a text that a wait behind it wants anew."""
    if made.tool.name == "browser_wait":
        made.lines_before = run.lines_before
    elif not made.tool.reads_only:
        run.lines_before = None
        texts = _new_texts(run.steps[number + 1 :])
        if texts and made.page.dialog is None:
            run.lines_before = await made.page.lines_with(texts)


def _new_texts(steps: list[CommandStep]) -> list[str]:
    """The texts that have to be new in the waits before the next action."""
    texts: list[str] = []
    for step in steps:
        if step.tool.name == "browser_wait":
            text = step.args.text if step.args.new else None
            texts += [text] if isinstance(text, str) else text or []
        elif not step.tool.reads_only:
            break
    return texts


def _is_harmless(tool: Tool) -> bool:
    """It only looks, or goes to a place of its own."""
    return tool.reads_only or tool.name in _GOES or tool.name == "browser_wait"


def _document(page: Page) -> tuple[str, str]:
    """The main frame's document and its address, without the part that scrolls."""
    frames = page.frames
    return (frames[0].loader_id if frames else "", page.url.partition("#")[0])


def _note_address(run: _StepSequence, number: int, made: ToolCall, before: tuple[str, str]) -> None:
    tool = made.tool
    if tool.name in _GOES or tool.name == "browser_wait":
        run.moved = None
        return
    after = _document(made.page)
    if after[0] != before[0] and after[1] != before[1] and not _is_expected(made, before[1]):
        run.moved = number


def _is_expected(made: ToolCall, before: str) -> bool:
    """Returns whether a step is expected to navigate: a link, Enter, a filter of the same page."""
    ref = getattr(made.args, "ref", None)
    if made.element_facts.get(ref or "", ("", ""))[0] in _LINKS:
        return True
    after = made.page.url
    if origin_of(after) != origin_of(before):
        return False
    is_enter = getattr(made.args, "key", "") == "Enter" or getattr(made.args, "enter", False)
    return is_enter or urlsplit(after).path == urlsplit(before).path


def _ended(run: _StepSequence, number: int, error: CdpAgentError) -> None:
    step = run.steps[number]
    step.result = failure(error)
    run.failed = number if run.failed is None else run.failed
    run.texts.append(_numbered(number, f"{one_line(step.line, 100)}\n{step.result.text}"))


def _numbered(number: int, text: str) -> str:
    return f"{number + 1}. " + "\n   ".join(text.split("\n"))


async def _whole(run: _StepSequence) -> ToolResult:
    lines = list(run.texts)
    done = sum(step.result is not None and not step.result.is_error for step in run.steps)
    skipped = [n + 1 for n, step in enumerate(run.steps) if step.result is None]
    if skipped:
        span = str(skipped[0]) if len(skipped) == 1 else f"{skipped[0]}-{skipped[-1]}"
        lines.append(f"not run: {span}")
    snapshot, shown_page = None, ""
    page = run.call.session.pages.get(run.page_id)
    if page is None:
        lines.append(f"page {run.page_id} closed")
    elif page.dialog is None and not _is_shown(run) and not _has_candidates(run):
        args = run.call.args
        if run.failed is not None and run.call.view.seen is run.start:
            run.call.view.seen = run.seen  # who did not know the page needs it now
        if run.failed is not None and args.show is None:
            args = args.model_copy(
                update={"show": Show(search=None, max_tokens=FAILED_PAGE_TOKENS)}
            )
        last = ToolCall(run.call.session, run.call.tool, args, run.page_id, page)
        snapshot, shown_page = await page_text(last, None)
        if run.stale is not None and snapshot is not None:
            lines += equals_now(run.stale, snapshot)
    error = run.steps[run.failed].result if run.failed is not None else None
    return ToolResult(
        "\n".join(lines),
        shown_page,
        is_error=error is not None,
        code=error.code if error is not None else None,
        images=tuple(p for step in run.steps if step.result for p in step.result.images),
        outcome=Outcome(success=error is None),
        snapshot=snapshot,
        data=_facts(run, done, page.url if page is not None else ""),
    )


def _is_shown(run: _StepSequence) -> bool:
    """Returns whether the last step showed its reader a page already."""
    return run.failed is None and _ends_in_page(run)


def _ends_in_page(run: _StepSequence) -> bool:
    last = run.steps[-1]
    return last.tool.reads_only or last.args.show is not None


def _has_candidates(run: _StepSequence) -> bool:
    """Returns whether the failed step's error lists elements that may have been meant."""
    result = run.steps[run.failed].result if run.failed is not None else None
    if result is None or run.call.args.show is not None:
        return False
    facts = result.data.get("data", {})
    return bool(facts.get("matches") or facts.get("nearest"))


def _facts(run: _StepSequence, done: int, url: str) -> dict[str, Any]:
    rows = []
    for step in run.steps:
        result = step.result
        status = "not_run" if result is None else "failed" if result.is_error else "done"
        code = result.code if result is not None else None
        text = result.text if result is not None else ""
        rows.append({"step": step.line, "status": status, "code": code, "text": text})
    return {
        "page": run.page_id,
        "url": url,
        "success": run.failed is None,
        "completed": done,
        "total": len(rows),
        "failed_at": run.failed,
        "steps": rows,
    }
