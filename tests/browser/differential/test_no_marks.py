"""The engine leaves no mark: a page with it hears the events that a page without it hears.

The same raw input goes to a page of the engine's browser and to one that no engine knows of. Each
document has listeners of every kind, from its first line on, and writes down what they see.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import pytest

from cdp_agent import Page
from tests.browser.differential.test_against_playwright import their_page
from tests.support.oracle import PageOracle
from tests.support.site import Site

if TYPE_CHECKING:
    from playwright.async_api import Page as PlaywrightPage

__all__ = ["their_page"]

Send = Callable[[str, dict[str, Any]], Awaitable[Any]]
Input = tuple[str, dict[str, Any]]

# `%LISTENERS%`: which of the listeners there are, so that none hides what another would show.
PAGE = """<!doctype html><meta charset=utf-8><title>Marks</title><script>
window.seen = [];
const TYPES = ['pointerover', 'pointerenter', 'pointerdown', 'pointermove', 'pointerup',
  'pointercancel', 'pointerout', 'pointerleave', 'gotpointercapture', 'lostpointercapture',
  'mouseover', 'mousedown', 'mousemove', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu',
  'wheel', 'mousewheel', 'touchstart', 'touchmove', 'touchend', 'touchcancel',
  'keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'textInput',
  'compositionstart', 'compositionupdate', 'compositionend',
  'focus', 'focusin', 'blur', 'focusout', 'submit', 'reset', 'invalid', 'select',
  'dragstart', 'drag', 'dragenter', 'dragover', 'dragleave', 'drop', 'dragend',
  'copy', 'cut', 'paste', 'beforecopy', 'beforecut', 'beforepaste',
  'scroll', 'scrollend', 'selectstart', 'selectionchange', 'toggle', 'beforetoggle'];
const OPTIONS = %LISTENERS%;
const nameOf = (node) => node === window ? 'window' : node === document ? 'document'
  : node.id || node.localName;
function hear(node) {
  for (const type of TYPES) for (const options of OPTIONS) {
    if (options.only && !options.only.includes(type)) continue;
    node.addEventListener(type, (event) => {
      if (['scroll', 'pointermove', 'mousemove', 'drag', 'dragover'].includes(event.type)
          && seen.some((line) => line.startsWith(`${event.type} ${nameOf(node)} `)
            && line.includes(JSON.stringify(options)))) return; // how many there are is chance
      if (options.prevents) event.preventDefault();
      seen.push([event.type, nameOf(node), 'at', nameOf(event.target), 'phase', event.eventPhase,
        event.cancelable ? 'cancelable' : '', event.defaultPrevented ? 'prevented' : '',
        event.isTrusted ? 'trusted' : '', event.bubbles ? 'bubbles' : '',
        event.composed ? 'composed' : '', event.detail ?? '', event.inputType ?? '',
        JSON.stringify(options)].join(' '));
      Promise.resolve().then(() => seen.push(`microtask of ${event.type} ${nameOf(node)}`));
    }, options);
  }
}
hear(window); hear(document);
</script><style>body { margin: 0; font: 16px monospace }
#box, #plain { position: absolute; left: 10px; top: 10px; width: 200px; height: 100px }
#plain { left: 300px } #scroller { position: absolute; left: 10px; top: 150px; width: 200px;
height: 100px; overflow: auto } #field { position: absolute; left: 300px; top: 150px }
#carry { position: absolute; left: 500px; top: 10px; width: 100px; height: 100px }
#words { position: absolute; left: 500px; top: 150px }</style>
<button id=plain>Plain</button><div id=scroller><div style='height:900px'>long</div></div>
<input id=field value=words><div id=carry draggable=true>carry</div>
<p id=words contenteditable>some words</p><div style='height:3000px'></div>
<script>for (const node of document.querySelectorAll('[id]')) hear(node);</script>"""

LISTENERS = {
    "all": [{"capture": True}, {"capture": False}],
    "passive": [{"capture": True, "passive": True}, {"passive": True}],
    "not passive": [{"capture": True, "passive": False}],
    "preventing": [
        {"passive": False, "prevents": True, "only": ["wheel", "mousewheel", "keydown"]},
        {"capture": False},
    ],
    "old wheel alone": [{"only": ["mousewheel"]}, {"capture": True, "only": ["mousewheel"]}],
    "old wheel, passive": [{"passive": True, "only": ["mousewheel"]}],
    "wheel, passive": [{"passive": True, "only": ["wheel"]}],
}


def mouse(kind: str, x: int, y: int, **more: Any) -> Input:
    return "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more}


def pressed(x: int, y: int, button: str = "left", count: int = 1) -> list[Input]:
    bits = {"left": 1, "right": 2, "middle": 4}[button]
    return [
        mouse("mousePressed", x, y, button=button, buttons=bits, clickCount=count),
        mouse("mouseReleased", x, y, button=button, buttons=0, clickCount=count),
    ]


def key(name: str, code: str, number: int, text: str = "", **more: Any) -> list[Input]:
    base = {"key": name, "code": code, "windowsVirtualKeyCode": number, **more}
    down = {"type": "keyDown" if text else "rawKeyDown", **base}
    if text:
        down |= {"text": text, "unmodifiedText": text}
    return [
        ("Input.dispatchKeyEvent", down),
        ("Input.dispatchKeyEvent", {"type": "keyUp", **base}),
    ]


def touch(kind: str, *points: tuple[int, int]) -> Input:
    places = [{"x": x, "y": y} for x, y in points]
    return "Input.dispatchTouchEvent", {"type": kind, "touchPoints": places}


WHEEL: dict[str, Any] = {"deltaX": 0, "deltaY": 60}
CHORD: dict[str, Any] = {"modifiers": 2}
INPUTS: dict[str, list[Input]] = {
    "pointer and mouse": [
        mouse("mouseMoved", 350, 50),
        *pressed(350, 50),
        *pressed(350, 50, count=2),
        *pressed(350, 50, "middle"),
        mouse("mouseMoved", 5, 5),
    ],
    "context menu": [mouse("mouseMoved", 350, 50), *pressed(350, 50, "right")],
    "wheel": [
        mouse("mouseMoved", 60, 200),
        mouse("mouseWheel", 60, 200, **WHEEL),
        mouse("mouseWheel", 350, 50, **WHEEL),
    ],
    "touch": [touch("touchStart", (350, 50)), touch("touchEnd")],
    "touch and move": [
        touch("touchStart", (350, 50)),
        touch("touchMove", (350, 54)),
        touch("touchCancel"),
    ],
    "keys and text": [
        *pressed(340, 160),
        *key("x", "KeyX", 88, "x"),
        *key("Backspace", "Backspace", 8),
        *key("Enter", "Enter", 13, "\r"),
        ("Input.insertText", {"text": "words"}),
        *key("Tab", "Tab", 9),
    ],
    "composition": [
        *pressed(340, 160),
        (
            "Input.imeSetComposition",
            {"text": "ka", "selectionStart": 2, "selectionEnd": 2},
        ),
        ("Input.insertText", {"text": "kanji"}),
    ],
    "clipboard and selection": [
        *pressed(340, 160),
        *key("a", "KeyA", 65, **CHORD, commands=["selectAll"]),
        *key("c", "KeyC", 67, **CHORD, commands=["copy"]),
        *key("x", "KeyX", 88, **CHORD, commands=["cut"]),
        *key("v", "KeyV", 86, **CHORD, commands=["paste"]),
    ],
    "focus": [*pressed(340, 160), *pressed(350, 50), *pressed(520, 165)],
    "drag and drop": [
        mouse("mouseMoved", 550, 60),
        mouse("mousePressed", 550, 60, button="left", buttons=1, clickCount=1),
        mouse("mouseMoved", 556, 66, button="left", buttons=1),
        mouse("mouseMoved", 350, 60, button="left", buttons=1),
        mouse("mouseMoved", 352, 62, button="left", buttons=1),
        mouse("mouseReleased", 352, 62, button="left", buttons=0, clickCount=1),
    ],
    "scroll": [
        *pressed(5, 400),
        *key("PageDown", "PageDown", 34),
    ],
}

FRAMES = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
  () => setTimeout(done))))"""
REST = """new Promise((done) => {
  let last = -1;
  const look = () => seen.length === last ? done() : (last = seen.length, setTimeout(look, 120));
  look();
})"""


def differences(without: list[str], with_engine: list[str]) -> str:
    return "\n".join(difflib.unified_diff(without, with_engine, n=1, lineterm=""))


async def heard(
    send: Send, evaluate: Callable[[str], Awaitable[Any]], inputs: list[Input]
) -> list[str]:
    """The events that the page noted while it got one input after another."""
    for method, params in inputs:
        await send(method, params)
        await evaluate(FRAMES)  # some events come later, in a task of their own
    await evaluate(REST)
    return list(await evaluate("seen"))


def cases() -> list[tuple[str, str]]:
    """Every input with plain and with passive listeners; others where Chromium asks for them."""
    every = [(listeners, name) for listeners in ("all", "passive") for name in INPUTS]
    waits = ("wheel", "touch", "keys and text")
    some = [(listeners, name) for listeners in ("not passive", "preventing") for name in waits]
    return every + some + [(one, "wheel") for one in LISTENERS if "wheel" in one]


async def open_without(their_page: PlaywrightPage, url: str) -> tuple[Any, Send]:
    client = await their_page.context.new_cdp_session(their_page)
    await their_page.goto(url)
    return client, client.send


@pytest.mark.parametrize(("listeners", "name"), cases())
async def test_a_page_hears_what_it_would_hear_without_the_engine(
    page: Page,
    oracle: PageOracle,
    their_page: PlaywrightPage,
    site: Site,
    listeners: str,
    name: str,
) -> None:
    url = site.page(PAGE.replace("%LISTENERS%", json.dumps(LISTENERS[listeners])))
    client, send = await open_without(their_page, url)
    without = await heard(send, their_page.evaluate, INPUTS[name])
    await client.detach()
    await page.goto(url)
    await page.snapshot()
    with_engine = await heard(oracle.send, oracle.eval, INPUTS[name])

    assert len(without) > 2, "the page has heard nothing"
    assert with_engine == without, differences(without, with_engine)


ACTS: dict[str, tuple[str, Callable[[Page, str], Awaitable[Any]], list[Input]]] = {
    "click": (
        "plain",
        lambda page, target: page.click(target),
        [mouse("mouseMoved", 400, 60), *pressed(400, 60)],
    ),
    "right click": (
        "plain",
        lambda page, target: page.click(target, button="right"),
        [mouse("mouseMoved", 400, 60), *pressed(400, 60, "right")],
    ),
    "wheel": (
        "plain",
        lambda page, target: page.wheel(0, 60, id=target),
        [mouse("mouseWheel", 400, 60, **WHEEL)],
    ),
}


@pytest.mark.parametrize(
    ("listeners", "name"),
    [("all", name) for name in ACTS] + [(one, "wheel") for one in LISTENERS if one != "all"],
)
async def test_an_action_is_heard_as_the_input_alone_would_be(
    page: Page,
    oracle: PageOracle,
    their_page: PlaywrightPage,
    site: Site,
    listeners: str,
    name: str,
) -> None:
    element, act, inputs = ACTS[name]
    url = site.page(PAGE.replace("%LISTENERS%", json.dumps(LISTENERS[listeners])))
    client, send = await open_without(their_page, url)
    without = await heard(send, their_page.evaluate, inputs)
    await client.detach()
    await page.goto(url)
    target = (await page.snapshot()).find("button", "Plain").id
    assert target.backend_node_id == await oracle.backend_node_id(element)
    await act(page, target)
    with_engine = await heard(oracle.send, oracle.eval, [])

    assert with_engine == without, differences(without, with_engine)
