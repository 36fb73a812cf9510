"""Targets that move, change or vanish around a click: hit when they rest, or refused."""

from __future__ import annotations

import asyncio

import pytest

from cdp_agent import CdpAgentError
from tests.browser.conformance.attempt import attempt, receipt_of
from tests.support.pages.press_log import CLICKED, frames_pass, presses, watched
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<button id=target style='width:100px;height:30px'>Go</button>"
ENDLESS = (
    "<style>@keyframes away { from { margin-left:0 } to { margin-left:300px } }"
    ".moving { animation:away 2s linear infinite alternate }</style>"
)


@pytest.mark.row("DYN-01")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_sliding_button_is_clicked_where_it_comes_to_rest(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(BUTTON, "<style>#target { transition:margin-left 500ms linear }</style>"),
        frame_kind,
    )
    target = await stage.css()
    await stage.eval("target.getBoundingClientRect(); target.style.marginLeft = '240px'")

    await stage.page.click(target)

    assert await presses(stage) == CLICKED
    assert await stage.eval("seen.map(event => event.x)") == [290] * 3


@pytest.mark.row("DYN-02")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_never_rests_is_refused(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(watched(BUTTON, ENDLESS), frame_kind)
    target = await stage.css()
    await stage.eval("target.className = 'moving'")

    async with asyncio.timeout(2):
        with pytest.raises(CdpAgentError) as refused:
            await stage.page.click(target, timeout=1)

    assert refused.value.code in {"element_unstable", "timeout"}
    assert await presses(stage) == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_throbs_for_ever_is_clicked_where_it_always_is(
    make_stage: MakeStage, frame_kind: str
) -> None:
    throb = (
        "<style>@keyframes throb { 50% { transform:scale(1.3) translateX(9px) } }"
        "#target { animation:throb 400ms infinite }</style>"
    )
    stage = await make_stage(watched(BUTTON, throb), frame_kind)

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


@pytest.mark.row("DYN-03")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_slides_in_later_is_waited_for(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            BUTTON,
            "<style>#target { position:absolute; left:-300px; transition:left 400ms }</style>",
        ),
        frame_kind,
    )
    target = await stage.css()
    await stage.eval("setTimeout(() => target.style.left = '50px', 150)")

    await stage.page.click(target)

    assert await presses(stage) == CLICKED
    assert await stage.eval("target.getBoundingClientRect().left") == 50


LATER = {
    "shown": ("target.hidden = true", "target.hidden = false"),
    "given a size": ("target.style.cssText = 'display:none'", "target.style.cssText = ''"),
    "uncovered by its parent": ("around.style.height = 0", "around.style.height = 'auto'"),
}


@pytest.mark.parametrize(("before", "after"), LATER.values(), ids=LATER.keys())
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_target_that_appears_in_time_is_waited_for(
    make_stage: MakeStage, frame_kind: str, before: str, after: str
) -> None:
    stage = await make_stage(
        watched(f"<div id=around style='overflow:hidden'>{BUTTON}</div>"), frame_kind
    )
    target = await stage.css()
    await stage.eval(f"{before}; setTimeout(() => {{ {after} }}, 200)")

    await stage.page.click(target, timeout=3)

    assert await presses(stage) == CLICKED


@pytest.mark.row("DYN-04")
@pytest.mark.parametrize("event", ["mousemove", "pointermove", "mouseover", "mouseenter"])
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_dodges_the_pointer_once_is_still_clicked_once(
    make_stage: MakeStage, frame_kind: str, event: str
) -> None:
    stage = await make_stage(
        watched(
            f"{BUTTON}<script>target.addEventListener('{event}', () => {{"
            " target.style.marginLeft = '100px' }, {once: true})</script>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_always_dodges_is_refused_in_bounded_time(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            f"{BUTTON}<script>let at = 0; target.addEventListener('mousemove', () => {{"
            " at = at ? 0 : 150; target.style.marginLeft = at + 'px' })</script>"
        ),
        frame_kind,
    )

    async with asyncio.timeout(2):
        result = await attempt(stage.page.click(await stage.css(), timeout=1))

    assert isinstance(result, CdpAgentError)
    assert result.code in {"element_obscured", "element_unstable", "timeout"}
    assert await presses(stage) == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_grows_under_the_pointer_is_clicked(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            BUTTON,
            "<style>#target { margin:50px; transition:transform 200ms }"
            "#target:hover { transform:scale(1.4) rotate(5deg) }</style>",
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


REMOVALS = {
    "pointerup": pytest.mark.row("DYN-06"),
    "mouseup": None,
    "click": None,
}


@pytest.mark.parametrize(
    "event",
    [pytest.param(event, marks=[mark] if mark else []) for event, mark in REMOVALS.items()],
)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_is_gone_after_the_release_was_clicked(
    make_stage: MakeStage, frame_kind: str, event: str
) -> None:
    stage = await make_stage(
        watched(
            f"{BUTTON}<script>target.addEventListener('{event}', () => target.remove())</script>"
        ),
        frame_kind,
    )

    outcome = await stage.page.click(await stage.css())

    assert outcome.success
    assert receipt_of(outcome).delivered
    assert (await presses(stage))[0] == "mousedown target"
    assert await stage.eval("document.querySelector('#target')") is None


@pytest.mark.parametrize("event", ["pointerdown", "mousedown"])
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_the_press_removes_is_reported_as_pressed_not_clicked(
    make_stage: MakeStage, frame_kind: str, event: str
) -> None:
    stage = await make_stage(
        watched(
            f"{BUTTON}<script>target.addEventListener('{event}', () => target.remove())</script>"
        ),
        frame_kind,
    )

    result = await attempt(stage.page.click(await stage.css(), timeout=1))

    assert "click target" not in await presses(stage)
    if not isinstance(result, CdpAgentError):
        assert receipt_of(result).delivered
        assert "click" not in receipt_of(result).events


@pytest.mark.row("DYN-07")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_replaced_on_hover_is_clicked_once_or_not_at_all(
    make_stage: MakeStage, frame_kind: str
) -> None:
    """The new node has the same role, name and tag: it is healed to, and said to be, or refused."""
    stage = await make_stage(
        watched(
            f"<div id=around>{BUTTON}</div><script>window.hits = [];"
            "target.onclick = () => hits.push('old');"
            "target.addEventListener('mouseover', () => {"
            "  const copy = target.cloneNode(true);"
            "  copy.onclick = () => hits.push('new');"
            "  target.replaceWith(copy);"
            "}, {once: true})</script>"
        ),
        frame_kind,
    )

    result = await attempt(stage.page.click(await stage.css(), timeout=2))

    hits = await stage.eval("hits")
    if isinstance(result, CdpAgentError):
        assert result.code == "stale_ref"
        assert hits == []
    else:
        assert result.healed
        assert hits == ["new"]


@pytest.mark.row("DYN-10")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_row_of_a_list_that_was_drawn_anew_is_the_right_row_or_stale(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            "<ul id=list></ul><script>window.hits = [];"
            "window.draw = names => { list.innerHTML = '';"
            " for (const name of names) { const button = document.createElement('button');"
            " button.textContent = name; button.onclick = () => hits.push(name);"
            " const item = document.createElement('li');"
            " item.append(button); list.append(item) } };"
            "draw(['one', 'two', 'three'])</script>"
        ),
        frame_kind,
    )
    two = await stage.id("button", "two")
    await stage.eval("draw(['one', 'two', 'three'])")

    result = await attempt(stage.page.click(two, timeout=1))

    hits = await stage.eval("hits")
    if isinstance(result, CdpAgentError):
        assert result.code == "stale_ref"
        assert hits == []
    else:
        assert result.healed
        assert hits == ["two"]


@pytest.mark.row("DYN-11")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_node_inserted_before_the_target_changes_nothing(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(watched(f"<div id=around>{BUTTON}</div>"), frame_kind)
    target = await stage.css()
    await stage.eval(
        "around.insertAdjacentHTML('afterbegin', '<button id=other>Go</button><p>more</p>')"
    )

    outcome = await stage.page.click(target)

    assert await presses(stage) == CLICKED
    assert not outcome.healed


@pytest.mark.row("DYN-21")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_no_click_comes_late_after_an_error(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(watched(BUTTON, ENDLESS), frame_kind)
    target = await stage.css()
    await stage.eval("target.className = 'moving'")
    with pytest.raises(CdpAgentError):
        await stage.page.click(target, timeout=0.3)

    await stage.eval("target.className = ''")
    await frames_pass(stage, 40)

    assert await presses(stage) == []
    await stage.page.click(target)
    assert await presses(stage) == CLICKED
