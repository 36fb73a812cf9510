"""Pages that break or replace the built-ins a script would rely on: nothing changes for us."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cdp_agent import CdpAgentError
from tests.support.stage import FRAME_KINDS, MakeStage, Stage

FORM = """<label>Street <input id=street></label>
<label><input id=gift type=checkbox> Gift</label>
<div id=host></div>
<p style="height:1500px"></p>
<button id=order onclick="this.dataset.count = Number(this.dataset.count || 0) + 1">Order</button>
"""

HOSTILE = {
    "array-prototype": """
        for (const name of Object.getOwnPropertyNames(Array.prototype))
          if (typeof Array.prototype[name] === "function" && name !== "constructor")
            Array.prototype[name] = () => { throw new Error("no arrays here") };
        Array.prototype.toJSON = () => "surprise";
        Object.prototype.toJSON = () => "surprise";
        Array.prototype[Symbol.iterator] = function* () {};""",
    "json": """
        JSON.stringify = () => "{}"; JSON.parse = () => ({}); window.JSON = {};""",
    "element-prototype": """
        for (const {prototype} of [Element, HTMLElement, Node, EventTarget])
          for (const name of Object.getOwnPropertyNames(prototype)) {
            const property = Object.getOwnPropertyDescriptor(prototype, name);
            if (property.configurable && name !== "constructor" && name !== "dataset")
              Object.defineProperty(prototype, name,
                {get: () => { throw new Error("no " + name) }, configurable: true});
          }""",
    "no-node-classes": """
        delete window.Node; delete window.Element; delete window.HTMLElement;
        delete window.HTMLInputElement; delete window.Event; delete window.MouseEvent;
        delete window.InputEvent; delete window.MutationObserver; delete window.Promise;
        delete window.Map; delete window.Set; delete window.Symbol;""",
    "geometry": """
        for (const name of ["innerWidth", "innerHeight", "scrollX", "scrollY", "devicePixelRatio"])
          Object.defineProperty(window, name, {get: () => 0});
        window.visualViewport && Object.defineProperty(window, "visualViewport", {get: () => null});
        document.elementFromPoint = () => null;
        document.elementsFromPoint = () => [];
        Element.prototype.getBoundingClientRect = () => ({x: -9999, y: -9999, width: 0, height: 0});
        Element.prototype.getClientRects = () => [];
        Element.prototype.scrollIntoView = () => {};
        Element.prototype.checkVisibility = () => false;
        window.getComputedStyle = () => ({display: "none", visibility: "hidden"});""",
    "clock": """
        Date.now = () => 0; performance.now = () => 0; window.Date = function () { return {} };
        window.setTimeout = window.setInterval = window.queueMicrotask = () => 0;
        window.requestAnimationFrame = window.requestIdleCallback = () => 0;
        Promise.prototype.then = function () { return this };""",
    "document": """
        document.evaluate = document.querySelector = document.getElementById = () => null;
        document.createElement = () => { throw new Error("no elements") };
        Object.defineProperty(document, "documentElement", {get: () => null});
        Object.defineProperty(document, "body", {get: () => null});
        Object.defineProperty(document, "activeElement", {get: () => null});
        document.hasFocus = () => false;""",
    "setters": """
        const input = HTMLInputElement.prototype;
        for (const name of ["value", "checked"])
          Object.defineProperty(input, name, {get: () => "hidden from you", set() {}});
        for (const name of ["select", "setSelectionRange", "focus", "blur", "click"])
          input[name] = HTMLElement.prototype[name] = () => {};""",
    "clobbered-names": """
        for (const name of ["tagName", "parentNode", "ownerDocument", "attributes", "nodeType"])
          for (const node of [street, gift, order])
            Object.defineProperty(node, name, {get: () => { throw new Error("clobbered") }});
        window.window = window.self = window.top = null; window.document = null;""",
    "stopped-events": """
        for (const type of [
          "pointerdown", "mousedown", "mouseup", "keydown", "keyup", "beforeinput", "focus",
        ]) window.addEventListener(type, event => event.stopImmediatePropagation(), true);
        EventTarget.prototype.addEventListener = () => {};
        Event.prototype.composedPath = () => [];
        Object.defineProperty(Event.prototype, "isTrusted", {get: () => false});""",
}

# Read in a world of the tests' own, where the page's overrides do not reach.
STATE = "[street.value, gift.checked, order.dataset.count]"


async def state_of(stage: Stage, state: str = STATE) -> list[object]:
    """Value, checkbox and number of clicks, untouched by what the page did to its own world."""
    frames = await stage.oracle.frames()
    frame = (
        frames[0] if stage.frame_kind == "main" else next(f for f in frames if f.name == "stage")
    )
    session = frame.owner.session_id
    send = stage.oracle.oracle.send
    world = await send("Page.createIsolatedWorld", {"frameId": frame.frame_id}, session)
    answer = await send(
        "Runtime.evaluate",
        {
            "expression": state,
            "contextId": world["executionContextId"],
            "returnByValue": True,
        },
        session,
    )
    return list(answer["result"]["value"])


@pytest.mark.row("ROB-07", "ROB-09", "ROB-29")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE.keys())
async def test_a_page_that_replaces_built_ins_changes_nothing_for_us(
    make_stage: MakeStage, frame_kind: str, script: str
) -> None:
    stage = await make_stage(f"{FORM}<script>{script}</script>", frame_kind)
    snap = await stage.page.snapshot()
    street = snap.find("textbox", "Street").id

    await stage.page.type(street, "Hgh")
    await stage.page.press("Home", street)
    await stage.page.press("ArrowRight", street)
    await stage.page.press("i", street)

    assert (await state_of(stage))[0] == "High"

    await stage.page.fill(street, "High Street 1")
    await stage.page.click(snap.find("checkbox", "Gift").id)
    await stage.page.hover(snap.find("button", "Order").id)
    outcome = await stage.page.click(snap.find("button", "Order").id)

    assert await state_of(stage) == ["High Street 1", True, "1"]
    assert outcome.receipt is not None
    assert outcome.receipt.delivered
    assert outcome.receipt.trusted


CHOICES = """<label>Size <select id=street><option>S<option>M<option>L</select></label>
<label>Letter <input type=file id=letter></label>
<label><input id=gift type=checkbox> Gift</label>
<i id=order></i><div id=box role=region aria-label=Box tabindex=0
style="height:100px;overflow:auto"><p style="height:900px"></div>"""


@pytest.mark.row("ROB-07")
@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE.keys())
async def test_choices_files_and_scrolling_work_on_a_page_that_replaces_built_ins(
    make_stage: MakeStage, script: str, tmp_path: Path
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all")
    stage = await make_stage(f"{CHOICES}<script>{script}</script>", "oopif")
    snap = await stage.page.snapshot()

    await stage.page.select(snap.find("combobox", "Size").id, label="M")
    await stage.page.check(snap.find("checkbox", "Gift").id)
    await stage.page.upload(snap.find(name="Letter").id, letter)
    await stage.page.scroll("down", pixels=200, id=snap.find("region", "Box").id)

    assert await state_of(stage, "[street.value, gift.checked, letter.files[0].name]") == [
        "M",
        True,
        "letter.txt",
    ]
    assert await state_of(stage, "[box.scrollTop]") == [200]


@pytest.mark.row("ROB-07")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_replaced_node_is_healed_on_a_page_that_replaces_built_ins(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        f"{FORM}<script>{HOSTILE['document']}{HOSTILE['json']}</script>", frame_kind
    )
    order = await stage.id("button", "Order")
    await stage.eval("order.replaceWith(order.cloneNode(true))")

    outcome = await stage.page.click(order)

    assert outcome.healed
    assert (await state_of(stage))[2] == "1"


@pytest.mark.row("ROB-12")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_page_that_forbids_every_script_is_driven_all_the_same(
    make_stage: MakeStage, frame_kind: str
) -> None:
    policy = "default-src 'none'; script-src 'none'; require-trusted-types-for 'script'"
    stage = await make_stage(
        "<label>Street <input id=street></label><label><input id=gift type=checkbox> Gift</label>"
        "<details><summary>More</summary><p id=order data-count=1>Opened</p></details>",
        frame_kind,
        headers={"Content-Security-Policy": policy},
    )
    snap = await stage.page.snapshot()
    street = snap.find("textbox", "Street").id

    await stage.page.fill(street, "High ")
    await stage.page.type(street, "Street")
    await stage.page.click(snap.find("checkbox", "Gift").id)
    await stage.page.click(await stage.css("summary"))

    assert await state_of(stage) == ["High Street", True, "1"]
    assert await stage.eval("document.querySelector('details').open")


@pytest.mark.row("ROB-29")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_page_that_stops_its_clock_does_not_stop_our_timeouts(
    make_stage: MakeStage, frame_kind: str
) -> None:
    cover = "<div style='position:fixed;inset:0;background:pink'></div>"
    stage = await make_stage(f"{FORM}{cover}<script>{HOSTILE['clock']}</script>", frame_kind)
    order = await stage.id("button", "Order")

    # The bound catches a hang, not slowness: the rule is the timeout and one second more.
    async with asyncio.timeout(8):
        with pytest.raises(CdpAgentError) as error:
            await stage.page.click(order, timeout=1)

    assert error.value.code == "element_obscured"
    assert (await state_of(stage))[2] is None
