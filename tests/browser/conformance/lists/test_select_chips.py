"""Comboboxes that show each chosen value as a chip with a button, beside their field."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.support.stage import MakeStage, Stage

#: An open list hides everything else from readers. With STAY chosen options stay in the list,
#: selected, and a click takes them back; without they leave it.
CHIPS = """<style>#pop { position: absolute; top: 80px }</style>
<div id=box><span id=chips></span><input id=target role=combobox aria-label=Equipment
  aria-expanded=false aria-controls=pop></div>
<div id=pop role=listbox aria-multiselectable=true hidden></div><script>
const all = ['Projector', 'Whiteboard', 'Laptop', 'Catering'];
let chosen = BEFORE;
const open = (is) => {
  pop.hidden = !is;
  target.ariaExpanded = String(is);
  is ? chips.setAttribute('aria-hidden', true) : chips.removeAttribute('aria-hidden');
};
function draw() {
  chips.replaceChildren(...chosen.map((name) => {
    const chip = document.createElement('span');
    chip.innerHTML = `<span>${name}</span><button aria-label="Remove ${name}"><svg width=9
      height=9></svg></button>`;
    chip.lastChild.onclick = () => { KEEP || (chosen = chosen.filter((n) => n !== name)); draw() };
    return chip;
  }));
  pop.replaceChildren(...all.filter((n) => STAY || !chosen.includes(n)).map((name) => {
    const option = document.createElement('div');
    option.role = 'option';
    option.ariaSelected = String(chosen.includes(name));
    option.textContent = name;
    option.onclick = () => setTimeout(() => {
      chosen = chosen.includes(name) ? chosen.filter((n) => n !== name) : [...chosen, name];
      draw();
    }, 30);
    return option;
  }));
}
target.onclick = () => open(true);
target.onkeydown = (event) => { if (event.key === 'Escape') open(false) };
draw();
</script>"""


async def stage_with(
    make_stage: MakeStage, before: list[str], keep: str = "false", stay: str = "false"
) -> Stage:
    page = CHIPS.replace("BEFORE", str(before)).replace("KEEP", keep).replace("STAY", stay)
    return await make_stage(page)


CHOICES = {
    "one": ([], ["Projector"]),
    "two": ([], ["Projector", "Laptop"]),
    "one more": (["Projector"], ["Projector", "Laptop"]),
    "another": (["Projector", "Whiteboard"], ["Laptop"]),
    "the same": (["Projector"], ["Projector"]),
    "none": (["Projector", "Laptop"], []),
}


@pytest.mark.parametrize("stay", ["false", "true"], ids=["they leave the list", "they stay"])
@pytest.mark.parametrize(("before", "wanted"), CHOICES.values(), ids=CHOICES.keys())
async def test_exactly_the_named_values_are_chips_afterwards(
    make_stage: MakeStage, before: list[str], wanted: list[str], stay: str
) -> None:
    stage = await stage_with(make_stage, before, stay=stay)

    outcome = await stage.page.select(await stage.css(), label=wanted)

    assert sorted(await stage.eval("chosen")) == sorted(wanted)
    labels = outcome.data["label"]
    assert sorted([labels] if isinstance(labels, str) else labels) == sorted(wanted)
    assert outcome.data["changed"] is (before != wanted)


async def test_a_chip_that_stays_is_no_success(make_stage: MakeStage) -> None:
    stage = await stage_with(make_stage, ["Projector"], keep="true")

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.select(await stage.css(), label=["Laptop"])

    assert caught.value.code == "condition_failed"
    assert sorted(caught.value.data["value"]) == sorted(await stage.eval("chosen"))


async def test_a_chip_that_the_press_itself_has_moved_is_pressed_again(
    make_stage: MakeStage,
) -> None:
    page = (
        CHIPS.replace("BEFORE", "['Projector']").replace("KEEP", "false").replace("STAY", "false")
    )
    moves = (
        "<script>target.onblur = () => { box.style.paddingTop = '60px' };"
        "pop.onmousedown = (event) => event.preventDefault()</script>"
    )
    stage = await make_stage(page + moves)

    outcome = await stage.page.select(await stage.css(), label=["Laptop", "Catering"])

    assert await stage.eval("chosen") == ["Laptop", "Catering"]
    assert outcome.data["label"] == ["Laptop", "Catering"]
