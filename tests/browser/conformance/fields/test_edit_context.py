"""Editors that take their keys by an EditContext and draw the text themselves, as Monaco does."""

from __future__ import annotations

import pytest

from cdp_agent import NotEditable
from tests.support.stage import FRAME_KINDS, MakeStage

# The keys go to a box without a width, the text is drawn beside it, in other elements.
EDITOR = """<div id=editor style='position:relative;width:400px;height:120px;border:1px solid'>
  <div id=target role=textbox aria-label=Source tabindex=0
    style='position:absolute;width:0;height:18px;overflow:hidden'></div>
  <div id=lines class='view-lines mouse-cursor-text' aria-hidden=true
    style='position:absolute;inset:0;white-space:pre;font:14px/18px monospace'></div>
</div><script>
const context = target.editContext = new EditContext();
window.text = 'one'; window.keeps = true;
let start = 3, end = 3;
function draw() {
  lines.textContent = text;
  context.updateText(0, 1e9, text);
  context.updateSelection(start, end);
}
context.addEventListener('textupdate', (event) => {
  if (!keeps) return draw();
  text = text.slice(0, event.updateRangeStart) + event.text + text.slice(event.updateRangeEnd);
  start = event.selectionStart; end = event.selectionEnd;
  draw();
});
target.addEventListener('keydown', (event) => {
  if (event.ctrlKey && event.key === 'a') { start = 0; end = text.length; draw(); }
  else if (['Delete', 'Backspace'].includes(event.key)) {
    text = text.slice(0, start) + text.slice(end); end = start; draw();
  } else if (event.key === 'Enter') {
    text = text.slice(0, start) + '\\n' + text.slice(end); start = end = start + 1; draw();
  }
});
lines.addEventListener('pointerdown', () => setTimeout(() => target.focus()));
draw();
</script>"""
#: The element that has the context shows the text itself.
OWN = """<div id=target role=textbox aria-label=Source tabindex=0
  style='width:400px;height:60px;border:1px solid;white-space:pre'>one</div><script>
const context = target.editContext = new EditContext({text: 'one'});
context.updateSelection(3, 3);
context.addEventListener('textupdate', (event) => {
  const old = target.textContent;
  target.textContent =
    old.slice(0, event.updateRangeStart) + event.text + old.slice(event.updateRangeEnd);
});
</script>"""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_text_is_typed_and_told(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(EDITOR, frame_kind)

    outcome = await stage.page.type(await stage.css(), " two")

    assert await stage.eval("text") == "one two"
    assert outcome.data["value"] == "one two"


@pytest.mark.parametrize("value", ["new", "first\nsecond", ""])
async def test_text_is_replaced(make_stage: MakeStage, value: str) -> None:
    stage = await make_stage(EDITOR)

    outcome = await stage.page.fill(await stage.css(), value)

    assert await stage.eval("text") == value
    assert outcome.data["value"] == value
    assert outcome.data["exact"]


async def test_an_element_that_shows_its_text_itself_is_typed_into(make_stage: MakeStage) -> None:
    stage = await make_stage(OWN)

    outcome = await stage.page.type(await stage.css(), "!")

    assert await stage.eval("target.textContent") == "one!"
    assert outcome.data["value"] == "one!"


async def test_an_editor_that_keeps_nothing_is_no_success(make_stage: MakeStage) -> None:
    stage = await make_stage(EDITOR)
    await stage.eval("keeps = false")

    with pytest.raises(NotEditable, match="did not keep"):
        await stage.page.fill(await stage.css(), "new")

    assert await stage.eval("text") == "one"
