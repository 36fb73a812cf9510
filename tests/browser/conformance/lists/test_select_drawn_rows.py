"""Lists that draw rows without roles beside a list of a few options for readers (Ant Design)."""

from __future__ import annotations

import pytest

from cdp_agent import OptionNotFound
from tests.support.stage import FRAME_KINDS, MakeStage

# Three rows in sight and two more are in the document; the rest comes when it is scrolled.
SELECT = """<style>
  .select {{ position:relative; width:200px; height:30px; border:1px solid }}
  .select input {{ position:absolute; inset:0; width:190px; opacity:0 }}
  .item {{ position:absolute; inset:0; pointer-events:auto }}
  #holder {{ height:90px; overflow-y:hidden; width:200px }} .row {{ height:30px }}
</style>
<div class="select {style}"><div class=selector><span><input id=target role=combobox
  aria-label=City aria-expanded=false aria-haspopup=listbox aria-controls=list {readonly}></span>
  <span id=shown></span></div></div>
<div id=popup hidden>
  <div role=listbox id=list style='height:0;width:0;overflow:hidden'></div>
  <div id=holder><div id=space><div id=rows></div></div></div>
</div>
<script>
const several = {several}, names = Array.from({{length: {count}}}, (_, n) => `City ${{n}}`);
window.chosen = [];
let active = 0;
const option = (n) => `<div role=option aria-label="${{names[n]}}"
  aria-selected=${{chosen.includes(names[n])}}>${{n}}</div>`;
function draw() {{
  const first = Math.min(Math.floor(holder.scrollTop / 30), Math.max(names.length - 5, 0));
  space.style.height = `${{names.length * 30}}px`;
  rows.style.transform = `translateY(${{first * 30}}px)`;
  rows.innerHTML = names.slice(first, first + 5).map((name) => `<div class="row${{
    name === names[active] ? ' row-active' : ''}}" title="${{name}}"
    aria-selected=${{chosen.includes(name)}}>${{name}}</div>`).join('');
  list.innerHTML = [active - 1, active, active + 1].filter((n) => names[n]).map(option).join('');
  shown.innerHTML = several
    ? chosen.map((name) => `<i>${{name}} </i>`).join('')
    : chosen.length ? `<span class=item>${{chosen[0]}}</span>` : '';
  target.setAttribute('aria-expanded', !popup.hidden);
}}
function open() {{
  popup.hidden = false; draw();
  if (chosen.length) {{ holder.scrollTop = 30 * names.indexOf(chosen[0]); draw(); }}
}}
holder.addEventListener('scroll', draw);
target.closest('.select').addEventListener('mousedown', () => popup.hidden && open());
target.addEventListener('keydown', (event) => {{
  if (event.key === 'ArrowDown' && popup.hidden) open();
  if (event.key === 'Escape') {{ popup.hidden = true; draw(); }}
}});
rows.addEventListener('click', ({{target: row}}) => {{
  const name = row.title;
  active = names.indexOf(name);
  if (!several) {{ chosen = [name]; popup.hidden = true; }}
  else if (chosen.includes(name)) chosen = chosen.filter((one) => one !== name);
  else chosen.push(name);
  draw();
}});
draw();
</script>"""


def select(*, several: bool = False, count: int = 40, readonly: bool = True) -> str:
    return SELECT.format(
        style="select-multiple" if several else "select-single",
        several=str(several).lower(),
        count=count,
        readonly="readonly" if readonly else "",
    )


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("label", ["City 0", "City 4", "City 33"])
async def test_a_row_that_only_people_see_is_chosen(
    make_stage: MakeStage, frame_kind: str, label: str
) -> None:
    stage = await make_stage(select(), frame_kind)

    outcome = await stage.page.select(await stage.css(), label=label)

    assert await stage.eval("chosen") == [label]
    assert outcome.data["label"] == label


async def test_another_one_is_chosen_though_the_value_lies_over_the_field(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(select())
    target = await stage.css()
    await stage.page.select(target, label="City 20")

    await stage.page.select(target, label="City 3")

    assert await stage.eval("chosen") == ["City 3"]


async def test_a_number_counts_from_the_first_row_not_from_the_first_in_sight(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(select())
    target = await stage.css()
    await stage.page.select(target, label="City 20")

    await stage.page.select(target, index=2)

    assert await stage.eval("chosen") == ["City 2"]


async def test_a_name_that_no_row_has_is_not_chosen(make_stage: MakeStage) -> None:
    stage = await make_stage(select())

    with pytest.raises(OptionNotFound):
        await stage.page.select(await stage.css(), label="Town", timeout=2)

    assert await stage.eval("chosen") == []


async def test_a_list_whose_styles_say_multiple_takes_several(make_stage: MakeStage) -> None:
    stage = await make_stage(select(several=True, count=6))
    target = await stage.css()

    await stage.page.select(target, label=["City 1", "City 3"])
    assert sorted(await stage.eval("chosen")) == ["City 1", "City 3"]
    await stage.page.select(target, label=["City 0", "City 3"])
    assert sorted(await stage.eval("chosen")) == ["City 0", "City 3"]
    await stage.page.select(target, label=[])
    assert await stage.eval("chosen") == []


CLOSES = """<div id=target role=combobox aria-label=Langs aria-expanded=false aria-controls=list
  tabindex=0 style='width:300px;height:30px;border:1px solid'></div>
<ul id=list role=listbox aria-multiselectable=true hidden></ul><script>
window.chosen = ['French', 'Czech'];
function draw() {
  target.innerHTML = chosen.map((name) => `<i>${name} </i>`).join('');
  target.setAttribute('aria-expanded', !list.hidden);
  list.innerHTML = ['French', 'German', 'Czech'].map(
    (name) => `<li role=option aria-selected=${chosen.includes(name)}>${name}</li>`).join('');
}
target.addEventListener('click', () => { list.hidden = !list.hidden; draw(); });
target.addEventListener('keydown', ({key}) => {
  if (key === 'ArrowDown') { list.hidden = false; draw(); }
});
list.addEventListener('click', ({target: {textContent: name}}) => {
  if (chosen.includes(name)) chosen = chosen.filter((one) => one !== name);
  else chosen.push(name);
  list.hidden = true; draw();
});
draw();
</script>"""


@pytest.mark.parametrize("labels", [["German"], ["German", "French"], []])
async def test_a_list_that_closes_with_each_choice_has_values_taken_out(
    make_stage: MakeStage, labels: list[str]
) -> None:
    stage = await make_stage(CLOSES)

    await stage.page.select(await stage.css(), label=labels, timeout=8)

    assert sorted(await stage.eval("chosen")) == sorted(labels)
