"""Choosing in lists without roles that stand for a native list, which holds what is chosen."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.support.stage import FRAME_KINDS, MakeStage, Stage

#: A field that opens a list below it. `takes` says what the widget does with a choice.
PAGE = """<style>#items { position:absolute; margin:0; padding:0; background:#eee; list-style:none }
#items li { cursor:pointer; width:150px } #items li.none { cursor:default }</style>
<label for=field>Fruit</label>
<div><select id=native style="display:none" MULTIPLE>
<option>Apple<option>Fig<option>Pear<option>Plum</select>
<span id=chosen></span><input id=field autocomplete=off><ul id=items hidden></ul></div><script>
const takes = (option) => { TAKES };
const picked = () => Array.from(native.selectedOptions);
const show = () => { chosen.textContent = picked().map((o) => o.text).join(); };
function draw() {
  const left = Array.from(native.options).filter((o) => !(native.multiple && o.selected)
    && o.text.toLowerCase().includes(field.value.toLowerCase()));
  items.innerHTML = left.map((o) => `<li>${o.text}`).join('') || '<li class=none>No match';
  items.hidden = false;
}
field.onfocus = field.onclick = field.oninput = draw;
field.onblur = () => { items.hidden = true };
field.onkeydown = (event) => {
  if (event.key === 'Escape') items.hidden = true;
  if (event.key !== 'Backspace' || field.value) return;
  const last = picked().at(-1);
  if (last) last.selected = false;
  show();
};
items.onmousedown = (event) => {
  event.preventDefault();
  const option = Array.from(native.options).find((o) => o.text === event.target.textContent);
  if (!option) return;
  field.value = '';
  takes(option);
  show();
  if (native.multiple) draw(); else items.hidden = true;
};
show();
</script>"""
TAKES = "option.selected = true"


async def stage_of(make_stage: MakeStage, *, takes: str = TAKES, several: str = "") -> Stage:
    page = PAGE.replace("TAKES", takes).replace("MULTIPLE", several)
    return await make_stage(page)


async def chosen(stage: Stage) -> str:
    return str(await stage.eval("Array.from(native.selectedOptions, (o) => o.text).join()"))


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_item_is_chosen_and_the_native_list_is_the_evidence(
    make_stage: MakeStage, frame_kind: str
) -> None:
    page = PAGE.replace("TAKES", TAKES).replace("MULTIPLE", "")
    stage = await make_stage(page, frame_kind)

    outcome = await stage.page.select(await stage.css("#field"), label="Pear")

    assert await chosen(stage) == outcome.data["value"] == "Pear"
    assert await stage.eval("items.hidden")


async def test_exactly_the_named_ones_are_chosen(make_stage: MakeStage) -> None:
    """What is chosen already is not offered; Backspace takes it back."""
    stage = await stage_of(make_stage, several="multiple")
    await stage.eval("native.options[0].selected = native.options[2].selected = true")

    await stage.page.select(await stage.css("#field"), label=["Fig", "Pear"])

    assert await chosen(stage) == "Fig,Pear"


async def test_a_choice_that_the_native_list_does_not_take_is_no_success(
    make_stage: MakeStage,
) -> None:
    stage = await stage_of(make_stage, takes="field.placeholder = option.text")

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.select(await stage.css("#field"), label="Pear")

    assert caught.value.code == "condition_failed"
    assert await chosen(stage) == "Apple"


async def test_an_item_that_is_not_there_is_told_with_those_that_are(make_stage: MakeStage) -> None:
    stage = await stage_of(make_stage)

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.select(await stage.css("#field"), label="Quince", timeout=2)

    assert caught.value.code == "option_not_found"
    assert "'Apple', 'Fig', 'Pear', 'Plum'" in caught.value.hint
    assert await stage.eval("field.value") == ""
    assert await chosen(stage) == "Apple"


#: Another such widget with a chip of a name that is wanted, before or after the one that is meant.
OTHER = """<select style="display:none" multiple id=other_native><option selected>Quince</select>
<div id=other><li data-value=Quince onclick="window.wrong = true">Quince</li></div>"""


@pytest.mark.parametrize("place", ["before", "after", "both"])
async def test_what_stands_in_another_widget_is_not_touched(
    make_stage: MakeStage, place: str
) -> None:
    page = PAGE.replace("TAKES", TAKES).replace("MULTIPLE", "")
    first = OTHER if place in ("before", "both") else ""
    last = OTHER if place in ("after", "both") else ""
    stage = await make_stage(f"<form>{first}{page}{last}</form>")

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.select(await stage.css("#field"), label="Quince", timeout=2)

    assert caught.value.code == "option_not_found"
    assert not await stage.eval("window.wrong")
    await stage.page.select(await stage.css("#field"), label="Pear")
    assert await chosen(stage) == "Pear"


FIELD = "<input id=field>"


@pytest.mark.parametrize("html", [f"{FIELD}<p>or</p>{OTHER}", f"{OTHER}<p>or</p>{FIELD}"])
async def test_a_field_beside_the_list_of_another_widget_has_none(
    make_stage: MakeStage, html: str
) -> None:
    stage = await make_stage(f"<form>{html}</form>")

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.select(await stage.css("#field"), label="Quince", timeout=2)

    assert caught.value.code == "invalid_params"
    assert not await stage.eval("window.wrong")
