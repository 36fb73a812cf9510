"""Actions that a page ignores succeed, and their results say how far that goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.stage import FRAME_KINDS, MakeStage

COVER = "<div id=cover hidden style='position:fixed;inset:0;background:pink'></div>"
LONG = "<p style='height:3000px'></p>"


async def test_a_cover_that_comes_with_the_pointer_is_named(make_stage: MakeStage) -> None:
    stage = await make_stage(
        f"<button id=target onmouseover='cover.hidden = false'>Order</button>{COVER}"
    )

    outcome = await stage.page.hover(await stage.css())

    assert outcome.data["covered"] == '<div id="cover">'


async def test_a_cover_of_the_page_around_is_named(make_stage: MakeStage) -> None:
    around = "<script>onmessage = () => { cover.hidden = false }</script>"
    stage = await make_stage(
        "<button id=target onmouseover=\"parent.postMessage('here', '*')\">Order</button>",
        "oopif",
        outer=COVER + around,
    )

    outcome = await stage.page.hover(await stage.css())

    assert 'id="cover"' in outcome.data["covered"]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_pointer_that_stays_is_not_called_covered(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<button id=target>Order</button>", frame_kind)

    outcome = await stage.page.hover(await stage.css())

    assert "covered" not in outcome.data


@pytest.mark.parametrize("at", ["target.value = ''", "setTimeout(() => target.value = '', 20)"])
async def test_an_input_that_the_page_empties_is_told(
    make_stage: MakeStage, folder: Path, at: str
) -> None:
    """The page was given the files: many take them out of the input and empty it."""
    letter = folder / "letter.txt"
    letter.write_text("Dear all")
    stage = await make_stage(f'<input id=target type=file onchange="{at}">')

    outcome = await stage.page.upload(await stage.css(), letter)

    assert not outcome.data["kept"]
    assert outcome.data["files"] == [{"name": "letter.txt", "size": 8}]
    assert not await stage.eval("target.files.length")


async def test_an_input_that_keeps_its_file_says_so(make_stage: MakeStage, folder: Path) -> None:
    letter = folder / "letter.txt"
    letter.write_text("Dear all")
    stage = await make_stage("<input id=target type=file>")

    outcome = await stage.page.upload(await stage.css(), letter)

    assert outcome.data["kept"]


@pytest.mark.parametrize("moves", [False, True])
async def test_a_mouse_that_moves_nothing_is_told(make_stage: MakeStage, moves: bool) -> None:
    follow = "addEventListener('mousemove', e => target.style.left = e.clientX + 'px')"
    stage = await make_stage(
        "<button id=target style='position:absolute'>Parcel</button>"
        f"<script>{follow if moves else ''}</script>"
    )

    outcome = await stage.page.drag(await stage.css(), by=(200, 0))

    assert outcome.data["kind"] == "mouse"
    assert outcome.data["changed"] is moves


@pytest.mark.parametrize("where", ["window", "around"])
async def test_a_click_that_is_stopped_on_its_way_is_told(
    make_stage: MakeStage, where: str
) -> None:
    stage = await make_stage(
        "<div id=around><button id=target onclick='window.clicked = true'>Order</button></div>"
        f"<script>{where}.addEventListener('click', e => e.stopPropagation(), true)</script>"
    )

    outcome = await stage.page.click(await stage.css())

    assert not await stage.eval("window.clicked")
    assert outcome.receipt is not None
    assert outcome.receipt.stopped


@pytest.mark.parametrize("key", ["", "Enter"])
async def test_a_form_that_its_fields_keep_back_says_which(make_stage: MakeStage, key: str) -> None:
    stage = await make_stage(
        "<form onsubmit='window.sent = true; return false'><label>Mail <input name=m required>"
        "</label><button id=target>Send</button></form>"
    )
    send = await stage.css()

    outcome = await (stage.page.press(key, send) if key else stage.page.click(send))

    assert not await stage.eval("window.sent")
    assert outcome.data["invalid"] == ["Mail: Please fill out this field."]


async def test_a_button_that_merely_asks_whether_fields_are_valid_keeps_no_form_back(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        "<form onsubmit='return false'><select name=tags multiple required></select>"
        "<button id=target onclick='event.preventDefault(); window.asked = form.checkValidity()'>"
        "Choose</button></form>"
    )

    outcome = await stage.page.click(await stage.css())

    assert await stage.eval("window.asked") is False
    assert "invalid" not in outcome.data


async def test_a_listener_that_reports_an_invalid_field_keeps_the_form_back(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        "<form><label>Mail <input name=m required></label>"
        "<button id=target type=button onclick='form.reportValidity()'>Send</button></form>"
    )

    outcome = await stage.page.click(await stage.css())

    assert outcome.data["invalid"] == ["Mail: Please fill out this field."]


async def test_a_wheel_over_a_locked_page_moves_nothing_and_says_so(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(f"<style>body {{ overflow: hidden }}</style>{LONG}")

    outcome = await stage.page.wheel(0, 200)

    assert outcome.data["moved_y"] == 0
    assert not outcome.data["at_end"]


async def test_a_page_that_turns_the_wheel_into_something_else_has_had_it_once(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        "<style>html, body { overflow: hidden; height: 100% }</style>"
        f"<p id=shown>0</p>{LONG}"
        "<script>addEventListener('wheel', () => shown.textContent = 1 + +shown.textContent,"
        " { passive: true })</script>"
    )

    outcome = await stage.page.scroll("down")

    assert outcome.data["moved_y"] == 0
    assert await stage.eval("shown.textContent") == "1"


async def test_a_tab_that_a_script_may_not_open_is_in_the_console_errors(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        "<p id=said></p><button id=target"
        " onclick=\"said.textContent = 'tried'; window.open('/x')\">Open</button>",
        headers={"Content-Security-Policy": "sandbox allow-scripts"},
    )

    outcome = await stage.page.click(await stage.css())

    assert [line for line in outcome.console_errors if "allow-popups" in line]
