"""Actions that cannot have their effect: none of them is called a success.

Each situation says what the page would show if the action had worked. It must not show that, the
engine must not claim it, and the page is asked by the tests' own session.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cdp_agent import CdpAgentError, Outcome, Page
from cdp_agent.ids import ElementId
from tests.browser.conformance.attempt import attempt
from tests.support.stage import MakeStage

SECONDS = 1.0
CLICKED = "window.clicks > 0"
COUNT = "<script>window.clicks = 0; const t = document.getElementById('target');</script>"
BUTTON = "<button id=target onclick='clicks++'>Order</button>" + COUNT
COVER = "<div id=cover hidden style='position:fixed;inset:0;background:pink'></div>"
FIELD = "<label>Name <input id=target value=old></label>" + COUNT
DATE = "<label>Day <input id=target type=date></label>" + COUNT
LIST = "<label>Size <select id=target><option>S<option>M<option>L</select></label>" + COUNT
BOX = "<label><input id=target type=checkbox> Gift</label>" + COUNT
FILE = "<label>Letter <input id=target type=file></label>" + COUNT

ZONES = (
    "<style>div { position: absolute; top: 20px; width: 100px; height: 60px; background: #def }"
    "</style><div id=target draggable=true role=button aria-label=Parcel></div>"
    "<div id=zone style='left:300px' ondrop='clicks++'></div>" + COUNT
)

Action = Callable[[Page, ElementId, Path], Awaitable[Outcome]]


def click(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.click(target, timeout=SECONDS)


def hover(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.hover(target, timeout=SECONDS)


def fill(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.fill(target, "new", timeout=SECONDS)


def fill_date(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.fill(target, "2027-03-17", timeout=SECONDS)


def type_text(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.type(target, "new", timeout=SECONDS)


def press(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.press("Enter", target, timeout=SECONDS)


def select(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.select(target, label="M", timeout=SECONDS)


def check(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.check(target, timeout=SECONDS)


def uncheck(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.uncheck(target, timeout=SECONDS)


def upload(page: Page, target: ElementId, file: Path) -> Awaitable[Outcome]:
    return page.upload(target, file, timeout=SECONDS)


def drag(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.drag(target, by=(300, 0), timeout=SECONDS)


def into_view(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.scroll_into_view(target, timeout=SECONDS)


@dataclass(frozen=True)
class Case:
    """`effect` is what the page would show. `meanwhile` happens between snapshot and action."""

    html: str
    action: Action = click
    effect: str = CLICKED
    meanwhile: str = ""
    frame_kind: str = "main"
    outer: str = ""
    csp: str = ""


def on(event: str, script: str, where: str = "t") -> str:
    return f"<script>{where}.addEventListener('{event}', event => {{ {script} }})</script>"


SHOW_COVER = "cover.hidden = false"
AGAIN = "const other = t.cloneNode(true); other.id = 'other'; t.replaceWith(other)"

CASES = {
    # -- the pointer ------------------------------------------------------------------------
    "click: takes no pointer": Case(BUTTON + "<style>#target { pointer-events: none }</style>"),
    "click: cover appears on hover": Case(BUTTON + COVER + on("mouseover", SHOW_COVER)),
    "click: cover appears on the move": Case(BUTTON + COVER + on("mousemove", SHOW_COVER)),
    "click: cover appears on the press": Case(BUTTON + COVER + on("mousedown", SHOW_COVER)),
    "click: replaced on mousedown": Case(BUTTON + on("mousedown", AGAIN)),
    "click: replaced on pointerdown by another": Case(
        BUTTON + on("pointerdown", "t.outerHTML = '<button>Cancel</button>'")
    ),
    "click: removed on hover": Case(BUTTON + on("mouseover", "t.remove()")),
    "click: hidden on hover": Case(BUTTON + on("mouseover", "t.style.visibility = 'hidden'")),
    "click: runs from the pointer": Case(
        BUTTON
        + "<style>#target { position: absolute; left: 0 }</style>"
        + on("mouseover", "t.style.left = t.style.left === '400px' ? '0px' : '400px'")
    ),
    "click: never rests": Case(
        BUTTON
        + "<style>#target { position: absolute; left: 0; animation: run .3s linear infinite }"
        "@keyframes run { to { left: 500px } }</style>"
    ),
    "click: disabled once in view": Case(
        "<p style='height:2000px'></p>" + BUTTON + on("scroll", "t.disabled = true", "document")
    ),
    "click: disabled": Case(BUTTON, meanwhile="t.disabled = true"),
    "click: in a disabled fieldset": Case(f"<fieldset disabled>{BUTTON}</fieldset>"),
    "click: hidden meanwhile": Case(BUTTON, meanwhile="t.hidden = true"),
    "click: without a size": Case(
        BUTTON, meanwhile="t.style.cssText = 'width:0;height:0;padding:0;border:0;overflow:hidden'"
    ),
    "click: outside the page": Case(
        BUTTON, meanwhile="t.style.cssText = 'position:fixed;left:-900px'"
    ),
    "click: cut off by its parent": Case(
        f"<div id=around style='height:50px'>{BUTTON}</div>",
        meanwhile="around.style.cssText = 'height:0;overflow:clip'",
    ),
    "click: inert meanwhile": Case(f"<main>{BUTTON}</main>", meanwhile="t.inert = true"),
    "click: behind a modal": Case(
        f"{BUTTON}<dialog id=modal>Wait</dialog>", meanwhile="modal.showModal()"
    ),
    "click: removed meanwhile": Case(BUTTON, meanwhile="t.remove()"),
    "click: became another": Case(
        BUTTON, meanwhile="t.outerHTML = '<button id=target onclick=clicks++>Delete</button>'"
    ),
    "click: became two": Case(
        BUTTON,
        meanwhile="t.after(t.cloneNode(true), t.cloneNode(true)); t.remove()",
    ),
    "click: under an iframe": Case(
        BUTTON,
        meanwhile="document.body.insertAdjacentHTML('beforeend',"
        "'<iframe style=\"position:fixed;inset:0;width:100%;height:100%\"></iframe>')",
    ),
    "click: in a frame under a cover of the page": Case(
        BUTTON, frame_kind="oopif", outer=COVER.replace(" hidden", "")
    ),
    "click: in a frame that hides on hover": Case(
        BUTTON + on("pointerover", "document.documentElement.remove()"), frame_kind="oopif"
    ),
    "click: the document goes on hover": Case(
        BUTTON + on("pointermove", "location.replace('about:blank')")
    ),
    "hover: takes no pointer": Case(
        BUTTON + "<style>#target { pointer-events: none }</style>" + on("mouseover", "clicks++"),
        hover,
    ),
    "hover: under a cover": Case(
        BUTTON + COVER + on("mouseover", "clicks++"), hover, meanwhile=SHOW_COVER
    ),
    # -- text and keys ----------------------------------------------------------------------
    "fill: put back at once": Case(
        FIELD + on("input", "t.value = 'old'"), fill, "t.value === 'new'"
    ),
    "fill: put back in the next frame": Case(
        FIELD + on("input", "requestAnimationFrame(() => t.value = 'old')"),
        fill,
        "t.value === 'new'",
    ),
    "fill: a date put back": Case(
        DATE + on("input", "t.value = '2020-01-01'"), fill_date, "t.value === '2027-03-17'"
    ),
    "fill: a date put back in the next frame": Case(
        DATE + on("change", "requestAnimationFrame(() => t.value = '')"),
        fill_date,
        "t.value === '2027-03-17'",
    ),
    "fill: refused before": Case(
        FIELD + on("beforeinput", "event.preventDefault()"), fill, "t.value === 'new'"
    ),
    "fill: read-only on focus": Case(
        FIELD + on("focus", "t.readOnly = true"), fill, "t.value === 'new'"
    ),
    "fill: disabled on focus": Case(
        FIELD + on("focus", "t.disabled = true"), fill, "t.value === 'new'"
    ),
    "fill: gives the focus away": Case(
        FIELD + "<button id=other>Other</button>" + on("focus", "other.focus()"),
        fill,
        "t.value === 'new'",
    ),
    "fill: takes two characters": Case(FIELD, fill, "t.value === 'new'", "t.maxLength = 2"),
    "fill: replaced while written to": Case(
        FIELD + on("input", "t.outerHTML = '<input aria-label=Other>'"),
        fill,
        "[...document.querySelectorAll('input')].some(i => i.value === 'new')",
    ),
    "fill: not editable meanwhile": Case(
        "<div id=target contenteditable role=textbox aria-label=Name>old</div>" + COUNT,
        fill,
        "t.textContent === 'new'",
        "t.contentEditable = 'false'",
    ),
    "type: every key refused": Case(
        FIELD + on("keydown", "event.preventDefault()"), type_text, "t.value !== 'old'"
    ),
    "type: every character taken out": Case(
        FIELD + on("input", "t.value = 'old'"), type_text, "t.value !== 'old'"
    ),
    "type: gives the focus away": Case(
        FIELD + "<button id=other>Other</button>" + on("keydown", "other.focus()"),
        type_text,
        "t.value.endsWith('new')",
    ),
    "press: hidden": Case(BUTTON, press, meanwhile="t.hidden = true"),
    "press: disabled": Case(BUTTON, press, meanwhile="t.disabled = true"),
    # -- choices and files ------------------------------------------------------------------
    "select: put back at once": Case(
        LIST + on("change", "t.value = 'S'"), select, "t.value === 'M'"
    ),
    "select: put back in the next frame": Case(
        LIST + on("change", "requestAnimationFrame(() => t.value = 'S')"), select, "t.value === 'M'"
    ),
    "select: option disabled": Case(
        LIST, select, "t.value === 'M'", "t.options[1].disabled = true"
    ),
    "select: option gone": Case(LIST, select, "t.value === 'M'", "t.options[1].remove()"),
    "select: disabled": Case(LIST, select, "t.value === 'M'", "t.disabled = true"),
    "check: refused": Case(BOX + on("click", "event.preventDefault()"), check, "t.checked"),
    "check: put back in the next frame": Case(
        BOX + on("change", "requestAnimationFrame(() => t.checked = false)"), check, "t.checked"
    ),
    "check: disabled": Case(BOX, check, "t.checked", "t.disabled = true"),
    "uncheck: put back": Case(
        BOX + on("change", "t.checked = true"), uncheck, "!t.checked", "t.checked = true"
    ),
    "upload: disabled": Case(FILE, upload, "t.files.length > 0", "t.disabled = true"),
    "drag: not accepted where it is dropped": Case(ZONES, drag),
    "scroll into view: hidden": Case(
        "<p style='height:2000px'></p>" + BUTTON, into_view, "scrollY > 0", "t.hidden = true"
    ),
    "scroll into view: the page is locked": Case(
        "<p style='height:2000px'></p>" + BUTTON + on("scroll", "scrollTo(0, 0)", "document"),
        into_view,
        "scrollY > 0",
        "document.documentElement.style.overflow = 'clip'",
    ),
}


async def show_no_success(make_stage: MakeStage, case: Case, folder: Path) -> None:
    """Try it: the page does not show the effect, and the engine says why not."""
    file = folder / "letter.txt"
    file.write_text("Dear all")
    headers = {"Content-Security-Policy": case.csp} if case.csp else {}
    stage = await make_stage(case.html, case.frame_kind, outer=case.outer, headers=headers)
    target = await stage.css()
    if case.meanwhile:
        await stage.eval(f"void ({{ run() {{ {case.meanwhile} }} }}).run()")

    answer = await attempt(case.action(stage.page, target, file))

    gone = "typeof clicks === 'undefined'"  # the document itself went away
    assert not await stage.eval(f"{gone} ? false : {case.effect}"), "it had an effect after all"
    assert isinstance(answer, CdpAgentError), f"called a success: {answer}"
    assert answer.code != "browser_error"


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_what_had_no_effect_is_no_success(
    make_stage: MakeStage, case: Case, folder: Path
) -> None:
    await show_no_success(make_stage, case, folder)
