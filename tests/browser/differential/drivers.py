"""The two engines behind one set of words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from cdp_agent import CdpAgentError, Page
from cdp_agent.ids import ElementId

if TYPE_CHECKING:
    from playwright.async_api import Locator

TEXT = "new"

OURS: dict[str, Callable[[Page, ElementId, float], Awaitable[Any]]] = {
    "click": lambda page, target, s: page.click(target, timeout=s),
    "double_click": lambda page, target, s: page.double_click(target, timeout=s),
    "right_click": lambda page, target, s: page.click(target, button="right", timeout=s),
    "middle_click": lambda page, target, s: page.click(target, button="middle", timeout=s),
    "shift_click": lambda page, target, s: page.click(target, modifiers=["Shift"], timeout=s),
    "fill": lambda page, target, s: page.fill(target, TEXT, timeout=s),
    "clear": lambda page, target, s: page.clear(target, timeout=s),
    "type": lambda page, target, s: page.type(target, TEXT, timeout=s),
    "select": lambda page, target, s: page.select(target, label="M", timeout=s),
    "check": lambda page, target, s: page.check(target, timeout=s),
    "uncheck": lambda page, target, s: page.uncheck(target, timeout=s),
    "focus": lambda page, target, s: page.focus(target, timeout=s),
}

THEIRS: dict[str, Callable[[Locator, float], Awaitable[Any]]] = {
    "click": lambda target, ms: target.click(timeout=ms),
    "double_click": lambda target, ms: target.dblclick(timeout=ms),
    "right_click": lambda target, ms: target.click(button="right", timeout=ms),
    "middle_click": lambda target, ms: target.click(button="middle", timeout=ms),
    "shift_click": lambda target, ms: target.click(modifiers=["Shift"], timeout=ms),
    "fill": lambda target, ms: target.fill(TEXT, timeout=ms),
    "clear": lambda target, ms: target.clear(timeout=ms),
    "type": lambda target, ms: target.press_sequentially(TEXT, timeout=ms),
    "select": lambda target, ms: target.select_option(label="M", timeout=ms),
    "check": lambda target, ms: target.check(timeout=ms),
    "uncheck": lambda target, ms: target.uncheck(timeout=ms),
    "focus": lambda target, ms: target.focus(timeout=ms),
}


async def act_by_us(page: Page, target: ElementId, action: str, seconds: float) -> bool:
    """Returns whether it was done; False when it was refused."""
    try:
        if action in OURS:
            await OURS[action](page, target, seconds)
        else:
            await page.press(action, target, timeout=seconds)
    except CdpAgentError:
        return False
    return True


async def act_by_playwright(target: Locator, action: str, seconds: float) -> bool:
    from playwright.async_api import Error

    try:
        if action in THEIRS:
            await THEIRS[action](target, seconds * 1000)
        else:
            await target.press(action, timeout=seconds * 1000)
    except Error:
        return False
    return True
