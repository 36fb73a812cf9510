"""Covers of a target are named in the error, and never clicked in its place.

`#target` is the button that is meant and `#cover` what a press at its middle would hit.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.browser.conformance.attempt import attempt, receipt_of
from tests.support.pages.press_log import CLICKED, presses, watched
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<button id=target style='width:100px;height:30px'>Go</button>"
OVER = "position:absolute;inset:0;background:pink"

COVERS = {
    "a block after it": f"{BUTTON}<div id=cover style='{OVER}'></div>",
    "a block before it, raised": (
        f"<div id=cover style='{OVER};z-index:5'></div>"
        f"<div style='position:relative'>{BUTTON}</div>"
    ),
    "a transparent block": f"{BUTTON}<div id=cover style='{OVER};opacity:0'></div>",
    "another button": f"{BUTTON}<button id=cover style='{OVER}'>Not this</button>",
    "a pseudo-element of another": (
        "<style>#cover::before { content:''; position:fixed; inset:0 }</style>"
        f"{BUTTON}<div id=cover>later</div>"
    ),
    "a pseudo-element of its own parent": (
        "<style>#cover { position:relative } #cover::after { content:''; position:absolute;"
        f" inset:0 }}</style><div id=cover>{BUTTON}</div>"
    ),
    "an image": f"{BUTTON}<img id=cover alt=ad style='{OVER};width:100%;height:100%'>",
    "a canvas": f"{BUTTON}<canvas id=cover style='{OVER}'></canvas>",
    "a drawing": (
        f"{BUTTON}<svg style='{OVER};width:300px;height:300px;background:none'>"
        "<rect id=cover width=300 height=300 /></svg>"
    ),
    "a label of another control": (
        f"{BUTTON}<input type=checkbox id=other><label id=cover for=other style='{OVER}'>x</label>"
    ),
    "a video": f"{BUTTON}<video id=cover style='{OVER};width:100%;height:100%'></video>",
    "a shadow tree of another": (
        f"{BUTTON}<div id=cover></div><script>cover.attachShadow({{mode: 'closed'}}).innerHTML ="
        f' "<div style=\\"{OVER}\\">ad</div>"</script>'
    ),
}


@pytest.mark.parametrize("body", COVERS.values(), ids=COVERS.keys())
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_covered_target_is_refused_and_the_cover_named(
    make_stage: MakeStage, frame_kind: str, body: str
) -> None:
    stage = await make_stage(watched(body), frame_kind)

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), timeout=0.4)

    assert refused.value.code == "element_obscured"
    assert await stage.ref("#cover") in refused.value.message
    assert await presses(stage) == []


@pytest.mark.row("OVL-02")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_cover_that_goes_away_in_time_is_waited_for(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(watched(COVERS["a block after it"]), frame_kind)
    target = await stage.css()
    await stage.eval("setTimeout(() => cover.style.transform = 'translateX(100vw)', 500)")

    outcome = await stage.page.click(target, timeout=3)

    assert outcome.success
    assert await presses(stage) == CLICKED


@pytest.mark.row("OVL-03")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_cover_inside_a_wrapper_is_named_with_the_wrapper(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            f"{BUTTON}<div id=blocker style='{OVER}'>"
            "<div id=inner style='width:100%;height:100%'></div></div>"
        ),
        frame_kind,
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), timeout=0.4)

    assert refused.value.code == "element_obscured"
    assert "inner" in refused.value.message
    assert "blocker" in refused.value.message
    assert await presses(stage) == []


NO_COVERS = {
    "takes no pointer": f"{BUTTON}<div style='{OVER};pointer-events:none'></div>",
    "is hidden": f"{BUTTON}<div style='{OVER};visibility:hidden'></div>",
    "is clipped away": f"{BUTTON}<div style='{OVER};clip-path:circle(0)'></div>",
    "has a hole": (
        f"{BUTTON}<svg width=300 height=300"
        " style='position:absolute;left:0;top:0;pointer-events:none'>"
        "<path pointer-events=visiblePainted fill-rule=evenodd"
        " d='M0 0H300V300H0Z M10 5H90V25H10Z' /></svg>"
    ),
    "is its own child": BUTTON.replace(
        "Go", "<i style='position:absolute;left:0;top:0;width:200px;height:200px'>Go</i>"
    ),
    "is its own pseudo-element": (
        "<style>#target::after { content:''; position:absolute; left:0; top:0; width:200px;"
        f" height:200px }}</style>{BUTTON}"
    ),
    "is its own closed shadow tree": (
        "<div id=target onclick='0' style='width:100px;height:40px'></div><script>"
        "target.attachShadow({mode: 'closed'}).innerHTML ="
        "'<div style=\"position:absolute;inset:0\"><b>Go</b></div>'</script>"
    ),
    "is text in its slot": (
        "<div id=host></div><script>host.innerHTML = '<span>Go</span>';"
        "host.attachShadow({mode: 'open'}).innerHTML ="
        "'<button id=target><slot></slot></button>'</script>"
    ),
}
NO_COVER_ROWS = {"takes no pointer": [pytest.mark.row("OVL-09")]}


@pytest.mark.parametrize(
    "body",
    [pytest.param(b, id=name, marks=NO_COVER_ROWS.get(name, [])) for name, b in NO_COVERS.items()],
)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_only_looks_like_a_cover_is_clicked_through(
    make_stage: MakeStage, frame_kind: str, body: str
) -> None:
    stage = await make_stage(watched(body + "<script>window.hits = 0</script>"), frame_kind)
    if "host" in body:
        await stage.eval("host.shadowRoot.querySelector('#target').onclick = () => hits++")
        target = await stage.id("button", "Go")
    else:
        await stage.eval("target.addEventListener('click', () => hits++)")
        target = await stage.css()

    await stage.page.click(target)

    assert await stage.eval("hits") == 1


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_cover_over_the_middle_alone_gets_nothing(
    make_stage: MakeStage, frame_kind: str
) -> None:
    """Another free point of the target, or an error: never the cover."""
    stage = await make_stage(
        watched(
            f"{BUTTON}<div id=cover style='position:absolute;left:40px;top:0;width:20px;"
            "height:30px'></div>"
        ),
        frame_kind,
    )

    result = await attempt(stage.page.click(await stage.css(), timeout=0.4))

    if isinstance(result, CdpAgentError):
        assert result.code == "element_obscured"
        assert await presses(stage) == []
    else:
        assert await presses(stage) == CLICKED


@pytest.mark.parametrize("event", ["mousemove", "mouseover", "pointerenter"])
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_cover_that_hovering_brings_up_is_not_clicked(
    make_stage: MakeStage, frame_kind: str, event: str
) -> None:
    stage = await make_stage(
        watched(
            f"{BUTTON}<div id=cover hidden style='{OVER}'></div><script>"
            f"target.addEventListener('{event}', () => {{ cover.hidden = false }});"
            "</script><style>[hidden] { display:none }</style>"
        ),
        frame_kind,
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), timeout=0.6)

    assert refused.value.code == "element_obscured"
    assert await presses(stage) == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_cover_that_the_press_brings_up_is_told_from_a_click(
    make_stage: MakeStage, frame_kind: str
) -> None:
    """Menus do this on purpose, so it may succeed; the receipt must not speak of a click."""
    stage = await make_stage(
        watched(
            f"{BUTTON}<div id=cover hidden style='{OVER}'></div><script>"
            "target.addEventListener('mousedown', () => { cover.hidden = false });"
            "</script><style>[hidden] { display:none }</style>"
        ),
        frame_kind,
    )

    result = await attempt(stage.page.click(await stage.css(), timeout=1))

    seen = await presses(stage)
    assert seen[0] == "mousedown target"
    assert "click target" not in seen
    assert "click cover" not in seen
    if not isinstance(result, CdpAgentError):
        assert "mousedown" in receipt_of(result).events
        assert "click" not in receipt_of(result).events


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_a_modal_dialog_shuts_out_is_refused(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(f"{BUTTON}<dialog id=cover closedby=any>Wait</dialog>"), frame_kind
    )
    target = await stage.css()
    await stage.eval("cover.showModal()")

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(target, timeout=0.4)

    assert refused.value.code == "element_obscured"
    assert await presses(stage) == []
    assert await stage.eval("cover.open") is True


@pytest.mark.row("OVL-16")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_an_open_popover_covers_is_refused(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            f"{BUTTON}<div id=cover popover=auto style='margin:0;inset:0;width:300px;height:200px'>"
            "menu</div><script>cover.showPopover()</script>"
        ),
        frame_kind,
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), timeout=0.4)

    assert refused.value.code == "element_obscured"
    assert await stage.ref("#cover") in refused.value.message
    assert await presses(stage) == []
    assert await stage.eval("cover.matches(':popover-open')") is True


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_beside_an_open_popover_dismisses_it_and_counts(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            f"{BUTTON}<div id=menu popover=auto style='margin:0;inset:auto;left:200px;top:100px'>"
            "menu</div><script>menu.showPopover()</script>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED
    assert await stage.eval("menu.matches(':popover-open')") is False


@pytest.mark.row("OVL-17")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_under_the_open_list_of_a_select_is_clicked_once(
    make_stage: MakeStage, frame_kind: str
) -> None:
    options = "".join(f"<option>{number}</option>" for number in range(12))
    stage = await make_stage(
        watched(f"<select id=list aria-label=Number>{options}</select><br>{BUTTON}"), frame_kind
    )
    target = await stage.css()
    await stage.page.click(await stage.id("combobox", "Number"))
    await stage.eval("seen.splice(0)")

    await stage.page.click(target)

    assert await presses(stage) == CLICKED


@pytest.mark.row("OVL-20")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_label_of_a_control_does_not_cover_it(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            "<div style='position:relative;height:40px'><input type=checkbox id=target"
            " onchange='this.dataset.changes = 1 + Number(this.dataset.changes ?? 0)'>"
            "<label id=styled for=target style='position:absolute;inset:0;background:white'>"
            "Agree</label></div>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.id("checkbox", "Agree"))

    assert await stage.eval("[target.checked, target.dataset.changes]") == [True, "1"]


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_a_control_that_leaves_the_pointer_to_its_component_is_clicked(
    make_stage: MakeStage, mode: str
) -> None:
    stage = await make_stage(
        f"""<x-tab>Open</x-tab><script>
        const tab = document.querySelector('x-tab');
        tab.attachShadow({{mode: '{mode}'}}).innerHTML =
          '<button role=tab style="pointer-events: none; width: 90px"><slot></slot></button>';
        tab.onclick = () => {{ window.opened = true }};
        </script>"""
    )

    await stage.page.click(await stage.id("tab", "Open"))

    assert await stage.eval("window.opened")


_LAYER = "position:absolute;left:0;top:0;width:300px;height:150px"
_DRAWING = (
    "<div style='position:relative;width:300px;height:150px'><div><canvas id=target></canvas></div>"
    "<div id=layer style='{}'>{}</div></div><script>window.seen = [];"
    "onclick = e => seen.push([e.target.id, e.offsetX, e.offsetY])</script>"
)


async def test_an_empty_layer_that_takes_the_input_of_a_drawing_is_no_cover(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(_DRAWING.format(_LAYER, "<div style='width:0;height:900px'></div>"))

    await stage.page.click(await stage.css(), position=(200, 20))

    assert await stage.eval("seen") == [["layer", 200, 20]]


@pytest.mark.parametrize(
    ("style", "content"),
    [
        (f"{_LAYER};background:white", ""),
        (_LAYER, "Loading"),
        ("position:fixed;inset:0", ""),
        (_LAYER, "<button style='width:100%;height:100%'></button>"),
    ],
    ids=["painted", "with words", "larger", "a control"],
)
async def test_another_layer_over_a_drawing_is_a_cover(
    make_stage: MakeStage, style: str, content: str
) -> None:
    stage = await make_stage(_DRAWING.format(style, content))

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), position=(200, 20), timeout=0.4)

    assert refused.value.code == "element_obscured"
    assert await stage.eval("seen") == []
