"""Choosing from a native list: set in one task, and read back at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from cdp_agent.act.input import inputs
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.text import text_entry
from cdp_agent.act.wait.mark import Mark
from cdp_agent.action_table.limits import MOST_ITEMS
from cdp_agent.errors import (
    ActionTimeout,
    CdpAgentError,
    ConditionFailed,
    ElementDisabled,
    ElementNotVisible,
    InvalidParams,
    OptionNotFound,
    StaleRef,
)
from cdp_agent.protocol.chrome_errors import is_context_gone
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.live import script_value

#: A page that sets its own state a moment after the event is given this long to agree.
AGREE_SECONDS = 1.0
#: A list is given this long to show an option of the very name, before a part of one counts.
_NEAR_MS = 400

#: `value or label`: an option of that value, or where there is none, of that label.
By = Literal["value", "label", "index", "value or label"]
OneOrMore = str | int | Sequence[str] | Sequence[int]


@dataclass(frozen=True, slots=True)
class WantedOptions:
    """The options to choose, by value, label or index."""

    by: By
    keys: tuple[str | int, ...]

    @classmethod
    def parse(
        cls, value: OneOrMore | None, label: OneOrMore | None, index: OneOrMore | None
    ) -> WantedOptions:
        """Raises: InvalidParams: not exactly one of the three, or not of its type.

        An equal value and label count as one.
        """
        if value is not None and value == label and index is None:
            return replace(cls.parse(value, None, None), by="value or label")
        names: dict[By, OneOrMore | None] = {"value": value, "label": label, "index": index}
        given: list[By] = [name for name, keys in names.items() if keys is not None]
        if len(given) != 1:
            said = " and ".join(given) or "nothing"
            raise InvalidParams(
                f"select takes one of value, label, index; {said} was given",
                hint='For example select(id, label="Blue") or select(id, index=[0, 2]).',
            )
        by = given[0]
        keys = names[by]
        listed = list(keys) if isinstance(keys, list | tuple | set | frozenset) else [keys]
        kind = int if by == "index" else str
        for key in listed:
            if not isinstance(key, kind) or isinstance(key, bool):
                raise InvalidParams(f"{by} must be {kind.__name__} or a list of it, not {key!r}")
            if isinstance(key, int) and key < 0:
                raise InvalidParams(f"an index counts from 0, not {key}")
        if len(listed) > MOST_ITEMS:
            raise InvalidParams(f"{len(listed)} options are too many; at most {MOST_ITEMS}")
        return cls(by, tuple(dict.fromkeys(listed)))  # type: ignore[arg-type]  # checked above

    def with_label(self, part: str, label: str) -> WantedOptions:
        """The same, with an option's whole label for the part of it that was given."""
        keys = (label if key == part else key for key in self.keys)
        return replace(self, keys=tuple(dict.fromkeys(keys)))


async def select_native(stage: Stage, live: LiveElement, wanted: WantedOptions) -> Performed:
    """Choose exactly these options of a `<select>`; `live` is released here.

    The list is focused and set by script, with the `input` and `change` events that Chromium sends
    after a person's choice (see `js/controls/choose.js` for why no real input is used), so they are
    untrusted, as the receipt says. What is chosen already is left alone, without events. An overlay
    is not in the way: the focus decides. Late options are waited for. Where no option is called so,
    the only one that has the label as a part is chosen, and `chose` in the data names it. Where
    the page has taken the list away, `data` has `removed` and no choice.

    Raises:
        OptionNotFound, ElementDisabled, ElementNotVisible: it cannot be chosen. Nothing changed.
        ConditionFailed: the page did not keep the choice.
    """
    token = stage.new_token()
    begun = stage.target.requests.last_number
    parts: dict[str, str] = {}
    try:
        while True:
            mark = Mark.set(stage.target, live.frame)
            answer = await _choose(stage, live, wanted, token)
            if answer is not None and answer.get("why") == "detached":
                live = await stage.heal(live)
            elif near := near_label(answer, stage, begun):
                key = str((answer or {})["key"])
                parts[key] = near
                wanted = wanted.with_label(key, near)
            elif not is_waiting(answer, stage, begun):
                break
        if answer is not None and not answer.get("ok"):
            raise await refusal(stage, live, answer, wanted)
        log_action("select", live, "selected options, input and change events")
        if answer is not None and not answer["changed"]:
            stage.disarm(live)
            data = _data(answer, changed=False, parts=parts)
            return Performed(live.id, mark, True, None, live.healed, data)
        held = answer or await _noted(stage, live, token)
        settled = await stage.finish(live, mark, answers=True)
        data = _data(held, changed=True, parts=parts)
        if not await _is_kept(stage, live, held):
            data = {"changed": True, "removed": True}
        receipt = Receipt(True, live.id, False, False, ("input", "change"))
        return Performed(live.id, mark, settled.settled, receipt, live.healed, data)
    finally:
        stage.drop_token(token)
        live.release()


async def select_suggestion(stage: Stage, live: LiveElement, wanted: WantedOptions) -> Performed:
    """Fill in what an `<input list>` suggests under that name."""
    try:
        answer = await live.call("suggestion", {"by": wanted.by, "keys": list(wanted.keys)})
        if len(wanted.keys) != 1:
            answer = {"why": "not_multiple"}
        if "why" in answer:
            raise await refusal(stage, live, answer, wanted)
    finally:
        live.release()
    return await text_entry.fill(stage, live.id, answer["value"])


async def _choose(
    stage: Stage, live: LiveElement, wanted: WantedOptions, token: int
) -> dict[str, Any] | None:
    """The script's answer; None where a dialog or navigation stopped it."""
    options = {
        "timeoutMs": stage.left_ms,
        "by": wanted.by,
        "keys": list(wanted.keys),
        "guard": {
            "kind": "choice",
            "token": token,
            "id": str(live.id),
            "gives": True,
            "lifeMs": stage.left_ms + 1000,
        },
        "nearMs": _NEAR_MS,
    }
    reply = live.post("choose", options, timeout=stage.input_timeout, user_gesture=True)
    await inputs.delivered(stage.target, [reply], stage.deadline + 0.7)
    if not inputs.is_answered(reply):
        return None
    try:
        answer = script_value(reply.result())
    except CdpAgentError as error:
        if is_context_gone(error) and stage.notes(token):
            return None
        raise live.explain(error) from None
    return answer if isinstance(answer, dict) else {"why": "hidden"}


async def _noted(stage: Stage, live: LiveElement, token: int) -> dict[str, Any]:
    """The report of the document before it was stopped.

    Raises:
        FrameDetached, StaleRef: its frame was removed, or shows another document.
        ActionTimeout: nothing: there is no evidence.
    """
    await stage.target.until(lambda: bool(stage.notes(token)), 0.3, alive=False)
    note = stage.notes(token).get("landed")
    if note is None:
        stage.target.require_alive()
        live.require_document()
        raise ActionTimeout(f"there is no proof that {live.id} took the choice")
    return note


async def _is_kept(stage: Stage, live: LiveElement, held: dict[str, Any]) -> bool:
    """Returns False where the page removed the list: nothing proves the choice.

    Raises:
        ConditionFailed: something else is selected now.
    """
    if stage.target.dialog is not None or stage.target.closed is not None:
        return True
    wanted = {"values": held["values"], "labels": held["labels"]}
    wait_ms = int(AGREE_SECONDS * 1000)
    try:
        now = await live.call("choice", {"wanted": wanted, "waitMs": wait_ms}, timeout=2)
    except (StaleRef, CdpAgentError) as error:
        if isinstance(error, StaleRef) or error.code == "frame_detached":
            return True  # the page went on because of the choice
        raise
    if not now["connected"]:
        return await _is_kept_by_heir(stage, live, held)
    _require_kept(live, held, now)
    return True


async def _is_kept_by_heir(stage: Stage, live: LiveElement, held: dict[str, Any]) -> bool:
    """Returns whether the list that took the removed one's place has the choice."""
    try:
        heir = await stage.resolver.heal(live.ref, stage.deadline)
    except StaleRef:
        return False
    try:
        wanted = {"values": held["values"], "labels": held["labels"]}
        now = await heir.call("choice", {"wanted": wanted, "waitMs": 500}, timeout=2)
    finally:
        heir.release()
    _require_kept(live, held, now)
    return True


def _require_kept(live: LiveElement, held: dict[str, Any], now: dict[str, Any]) -> None:
    if (now["values"], now["labels"]) == (held["values"], held["labels"]):
        return
    shows = ", ".join(repr(label) for label in now["labels"][:5]) or "nothing"
    raise ConditionFailed(
        f"{live.id} did not keep the choice: the page changed it to {shows}",
        hint="Take a new snapshot: the page reacted to the choice, or refuses it.",
        element_id=str(live.id),
        value=now["values"],
    )


def near_label(answer: dict[str, Any] | None, stage: Stage, begun: int) -> str | None:
    """The only option whose label contains the wanted one, in a complete list.

    `begun` is the number of the last request before the list was asked for.
    """
    near: list[str] = answer.get("near", []) if answer is not None else []
    if len(near) != 1 or is_waiting(answer, stage, begun):
        return None
    return str(near[0])


def is_waiting(answer: dict[str, Any] | None, stage: Stage, begun: int) -> bool:
    """Returns whether a request is under way that may bring the exact option."""
    if answer is None or not answer.get("near"):
        return False
    return bool(stage.target.requests.open_since(begun)) and stage.left > 0.1


def _data(state: dict[str, Any], *, changed: bool, parts: dict[str, str]) -> dict[str, Any]:
    values, labels = list(state["values"]), list(state["labels"])
    one = len(values) == 1
    return {
        **({"chose": parts} if parts else {}),
        "value": values[0] if one else values,
        "label": labels[0] if one else labels,
        "changed": changed,
    }


async def refusal(
    stage: Stage, live: LiveElement, answer: dict[str, Any], wanted: WantedOptions
) -> CdpAgentError:
    """The error for a script's answer about an option or its list."""
    reason, key = answer["why"], answer.get("key")
    facts: dict[str, Any] = {"element_id": str(live.id), "options": answer.get("offered", [])}
    hint = offered_hint(facts["options"])
    asked = f"{wanted.by} {key!r}"
    if reason == "no_option" and len(answer.get("near", ())) > 1:
        near = ", ".join(repr(label[:60]) for label in answer["near"][:20])
        more = len(answer["near"]) - 20
        hint = f"Name one of them: {near}{f' and {more} more' if more > 0 else ''}."
        message = f"{live.id} has no option of {asked}; {len(answer['near'])} have it as a part"
        return OptionNotFound(message, hint=hint, **facts)
    if reason == "no_option":
        return OptionNotFound(f"{live.id} has no option of {asked}", hint=hint, **facts)
    if reason == "closed":
        hint = "Take a snapshot to see what the page did, and click the option there."
        return OptionNotFound(f"{live.id} was clicked and opened no list", hint=hint, **facts)
    if reason == "option_disabled":
        return ElementDisabled(
            f"the option of {asked} in {live.id} is disabled", hint=hint, **facts
        )
    if reason == "option_hidden":
        return ElementNotVisible(
            f"the option of {asked} in {live.id} is hidden", hint=hint, **facts
        )
    if reason == "ambiguous":
        values = ", ".join(repr(value) for value in answer["values"][:5])
        return InvalidParams(
            f"{len(answer['values'])} options of {live.id} have the {asked}",
            hint=f"Choose by value ({values}) or by index.",
            **facts,
        )
    if reason == "not_multiple":
        return InvalidParams(
            f"{live.id} takes exactly one option, not {len(wanted.keys)}",
            hint="Only a list that says so (`multiple`) takes several or none; else one by one.",
            **facts,
        )
    error = await stage.cannot(live, answer, "choose")
    if reason in ("hidden", "empty"):
        error.hint = (
            "The list itself is hidden; a widget of the page may stand for it. "
            "Take a snapshot and select in, or click, the visible one."
        )
    return error


def offered_hint(options: list[str]) -> str:
    """The options there are, for a message; long lists are cut."""
    if not options:
        return "It offers no option that can be chosen."
    shown = ", ".join(repr(label[:60]) for label in options[:20])
    more = f" and {len(options) - 20} more" if len(options) > 20 else ""
    return f"It offers {shown}{more}."
