"""Lists that keep the page behind them from the pointer and the focus, as Radix has them."""

from __future__ import annotations

import pytest

from cdp_agent import ElementObscured, OptionNotFound, Page
from tests.support.oracle import PageOracle
from tests.support.stage import OpenPage

MODAL_LIST = """<button id=target role=combobox aria-expanded=false aria-controls=list>Pick</button>
<input id=beside>
<div id=cover hidden style='position:fixed;inset:0'><ul id=list role=listbox tabindex=-1
  style='position:absolute;top:60px;width:200px;background:white'>
  <li role=option tabindex=-1>Apple</li><li role=option tabindex=-1>Banana</li></ul></div>
<script>
const show = open => { cover.hidden = !open; target.setAttribute('aria-expanded', open);
  (open ? list : target).focus() };
target.onclick = () => show(true);
list.onclick = e => { target.textContent = e.target.textContent; show(false) };
list.onkeydown = e => { if (e.key === 'Escape') show(false) };
addEventListener('focusin', e => { if (!cover.hidden && !list.contains(e.target)) list.focus() });
</script>"""


async def test_a_list_without_the_option_is_closed_again(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(MODAL_LIST)
    field = await page.find({"css": "#target"})

    with pytest.raises(OptionNotFound):
        await page.select(field, label="Cherry", timeout=1)

    assert await oracle.eval("cover.hidden")
    await page.select(field, label="Banana")
    assert await oracle.eval("[target.textContent, cover.hidden]") == ["Banana", True]


async def test_an_inert_field_says_that_it_is_inert(page: Page, open_page: OpenPage) -> None:
    await open_page("<div id=around inert><input id=target></div>")
    field = await page.find({"css": "#target"})

    with pytest.raises(ElementObscured, match="inert"):
        await page.fill(field, "x", timeout=0.5)
    with pytest.raises(ElementObscured, match="inert"):
        await page.press("a", field, timeout=0.5)
