"""Covers across documents: frames that lie over a target, and what lies over a target's frame.

Chromium sends a press to a frame of another process whatever lies over that frame, so it is
the engine alone that keeps these clicks from going through.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.pages.press_log import CLICKED, presses, watched
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<button id=target style='width:100px;height:30px'>Go</button>"
FRAMED = [kind for kind in FRAME_KINDS if kind != "main"]
NESTINGS = [("a.test", "a.test"), ("a.test", "b.test"), ("b.test", "b.test"), ("b.test", "c.test")]
FRAME_STYLE = "width:400px;height:300px;border:3px solid"


def over(width: int = 2000) -> str:
    return (
        f"<div id=cover style='position:absolute;left:0;top:0;width:{width}px;height:2000px;"
        "z-index:9;background:pink'>cover</div>"
    )


@pytest.mark.row("OVL-12")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_iframe_over_the_target_is_named_and_gets_no_click(
    make_stage: MakeStage, frame_kind: str
) -> None:
    inside = watched("advertisement").replace("&", "&amp;").replace('"', "&quot;")
    stage = await make_stage(
        watched(
            f"{BUTTON}<iframe id=cover style='position:fixed;inset:0;z-index:2147483647'"
            f' srcdoc="{inside}"></iframe>'
        ),
        frame_kind,
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), timeout=0.4)

    assert refused.value.code == "element_obscured"
    assert await stage.ref("#cover") in refused.value.message
    assert await presses(stage) == []
    assert await stage.eval("cover.contentWindow.seen") == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_frame_of_another_process_over_the_target_is_named_and_gets_no_click(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    advertisement = site.page(watched("advertisement"), host="d.test")
    stage = await make_stage(
        watched(
            f"{BUTTON}<iframe id=cover name=advertisement src='{advertisement}'"
            " style='position:fixed;inset:0'></iframe>"
        ),
        frame_kind,
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css(), timeout=0.4)

    assert refused.value.code == "element_obscured"
    assert await stage.ref("#cover") in refused.value.message
    assert await presses(stage) == []
    assert await stage.oracle.eval_in("advertisement", "seen") == []


@pytest.mark.row("OVL-13")
@pytest.mark.parametrize("hosts", NESTINGS, ids="-".join)
async def test_a_cover_over_nested_frames_is_named_until_it_is_gone(
    page: Page, oracle: PageOracle, site: Site, hosts: tuple[str, str]
) -> None:
    """First one of the page, then one of the frame between."""
    inner = site.page(watched(BUTTON), host=hosts[1])
    middle = site.page(
        watched(f"<iframe name=inner src='{inner}' style='{FRAME_STYLE}'></iframe>{over()}"),
        host=hosts[0],
    )
    await page.goto(
        site.page(
            watched(
                f"<iframe name=middle src='{middle}' style='width:500px;height:400px'>"
                f"</iframe>{over()}"
            )
        )
    )
    await oracle.wait_in("inner", "document.readyState === 'complete'")
    target = (await page.snapshot()).find("button", "Go").id

    async def cover(where: str | None, display: str) -> None:
        change = f"cover.style.display = '{display}'"
        await (oracle.eval(change) if where is None else oracle.eval_in(where, change))

    await cover("middle", "none")
    for where in (None, "middle"):
        await cover(where, "block")
        with pytest.raises(CdpAgentError) as refused:
            await page.click(target, timeout=1)

        assert refused.value.code == "element_obscured"
        number = await oracle.backend_node_id("cover", where)
        index = 0 if where is None else next(f.index for f in page.frames if f.name == "middle")
        assert f"{index}-{number}" in refused.value.message
        assert await oracle.eval_in("inner", "seen") == []

        await cover(where, "none")

    await page.click(target)
    assert await oracle.eval_in("inner", "seen.map(e => e.type + ' ' + e.on)") == CLICKED


async def test_a_cover_that_was_found_is_named_also_when_the_page_stops_answering(
    page: Page, oracle: PageOracle, make_stage: MakeStage
) -> None:
    stage = await make_stage(watched(BUTTON), "oopif", outer=over())
    target = await stage.css()
    # In a frame: between two looks the engine waits for one. Late enough for a first look to be
    # over also where other tests keep the processors busy.
    block = "() => { for (const end = Date.now() + 1500; Date.now() < end;); }"
    await oracle.eval(f"void setTimeout(() => requestAnimationFrame({block}), 800)")

    with pytest.raises(CdpAgentError) as refused:
        await page.click(target, timeout=1.5)

    assert refused.value.code == "element_obscured"
    assert await presses(stage) == []


@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_cover_over_another_part_of_the_frame_is_no_cover(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(f"<div style='padding-left:300px'>{BUTTON}</div>"), frame_kind, outer=over(300)
    )

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_cover_over_the_frame_that_takes_no_pointer_is_no_cover(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(BUTTON), frame_kind, outer=over().replace("z-index", "pointer-events:none;z-index")
    )

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_cover_over_the_frame_that_goes_away_in_time_is_waited_for(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(watched(BUTTON), frame_kind, outer=over())
    target = await stage.css()
    await stage.oracle.eval("setTimeout(() => cover.remove(), 300)")

    await stage.page.click(target, timeout=3)

    assert await presses(stage) == CLICKED


@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_frame_scrolled_under_a_fixed_bar_of_the_page_is_brought_out(
    make_stage: MakeStage, frame_kind: str
) -> None:
    """The bar belongs to the page, the target to the frame: only the page can scroll it free."""
    stage = await make_stage(
        watched(BUTTON),
        frame_kind,
        outer="<div id=cover style='position:fixed;left:0;right:0;top:0;height:400px;"
        "background:pink'>bar</div><div style='height:3000px'></div>"
        "<style>body { padding-top:1500px }</style>",
    )
    target = await stage.css()
    await stage.oracle.eval("scrollTo(0, 1500)")

    await stage.page.click(target)

    assert await presses(stage) == CLICKED


@pytest.mark.parametrize("script", ["frame.inert = true", "frame.style.pointerEvents = 'none'"])
@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_target_in_a_frame_that_takes_no_pointer_is_refused(
    make_stage: MakeStage, frame_kind: str, script: str
) -> None:
    stage = await make_stage(watched(BUTTON), frame_kind)
    target = await stage.css()
    await stage.oracle.eval(f"{{ const frame = document.querySelector('iframe'); {script} }}")

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(target, timeout=0.4)

    assert refused.value.code in {"element_obscured", "element_disabled", "element_not_visible"}
    assert await presses(stage) == []


HIDDEN_FRAMES = {
    "display none": "frame.style.display = 'none'",
    "visibility hidden": "frame.style.visibility = 'hidden'",
    "outside the page": "frame.style.cssText += 'position:absolute;left:-5000px'",
    "no size": "frame.style.cssText += 'width:0;height:0;border:0'",
}


@pytest.mark.parametrize("script", HIDDEN_FRAMES.values(), ids=HIDDEN_FRAMES.keys())
@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_target_in_a_frame_that_nobody_sees_is_refused(
    make_stage: MakeStage, frame_kind: str, script: str
) -> None:
    stage = await make_stage(watched(BUTTON), frame_kind)
    target = await stage.css()
    await stage.oracle.eval(f"{{ const frame = document.querySelector('iframe'); {script} }}")

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(target, timeout=0.4)

    assert refused.value.code == "element_not_visible"
    assert await presses(stage) == []
