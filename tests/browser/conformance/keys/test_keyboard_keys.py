"""Single keys and chords: the page sees the key that a keyboard would send, and reacts to it.

`press` takes the names of `KeyboardEvent.key` ("Enter", "ArrowLeft", "a") and chords with `+`
("Control+A"). With an id it focuses that element first; without one the key goes wherever the
focus is. Every modifier that it presses is released again, whatever happens.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.browser.conformance.attempt import receipt_of
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

LOG_KEYS = """<script>
window.log = [];
for (const type of ['keydown', 'keypress', 'keyup'])
  document.addEventListener(type, e => log.push([type, e.key,
    [e.ctrlKey && 'Control', e.shiftKey && 'Shift', e.altKey && 'Alt', e.metaKey && 'Meta']
      .filter(Boolean).join('+')]), true);
</script>"""


@pytest.mark.row("KEY-07")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(("take", "left"), [("Control+C", "some text"), ("Control+X", "")])
async def test_text_is_carried_from_one_field_to_another_by_the_clipboard(
    make_stage: MakeStage, frame_kind: str, take: str, left: str
) -> None:
    stage = await make_stage(
        "<input aria-label=From value='some text'><input aria-label=To>", frame_kind
    )
    source, target = await stage.id("textbox", "From"), await stage.id("textbox", "To")

    await stage.page.press("Control+A", source)
    await stage.page.press(take)
    await stage.page.press("Control+V", target)

    values = "[...document.querySelectorAll('input')].map(field => field.value)"
    assert await stage.eval(values) == [left, "some text"]


@pytest.mark.row("KEY-09")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_undo_empties_the_field_and_redo_restores_it(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=Name>", frame_kind)
    value = "document.querySelector('input').value"
    await stage.page.type(await stage.id("textbox", "Name"), "ab")

    await stage.page.press("Control+Z")
    assert await stage.eval(value) == ""
    await stage.page.press("Control+Y")
    assert await stage.eval(value) == "ab"


@pytest.mark.row("KEY-10")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("way", ["commit_enter", "press", "newline"])
async def test_enter_in_a_form_submits_it_once(
    make_stage: MakeStage, frame_kind: str, way: str
) -> None:
    stage = await make_stage(
        """<form onsubmit="event.preventDefault(); sent.push(event.target.q.value)">
        <input aria-label=Search name=q></form><script>window.sent = []</script>""",
        frame_kind,
    )
    field = await stage.id("textbox", "Search")

    if way == "commit_enter":
        await stage.page.type(field, "cats", commit_enter=True)
    elif way == "newline":
        await stage.page.type(field, "cats\n")
    else:
        await stage.page.type(field, "cats")
        await stage.page.press("Enter", field)

    assert await stage.eval("sent") == ["cats"]


@pytest.mark.row("KEY-14")
async def test_page_keys_scroll_the_page(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<div style='height:5000px'>tall</div>")
    end = await oracle.eval("document.documentElement.scrollHeight - innerHeight")

    await page.press("PageDown")
    await oracle.wait("scrollY > 300")
    await page.press("End")
    await oracle.wait(f"Math.abs(scrollY - {end}) <= 1")
    await page.press("Home")
    await oracle.wait("scrollY === 0")


@pytest.mark.row("KEY-15")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_keys_without_a_target_reach_the_document_and_move_no_focus(
    page: Page, make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<h1>Press keys</h1><script>
          window.seen = '';
          document.addEventListener('keypress', event => seen += event.key);
        </script>""",
        frame_kind,
    )
    if frame_kind != "main":
        await page.click(await stage.id("heading"))  # a page has the keys at first, a frame not

    outcomes = [await page.press(key) for key in ("a", "7", "?")]

    assert await stage.eval("seen") == "a7?"
    assert await stage.eval("document.activeElement === document.body")
    receipts = [receipt_of(outcome) for outcome in outcomes]
    assert all(receipt.delivered and receipt.trusted for receipt in receipts)


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_shift_and_arrows_select_what_backspace_then_deletes(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<textarea aria-label=Note></textarea>", frame_kind)
    await stage.page.type(await stage.id("textbox", "Note"), "Hello World")

    for _ in "World":
        await stage.page.press("Shift+ArrowLeft")
    await stage.page.press("Backspace")
    await stage.page.press("Home")
    await stage.page.press("Delete")

    assert await stage.eval("document.querySelector('textarea').value") == "ello "


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_chord_presses_its_modifiers_in_order_and_releases_them_in_reverse(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<button>Target</button>" + LOG_KEYS, frame_kind)

    await stage.page.press("Control+Alt+Shift+K", await stage.id("button", "Target"))

    assert await stage.eval("log") == [
        ["keydown", "Control", "Control"],
        ["keydown", "Alt", "Control+Alt"],
        ["keydown", "Shift", "Control+Shift+Alt"],
        ["keydown", "K", "Control+Shift+Alt"],
        ["keyup", "K", "Control+Shift+Alt"],
        ["keyup", "Shift", "Control+Alt"],
        ["keyup", "Alt", "Control"],
        ["keyup", "Control", ""],
    ]


@pytest.mark.parametrize(
    ("chord", "text"),
    [("a", "a"), ("Shift+A", "A"), ("+", "+"), ("Shift++", "+"), ("Space", " ")],
)
async def test_a_key_that_has_a_character_enters_it(
    page: Page, oracle: PageOracle, open_page: OpenPage, chord: str, text: str
) -> None:
    await open_page("<input aria-label=Name>")

    await page.press(chord, (await page.snapshot()).find("textbox", "Name").id)

    assert await oracle.eval("document.querySelector('input').value") == text


KEYS = {
    "Enter": ("Enter", 13, 0),
    "Tab": ("Tab", 9, 0),
    "Escape": ("Escape", 27, 0),
    "Backspace": ("Backspace", 8, 0),
    "Delete": ("Delete", 46, 0),
    "Insert": ("Insert", 45, 0),
    "Home": ("Home", 36, 0),
    "End": ("End", 35, 0),
    "PageUp": ("PageUp", 33, 0),
    "PageDown": ("PageDown", 34, 0),
    "ArrowLeft": ("ArrowLeft", 37, 0),
    "ArrowUp": ("ArrowUp", 38, 0),
    "ArrowRight": ("ArrowRight", 39, 0),
    "ArrowDown": ("ArrowDown", 40, 0),
    "F1": ("F1", 112, 0),
    "F12": ("F12", 123, 0),
    "Shift": ("ShiftLeft", 16, 1),
    "Control": ("ControlLeft", 17, 1),
    "Alt": ("AltLeft", 18, 1),
    "a": ("KeyA", 65, 0),
    "5": ("Digit5", 53, 0),
    "!": ("Digit1", 49, 0),
    "/": ("Slash", 191, 0),
}


async def test_a_key_carries_the_code_and_number_of_a_keyboard(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<input aria-label=Name><script>
      document.addEventListener('keydown', e => {
        window.seen = [e.key, e.code, e.keyCode, e.location];
        e.preventDefault();
      });
    </script>""")

    name = (await page.snapshot()).find("textbox", "Name").id
    for key, facts in KEYS.items():
        outcome = await page.press(key, name)

        assert await oracle.eval("seen") == [key, *facts]
        assert receipt_of(outcome).default_prevented, key


async def test_an_unknown_key_is_refused_before_anything_is_pressed(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input aria-label=Name autofocus>" + LOG_KEYS)

    for key in ("NotAKey", "Control+", "", "Hyper+A", "Control+NotAKey"):
        with pytest.raises(CdpAgentError) as caught:
            await page.press(key)

        assert caught.value.code == "invalid_params", key
        assert await oracle.eval("log") == [], key


@pytest.mark.row("KEY-14")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_key_that_scrolls_answers_when_the_page_has_come_to_rest(
    page: Page, make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<button id=target>Top</button><p style='height:5000px'>", frame_kind)
    end = await stage.eval("document.documentElement.scrollHeight - innerHeight")
    await page.click(await stage.css())

    await page.press("End")
    assert await stage.eval("Math.round(scrollY)") == end
    await page.press("Home")
    assert await stage.eval("scrollY") == 0


@pytest.mark.row("KEY-10")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("way", ["commit_enter", "press"])
async def test_enter_in_an_editor_that_leaves_the_focus_to_its_cell_is_no_loss(
    make_stage: MakeStage, frame_kind: str, way: str
) -> None:
    stage = await make_stage(
        """<div role=grid><div role=row><div role=gridcell tabindex=-1 id=cell>
        <input aria-label=Editor></div></div></div><script>
          document.querySelector('input').onkeydown = ({key, target}) => {
            if (key !== 'Enter') return;
            cell.focus();
            cell.textContent = target.value;
          };
        </script>""",
        frame_kind,
    )
    editor = await stage.id("textbox", "Editor")

    if way == "commit_enter":
        outcome = await stage.page.type(editor, "cats", commit_enter=True)
    else:
        await stage.page.type(editor, "cats")
        outcome = await stage.page.press("Enter", editor)

    assert await stage.eval("cell.textContent") == "cats"
    assert receipt_of(outcome).trusted
