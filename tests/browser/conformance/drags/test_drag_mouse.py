"""Drags that only the page's own code knows of: it sees a mouse, pressed, moved and let go."""

from __future__ import annotations

import asyncio
import math

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage

LIST = (
    """<style>body { margin: 0 } li { height: 40px; list-style: none; background: #eee }
button { width: 90%; height: 30px }</style>
<ul id=list>"""
    + "".join(f"<li id=item{n}><button>Item {n}</button></li>" for n in (1, 2, 3))
    + """</ul><script>
window.moves = []; window.clicks = 0; let held = null;
list.addEventListener('click', () => { clicks += 1 });
list.addEventListener('mousedown', e => { held = e.target.closest('li'); e.preventDefault() });
addEventListener('mousemove', e => {
  if (!held) return;
  moves.push(e.buttons);
  held.style.transform = `translateY(${e.clientY}px)`;
});
addEventListener('mouseup', e => {
  if (!held) return;
  held.style.transform = '';
  const after = [...list.children].filter(li => li !== held)
    .filter(li => li.getBoundingClientRect().top + 20 < e.clientY).pop();
  if (after) after.after(held); else list.prepend(held);
  held = null;
});
window.order = () => [...list.children].map(li => li.id.slice(4)).join();
</script>"""
)


@pytest.mark.row("DND-10")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_item_of_a_list_is_carried_below_another(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(LIST, frame_kind)
    source, target = await stage.css("#item1 button"), await stage.css("#item3 button")

    outcome = await stage.page.drag(source, target, target_position=(20, 25))

    assert await stage.eval("order()") == "2,3,1"
    moves = await stage.eval("moves")
    assert set(moves) == {1}
    assert len(moves) > 5
    assert outcome.data == {"kind": "mouse", "changed": True}
    assert outcome.receipt is not None
    assert outcome.receipt.events == ("mousedown", "mouseup")


@pytest.mark.row("ROB-24")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_item_goes_back_when_the_call_is_cancelled(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(LIST + "<button id=after>After</button>", frame_kind)
    source, target = await stage.css("#item1 button"), await stage.css("#item3 button")
    after = await stage.css("#after")
    await stage.eval("after.onclick = () => { window.clicked = true }")

    drag = asyncio.ensure_future(stage.page.drag(source, target, steps=200))
    await stage.wait("moves.length > 10")
    drag.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drag
    await stage.page.click(after)

    assert await stage.eval("order()") == "1,2,3"
    assert await stage.eval("clicks") == 0
    assert await stage.eval("clicked")


@pytest.mark.row("DND-12")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_box_is_dragged_by_an_offset(make_stage: MakeStage, frame_kind: str) -> None:
    """As jQuery UI has it: the element follows the pointer once that has gone a pixel."""
    stage = await make_stage(
        "<div id=source role=button tabindex=0 style='position:absolute;left:20px;top:20px;"
        "width:60px;height:40px;background:#cde'>Box</div><script>let from = null;"
        "source.onmousedown = e => { from = [e.pageX - 20, e.pageY - 20]; e.preventDefault() };"
        "addEventListener('mousemove', e => { if (!from || e.buttons !== 1) return;"
        " source.style.left = e.pageX - from[0] + 'px'; source.style.top = e.pageY - from[1] + 'px'"
        "}); addEventListener('mouseup', () => { from = null })</script>",
        frame_kind,
    )

    await stage.page.drag(await stage.css("#source"), by=(150, 90))

    assert await stage.eval("[source.offsetLeft, source.offsetTop]") == [170, 110]


@pytest.mark.row("DND-13")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_slider_goes_up_by_as_far_as_it_is_dragged(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        "<input type=range id=target min=0 max=100 value=50 style='width:216px;margin:0'>",
        frame_kind,
    )

    # The thumb is 16 px wide, so 200 px are the whole way.
    await stage.page.drag(await stage.css(), by=(50, 0))

    assert 72 <= int(await stage.eval("target.value")) <= 78


@pytest.mark.row("DND-14")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_circle_is_drawn_on_a_canvas(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        "<canvas id=target tabindex=0 role=img aria-label=Pad width=200 height=200></canvas>"
        "<script>window.seen = []; for (const type of ['mousedown', 'mousemove', 'mouseup'])"
        " target.addEventListener(type, e => { if (e.buttons || type === 'mouseup')"
        "  seen.push([type, e.offsetX, e.offsetY, e.buttons]) })</script>",
        frame_kind,
    )
    turns = [2 * math.pi * n / 39 for n in range(40)]
    circle = [(round(100 + 80 * math.cos(t)), round(100 + 80 * math.sin(t))) for t in turns]

    await stage.page.drag(await stage.css(), path=circle)

    seen = await stage.eval("seen")
    assert seen[0] == ["mousedown", *circle[0], 1]
    assert seen[1:-1] == [["mousemove", *point, 1] for point in circle]
    assert seen[-1] == ["mouseup", *circle[-1], 0]


@pytest.mark.parametrize("frame_kind", ["same-process", "oopif"])
async def test_the_mouse_stays_with_the_document_it_was_pressed_in(
    make_stage: MakeStage, oracle: PageOracle, frame_kind: str
) -> None:
    seen = (
        "<script>window.seen = []; for (const type of ['mousedown', 'mousemove', 'mouseup'])"
        " addEventListener(type, e => { if (e.buttons || type === 'mouseup')"
        "  seen.push([type, e.clientX, e.clientY]) }, true)</script>"
    )
    stage = await make_stage(
        "<button id=source style='width:60px;height:30px'>Handle</button>" + seen,
        frame_kind,
        outer="<button id=other>Other</button>" + seen,
    )
    source = await stage.css("#source")
    await stage.page.snapshot()
    number = await oracle.backend_node_id("other")

    await stage.page.drag(source, f"0-{number}", target_position=(5, 5))

    log = await stage.eval("seen")
    frame = await oracle.eval(
        "(f => { const r = f.getBoundingClientRect(), o = other.getBoundingClientRect();"
        " return [o.x + other.clientLeft + 5 - r.x - 2, o.y + other.clientTop + 5 - r.y - 2] })"
        "(document.querySelector('iframe'))"
    )
    assert log[0][0] == "mousedown"
    assert log[-1] == ["mouseup", *(round(part) for part in frame)]
    assert await oracle.eval("seen") == []


@pytest.mark.row("DYN-23")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_right_after_a_drag_arrives(
    page: Page, make_stage: MakeStage, frame_kind: str
) -> None:
    """As d3-drag does it: the click that ends a drag is stopped until the next task."""
    stage = await make_stage(
        "<div id=source role=button tabindex=0 style='width:50px;height:50px'>Knob</div>"
        "<button id=submit>Submit</button><script>window.hits = 0; submit.onclick = () => hits++;"
        "source.onmousedown = () => addEventListener('mouseup', () => {"
        "  const stop = e => { e.preventDefault(); e.stopImmediatePropagation() };"
        "  addEventListener('click', stop, true);"
        "  setTimeout(() => removeEventListener('click', stop, true), 0);"
        "}, {once: true, capture: true})</script>",
        frame_kind,
    )
    submit = await stage.css("#submit")

    await page.drag(await stage.css("#source"), by=(60, 0))
    await page.click(submit)

    assert await stage.eval("hits") == 1


async def test_a_press_that_would_land_on_a_cover_is_stopped(
    page: Page, oracle: PageOracle, make_stage: MakeStage
) -> None:
    """The cover comes with the pointer: only the press itself can find it."""
    stage = await make_stage(
        "<button id=source>Source</button><button id=target style='margin:80px'>Target</button>"
        "<div id=cover hidden style='position:fixed;inset:0'></div><script>window.pressed = 0;"
        "cover.onmousedown = () => pressed++;"
        "source.onmousemove = () => { cover.hidden = false }</script>"
    )
    source, target = await stage.css("#source"), await stage.css("#target")

    with pytest.raises(CdpAgentError) as refused:
        await page.drag(source, target, timeout=1.5)

    assert refused.value.code == "element_obscured"
    assert await oracle.eval("pressed") == 0
    await oracle.eval("cover.remove()")


SENSELESS: list[dict[str, object]] = [
    {},
    {"by": (1, 2), "path": [(1, 2), (3, 4)]},
    {"by": (1, "x")},
    {"by": (1, math.inf)},
    {"path": [(1, 2)]},
    {"by": (1, 2), "steps": 0},
    {"by": (1, 2), "target_position": (1, 2)},
]


async def test_a_way_that_makes_no_sense_is_refused(page: Page) -> None:
    for given in SENSELESS:
        with pytest.raises(CdpAgentError) as refused:
            await page.drag("0-1", **given)  # type: ignore[arg-type]

        assert refused.value.code == "invalid_params", given


@pytest.mark.row("DND-10")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_dialog_that_the_release_opens_is_told_with_the_drag(
    make_stage: MakeStage, frame_kind: str
) -> None:
    asks = "addEventListener('mouseup', () => { answer = confirm('Move it?') }, {once: true})"
    stage = await make_stage(f"{LIST}<script>var answer; {asks}</script>", frame_kind)
    source, target = await stage.css("#item1 button"), await stage.css("#item3 button")

    outcome = await stage.page.drag(source, target, target_position=(20, 25))

    assert [(dialog.message, dialog.open) for dialog in outcome.dialogs] == [("Move it?", True)]
    await stage.page.answer_dialog()
    assert await stage.wait("window.answer") is True
    assert await stage.eval("order()") == "2,3,1"


@pytest.mark.row("DND-10")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_item_is_carried_after_a_click_that_opened_a_dialog(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(LIST + "<button id=ask onclick='confirm(1)'>Ask</button>", frame_kind)
    await stage.page.click(await stage.css("#ask"))
    await stage.page.answer_dialog()

    await stage.page.drag(
        await stage.css("#item1 button"), await stage.css("#item3 button"), target_position=(20, 25)
    )

    assert await stage.eval("order()") == "2,3,1"
