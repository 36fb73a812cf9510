"""Answering a dialog that waits, and what the page does then."""

from __future__ import annotations

import time

from cdp_agent.act import Performed
from cdp_agent.act.wait.mark import Mark
from cdp_agent.act.wait.settle import CEILING, settle
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.parameter_checks import require_seconds
from cdp_agent.api.tab import Observe, Tab
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import InvalidParams
from cdp_agent.resolve.worlds import world_of
from cdp_agent.targets import PageTarget
from cdp_agent.targets.dialog import Dialog

_ANSWERED = ("type", "message", "accepted", "left")
_REST = "cdpAgent.restAfterwards({ceilingMs: 500})"


async def answer(
    tab: Tab, accept: bool, text: str | None, observe: Observe, timeout: float
) -> Outcome:
    """Answer the dialog that waits; see `Page.answer_dialog`."""
    require_seconds(timeout)
    dialog, target = tab.target.dialog, tab.target
    if dialog is None:
        raise InvalidParams("no dialog is open", hint="Go on: a snapshot shows the page.")
    deadline = time.monotonic() + timeout
    before, popups = tab.last, len(target.popups)
    frame = target.frames.find(dialog.frame_id) or target.frames.main
    mark = Mark.set(target, frame)
    if accept:
        await dialog.accept(text)
    else:
        await dialog.dismiss()
    settled = await _settled_after(tab, dialog, mark, deadline)
    performed = Performed(None, mark, settled, None)
    info = dialog.info()
    performed.data["answered"] = {name: getattr(info, name) for name in _ANSWERED}
    observation = tab.observation(observe)
    return await tab.outcome(performed, before, popups, observation, deadline)


def answer_next(tab: Tab, accept: bool, text: str | None) -> None:
    """Answer the next dialog when it opens; see `Page.answer_next_dialog`."""
    if tab.target.dialog is not None:
        raise InvalidParams("a dialog is open already", hint="page.answer_dialog answers it.")
    if text is not None and not (accept and isinstance(text, str)):
        raise InvalidParams("a text goes with accept alone", hint="It is typed into a prompt.")
    tab.next_dialog_answer = text if text is not None else bool(accept)


async def _settled_after(tab: Tab, dialog: Dialog, mark: Mark, deadline: float) -> bool:
    target = tab.target
    await target.until(
        lambda: target.dialog is not dialog, seconds_until(deadline, 0.1), alive=False
    )
    if target.dialog is not None or target.closed is not None or mark.frame.session is None:
        return True
    seconds = seconds_until(deadline, 0.1)
    world = mark.frame.world or await world_of(target, mark.frame, seconds)
    latest = min(deadline, time.monotonic() + CEILING)
    return (await settle(target, mark, world, _REST, deadline, latest=latest)).settled


async def wait_dialog(target: PageTarget, timeout: float) -> Dialog | None:
    """The dialog that waits for an answer, now or within a time; None without one."""
    await target.until(
        lambda: target.dialog is not None or target.closed is not None, timeout, alive=False
    )
    return target.dialog
