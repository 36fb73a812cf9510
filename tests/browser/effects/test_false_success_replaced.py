"""An element that the page changes after the action is read back, or said to be unknown."""

from __future__ import annotations

import pytest

from cdp_agent import NotEditable
from cdp_agent.tools import ToolSession, call
from tests.support.stage import MakeStage

EDITOR = "<div id=target contenteditable role=textbox aria-label=Note>old</div>"


@pytest.mark.parametrize("left", ["", "old", "something else"])
async def test_an_editor_that_takes_no_text_any_more_holds_what_one_sees(
    make_stage: MakeStage, left: str
) -> None:
    stage = await make_stage(
        EDITOR + "<script>target.oninput = () => {"
        f"target.contentEditable = false; target.textContent = {left!r} }}</script>"
    )

    with pytest.raises(NotEditable, match="did not keep"):
        await stage.page.fill(await stage.css(), "new")


async def test_an_editor_that_closes_with_the_text_has_kept_it(make_stage: MakeStage) -> None:
    stage = await make_stage(
        EDITOR + "<script>target.oninput = () => target.contentEditable = false</script>"
    )

    outcome = await stage.page.fill(await stage.css(), "new")

    assert outcome.data["value"] == "new"


#: Two of one name: which of them is the former one, nothing says for certain.
BOXES = """<div id=list></div><script>
let on = -1;
const draw = () => {
  list.innerHTML = [0, 1].map((n) => `<p><label><input type=checkbox> Row</label></p>`).join('');
  list.querySelectorAll('input').forEach((box, n) => {
    box.checked = KEEPS && n === on;
    box.onchange = () => { on = n; setTimeout(draw, 20); };
  });
};
draw();</script>"""
LISTS = """<div id=list></div><script>
let chosen = ['A', 'A'];
const draw = () => {
  list.innerHTML = chosen.map(() => '<select aria-label=Size><option>A<option>B</select>').join('');
  list.querySelectorAll('select').forEach((field, n) => {
    field.value = chosen[n];
    field.onchange = () => { if (KEEPS) chosen[n] = field.value; draw(); };
  });
};
draw();</script>"""


@pytest.mark.parametrize("keeps", ["true", "false"])
async def test_no_state_is_claimed_of_a_box_that_was_drawn_anew_among_equals(
    make_stage: MakeStage, keeps: str
) -> None:
    stage = await make_stage(BOXES.replace("KEEPS", keeps))
    box = (await stage.page.snapshot()).find_all("checkbox")[0].id

    result = await call(ToolSession(stage.page), "browser_check", {"ref": str(box)})

    kept = await stage.eval("document.querySelector('input').checked")
    assert kept == (keeps == "true")
    assert " is checked" not in result.text
    assert "not known" in result.text


@pytest.mark.parametrize("keeps", ["true", "false"])
async def test_no_choice_is_claimed_of_a_list_that_was_drawn_anew_among_equals(
    make_stage: MakeStage, keeps: str
) -> None:
    stage = await make_stage(LISTS.replace("KEEPS", keeps))
    field = (await stage.page.snapshot()).find_all("combobox")[0].id

    outcome = await stage.page.select(field, label="B")
    result = await call(ToolSession(stage.page), "browser_snapshot", {})

    assert ('value="B"' in result.text) == (keeps == "true")
    assert outcome.data == {"changed": True, "removed": True}
