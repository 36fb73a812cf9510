"""Mouse and keyboard events as they are sent to Chromium.

Events of one gesture are sent without waiting for each other's answer. They still arrive in order,
and a caller that is cancelled in the middle cannot leave a button down: the release is on its way.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cdp_agent.act.input.keys import ALIASES, MODIFIERS, Key, find_key, needs_shift
from cdp_agent.action_table.entry import Button
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import ActionTimeout, DialogOpen, InvalidParams
from cdp_agent.protocol import Session
from cdp_agent.resolve.frame_point import Point
from cdp_agent.targets import PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.input.commands import DispatchKeyEventParameters, DispatchMouseEventParameters

_BUTTON_BITS = {"left": 1, "right": 2, "middle": 4}

Replies = list[asyncio.Future[Any]]


def modifier_bits(names: Sequence[str]) -> int:
    """The bits of one or several modifiers.

    Raises:
        InvalidParams: one of them is not a modifier.
    """
    given = (names,) if isinstance(names, str) else names
    if not isinstance(given, list | tuple | set | frozenset):
        raise InvalidParams(f"modifiers must be a list of names, not {given!r}")
    bits = 0
    for name in given:
        if not isinstance(name, str):
            raise InvalidParams(f"{name!r} is not a modifier", hint="Alt, Control, Meta, Shift.")
        proper = ALIASES.get(name.lower(), name)
        bit = MODIFIERS.get(proper[:1].upper() + proper[1:])
        if bit is None:
            raise InvalidParams(f"{name!r} is not a modifier", hint="Alt, Control, Meta, Shift.")
        bits |= bit
    return bits


def require_position(position: Any) -> None:
    """Raises: InvalidParams: it is neither None nor two numbers."""
    if position is None:
        return
    if (
        not isinstance(position, list | tuple)
        or len(position) != 2
        or not all(isinstance(one, int | float) and math.isfinite(one) for one in position)
    ):
        raise InvalidParams(f"position must be (x, y) in pixels, not {position!r}")


def move(session: Session, point: Point, modifiers: int = 0) -> Replies:
    params: DispatchMouseEventParameters = {
        "type": "mouseMoved",
        "x": point.x,
        "y": point.y,
        "modifiers": modifiers,
        "buttons": 0,
        "button": "none",
    }
    return [session.post("Input.dispatchMouseEvent", params)]


def click(
    session: Session, point: Point, button: Button = "left", count: int = 1, modifiers: int = 0
) -> Replies:
    """Move there, then press and release `count` times, each with its click count."""
    if button not in _BUTTON_BITS:
        raise InvalidParams(f"{button!r} is not a mouse button", hint="left, right or middle.")
    replies = move(session, point, modifiers)
    for number in range(1, count + 1):
        down: DispatchMouseEventParameters = {
            "type": "mousePressed",
            "x": point.x,
            "y": point.y,
            "button": button,
            "modifiers": modifiers,
            "buttons": _BUTTON_BITS[button],
            "clickCount": number,
        }
        up: DispatchMouseEventParameters = {**down, "type": "mouseReleased", "buttons": 0}
        down["force"] = 0.5  # what a mouse button reports as pressure
        replies.append(session.post("Input.dispatchMouseEvent", down))
        replies.append(session.post("Input.dispatchMouseEvent", up))
    return replies


def drag_event(session: Session, kind: str, point: Point, *, held: bool = True) -> Replies:
    """`mousePressed`, `mouseMoved` or `mouseReleased` of the left button.

    Chromium begins a drag only by moves that name the button.
    """
    params: DispatchMouseEventParameters = {
        "type": kind,
        "x": point.x,
        "y": point.y,
        "button": "left",
        "buttons": 1 if held else 0,
    }
    if kind != "mouseMoved":
        params["clickCount"] = 1
    if kind == "mousePressed":
        params["force"] = 0.5
    return [session.post("Input.dispatchMouseEvent", params)]


def wheel(session: Session, point: Point, delta_x: float, delta_y: float) -> Replies:
    params: DispatchMouseEventParameters = {
        "type": "mouseWheel",
        "x": point.x,
        "y": point.y,
        "button": "none",
        "buttons": 0,
        "deltaX": delta_x,
        "deltaY": delta_y,
    }
    return [session.post("Input.dispatchMouseEvent", params)]


def key_event(session: Session, kind: str, key: Key, modifiers: int, *, text: bool) -> Replies:
    params: DispatchKeyEventParameters = {
        "type": kind,
        "key": key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.number,
        "modifiers": modifiers,
        "location": key.location,
        "isKeypad": key.keypad,
    }
    if text and key.text:
        params["text"] = params["unmodifiedText"] = key.text
    return [session.post("Input.dispatchKeyEvent", params)]


def press(session: Session, held: list[Key], key: Key) -> Replies:
    """Hold the modifiers, press and release the key, let go."""
    replies: Replies = []
    bits = 0
    for modifier in held:
        bits |= MODIFIERS[modifier.key]
        replies += key_event(session, "rawKeyDown", modifier, bits, text=False)
    types = bool(key.text) and not bits & ~MODIFIERS["Shift"]
    own = MODIFIERS.get(key.key, 0)
    replies += key_event(session, "keyDown" if types else "rawKeyDown", key, bits | own, text=types)
    replies += key_event(session, "keyUp", key, bits, text=False)
    for modifier in reversed(held):
        bits &= ~MODIFIERS[modifier.key]
        replies += key_event(session, "keyUp", modifier, bits, text=False)
    return replies


def type_character(session: Session, character: str) -> Replies:
    """Type a character by its key, or insert it as an input method would."""
    key = find_key(character)
    if key is None or not key.text:
        return [session.post("Input.insertText", {"text": character})]
    bits = MODIFIERS["Shift"] if needs_shift(key) else 0
    replies = key_event(session, "keyDown", key, bits, text=True)
    return replies + key_event(session, "keyUp", key, bits, text=False)


def release(session: Session, character: str) -> Replies:
    """Let go of the key that a character was typed by: some pages look at a field only then."""
    key = find_key(character) or Key(character, "", 0)
    return key_event(session, "keyUp", key, 0, text=False) if character.isprintable() else []


def is_answered(reply: asyncio.Future[Any]) -> bool:
    """Returns whether a script has answered; False while its own dialog is open."""
    return reply.done() and not isinstance(reply.exception(), DialogOpen)


async def delivered(target: PageTarget, replies: Replies, deadline: float) -> bool:
    """Wait until the renderer has taken the events. False when a dialog stopped it.

    Raises:
        ActionTimeout: it did not take them in time; they may still arrive.
        TargetClosed, TargetCrashed: the page went away. Not if all was answered before.
    """
    for reply in replies:
        reply.add_done_callback(lambda _: target.pulse())

    def over() -> bool:
        return (
            all(r.done() for r in replies) or target.dialog is not None or target.closed is not None
        )

    seconds = seconds_until(deadline, 0.05)
    if not await target.until(over, seconds):
        raise ActionTimeout(
            "the page did not take the input in time",
            hint="The page is busy. Take a snapshot to see whether it arrived, or page.recover().",
        )
    return target.dialog is None
