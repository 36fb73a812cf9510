"""Choosing in lists that show the choice beside their field."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import OpenPage

#: As react-select: what is chosen stands beside the field, and is marked in the list.
BESIDE = """<div><div id=shown>Fig</div><input id=field role=combobox aria-label=Fruit
  aria-expanded=false aria-haspopup=listbox aria-controls=list></div><div id=pop></div><script>
window.log = [];
const close = () => { pop.innerHTML = ''; field.ariaExpanded = 'false' };
field.onclick = () => {
  field.ariaExpanded = 'true';
  pop.innerHTML = '<div id=list role=listbox>' + ['Fig', 'Pear'].map(name =>
    `<div role=option aria-selected=${name === shown.textContent}>${name}</div>`).join('');
  for (const option of pop.querySelectorAll('[role=option]'))
    option.onclick = () => { log.push(option.textContent); EFFECT };
};
</script>"""


async def test_what_is_chosen_already_is_chosen_again(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(BESIDE.replace("EFFECT", "shown.textContent = option.textContent; close()"))
    field = (await page.snapshot()).find("combobox").id

    for name in ("Fig", "Pear", "Pear"):
        outcome = await page.select(field, label=name)
        assert await oracle.eval("shown.textContent") == outcome.data["value"] == name


@pytest.mark.parametrize("effect", ["", "close()", "shown.textContent = ''; close()"])
async def test_a_click_that_chooses_nothing_is_an_error(
    page: Page, open_page: OpenPage, effect: str
) -> None:
    await open_page(BESIDE.replace("EFFECT", effect))

    with pytest.raises(CdpAgentError) as caught:
        await page.select((await page.snapshot()).find("combobox").id, label="Pear", timeout=1.2)

    assert caught.value.code == "condition_failed"
