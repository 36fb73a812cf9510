"""Clicks that cannot work are refused with a code that says why, and send no event."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, ElementObscured
from tests.support.pages.press_log import CLICKED, presses, watched
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<button id=target style='width:100px;height:30px'>Go</button>"


def hidden(name: str, script: str, *rows: str) -> object:
    return pytest.param(script, id=name, marks=[pytest.mark.row(*rows)] if rows else [])


HIDDEN_LATER = (
    hidden("display none", "target.style.display = 'none'", "CLK-47"),
    hidden("visibility hidden", "target.style.visibility = 'hidden'", "CLK-47"),
    hidden("hidden attribute", "target.hidden = true", "CLK-47"),
    hidden("visibility collapse", "target.style.visibility = 'collapse'"),
    hidden("display none on a parent", "around.style.display = 'none'"),
    hidden("visibility hidden on a parent", "around.style.visibility = 'hidden'"),
    hidden("content-visibility on a parent", "around.style.contentVisibility = 'hidden'"),
    hidden("hidden until found", "around.hidden = 'until-found'"),
    hidden("closed details", "details.open = false"),
    hidden(
        "no size", "target.style.cssText = 'width:0;height:0;padding:0;border:0;overflow:hidden'"
    ),
    hidden("scaled to nothing", "target.style.transform = 'scale(0)'"),
    hidden(
        "moved out of the page",
        "around.style.transform = 'translate(-500px, -500px)'",
    ),
    hidden("fixed outside the screen", "target.style.cssText += ';position:fixed;left:-200px'"),
    hidden("closed popover", "around.popover = 'auto'"),
)


@pytest.mark.parametrize("script", HIDDEN_LATER)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_hidden_after_the_snapshot_is_refused_and_works_again_when_shown(
    make_stage: MakeStage, frame_kind: str, script: str
) -> None:
    stage = await make_stage(
        watched(
            "<details id=details open><summary>More</summary>"
            f"<div id=around style='width:200px'>{BUTTON}</div></details>"
        ),
        frame_kind,
    )
    target = await stage.css()
    await stage.eval(script)

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(target, timeout=0.3)

    assert refused.value.code == "element_not_visible"
    assert await presses(stage) == []
    await stage.eval("""(() => {
      for (const element of [target, around]) {
        element.removeAttribute('style');
        element.removeAttribute('popover');
        element.hidden = false;
      }
      details.open = true;
    })()""")
    await stage.page.click(target)
    assert await presses(stage) == CLICKED


@pytest.mark.row("CLK-44")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_lies_outside_the_page_is_refused(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            "<div id=around style='transform:translate(-100px,-100px);width:50px;height:40px'>"
            "<button id=target style='width:50px;height:40px'>Go</button></div>"
        ),
        frame_kind,
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), timeout=0.3)

    assert refused.value.code == "element_not_visible"
    assert await presses(stage) == []


@pytest.mark.row("CLK-46")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_element_without_a_size_is_refused(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        watched("<div id=target onclick='0' style='width:10px;height:10px'></div>"), frame_kind
    )
    target = await stage.css()
    await stage.eval("target.style.cssText = 'width:0;height:0'")

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(target, timeout=0.3)

    assert refused.value.code == "element_not_visible"
    assert await presses(stage) == []


UNREACHABLE = {
    "inert": "target.inert = true",
    "in an inert parent": "around.inert = true",
    "without pointer events": "target.style.pointerEvents = 'none'",
    "clipped to nothing": "target.style.clipPath = 'inset(50%)'",
    "clipped by a parent without height": "around.style.cssText = 'overflow:clip;height:0'",
    "behind the page": "target.style.cssText += ';position:relative;z-index:-1';"
    "around.style.cssText = 'background:white;position:relative;z-index:0';"
    "document.body.insertAdjacentHTML('beforeend', "
    "'<div id=front style=\"position:absolute;inset:0\"></div>')",
}


@pytest.mark.parametrize("script", UNREACHABLE.values(), ids=UNREACHABLE.keys())
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_the_pointer_cannot_reach_is_refused(
    make_stage: MakeStage, frame_kind: str, script: str
) -> None:
    """A press there would fall on something else; how that is called depends on the reason."""
    stage = await make_stage(watched(f"<div id=around>{BUTTON}</div>"), frame_kind)
    target = await stage.css()
    await stage.eval(script)

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(target, timeout=0.3)

    assert refused.value.code in {"element_obscured", "element_disabled", "element_not_visible"}
    assert await presses(stage) == []


async def test_a_refusal_names_what_is_inert(make_stage: MakeStage) -> None:
    """Not what lies behind it, which covers nothing."""
    stage = await make_stage(watched(f"<div id=around>{BUTTON}</div>"))
    target = await stage.css()
    await stage.eval("around.inert = true")

    with pytest.raises(ElementObscured, match=r"stands in <div id=.?around.*, which is inert"):
        await stage.page.click(target, timeout=0.3)

    await stage.eval("around.inert = false")
    assert (await stage.page.click(target)).success


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_position_outside_the_target_is_refused(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(watched(BUTTON), frame_kind)

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), position=(150, 10), timeout=0.3)

    assert refused.value.code in {"invalid_params", "element_obscured", "element_not_visible"}
    assert await presses(stage) == []


@pytest.mark.parametrize(
    "options",
    [
        {"button": "thumb"},
        {"count": 0},
        {"count": True},
        {"modifiers": ("Hyper",)},
        {"modifiers": 4},
        {"position": (5,)},
        {"position": (5, float("nan"))},
        {"timeout": float("nan")},
        {"timeout": float("inf")},
        {"timeout": "5"},
    ],
    ids=str,
)
async def test_options_that_mean_nothing_are_refused(
    make_stage: MakeStage, options: dict[str, object]
) -> None:
    stage = await make_stage(watched(BUTTON))

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), **options)  # type: ignore[arg-type]

    assert refused.value.code == "invalid_params"
    assert await presses(stage) == []


async def test_text_that_is_no_id_is_refused(make_stage: MakeStage) -> None:
    stage = await make_stage(watched(BUTTON))
    await stage.page.snapshot()

    for text in ("", "target", "0-", "-5", "0_5", "0-5 ", "0x1-5"):
        with pytest.raises(CdpAgentError) as refused:
            await stage.page.click(text)

        assert refused.value.code == "ref_invalid", text
        assert await presses(stage) == [], text
