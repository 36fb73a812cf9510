"""Disabled targets, and handlers that navigate, remove, throw or take their time."""

from __future__ import annotations

import asyncio

import pytest

from cdp_agent import Browser, CdpAgentError
from tests.support.oracle import PageOracle
from tests.support.pages.press_log import CLICKED, presses, watched
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<button id=target style='width:100px;height:30px'>Go</button>"
ENDLESS = (
    "<style>@keyframes away { from { margin-left:0 } to { margin-left:300px } }"
    "#target { animation:away 2s linear infinite alternate }</style>"
)
FRAMED = [kind for kind in FRAME_KINDS if kind != "main"]


@pytest.mark.row("DYN-12")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_enabled_in_time_is_waited_for(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(watched(BUTTON.replace("id=", "disabled id=")), frame_kind)
    target = await stage.css()
    await stage.eval("setTimeout(() => target.disabled = false, 600)")

    await stage.page.click(target, timeout=2)

    assert await presses(stage) == CLICKED


DISABLED = {
    "button": BUTTON.replace("id=", "disabled id="),
    "in a fieldset": f"<fieldset disabled>{BUTTON}</fieldset>",
    "in the second legend of a fieldset": (
        f"<fieldset disabled><legend>first</legend><legend>{BUTTON}</legend></fieldset>"
    ),
    "in a fieldset in a fieldset": (
        f"<fieldset disabled><fieldset><div>{BUTTON}</div></fieldset></fieldset>"
    ),
    "input": "<input id=target type=submit disabled value=Go>",
    "checkbox": "<input id=target type=checkbox disabled aria-label=Go>",
    "aria-disabled": BUTTON.replace("id=", "aria-disabled=true id="),
    "in an aria-disabled group": f"<div role=group aria-disabled=true>{BUTTON}</div>",
}
DISABLED_ROWS = {"in a fieldset": [pytest.mark.row("DYN-13")]}


@pytest.mark.parametrize(
    "body",
    [pytest.param(b, id=name, marks=DISABLED_ROWS.get(name, [])) for name, b in DISABLED.items()],
)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_disabled_control_is_refused(
    make_stage: MakeStage, frame_kind: str, body: str
) -> None:
    stage = await make_stage(watched(body), frame_kind)

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), timeout=0.3)

    assert refused.value.code == "element_disabled"
    assert await presses(stage) == []


async def test_a_part_of_a_disabled_button_is_refused(make_stage: MakeStage) -> None:
    stage = await make_stage(watched("<button disabled><b id=target>Go</b></button>"))

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.page.find({"css": "#target"}), timeout=0.3)

    assert refused.value.code == "element_disabled"
    assert await presses(stage) == []


NOT_DISABLED = {
    "first legend of a fieldset": f"<fieldset disabled><legend>{BUTTON}</legend></fieldset>",
    "link": "<a id=target disabled href='#x'>Go</a>",
    "read-only field": "<input id=target readonly aria-label=Go>",
    "aria-disabled false": BUTTON.replace("id=", "aria-disabled=false id="),
}


@pytest.mark.parametrize("body", NOT_DISABLED.values(), ids=NOT_DISABLED.keys())
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_only_looks_disabled_is_clicked(
    make_stage: MakeStage, frame_kind: str, body: str
) -> None:
    stage = await make_stage(watched(body), frame_kind)

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


@pytest.mark.row("DYN-14")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_disabled_means_nothing_on_a_div(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        watched("<div id=target disabled onclick='this.textContent = 1'>Go</div>"), frame_kind
    )

    await stage.page.click(await stage.css())

    assert await stage.eval("target.textContent") == "1"


@pytest.mark.row("DYN-16")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_that_starts_a_slow_navigation_returns_and_says_so(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    slow = site.page("<p>slow", delay=1.5)
    stage = await make_stage(
        watched(BUTTON + f"<script>target.onclick = () => {{ location.href = '{slow}' }}</script>"),
        frame_kind,
    )
    target = await stage.css()

    async with asyncio.timeout(1.5):
        outcome = await stage.page.click(target, timeout=0.5)

    assert outcome.success
    assert outcome.navigated or not outcome.settled
    await stage.wait("document.querySelector('p')?.textContent === 'slow'")


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_that_navigates_is_finished_when_the_new_document_is_there(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    next_page = site.page(watched("<h1>Next</h1>"), delay=0.2, host="c.test")
    stage = await make_stage(watched(f"<a id=target href='{next_page}'>away</a>"), frame_kind)

    outcome = await stage.page.click(await stage.css())

    assert outcome.navigated
    assert 'heading "Next"' in (await stage.page.snapshot()).text
    assert await stage.eval("location.href") == next_page


@pytest.mark.row("DYN-17")
@pytest.mark.parametrize(
    "script", ["location.hash = 'there'", "history.pushState(0, '', '?there')"]
)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_ids_outlive_a_navigation_inside_the_document(
    make_stage: MakeStage, frame_kind: str, script: str
) -> None:
    stage = await make_stage(
        watched(f'{BUTTON}<button id=move onclick="{script}">Move</button>'), frame_kind
    )
    target = await stage.css()

    await stage.page.click(await stage.css("#move"))
    assert str(await stage.eval("location.href")).endswith("there")
    await stage.eval("seen.splice(0)")
    outcome = await stage.page.click(target)

    assert await presses(stage) == CLICKED
    assert not outcome.healed


@pytest.mark.row("DYN-18")
@pytest.mark.parametrize("host", ["a.test", "c.test"])
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_navigation_during_the_wait_is_an_error_of_ours(
    make_stage: MakeStage, site: Site, frame_kind: str, host: str
) -> None:
    other = site.page(watched(BUTTON.replace("Go", "Other")), host=host)
    stage = await make_stage(watched(BUTTON, ENDLESS), frame_kind)
    target = await stage.css()
    await stage.eval(f"setTimeout(() => {{ location.href = '{other}' }}, 200)")

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(target, timeout=2)

    assert refused.value.code in {"stale_ref", "element_unstable", "timeout"}
    await stage.wait(f"location.href === '{other}' && document.readyState === 'complete'")
    assert await presses(stage) == []


@pytest.mark.row("DYN-19")
@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_frame_removed_during_the_wait_ends_it(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(watched(BUTTON, ENDLESS), frame_kind)
    target = await stage.css()
    await stage.oracle.eval("setTimeout(() => document.querySelector('iframe').remove(), 150)")

    async with asyncio.timeout(1.5):
        with pytest.raises(CdpAgentError) as refused:
            await stage.page.click(target, timeout=5)

    assert refused.value.code == "frame_detached"


@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_handler_that_removes_its_own_frame_was_clicked(
    make_stage: MakeStage, frame_kind: str, oracle: PageOracle
) -> None:
    stage = await make_stage(
        watched(
            BUTTON + "<script>target.onclick = () => parent.postMessage('close', '*')</script>"
        ),
        frame_kind,
        outer="<script>addEventListener('message', () => {"
        " document.querySelector('iframe').remove() })</script>",
    )

    outcome = await stage.page.click(await stage.css())

    assert outcome.success
    assert await oracle.eval("document.querySelector('iframe')") is None


@pytest.mark.row("DYN-23")
async def test_a_click_right_after_a_drag_is_not_swallowed_with_it(
    make_stage: MakeStage, oracle: PageOracle
) -> None:
    """As d3-drag does it: the click that ends a drag is stopped until the next task."""
    stage = await make_stage(
        watched(
            "<div id=knob style='width:50px;height:50px;background:pink'></div>"
            f"{BUTTON}<script>window.hits = 0; target.onclick = () => hits++;"
            "knob.onmousedown = () => addEventListener('mouseup', () => {"
            "  const stop = event => { event.preventDefault(); event.stopImmediatePropagation() };"
            "  addEventListener('click', stop, true);"
            "  setTimeout(() => removeEventListener('click', stop, true), 0);"
            "}, {once: true, capture: true})</script>"
        )
    )
    target = await stage.css()
    for type_, x, buttons in (
        ("mousePressed", 20, 1),
        ("mouseMoved", 60, 1),
        ("mouseReleased", 60, 0),
    ):
        press = {"type": type_, "x": x, "y": 20, "button": "left", "buttons": buttons}
        await oracle.send("Input.dispatchMouseEvent", press | {"clickCount": 1})

    outcome = await stage.page.click(target)

    assert outcome.success
    assert await stage.eval("hits") == 1


@pytest.mark.row("DYN-24")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_handler_that_throws_was_clicked_and_its_error_is_told(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(BUTTON + "<script>target.onclick = () => { throw new Error('no luck') }</script>"),
        frame_kind,
    )

    outcome = await stage.page.click(await stage.css())

    assert outcome.success
    assert await presses(stage) == CLICKED
    assert any("no luck" in str(error) for error in outcome.console_errors)


@pytest.mark.row("DYN-25")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_after_a_handler_that_blocks_the_page_the_next_snapshot_is_fresh(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            BUTTON + "<script>target.onclick = () => { const end = performance.now() + 1000;"
            " while (performance.now() < end); target.textContent = 'Done' }</script>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await stage.id("button", "Done")


async def test_a_tab_that_is_closed_meanwhile_is_said_to_be_closed(
    browser: Browser, site: Site
) -> None:
    page = await browser.new_page(site.page("<button disabled>Buy</button>"))
    waiting = asyncio.create_task(page.click((await page.snapshot()).find("button").id))
    await page.wait_for(quiet=True)

    await page.close()

    with pytest.raises(CdpAgentError) as caught:
        await waiting
    assert caught.value.code == "target_closed"
