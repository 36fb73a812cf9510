"""A person's mouse and keyboard, sent on to the page that they have taken over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.act.input.keys import MODIFIERS, Key, find_key
from cdp_agent.live.viewer_messages import KeyInput, MouseInput, TextInput
from cdp_agent.protocol import Session

if TYPE_CHECKING:
    from cdp_use.cdp.input.commands import DispatchKeyEventParameters, DispatchMouseEventParameters

_COMMAND_KEYS = MODIFIERS["Alt"] | MODIFIERS["Control"] | MODIFIERS["Meta"]


def send_mouse(session: Session, event: MouseInput, size: tuple[float, float]) -> None:
    """Send one event of the mouse; `size` is the page's viewport in CSS pixels."""
    params: DispatchMouseEventParameters = {
        "type": event.kind,
        # The last pixel is inside: a fraction of 1 would be beside the page.
        "x": min(event.x * size[0], size[0] - 1),
        "y": min(event.y * size[1], size[1] - 1),
        "button": event.button,
        "buttons": event.buttons,
        "clickCount": event.clicks,
        "modifiers": event.modifiers,
    }
    if event.kind == "mouseWheel":
        params |= {"deltaX": event.dx, "deltaY": event.dy}
    if event.kind == "mousePressed":
        params["force"] = 0.5
    session.send_only("Input.dispatchMouseEvent", params)


def send_key(session: Session, event: KeyInput) -> None:
    """Send one key; a character that no key writes is inserted."""
    key = _key(event)
    if key is None:
        if event.kind == "down" and len(event.key) == 1:
            session.send_only("Input.insertText", {"text": event.key})
        return
    text = "" if event.modifiers & _COMMAND_KEYS or event.kind == "up" else key.text
    params: DispatchKeyEventParameters = {
        "type": "keyUp" if event.kind == "up" else "keyDown" if text else "rawKeyDown",
        "key": key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.number,
        "modifiers": event.modifiers,
        "location": key.location,
        "isKeypad": key.keypad,
    }
    if text:
        params["text"] = params["unmodifiedText"] = text
    session.send_only("Input.dispatchKeyEvent", params)


def _key(event: KeyInput) -> Key | None:
    """The key by its code where that types the same, else by what it types."""
    by_code = find_key(event.code) if event.code else None
    return by_code if by_code is not None and by_code.key == event.key else find_key(event.key)


def send_text(session: Session, event: TextInput) -> None:
    session.send_only("Input.insertText", {"text": event.text})
