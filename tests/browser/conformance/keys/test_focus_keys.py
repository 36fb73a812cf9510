"""Keys that go to the focus: text without a target, and one key several times."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_text_without_a_target_goes_to_the_focus(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        "<input aria-label=A><textarea id=b aria-label=B>x</textarea>", frame_kind
    )
    field = await stage.id("textbox", "B")
    await stage.page.focus(field)

    outcome = await stage.page.type(None, "yz")

    assert await stage.eval("b.value") in ("xyz", "yzx")  # the caret is where the focus put it
    assert outcome.data["id"] == str(field)
    assert outcome.data["focus"] == '<textarea id="b">'
    assert outcome.receipt is not None
    assert outcome.receipt.trusted


async def test_text_without_a_target_is_refused_where_nothing_has_the_focus(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input id=a aria-label=A>")

    with pytest.raises(CdpAgentError) as caught:
        await page.type(None, "word")

    assert caught.value.code == "invalid_params"
    assert "nothing has the focus" in caught.value.message
    assert await oracle.eval("a.value") == ""


async def test_a_grid_that_begins_to_edit_with_the_first_key_gets_all_of_them(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<div id=cell tabindex=0 role=gridcell>old</div><script>"
        "cell.onkeydown = e => { if (cell.firstElementChild || e.key.length > 1) return;"
        " cell.innerHTML = '<input id=edit>'; edit.focus() }</script>"
    )
    await oracle.eval("cell.focus()")

    outcome = await page.type(None, "42")

    assert await oracle.eval("edit.value") == "42"
    assert outcome.data["typed"] == 2
    assert outcome.receipt is not None
    assert outcome.receipt.delivered


async def test_text_is_not_sent_as_commands_to_what_takes_none(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<div id=cell tabindex=0>code <canvas width=9></canvas></div>"
        "<script>window.keys = []; cell.onkeydown = e => keys.push(e.key)</script>"
    )
    await oracle.eval("cell.focus()")

    with pytest.raises(CdpAgentError) as caught:
        await page.type(None, "dd")

    assert caught.value.code == "not_editable"
    assert await oracle.eval("keys") == []
    await page.press("d")
    assert await oracle.eval("keys") == ["d"]


@pytest.mark.parametrize(
    "markup",
    [
        "<canvas id=it tabindex=0></canvas>",
        "<div id=it tabindex=0 style='width:300px'><canvas></canvas></div>",
        "<div id=it tabindex=0 role=application>map</div>",
        "<select id=it><option>Apple<option>Pear</select>",
        "<ul id=it tabindex=0 role=listbox><li role=option>Apple</ul>",
    ],
)
async def test_text_goes_to_what_takes_characters_without_being_a_field(
    page: Page, oracle: PageOracle, open_page: OpenPage, markup: str
) -> None:
    await open_page(
        f"{markup}<script>window.keys = []; it.onkeydown = e => keys.push(e.key)</script>"
    )
    await oracle.eval("it.focus()")

    assert (await page.type(None, "pe")).data["typed"] == 2
    assert await oracle.eval("keys") == ["p", "e"]


async def test_one_key_is_pressed_several_times(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<input id=a type=number value=1 aria-label=A><script>window.keys = [];"
        "onkeydown = e => keys.push([e.key, e.isTrusted, e.repeat])</script>"
    )

    outcome = await page.press("ArrowUp", (await page.snapshot()).find("spinbutton").id, times=4)

    assert await oracle.eval("a.value") == "5"
    assert await oracle.eval("keys") == [["ArrowUp", True, False]] * 4
    assert outcome.data["pressed"] == 4


async def test_presses_end_with_the_first_that_fails(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<button id=a>A</button><script>window.count = 0;"
        "a.onkeydown = () => { count += 1; if (count === 2) a.disabled = true }</script>"
    )

    with pytest.raises(CdpAgentError) as caught:
        await page.press("x", (await page.snapshot()).find("button").id, times=5, timeout=2)

    assert caught.value.message.startswith("press 3 of 5: ")
    assert caught.value.data["pressed"] == 2
    assert await oracle.eval("count") == 2


async def test_a_dialog_ends_the_presses(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<button id=a>A</button><script>window.count = 0;"
        "a.onkeydown = () => { count += 1; if (count === 2) confirm('Sure?') }</script>"
    )

    outcome = await page.press("x", (await page.snapshot()).find("button").id, times=5)

    assert outcome.data["pressed"] == 2
    assert [dialog.message for dialog in outcome.dialogs] == ["Sure?"]
    assert page.dialog is not None
    await page.answer_dialog(accept=False)
    assert await oracle.eval("count") == 2


@pytest.mark.parametrize("times", [0, 101, True, 1.5], ids=str)
async def test_a_number_of_times_that_is_none_is_refused(
    page: Page, oracle: PageOracle, open_page: OpenPage, times: int
) -> None:
    await open_page(
        "<button>A</button><script>window.count = 0; onkeydown = () => count++</script>"
    )

    with pytest.raises(CdpAgentError) as caught:
        await page.press("x", times=times)

    assert caught.value.code == "invalid_params"
    assert await oracle.eval("count") == 0
