"""Effects of keys: controls answer to them, focus moves, dialogs close, pages leave."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.browser.conformance.attempt import receipt_of
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

BUTTON = "<button onclick='hits++'>Go</button>"
CHECKBOX = "<input type=checkbox aria-label=Go onchange='hits++'>"
LINK = "<a href='#there' onclick='hits++'>Go</a>"
DETAILS = "<details ontoggle='hits++'><summary>Go</summary>More</details>"
SLIDER = "<input type=range aria-label=Go oninput='hits++'>"
SELECT = "<select aria-label=Go onchange='hits++'><option>a<option>b</select>"
RADIOS = """<input type=radio name=r aria-label=Go checked>
<input type=radio name=r aria-label=Next onchange='hits++'>"""
ACTIVATED = {
    "Enter on a button": (BUTTON, "Enter"),
    "Space on a button": (BUTTON, "Space"),
    "Space on a checkbox": (CHECKBOX, " "),
    "Enter on a link": (LINK, "Enter"),
    "Enter on a summary": (DETAILS, "Enter"),
    "an arrow in a slider": (SLIDER, "ArrowRight"),
    "an arrow in a list": (SELECT, "ArrowDown"),
    "an arrow among radios": (RADIOS, "ArrowDown"),
}


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(("html", "key"), ACTIVATED.values(), ids=ACTIVATED.keys())
async def test_a_control_answers_to_its_key(
    make_stage: MakeStage, frame_kind: str, html: str, key: str
) -> None:
    stage = await make_stage("<script>window.hits = 0</script>" + html, frame_kind)

    await stage.page.press(key, await stage.id(name="Go"))

    await stage.wait("hits === 1")


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_tab_and_shift_tab_walk_through_the_fields(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=A id=a><input id=b><input id=c>", frame_kind)

    await stage.page.press("Tab", await stage.id("textbox", "A"))
    await stage.page.press("Tab")
    assert await stage.eval("document.activeElement.id") == "c"
    await stage.page.press("Shift+Tab")
    assert await stage.eval("document.activeElement.id") == "b"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_escape_closes_a_modal_dialog(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        """<dialog id=box aria-label=Box><button>Inside</button></dialog>
        <script>box.showModal()</script>""",
        frame_kind,
    )
    await stage.id("button", "Inside")

    await stage.page.press("Escape", await stage.id("button", "Inside"))

    await stage.wait("!box.open")


async def test_a_page_that_prevents_select_all_keeps_its_selection(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<input aria-label=Name value=text><script>
      document.querySelector('input').addEventListener('keydown', event => {
        if (event.ctrlKey && event.key.toLowerCase() == 'a') event.preventDefault();
      });
    </script>""")
    name = (await page.snapshot()).find("textbox", "Name").id
    await page.click(name)

    outcome = await page.press("Control+A")

    assert receipt_of(outcome).default_prevented
    assert await oracle.eval("getSelection().toString()") == ""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_focusable_element_that_is_no_field_gets_the_key(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<div tabindex=0 role=grid aria-label=Board
        onkeydown='this.dataset.key = event.key'></div>""",
        frame_kind,
    )
    board = await stage.id("grid", "Board")

    outcome = await stage.page.press("ArrowDown", board)

    assert await stage.eval("document.querySelector('div').dataset.key") == "ArrowDown"
    assert receipt_of(outcome).target == board


async def test_a_key_for_an_element_that_is_gone_is_pressed_nowhere(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<button>Gone</button><input autofocus onkeydown='document.title = event.key'>")
    gone = (await page.snapshot()).find("button", "Gone").id
    await oracle.eval("document.querySelector('button').remove()")

    with pytest.raises(CdpAgentError) as caught:
        await page.press("Enter", gone)

    assert caught.value.code == "stale_ref"
    assert await oracle.eval("document.title") == "Test page"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_page_that_swallows_all_key_events_cannot_hide_that_they_arrived(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<script>
        for (const type of ['keydown', 'keypress', 'keyup', 'input', 'beforeinput'])
          window.addEventListener(type, event => event.stopImmediatePropagation(), true);
        </script><input aria-label=Name>""",
        frame_kind,
    )
    name = await stage.id("textbox", "Name")

    await stage.page.type(name, "ab")
    outcome = await stage.page.press("c", name)

    assert receipt_of(outcome).delivered
    assert receipt_of(outcome).target == name
    assert await stage.eval("document.querySelector('input').value") == "abc"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_key_without_a_target_says_which_element_got_it(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=One><input aria-label=Two>", frame_kind)
    two = await stage.id("textbox", "Two")
    await stage.page.click(two)

    outcome = await stage.page.press("x")

    assert await stage.eval("document.querySelectorAll('input')[1].value") == "x"
    assert receipt_of(outcome).delivered
    assert receipt_of(outcome).target == two


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_enter_that_leaves_the_page_says_so(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    there = site.page("<h1>There</h1>", host="c.test")
    stage = await make_stage(
        f"<form action='{there}'><input aria-label=Search name=q></form>", frame_kind
    )

    outcome = await stage.page.type(await stage.id("textbox", "Search"), "cats", commit_enter=True)

    assert outcome.navigated
    await stage.wait("document.querySelector('h1')?.textContent === 'There'")
    assert await stage.eval("location.search") == "?q=cats"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_key_that_opens_a_dialog_comes_back_and_reports_it(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        "<button onclick='window.answer = confirm(\"Sure?\")'>Delete</button>", frame_kind
    )

    outcome = await stage.page.press("Enter", await stage.id("button", "Delete"))

    assert [dialog.message for dialog in outcome.dialogs] == ["Sure?"]
    assert stage.page.dialog is not None
    await stage.page.dialog.accept()
    await stage.wait("window.answer === true")


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_a_field_selects_when_the_focus_comes_is_typed_over(
    make_stage: MakeStage, frame_kind: str
) -> None:
    fields = "<input aria-label=A value=5 onfocus='select()'><input aria-label=B value=5>"
    stage = await make_stage(fields, frame_kind)

    for name in ("A", "B"):
        await stage.page.type(await stage.id("textbox", name), "7")

    values = "[...document.querySelectorAll('input')].map((field) => field.value).join()"
    assert await stage.eval(values) == "7,57"


FOCUS_GOES: dict[str, tuple[str, str | None, str]] = {
    "to nobody, after the first": ("e.blur()", "stale_ref", "a"),
    "to nobody, after the last": ("if (e.value.length === 3) e.blur()", None, "ab "),
    "to a button, after the last": ("if (e.value.length === 3) next.focus()", None, "ab "),
    "to a button, after the second": ("if (e.value.length === 2) next.focus()", "stale_ref", "ab"),
}


@pytest.mark.parametrize(("reaction", "code", "holds"), FOCUS_GOES.values(), ids=FOCUS_GOES.keys())
async def test_text_is_typed_whole_or_the_loss_of_focus_is_an_error(
    make_stage: MakeStage, reaction: str, code: str | None, holds: str
) -> None:
    """A key that is let go elsewhere was typed all the same, and presses nothing there."""
    stage = await make_stage(
        f"""<input id=target aria-label=Code oninput="(e => {{ {reaction} }})(this)">
        <button id=next onclick="window.pressed = true">Next</button>"""
    )
    target = await stage.css()

    if code is None:
        assert (await stage.page.type(target, "ab ")).data["value"] == holds
    else:
        with pytest.raises(CdpAgentError) as caught:
            await stage.page.type(target, "ab ")
        assert caught.value.code == code
    assert await stage.eval("[target.value, window.pressed]") == [holds, None]
