"""Options named by a part of their text: one that fits is chosen and named, several are listed."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.pages.press_log import watched
from tests.support.stage import OpenPage

# A combobox whose popup has a search field; the server answers a while after the last key, and says
# meanwhile that it searches. Without a search it offers the first three alone. As Select2 it is
# deaf to input without a key after Escape.
SEARCHED = watched("""<div id=box role=combobox tabindex=0 aria-label=Customer aria-haspopup=true
  aria-expanded=false style="width:200px;height:20px;border:1px solid"></div>
<div id=pop hidden><input id=search type=search aria-controls=list aria-label=Search>
<ul id=list role=listbox></ul></div><script>
const all = ['Anna Berg', 'Anna Weber', 'Hanna Berger', 'Berg, Carl', 'Weber, Hugo', 'Unpaid'];
let timer = 0, deaf = true;
window.searches = [];
const draw = names => { list.innerHTML = names.map(n => `<li role=option>${n}</li>`).join('') };
const find = () => {
  searches.push(search.value);
  list.innerHTML = '<li role=option aria-disabled=true>Searching</li>';
  const words = search.value.toLowerCase();
  setTimeout(() => draw(search.value
    ? all.filter(n => n.toLowerCase().includes(words)) : all.slice(0, 3)), 200);
};
search.oninput = () => {
  if (deaf) return;
  clearTimeout(timer); timer = setTimeout(find, 300);
};
box.onclick = () => {
  pop.hidden = !pop.hidden; box.ariaExpanded = String(!pop.hidden); search.value = '';
  if (!pop.hidden) { search.focus(); find() }
};
search.onkeydown = e => {
  deaf = e.key === 'Escape';
  if (e.key === 'Escape') { pop.hidden = true; box.ariaExpanded = 'false' }
};
list.onclick = e => {
  if (e.target.ariaDisabled) return;
  box.textContent = e.target.textContent; pop.hidden = true; box.ariaExpanded = 'false';
};
</script>""")


async def test_the_one_option_that_a_search_finds_is_chosen_and_named(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(SEARCHED)

    outcome = await page.select((await page.snapshot()).find("combobox").id, label="Hugo")

    assert await oracle.eval("[box.textContent, pop.hidden]") == ["Weber, Hugo", True]
    assert outcome.data["label"] == "Weber, Hugo"
    assert outcome.data["chose"] == {"Hugo": "Weber, Hugo"}


async def test_a_part_that_only_the_first_page_has_once_is_searched_for_all_the_same(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    """Of those offered before the search one begins with it, of all of them two do."""
    await open_page(SEARCHED)
    box = (await page.snapshot()).find("combobox").id

    with pytest.raises(CdpAgentError) as caught:
        await page.select(box, label="Weber")

    assert caught.value.code == "option_not_found"
    assert "'Anna Weber', 'Weber, Hugo'" in caught.value.hint
    assert await oracle.eval("[box.textContent, pop.hidden]") == ["", True]


NO_PART = {
    "in the middle of a word": "paid",
    "a number cut short": "20",
    "nothing": "",
}


@pytest.mark.parametrize("label", NO_PART.values(), ids=NO_PART.keys())
async def test_what_is_no_part_by_words_chooses_nothing(
    page: Page, oracle: PageOracle, open_page: OpenPage, label: str
) -> None:
    await open_page("<select aria-label=It><option>Open<option>Unpaid<option>2024</select>")
    box = (await page.snapshot()).find("combobox").id

    with pytest.raises(CdpAgentError) as caught:
        await page.select(box, label=label, timeout=1)

    assert caught.value.code == "option_not_found"
    assert await oracle.eval("document.querySelector('select').value") == "Open"


NATIVE = {
    "the start": ("ship", "Shipped"),
    "another word": ("refund", "Paid, refund pending"),
    "other case": ("OPEN", "Open"),
    "all words in another order": ("pending paid", "Paid, refund pending"),
}


@pytest.mark.parametrize(("part", "whole"), NATIVE.values(), ids=NATIVE.keys())
async def test_a_part_names_an_option_of_a_native_list(
    page: Page, oracle: PageOracle, open_page: OpenPage, part: str, whole: str
) -> None:
    await open_page(
        "<select aria-label=It><option>Choose<option>Open<option>Shipped"
        "<option>Paid, refund pending<option>Reopened</select>"
    )

    outcome = await page.select((await page.snapshot()).find("combobox").id, label=part)

    assert await oracle.eval("document.querySelector('select').value") == whole
    assert outcome.data["chose"] == {part: whole}


async def test_several_parts_are_listed_and_an_option_named_in_full_is_preferred(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<select aria-label=It><option>None<option>Blue<option>Blue, dark</select>")
    box = (await page.snapshot()).find("combobox").id

    with pytest.raises(CdpAgentError) as caught:
        await page.select(box, label="Blu")
    assert "'Blue', 'Blue, dark'" in caught.value.hint
    assert await oracle.eval("document.querySelector('select').value") == "None"

    assert "chose" not in (await page.select(box, label="Blue")).data
    assert await oracle.eval("document.querySelector('select').value") == "Blue"


async def test_a_late_option_named_in_full_is_preferred_to_an_early_part(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<select id=it aria-label=It><option>Paris (old)</select><script>"
        "it.onfocus = () => setTimeout(() => it.add(new Option('Paris')), 250)</script>"
    )

    await page.select((await page.snapshot()).find("combobox").id, label="Paris")

    assert await oracle.eval("it.value") == "Paris"


async def test_a_field_that_opens_its_list_by_keys_alone_is_chosen_from_again(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    """Its list opens with the focus or a key, not with a click on the focused field."""
    await open_page(
        watched("""<input id=box role=combobox aria-label=Unit aria-controls=list
        aria-expanded=false><ul id=list role=listbox hidden></ul><script>
        const all = ['Accounting', 'Legal', 'Purchasing'];
        const show = on => { list.hidden = !on; box.ariaExpanded = String(on) };
        const draw = words => { list.innerHTML = all.filter(n => n.toLowerCase().includes(words))
          .map(n => `<li role=option>${n}</li>`).join('') };
        box.onfocus = () => { draw(''); show(true) };
        box.oninput = () => draw(box.value.toLowerCase());
        box.onkeydown = e => show(e.key !== 'Escape');
        list.onmousedown = e => {
          e.preventDefault(); box.value = e.target.textContent; show(false);
        };
        </script>""")
    )
    box = (await page.snapshot()).find("combobox").id
    await page.select(box, label="Legal")

    await page.select(box, label="Accounting")

    assert await oracle.eval("[box.value, list.hidden]") == ["Accounting", True]
