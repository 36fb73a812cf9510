"""More of the same: the page undoes, swallows or hands on what it was told, or is not let.

What a page does within a few hundredths of a second counts as its answer to the action; what it
does later is its own affair, as a clock's would be.
"""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path

import pytest

from cdp_agent import Outcome, Page
from cdp_agent.ids import ElementId
from tests.browser.effects.test_false_success import (
    AGAIN,
    BOX,
    BUTTON,
    COUNT,
    COVER,
    DATE,
    FIELD,
    FILE,
    LIST,
    SECONDS,
    SHOW_COVER,
    ZONES,
    Case,
    check,
    drag,
    fill,
    fill_date,
    hover,
    on,
    press,
    select,
    show_no_success,
    type_text,
    uncheck,
    upload,
)
from tests.support.stage import MakeStage


def double_click(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.double_click(target, timeout=SECONDS)


def right_click(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.click(target, button="right", timeout=SECONDS)


def middle_click(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.click(target, button="middle", timeout=SECONDS)


def clear(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.clear(target, timeout=SECONDS)


def focus(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.focus(target, timeout=SECONDS)


def scroll_down(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.scroll("down", timeout=SECONDS)


def scroll_to(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.scroll_to(50, timeout=SECONDS)


def drop_files(page: Page, target: ElementId, file: Path) -> Awaitable[Outcome]:
    return page.drop_files(target, file, timeout=SECONDS)


def send_click(page: Page, target: ElementId, _: Path) -> Awaitable[Outcome]:
    return page.send_click_event(target, timeout=SECONDS)


def soon(script: str, ms: int = 20) -> str:
    return f"setTimeout(() => {{ {script} }}, {ms})"


TWICE = "<button id=target ondblclick='clicks++'>Order</button>" + COUNT
LONG = "<p style='height:3000px'></p>"
EDITOR = "<div id=target contenteditable role=textbox aria-label=Name>old</div>" + COUNT
RADIO = (
    "<input type=radio name=r checked><label><input id=target type=radio name=r>M</label>" + COUNT
)
SWITCH = "<div id=target role=switch aria-checked=false tabindex=0>Gift</div>" + COUNT
BOXES = (
    "<div id=target role=listbox aria-label=Size tabindex=0><div role=option aria-selected=true>S"
    "</div><div role=option aria-selected=false>M</div></div>" + COUNT
)
CHOSEN = "t.children[1].getAttribute('aria-selected') === 'true'"
LINK = "<a id=target href='{}' {}>There</a>" + COUNT
FORM = "<form action=/sent id=form><input name=n><button id=target>Send</button></form>" + COUNT
LOCK = "document.body.style.overflow = 'hidden'"

CASES = {
    # -- the pointer ------------------------------------------------------------------------
    "double click: covered after the first": Case(
        TWICE + COVER + on("click", SHOW_COVER), double_click
    ),
    "double click: replaced after the first": Case(TWICE + on("click", AGAIN), double_click),
    "double click: disabled after the first": Case(
        TWICE + on("click", "t.disabled = true"), double_click
    ),
    "double click: removed after the first": Case(TWICE + on("click", "t.remove()"), double_click),
    "right click: replaced on the press": Case(
        BUTTON + on("contextmenu", "clicks++") + on("pointerdown", AGAIN), right_click
    ),
    "middle click: covered on the press": Case(
        BUTTON + COVER + on("auxclick", "clicks++") + on("mousedown", SHOW_COVER), middle_click
    ),
    "click: captured by another": Case(
        BUTTON
        + "<b id=other>Other</b>"
        + on("pointerdown", "other.setPointerCapture(event.pointerId)")
    ),
    "click: moved away on the press": Case(
        BUTTON + on("mousedown", "t.style.cssText = 'position:fixed;left:500px;top:300px'")
    ),
    "click: disabled on the press": Case(BUTTON + on("mousedown", "t.disabled = true")),
    "click: disabled on hover": Case(BUTTON + on("mouseover", "t.disabled = true")),
    "click: scrolled away on the press": Case(
        "<p style='height:300px'></p>"
        + BUTTON
        + LONG
        + on("mousedown", "scrollTo({top: 300, behavior: 'instant'})")
    ),
    "click: a link that may open no tab": Case(
        LINK.format("/x", "target=_blank"), csp="sandbox allow-scripts", effect="false"
    ),
    "click: a form that may not be sent": Case(FORM, csp="sandbox allow-scripts", effect="false"),
    "click: a form that may be sent nowhere": Case(FORM, csp="form-action 'none'", effect="false"),
    "click: a file that may not be fetched": Case(
        LINK.format("data:text/plain,words", "download=x.txt"),
        csp="sandbox allow-scripts",
        effect="false",
    ),
    "click: a link out of a frame that may not": Case(
        LINK.format("/x", "target=_top"),
        csp="sandbox allow-scripts",
        frame_kind="oopif",
        effect="false",
    ),
    "hover: in a frame under a cover": Case(
        BUTTON + on("mouseover", "clicks++"),
        hover,
        frame_kind="oopif",
        outer=COVER.replace(" hidden", ""),
    ),
    "hover: removed when the pointer comes": Case(
        BUTTON + on("mouseover", "t.remove()") + on("mousemove", "clicks++"), hover
    ),
    # -- text and keys ----------------------------------------------------------------------
    "fill: put back soon": Case(
        FIELD + on("input", soon("t.value = 'old'")), fill, "t.value === 'new'"
    ),
    "fill: a date put back soon": Case(
        DATE + on("change", soon("t.value = ''")), fill_date, "t.value === '2027-03-17'"
    ),
    "fill: an editor put back soon": Case(
        EDITOR + on("input", soon("t.textContent = 'old'")), fill, "t.textContent === 'new'"
    ),
    "fill: the form is reset": Case(
        f"<form>{FIELD}</form>" + on("input", "t.form.reset()"), fill, "t.value === 'new'"
    ),
    "fill: an editor that refuses": Case(
        EDITOR + on("beforeinput", "event.preventDefault()"), fill, "t.textContent === 'new'"
    ),
    "fill: replaced by one that holds the old": Case(
        FIELD + on("input", "t.outerHTML = '<input id=heir value=old>'"),
        fill,
        "typeof heir === 'undefined' || heir.value === 'new'",
    ),
    "clear: put back": Case(FIELD + on("input", "t.value = 'old'"), clear, "t.value === ''"),
    "clear: refused": Case(
        FIELD + on("keydown", "event.preventDefault()"), clear, "t.value === ''"
    ),
    "clear: put back soon": Case(
        FIELD + on("input", soon("t.value = 'old'")), clear, "t.value === ''"
    ),
    "type: put back soon": Case(
        FIELD + on("input", soon("t.value = 'old'")), type_text, "t.value !== 'old'"
    ),
    "type: an editor that refuses": Case(
        EDITOR + on("keydown", "event.preventDefault()"), type_text, "t.textContent !== 'old'"
    ),
    "type: read-only on focus": Case(
        FIELD + on("focus", "t.readOnly = true"), type_text, "t.value !== 'old'"
    ),
    "press: gives the focus away": Case(
        BUTTON + "<input id=other>" + on("focus", "other.focus()"), press
    ),
    "press: drops the focus": Case(BUTTON + on("focus", "t.blur()"), press),
    "press: takes no focus": Case(
        "<div id=target role=button onkeydown='clicks++'>Order</div>" + COUNT, press
    ),
    "press: hidden on focus": Case(BUTTON + on("focus", "t.hidden = true"), press),
    "press: disabled on focus": Case(BUTTON + on("focus", "t.disabled = true"), press),
    "press: removed on focus": Case(BUTTON + on("focus", "t.remove()"), press),
    "focus: dropped at once": Case(
        FIELD + on("focus", "t.blur()"), focus, "document.activeElement === t"
    ),
    "focus: dropped soon": Case(
        FIELD + on("focus", soon("t.blur()")), focus, "document.activeElement === t"
    ),
    "focus: given away": Case(
        FIELD + "<input id=other>" + on("focus", "other.focus()"),
        focus,
        "document.activeElement === t",
    ),
    # -- choices and files ------------------------------------------------------------------
    "select: put back soon": Case(
        LIST + on("change", soon("t.value = 'S'")), select, "t.value === 'M'"
    ),
    "select: option taken away": Case(
        LIST + on("change", "t.options[1].remove()"), select, "t.value === 'M'"
    ),
    "select: a widget that does not take it": Case(BOXES, select, CHOSEN),
    "select: a widget that puts it back": Case(
        BOXES
        + on(
            "click",
            "t.children[1].setAttribute('aria-selected', true);"
            + soon("t.children[1].setAttribute('aria-selected', false)", 5),
        ),
        select,
        CHOSEN,
    ),
    "check: put back soon": Case(BOX + on("change", soon("t.checked = false")), check, "t.checked"),
    "uncheck: put back soon": Case(
        BOX + on("change", soon("t.checked = true")), uncheck, "!t.checked", "t.checked = true"
    ),
    "check: a radio put back": Case(
        RADIO + on("change", soon("document.querySelector('input').checked = true")),
        check,
        "t.checked",
    ),
    "check: a switch that does nothing": Case(SWITCH, check, "t.ariaChecked === 'true'"),
    "check: a switch put back soon": Case(
        SWITCH + on("click", "t.ariaChecked = 'true';" + soon("t.ariaChecked = 'false'")),
        check,
        "t.ariaChecked === 'true'",
    ),
    "upload: other files put there": Case(
        FILE
        + on(
            "input",
            "const d = new DataTransfer(); d.items.add(new File([], 'other')); t.files = d.files",
        ),
        upload,
        "t.files[0]?.name === 'letter.txt'",
    ),
    "upload: a button that asks for nothing": Case(
        BUTTON + "<script>target.onclick = null</script>", upload, "clicks > 0"
    ),
    # -- dragging and scrolling -------------------------------------------------------------
    "drag: the zone goes when it comes": Case(
        ZONES
        + on("dragover", "event.preventDefault()", "zone")
        + on("dragenter", "zone.remove()", "zone"),
        drag,
    ),
    "drop: not accepted": Case(BUTTON + on("drop", "clicks++"), drop_files),
    "scroll: locked": Case(BUTTON + LONG, scroll_down, "scrollY > 0", LOCK),
    "scroll: cut off": Case(
        f"<style>html, body {{ height: 100%; overflow: hidden }}</style>{BUTTON}{LONG}",
        scroll_down,
        "scrollY > 0",
    ),
    "scroll to: locked": Case(BUTTON + LONG, scroll_to, "scrollY > 0", LOCK),
    "scroll: put back": Case(
        BUTTON + LONG + on("scroll", "scrollTo({top: 0, behavior: 'instant'})", "document"),
        scroll_down,
        "scrollY > 0",
    ),
    "scroll: put back soon": Case(
        BUTTON
        + LONG
        + on("scrollend", soon("scrollTo({top: 0, behavior: 'instant'})"), "document"),
        scroll_down,
        "scrollY > 0",
    ),
    "scroll to: put back": Case(
        BUTTON + LONG + on("scroll", "scrollTo({top: 0, behavior: 'instant'})", "document"),
        scroll_to,
        "scrollY > 0",
    ),
    "send click: disabled": Case(BUTTON, send_click, meanwhile="t.disabled = true"),
    "send click: removed": Case(BUTTON, send_click, meanwhile="t.remove()"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_what_was_undone_is_no_success(
    make_stage: MakeStage, case: Case, folder: Path
) -> None:
    await show_no_success(make_stage, case, folder)
