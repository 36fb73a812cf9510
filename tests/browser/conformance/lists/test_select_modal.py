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


async def test_a_field_that_leaves_the_pointer_to_its_frame_is_opened_by_a_key(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    """As Vuetify has it: the text field of a select takes no pointer, what is around it does."""
    await open_page(
        """<div id=around style='position:relative;width:200px;height:30px'>
        <input id=target role=combobox aria-expanded=false aria-controls=list readonly
          style='pointer-events:none;width:100%'></div>
        <ul id=list role=listbox hidden><li role=option>Oslo</li><li role=option>Paris</li></ul>
        <script>
        const show = open => { list.hidden = !open; target.setAttribute('aria-expanded', open) };
        around.onmousedown = () => show(list.hidden);
        target.onkeydown = e => { if (e.key === 'ArrowDown') show(true) };
        list.onclick = e => { target.value = e.target.textContent; show(false) };
        </script>"""
    )

    await page.select(await page.find({"css": "#target"}), label="Paris")

    assert await oracle.eval("[target.value, list.hidden]") == ["Paris", True]
