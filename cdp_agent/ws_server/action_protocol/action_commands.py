"""Reads the commands of the Action Protocol. Pure.

    {"type": "ActionCommand", "data": {"type": "click_element", "ref": 1}}

`navigate_to`, `click_element`, `type_text` and `scroll_to` are the protocol's own four. Beside them
there are `answer_dialog`, `switch_tab` and `take_snapshot`: without them a page's question, a new
tab and a page that changes by itself would be out of reach.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cdp_agent.api.composite.step_actions import Ids
from cdp_agent.errors import InvalidParams, RefInvalid
from cdp_agent.ws_server.action_protocol.action_refs import Refs

#: The parameters of each command, beside `type`.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "navigate_to": ("url",),
    "click_element": ("ref",),
    "type_text": ("ref", "text"),
    "scroll_to": ("x", "y", "ref", "percent"),
    "answer_dialog": ("accept", "text"),
    "switch_tab": ("tab",),
    "take_snapshot": (),
}


@dataclass(frozen=True, slots=True)
class EngineAction:
    """The action of the engine that a command stands for."""

    name: str
    params: dict[str, Any] = field(default_factory=dict)
    ids: Ids = field(default_factory=Ids)


def read_command(text: str | bytes) -> dict[str, Any]:
    """The command in a message, with fields that it has. It may come without its envelope.

    Raises:
        InvalidParams: it is not a command, or has a field too many.
    """
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidParams("this is not JSON") from None
    fields = envelope if isinstance(envelope, dict) else {}
    is_alone = isinstance(fields.get("type"), str) and fields["type"] in FIELDS
    data = fields if is_alone else fields.get("data")
    if not isinstance(data, dict) or not (is_alone or fields.get("type") == "ActionCommand"):
        raise InvalidParams('a command is {"type": "ActionCommand", "data": {"type": …}}')
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        known = ", ".join(FIELDS)
        raise InvalidParams(f"there is no command {str(kind)[:40]!r}", hint=f"Commands: {known}.")
    unknown = sorted(set(data) - {"type", *FIELDS[kind]})
    if unknown:
        taken = ", ".join(FIELDS[kind]) or "nothing"
        raise InvalidParams(f"{kind} has no {unknown[0][:40]!r}", hint=f"It takes {taken}.")
    return dict(data)


def engine_action(command: Mapping[str, Any], refs: Refs) -> EngineAction:
    """The action that one of the protocol's own four commands stands for.

    Raises:
        InvalidParams: what it needs is not there.
        RefInvalid: the ref is none of the last snapshot.
    """
    kind = command["type"]
    if kind == "navigate_to":
        return EngineAction("navigate", {"url": require_text(command, "url")})
    if kind == "click_element":
        return EngineAction("click", ids=_ids(command, refs))
    if kind == "type_text":
        return EngineAction("type", {"text": require_text(command, "text")}, _ids(command, refs))
    return _scroll_to(command, refs)


def _scroll_to(command: Mapping[str, Any], refs: Refs) -> EngineAction:
    """The scroll to a position in pixels, an element, or a share of the height."""
    ways = [name for name in ("ref", "percent") if name in command]
    is_position = "x" in command or "y" in command
    if len(ways) + is_position != 1:
        raise InvalidParams("scroll_to takes x and y, or ref, or percent")
    if is_position:
        numbers = {name: _number(command, name) for name in ("x", "y") if name in command}
        return EngineAction("scroll_to_position", numbers)
    if ways == ["ref"]:
        return EngineAction("scroll_into_view", ids=_ids(command, refs))
    return EngineAction("scroll_to", {"percent": _number(command, "percent")})


def _ids(command: Mapping[str, Any], refs: Refs) -> Ids:
    ref = command.get("ref")
    element_id = refs.find(ref)
    if element_id is None:
        known = f"1 to {len(refs)}" if len(refs) else "none yet"
        raise RefInvalid(
            f"{str(ref)[:20]} is not a ref of the last snapshot", hint=f"Refs: {known}."
        )
    return Ids(element_id)


def require_text(command: Mapping[str, Any], name: str) -> str:
    """Raises: InvalidParams."""
    value = command.get(name)
    if not isinstance(value, str):
        raise InvalidParams(f"{name} must be a text")
    return value


def require_answer(command: Mapping[str, Any]) -> tuple[bool, str | None]:
    """Returns whether a dialog is accepted, and the text for a prompt.

    Raises:
        InvalidParams: one of them is not of its type.
    """
    accept, text = command.get("accept", True), command.get("text")
    if not isinstance(accept, bool) or not isinstance(text, str | None):
        raise InvalidParams("answer_dialog takes accept, true or false, and text for a prompt")
    return accept, text


def _number(command: Mapping[str, Any], name: str) -> float:
    value = command.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InvalidParams(f"{name} must be a number")
    return float(value)
