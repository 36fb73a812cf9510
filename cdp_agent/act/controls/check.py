"""Checking and unchecking, by a click where the state is not the wanted one yet."""

from __future__ import annotations

from typing import Any

from cdp_agent.act.controls.select import AGREE_SECONDS
from cdp_agent.act.pointer.click import click
from cdp_agent.act.stage import Performed, Stage
from cdp_agent.act.wait.mark import Mark, has_navigated
from cdp_agent.errors import CdpAgentError, ConditionFailed, InvalidParams, StaleRef
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement

_RADIOS = frozenset({"radio", "menuitemradio"})
#: A dialog is open, or another document is there: the click's receipt has to do.
_GONE_ON = "gone on"
_STATES = {"true": "checked", "false": "unchecked", "mixed": "mixed"}


async def set_checked(stage: Stage, element_id: ElementId, wanted: bool) -> Performed:
    """Check or uncheck a checkbox, radio button, switch, toggle button or menu item.

    What is so already is left alone: `data["changed"]` says whether a click was needed. A mixed
    state counts as neither, and may take two clicks. At rest the state is read back. Where the page
    has taken the element away, `data` has `removed` and no state.

    Raises:
        InvalidParams: it has no checked state, or is a radio button to be unchecked.
        ConditionFailed: the click arrived, but the page did not keep the state.
    """
    goal = "true" if wanted else "false"
    mark = Mark.set(stage.target, stage.target.frames.main)
    live, before = await _read(stage, element_id)
    if not wanted and (before["radio"] or live.ref.role in _RADIOS):
        raise InvalidParams(
            f"{live.id} is a radio button, which cannot be unchecked",
            hint="Check another one of its group.",
            element_id=str(live.id),
        )
    if before["state"] is None:
        raise InvalidParams(
            f"{live.id} ({live.ref.role} {live.ref.name[:60]!r}) has no checked state",
            hint="check and uncheck take checkboxes, radio buttons, switches and the like.",
            element_id=str(live.id),
        )
    if before["state"] == goal:
        data = {"checked": wanted, "changed": False}
        return Performed(live.id, mark, True, None, live.healed, data)
    performed = await click(stage, element_id, answers=True)
    after = await _state_after(stage, element_id, performed, goal)
    if before["state"] == "mixed" and after == ("false" if wanted else "true"):
        # A mixed box goes to one side first; which one is its own affair.
        again = await click(stage, element_id, answers=True)
        after = await _state_after(stage, element_id, again, goal)
        performed.settled = again.settled
    performed.data = {"checked": wanted, "changed": True}
    if after == "removed":
        performed.data = {"changed": True, "removed": True}  # nothing proves the state
    elif after not in (goal, _GONE_ON):
        raise ConditionFailed(
            f"{live.id} was clicked, but is {_STATES.get(after, 'neither')} afterwards",
            hint="The page refuses or reverts it. Take a new snapshot to see what it wants.",
            element_id=str(live.id),
            checked=after,
        )
    return performed


async def _read(stage: Stage, element_id: ElementId) -> tuple[LiveElement, dict[str, Any]]:
    """The element, released, and its state now."""
    live = await stage.resolve(element_id)
    try:
        state = await live.call("checkedState", timeout=stage.reply_timeout)
        if not state["connected"]:
            live = await stage.heal(live)
            state = await live.call("checkedState", timeout=stage.reply_timeout)
        if state["state"] is None:
            state["state"] = await _state_by_accessibility(live)
        return live, state
    finally:
        live.release()


async def _state_by_accessibility(live: LiveElement) -> str | None:
    """The state that only the accessibility tree has (`ElementInternals`)."""
    reply = await live.session.post(
        "Accessibility.getPartialAXTree",
        {"objectId": live.object_id, "fetchRelatives": False},
        timeout=2,
    )
    for node in reply["nodes"][:1]:
        for fact in node.get("properties", ()):
            if fact["name"] in ("checked", "pressed"):
                return str(fact["value"].get("value")).lower()
    return None


async def _state_after(stage: Stage, element_id: ElementId, performed: Performed, goal: str) -> str:
    """The state at rest, or that there is none to be read any more."""
    target = stage.target
    if target.dialog is not None or target.closed is not None:
        return _GONE_ON
    if has_navigated(target, performed.mark):
        return _GONE_ON
    live: LiveElement | None = None
    try:
        live = await stage.resolver.resolve(
            performed.element_id or element_id, deadline=stage.deadline + 2
        )
        options = {"wanted": goal, "waitMs": int(AGREE_SECONDS * 1000)}
        if (await live.call("checkedState", timeout=2))["state"] is None:
            return await _state_by_accessibility(live) or ""
        now = await live.call("awaitChecked", options, timeout=2)
        if not now["connected"]:
            live.release()
            live = await stage.resolver.heal(live.ref, stage.deadline + 2)
            now = await live.call("awaitChecked", options, timeout=2)
    except StaleRef:
        return "removed"
    except CdpAgentError as error:
        if error.code == "frame_detached":
            return "removed"
        raise
    finally:
        if live is not None:
            live.release()
    return str(now["state"])
