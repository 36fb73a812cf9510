"""One piece of a text is replaced, by trusted input, and the rest stays as it is."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

LOG = """<script>window.log = [];
document.addEventListener('input', e => log.push([e.inputType, e.isTrusted]))</script>"""
FIELDS = {
    "field": ("<input id=it aria-label=It value='one two three'>", "it.value", "one 2 three"),
    "text of several lines": (
        "<textarea id=it aria-label=It>one\ntwo\nthree</textarea>",
        "it.value",
        "one\n2\nthree",
    ),
    "rich text": (
        "<div id=it role=textbox aria-label=It contenteditable><p>one <b>two</b><p>three</div>",
        "it.innerHTML",
        "<p>one <b>2</b></p><p>three</p>",
    ),
    "a field without a selection": (
        "<input id=it type=email aria-label=It value='one@two.three'>",
        "it.value",
        "one@2.three",
    ),
}


@pytest.mark.parametrize(("html", "held", "wanted"), FIELDS.values(), ids=FIELDS.keys())
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_piece_is_replaced_and_the_rest_stays(
    make_stage: MakeStage, frame_kind: str, html: str, held: str, wanted: str
) -> None:
    stage = await make_stage(html + LOG, frame_kind)

    outcome = await stage.page.replace(await stage.id("textbox", "It"), "two", "2")

    assert await stage.eval(held) == wanted
    assert [trusted for _, trusted in await stage.eval("log")] == [True]
    assert "2" in outcome.data["value"]


async def test_an_empty_text_removes_the_piece(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input id=it aria-label=It value='one two three'>")

    await page.replace((await page.snapshot()).find("textbox").id, " two", "")

    assert await oracle.eval("it.value") == "one three"


COUNTS = {"not there": ("four", 0), "twice": ("o", 2), "overlapping": ("aa", 2)}


@pytest.mark.parametrize(("piece", "count"), COUNTS.values(), ids=COUNTS.keys())
async def test_a_piece_that_is_not_there_exactly_once_changes_nothing(
    page: Page, oracle: PageOracle, open_page: OpenPage, piece: str, count: int
) -> None:
    await open_page("<input id=it aria-label=It value='one two aaa'>" + LOG)

    with pytest.raises(CdpAgentError) as caught:
        await page.replace((await page.snapshot()).find("textbox").id, piece, "x")

    assert caught.value.code == "condition_failed"
    assert caught.value.data["count"] == count
    assert await oracle.eval("[it.value, log]") == ["one two aaa", []]


async def test_a_page_that_changes_the_rest_is_an_error(page: Page, open_page: OpenPage) -> None:
    await open_page(
        "<input id=it aria-label=It value='one two' oninput='it.value = it.value.slice(0, 3)'>"
    )

    with pytest.raises(CdpAgentError) as caught:
        await page.replace((await page.snapshot()).find("textbox").id, "two", "2")

    assert caught.value.code == "not_editable"


#: An editor that draws its text itself; a text area that nobody sees takes the keys.
DRAWN = """<div id=editor style='position: relative; font: 16px monospace; width: 400px'>
<textarea id=it aria-label=It
 style='position: absolute; opacity: 0; pointer-events: none'></textarea>
<div id=lines></div></div><script>
let text = 'one two three\\nfour two', from = 0, to = 0;
const draw = () => {
  lines.replaceChildren(...text.split('\\n').map(line => {
    const row = document.createElement('div');
    row.textContent = line;
    return row;
  }));
};
editor.onmousedown = event => {
  event.preventDefault();
  const { offsetNode, offset } = document.caretPositionFromPoint(event.clientX, event.clientY);
  const row = [...lines.children].findIndex(one => one.contains(offsetNode));
  to = text.split('\\n').slice(0, row).reduce((sum, line) => sum + line.length + 1, 0) + offset;
  if (!event.shiftKey) from = to;
  it.focus();
};
const put = words => { text = text.slice(0, from) + words + text.slice(to); it.value = ''; draw() };
it.oninput = () => put(it.value);
it.onkeydown = event => { if (event.key === 'Delete') put('') };
draw();
</script>"""
DRAWN_PIECES = {
    "the first": ("one", "1", "1 two three\nfour two"),
    "one in the middle": ("two three", "2 3", "one 2 3\nfour two"),
    "a letter": ("h", "H", "one two tHree\nfour two"),
    "over a break of lines": ("three\nfour", "3 4", "one two 3 4 two"),
    "removed": ("one ", "", "two three\nfour two"),
}


@pytest.mark.parametrize(("old", "new", "wanted"), DRAWN_PIECES.values(), ids=DRAWN_PIECES.keys())
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_piece_that_an_editor_has_drawn_is_replaced(
    make_stage: MakeStage, frame_kind: str, old: str, new: str, wanted: str
) -> None:
    stage = await make_stage(DRAWN, frame_kind)
    field = await stage.id("textbox", "It")

    await stage.page.replace(field, old, new)

    assert await stage.eval("text") == wanted


async def test_a_piece_that_an_editor_has_drawn_twice_changes_nothing(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(DRAWN)

    with pytest.raises(CdpAgentError) as caught:
        await page.replace((await page.snapshot()).find("textbox").id, "two", "2")

    assert (caught.value.code, caught.value.data["count"]) == ("condition_failed", 2)
    assert await oracle.eval("text") == "one two three\nfour two"


async def test_an_editor_that_is_not_selected_by_the_pointer_is_an_error(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(DRAWN.replace("from = to;", "from = 0; to = 0;"))

    for old, new in (("one ", ""), ("three", "3")):
        with pytest.raises(CdpAgentError) as caught:
            await page.replace((await page.snapshot()).find("textbox").id, old, new)
        assert caught.value.code == "not_editable"
