"""Controls that act on the press: what becomes of the release is told, and is not a failure."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.browser.conformance.attempt import receipt_of
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<main id=main><button id=target>Run</button></main><p id=state></p>"
ACTS = {
    "is removed": ("target.remove()", "removed"),
    "is removed with what it stands in": ("main.remove()", "removed"),
    "is replaced": ("target.replaceWith(target.cloneNode(true))", "removed"),
    "is drawn anew with its surroundings": ("main.innerHTML = main.innerHTML", "removed"),
    "is hidden": ("target.hidden = true", "hidden"),
    "is hidden with what it stands in": ("main.hidden = true", "hidden"),
    "is under a cover": (
        "main.insertAdjacentHTML('afterend', '<div id=cover style=position:fixed;inset:0></div>')",
        'id="cover"',
    ),
    "is under a modal dialog": (
        "const modal = document.createElement('dialog'); modal.id = 'modal';"
        "modal.style = 'inset:0;margin:0;width:500px;height:300px'; document.body.append(modal);"
        "modal.showModal()",
        'id="modal"',
    ),
    "is pushed away by a message": (
        "main.insertAdjacentHTML('beforebegin', '<p style=height:200px>Saved</p>')",
        "over",
    ),
}


#: The work of these is done at the click, which never came.
FOR_THE_CLICK = {
    "listens for clicks": "<button id=target>Run</button><script>"
    "target.addEventListener('click', () => {})</script>",
    "is a link": "<a id=target href='#there'>Run</a>",
    "sends a form": "<form><button id=target>Run</button></form>",
    "is a box to tick": "<input type=checkbox id=target aria-label=Run>",
}


def acting(act: str, on: str, *, stops: bool = False, waits: str = "") -> str:
    stop = "event.stopImmediatePropagation();" if stops else ""
    run = {"promise": "await null;", "react": "", "": ""}[waits]
    return f"""{BUTTON}<script>window.acted = 0;
    target.addEventListener({on!r}, async (event) => {{
      {stop} {run} window.acted += 1; {act};
    }});</script>"""


@pytest.mark.parametrize("on", ["pointerdown", "mousedown"])
@pytest.mark.parametrize(("act", "words"), ACTS.values(), ids=ACTS.keys())
async def test_a_button_that_acts_on_the_press_was_pressed(
    make_stage: MakeStage, on: str, act: str, words: str
) -> None:
    stage = await make_stage(acting(act, on))

    outcome = await stage.page.click(await stage.css())

    assert await stage.eval("window.acted") == 1
    assert outcome.success
    assert on in receipt_of(outcome).events
    assert words in receipt_of(outcome).release


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("how", ["stops", "promise"])
async def test_an_act_counts_however_its_listener_is_written(
    make_stage: MakeStage, frame_kind: str, how: str
) -> None:
    act = ACTS["is under a cover"][0]
    waits = "promise" if how == "promise" else ""
    stage = await make_stage(
        acting(act, "mousedown", stops=how == "stops", waits=waits), frame_kind
    )

    outcome = await stage.page.click(await stage.css())

    assert await stage.eval("window.acted") == 1
    assert 'id="cover"' in receipt_of(outcome).release


@pytest.mark.parametrize("body", FOR_THE_CLICK.values(), ids=FOR_THE_CLICK.keys())
async def test_a_press_that_keeps_the_click_from_a_control_is_no_success(
    make_stage: MakeStage, body: str
) -> None:
    stage = await make_stage(
        f"""{body}<div id=cover hidden style="position:fixed;inset:0"></div><script>
        target.addEventListener('mousedown', () => {{ cover.hidden = false; }});</script>"""
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css())

    assert refused.value.code == "element_unstable"
    assert 'over <div id="cover">' in refused.value.message


async def test_a_press_that_is_claimed_may_keep_the_click_from_its_control(
    make_stage: MakeStage,
) -> None:
    """As toolbars do that act on the press and listen for the clicks of the keyboard."""
    stage = await make_stage(
        f"""{FOR_THE_CLICK["listens for clicks"]}
        <div id=cover hidden style="position:fixed;inset:0"></div><script>
        target.addEventListener('mousedown', (event) => {{
          event.preventDefault(); cover.hidden = false;
        }});</script>"""
    )

    outcome = await stage.page.click(await stage.css())

    assert 'over <div id="cover">' in receipt_of(outcome).release


async def test_what_happens_to_come_between_press_and_release_is_not_the_page_s_answer(
    make_stage: MakeStage,
) -> None:
    """A field that loses the focus shows a message, which pushes the button from the pointer."""
    stage = await make_stage(
        """<input id=field onblur="main.insertAdjacentHTML('beforebegin',
        '<p style=height:200px>Not a date</p>')">"""
        + BUTTON
        + """<script>window.clicks = 0;
        target.addEventListener('click', () => { window.clicks += 1; });</script>"""
    )
    target = await stage.css()
    await stage.eval("field.focus()")

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(target)

    assert refused.value.code == "element_unstable"
    assert "over" in refused.value.message
    assert await stage.eval("window.clicks") == 0


async def test_a_click_says_nothing_of_a_release_that_came(make_stage: MakeStage) -> None:
    stage = await make_stage(BUTTON)

    assert receipt_of(await stage.page.click(await stage.css())).release == ""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_container_that_captures_the_pointer_gets_the_click(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        f"""<div id=map>{BUTTON}</div><script>window.clicked = [];
        map.addEventListener('pointerdown', (e) => map.setPointerCapture(e.pointerId));
        addEventListener('click', (e) => window.clicked.push(e.target.id));</script>""",
        frame_kind,
    )

    outcome = await stage.page.click(await stage.css())

    assert await stage.eval("window.clicked") == ["map"]
    assert receipt_of(outcome).release == 'captured by <div id="map">'


async def test_a_container_that_captures_the_pointer_keeps_the_click_from_a_button(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        f"""<div id=map>{BUTTON}</div><script>window.clicks = 0;
        map.addEventListener('pointerdown', (e) => map.setPointerCapture(e.pointerId));
        target.addEventListener('click', () => {{ window.clicks += 1; }});</script>"""
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.css())

    assert await stage.eval("window.clicks") == 0
    assert refused.value.code == "element_unstable"
    assert 'captured by <div id="map">' in refused.value.message


async def test_a_slider_that_captures_the_pointer_itself_is_clicked_as_ever(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        f"""{BUTTON}<script>
        target.addEventListener('pointerdown', (e) => target.setPointerCapture(e.pointerId));
        </script>"""
    )

    outcome = await stage.page.click(await stage.css())

    assert receipt_of(outcome).release == ""
    assert "click" in receipt_of(outcome).events


async def test_what_comes_under_the_pointer_at_pointerdown_gets_no_mousedown(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        """<main id=main><button id=target>Run</button></main><script>window.hit = [];
        for (const type of ['mousedown', 'mouseup', 'click'])
          addEventListener(type, (event) => window.hit.push(`${type} ${event.target.id}`), true);
        target.addEventListener('pointerdown', () => {
          target.outerHTML = '<button id=other>Delete</button>';
        });</script>"""
    )

    outcome = await stage.page.click(await stage.css())

    assert await stage.eval("window.hit") == []
    assert "removed" in receipt_of(outcome).release


async def test_what_comes_under_the_pointer_at_mousedown_gets_no_context_menu(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        """<main id=main><button id=target>Run</button></main><script>window.hit = [];
        addEventListener('contextmenu', (event) => window.hit.push(event.target.id), true);
        target.addEventListener('mousedown', () => {
          target.outerHTML = '<button id=other>Delete</button>';
        });</script>"""
    )

    outcome = await stage.page.click(await stage.css(), button="right")

    assert await stage.eval("window.hit") == []
    assert "removed" in receipt_of(outcome).release
