"""Focus and the one synthetic click: actions without pointer and keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cdp_agent.act.frame_document import document_of, frame_shown_by
from cdp_agent.act.input import inputs
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.wait.mark import Mark
from cdp_agent.errors import ActionTimeout, CdpAgentError, ConditionFailed, InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.protocol.chrome_errors import is_context_gone
from cdp_agent.resolve.live import script_value

#: Frames in frames deeper than this are not followed to the focus.
_DEPTH = 20


@dataclass(frozen=True, slots=True)
class FocusHolder:
    """The element that keys go to.

    `takes_text`: it is a field or editor. `takes_characters`: a grid, canvas or list.
    """

    id: ElementId
    words: str
    takes_text: bool
    takes_characters: bool


async def focus_holder(stage: Stage) -> FocusHolder:
    """The element that has the focus, in whichever frame.

    Raises:
        InvalidParams: nothing has it.
    """
    live = await document_of(stage, stage.target.frames.main)
    try:
        for _ in range(_DEPTH):
            facts = await live.call("keyHolderFacts", timeout=stage.reply_timeout)
            if facts is None or not facts["frame"]:
                break
            inner = await frame_shown_by(stage, live, "cdpAgent.keyHolder()")
            outer, live = live, await document_of(stage, inner)
            outer.release()
        script = "cdpAgent.keyHolder()"
        holder = await stage.resolver.adopt(live, script, "", "") if facts is not None else None
        if facts is None or holder is None:
            raise InvalidParams(
                "nothing has the focus", hint="Name the element to type into, or click it first."
            )
        return FocusHolder(holder, str(facts["sketch"]), facts["text"], facts["keys"])
    finally:
        live.release()


async def focus(stage: Stage, element_id: ElementId) -> Performed:
    """Give an element the focus; of a label, its control gets it.

    Raises:
        InvalidParams: it is nothing that takes the focus.
        ConditionFailed: it had the focus, and the page took it away.
    """
    live = await stage.resolve(element_id)
    try:
        mark = Mark.set(stage.target, live.frame)
        prepared = await live.call(
            "prepareFocus", {"timeoutMs": stage.left_ms}, timeout=stage.reply_timeout
        )
        if prepared.get("why") == "detached":
            live = await stage.heal(live)
            prepared = await live.call("prepareFocus", {"timeoutMs": stage.left_ms})
        if not prepared.get("ok"):
            raise await stage.cannot(live, prepared, "take the focus")
        log_action("focus", live, "focus()")
        settled = await stage.finish(live, mark, answers=True)
        if stage.target.dialog is None:
            now = await live.call("isFocused", timeout=2)
            if not prepared["took"] and not now["focused"]:
                raise InvalidParams(
                    f"{live.id} ({live.ref.role} {live.ref.name[:60]!r}) does not take the focus",
                    hint="Choose a field, button or link.",
                    element_id=str(live.id),
                )
            if now["connected"] and not now["focused"]:
                raise ConditionFailed(
                    f"the page took the focus away from {live.id}", element_id=str(live.id)
                )
        data = {"focused": True}
        return Performed(live.id, mark, settled.settled, None, live.healed, data)
    finally:
        live.release()


async def send_click_event(stage: Stage, element_id: ElementId) -> Performed:
    """Dispatch a synthetic `click` event: no pointer, no hit test, `isTrusted` false.

    For elements that no pointer can reach. It is never used in place of a click that failed; the
    outcome says `synthetic`. A disabled element is waited for; a hidden one is no hindrance.
    """
    live = await stage.resolve(element_id)
    token = stage.new_token()
    try:
        for _ in range(2):
            mark = Mark.set(stage.target, live.frame)
            guard = {"kind": "synthetic", "token": token, "lifeMs": stage.left_ms + 1000}
            reply = live.post(
                "dispatchClick",
                {"timeoutMs": stage.left_ms, "guard": guard},
                timeout=stage.reply_timeout,
            )
            await inputs.delivered(stage.target, [reply], stage.deadline + 0.7)
            answer: dict[str, Any] | None = None
            if inputs.is_answered(reply):
                try:
                    answer = script_value(reply.result())
                except CdpAgentError as error:
                    if not (is_context_gone(error) and stage.notes(token)):
                        raise live.explain(error) from None
            if answer is None or answer.get("why") != "detached":
                break
            live = await stage.heal(live)
        if answer is not None and not answer.get("ok"):
            raise await stage.cannot(live, answer, "take an event")
        if answer is None:
            await stage.target.until(lambda: bool(stage.notes(token)), 0.3, alive=False)
            if not stage.notes(token):
                raise ActionTimeout(f"there is no proof that the event reached {live.id}")
        log_action("send_click_event", live, "dispatchEvent(click)")
        settled = await stage.finish(live, mark)
        prevented = answer is not None and bool(answer["prevented"])
        receipt = Receipt(True, live.id, False, prevented, ("click",))
        data = {"synthetic": True}
        return Performed(live.id, mark, settled.settled, receipt, live.healed, data)
    finally:
        stage.drop_token(token)
        live.release()
