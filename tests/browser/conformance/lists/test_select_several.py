"""Lists that take several choices: options with checkboxes, options that are only highlighted."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.support.stage import MakeStage

#: Each option has a checkbox in it.
CHECKBOXES = """<style>
#pop { position: absolute; top: 80px } [role=option] { display: block }</style>
<button id=target aria-haspopup=listbox aria-expanded=false aria-controls=pop>Region</button>
<div id=pop role=listbox hidden></div><script>
let chosen = BEFORE;
for (const name of ['North', 'South', 'East']) {
  pop.insertAdjacentHTML('beforeend', `<label role=option><input type=checkbox ${
    chosen.includes(name) ? 'checked' : ''} value=${name}><span>${name}</span></label>`);
}
pop.onchange = () => {
  chosen = [...pop.querySelectorAll(':checked')].map((box) => box.value);
  target.textContent = chosen.join(', ') || 'Region';
};
target.onclick = () => { pop.hidden = !pop.hidden; target.ariaExpanded = String(!pop.hidden) };
document.onkeydown = (event) => {
  if (event.key === 'Escape') { pop.hidden = true; target.ariaExpanded = 'false' }
};
</script>"""

CHOICES = {
    "one": ([], ["North"]),
    "two": ([], ["North", "East"]),
    "one more": (["South"], ["South", "East"]),
    "another": (["North", "South"], ["East"]),
    "the same": (["South"], ["South"]),
}


@pytest.mark.parametrize(("before", "wanted"), CHOICES.values(), ids=CHOICES.keys())
async def test_exactly_the_named_boxes_are_checked_afterwards(
    make_stage: MakeStage, before: list[str], wanted: list[str]
) -> None:
    stage = await make_stage(CHECKBOXES.replace("BEFORE", str(before)))

    await stage.page.select(await stage.css(), label=wanted)

    assert sorted(await stage.eval("chosen")) == sorted(wanted)
    assert await stage.eval("pop.hidden")


#: As Choices.js does it: the option under the pointer is `aria-selected`, and chosen ones leave
#: the list. With DEAF the first click on an option does nothing.
HIGHLIGHTED = """<style>#pop { position: absolute; top: 80px }</style>
<div id=target role=combobox tabindex=0 style="height: 24px" aria-haspopup=true
  aria-expanded=false><b id=items></b>
  <div id=pop role=listbox aria-multiselectable=true hidden></div></div><script>
let chosen = [];
function draw() {
  items.textContent = chosen.join(' ');
  pop.replaceChildren(...['a1', 'b2', 'c3'].filter((n) => !chosen.includes(n)).map((name) => {
    const option = document.createElement('div');
    option.role = 'option';
    option.textContent = name;
    option.onmouseover = () => highlight(option);
    option.onmousedown = () => { if (!(DEAF && name === 'a1')) { chosen.push(name); draw() } };
    return option;
  }));
  highlight(pop.firstChild);
}
function highlight(option) {
  for (const one of pop.children) {
    one.ariaSelected = String(one === option);
    one.className = one === option ? 'choices__item is-highlighted' : 'choices__item';
  }
}
const open = (is) => { pop.hidden = !is; target.ariaExpanded = String(is) };
target.onclick = () => open(true);
document.onkeydown = (event) => { if (event.key === 'Escape') open(false) };
draw();
</script>"""


async def test_an_option_that_is_only_highlighted_is_not_taken_for_chosen(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(HIGHLIGHTED.replace("DEAF", "false"))

    await stage.page.select(await stage.css(), label=["a1", "c3"])

    assert await stage.eval("chosen") == ["a1", "c3"]


async def test_some_of_the_choices_are_no_success(make_stage: MakeStage) -> None:
    stage = await make_stage(HIGHLIGHTED.replace("DEAF", "true"))

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.select(await stage.css(), label=["a1", "c3"])

    assert caught.value.code == "condition_failed"
    assert await stage.eval("chosen") == ["c3"]
