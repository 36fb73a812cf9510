"""Choosing in lists that a page builds itself, with options wherever the page puts them.

`select` opens the list by a click, clicks the option, and wants to see the choice: by
`aria-selected`, or in the text of the widget. Otherwise it is an error, and the list is closed.
"""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.pages.press_log import watched
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

# A combobox whose options stand elsewhere in the page. `window.log` has what was chosen.
PORTAL = """<style>#list { position:absolute; top:60px; width:150px; background:#eee }</style>
<div id=box role=combobox tabindex=0 aria-label=Fruit aria-expanded=false aria-haspopup=listbox
  aria-controls=list style="border:1px solid;width:150px">None</div>
<p style='margin-top:200px'>below</p><div id=portal></div><script>
window.log = [];
let chosen = '';
const close = () => { portal.innerHTML = ''; box.ariaExpanded = 'false' };
box.onclick = () => {
  if (portal.firstChild) return close();
  setTimeout(() => {
    box.ariaExpanded = 'true';
    portal.innerHTML = '<div id=list role=listbox>' + ['Apple', 'Fig', 'Pear', 'Plum'].map(name =>
      `<div role=option aria-selected=${name === chosen} aria-disabled=${name === 'Plum'}>`
      + `<span aria-hidden=true>*</span>${name}</div>`).join('') + '</div>';
    for (const option of portal.querySelectorAll('[role=option]')) option.onclick = e => {
      chosen = option.textContent.slice(1);
      log.push([chosen, e.isTrusted]);
      EFFECT
    };
  }, DELAY);
};
</script>"""


def portal(effect: str = "box.textContent = chosen; close()", delay: int = 0) -> str:
    return watched(PORTAL.replace("EFFECT", effect).replace("DELAY", str(delay)))


async def refusal(page: Page, id: str, **wanted: Any) -> CdpAgentError:
    with pytest.raises(CdpAgentError) as caught:
        await page.select(id, **{"timeout": 1.2} | wanted)
    return caught.value


@pytest.mark.row("SEL-13")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_combobox_is_opened_and_its_option_clicked(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(portal(), frame_kind)
    box = await stage.id("combobox", "Fruit")

    await stage.page.click(box)
    await stage.page.click(await stage.id("option", "Fig"))
    assert await stage.eval("[box.textContent, log]") == ["Fig", [["Fig", True]]]

    outcome = await stage.page.select(box, label="Pear")
    assert await stage.eval("[box.textContent, log[1], box.ariaExpanded]") == [
        "Pear",
        ["Pear", True],
        "false",
    ]
    assert outcome.data["label"] == "Pear"
    assert outcome.receipt is not None
    assert outcome.receipt.trusted


@pytest.mark.parametrize("by", [{"index": 2}, {"value": "Pear"}], ids=str)
async def test_an_option_that_appears_late_is_chosen_by_other_means_too(
    page: Page, oracle: PageOracle, open_page: OpenPage, by: dict[str, Any]
) -> None:
    await open_page(portal(delay=300))

    await page.select((await page.snapshot()).find("combobox").id, **by)

    assert await oracle.eval("box.textContent") == "Pear"


REFUSED = {
    "no such option": ("box.textContent = chosen; close()", {"label": "Kiwi"}, "option_not_found"),
    "no such index": ("box.textContent = chosen; close()", {"index": 9}, "option_not_found"),
    "disabled": ("box.textContent = chosen; close()", {"label": "Plum"}, "element_disabled"),
    "two where one is taken": ("", {"label": ["Fig", "Pear"]}, "invalid_params"),
    "no effect, list stays": ("", {"label": "Fig"}, "condition_failed"),
    "no effect, list closes": ("close()", {"label": "Fig"}, "condition_failed"),
    "another one": ("box.textContent = 'Apple'; close()", {"label": "Fig"}, "condition_failed"),
}


@pytest.mark.parametrize(("effect", "by", "code"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_is_not_chosen_is_an_error_and_the_list_is_closed_again(
    page: Page, oracle: PageOracle, open_page: OpenPage, effect: str, by: dict[str, Any], code: str
) -> None:
    await open_page(portal(effect))

    error = await refusal(page, (await page.snapshot()).find("combobox").id, **by)

    assert error.code == code
    assert await oracle.eval("box.ariaExpanded") == "false"
    assert await oracle.eval("log.length") == (1 if code == "condition_failed" else 0)
    if code == "option_not_found":
        assert "'Apple', 'Fig', 'Pear', 'Plum'" in error.hint


# The field narrows what is offered, as an autocomplete does; nothing is offered before two letters.
EDITABLE = watched("""<input id=box role=combobox aria-label=City aria-autocomplete=list
  aria-expanded=false aria-controls=list><ul id=list role=listbox hidden></ul><script>
const cities = ['Lima', 'Lisbon', 'Lisburn', 'London', 'Oslo'];
window.chosen = '';
box.oninput = () => setTimeout(() => {
  const fit = cities.filter(c => box.value.length > 1
    && c.toLowerCase().includes(box.value.toLowerCase()));
  list.innerHTML = fit.map(c => `<li role=option aria-selected=false>${c}</li>`).join('');
  list.hidden = !fit.length;
  box.ariaExpanded = String(fit.length > 0);
}, 100);
list.onmousedown = event => event.preventDefault();
list.onclick = event => {
  window.chosen = box.value = event.target.textContent;
  list.hidden = true;
  box.ariaExpanded = 'false';
};
</script>""")


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_field_that_narrows_its_list_is_typed_into(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(EDITABLE, frame_kind)

    await stage.page.select(await stage.id("combobox", "City"), label="Lisbon")

    assert await stage.eval("[chosen, box.value, list.hidden]") == ["Lisbon", "Lisbon", True]


async def test_a_field_whose_list_has_no_such_option_holds_what_it_held(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(EDITABLE)
    await oracle.eval("box.value = 'Oslo'")

    error = await refusal(page, (await page.snapshot()).find("combobox").id, label="Lis")

    assert error.code == "option_not_found"
    assert "'Lisbon', 'Lisburn'" in error.hint
    assert await oracle.eval("[chosen, box.value]") == ["", "Oslo"]


async def test_a_list_that_a_vain_search_empties_is_named_with_what_it_offered(
    page: Page, open_page: OpenPage
) -> None:
    """Gradio's dropdown: a search without a result leaves an empty list, and no list is open."""
    whole = EDITABLE.replace("box.value.length > 1", "true")
    await open_page(
        whole.replace("list.onmousedown", "box.onclick = box.oninput; list.onmousedown")
    )

    error = await refusal(page, (await page.snapshot()).find("combobox").id, label="Paris")

    assert "no option of label 'Paris'" in error.message
    assert "'Lima', 'Lisbon', 'Lisburn', 'London', 'Oslo'" in error.hint


async def test_a_button_that_opens_a_list_with_a_search_field_of_its_own(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        watched("""<button id=box aria-haspopup=listbox aria-expanded=false>Choose</button>
        <div id=pop hidden><input id=search aria-label=Search><div id=list role=listbox></div></div>
        <script>
        const all = Array.from({length: 300}, (_, n) => 'Item ' + n);
        const draw = () => { list.innerHTML = all.filter(name => name.includes(search.value))
          .slice(0, 10).map(name => `<div role=option>${name}</div>`).join('') };
        search.oninput = draw;
        box.onclick = () => { pop.hidden = !pop.hidden; draw(); search.focus() };
        list.onclick = event => { box.textContent = event.target.textContent; pop.hidden = true };
        </script>""")
    )

    await page.select((await page.snapshot()).find("button", "Choose").id, label="Item 123")

    assert await oracle.eval("[box.textContent, pop.hidden]") == ["Item 123", True]


VIRTUAL = watched("""<div id=list role=listbox aria-label=Rows tabindex=0
  style="height:200px;overflow:auto"><div id=space style="height:20000px;position:relative"></div>
</div><script>
let picked = -1;
function draw() {
  const first = Math.floor(list.scrollTop / 20);
  space.innerHTML = Array.from({length: 12}, (_, n) => first + n).filter(n => n < 1000).map(n =>
    `<div role=option aria-selected=${n === picked} data-n=${n}
      style="position:absolute;top:${n * 20}px;height:20px">Row ${n}</div>`).join('');
}
list.onscroll = draw;
space.onclick = event => { picked = Number(event.target.dataset.n); draw() };
draw();
</script>""")


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_list_that_holds_only_what_is_in_sight_is_scrolled_through(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(VIRTUAL, frame_kind)

    outcome = await stage.page.select(await stage.id("listbox", "Rows"), label="Row 77")

    assert outcome.success
    assert await stage.eval("picked") == 77


async def test_exactly_the_named_options_of_a_list_of_several_are_selected(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    options = "".join(f"<div role=option aria-selected={n == 0}>Option {n}</div>" for n in range(5))
    await open_page(
        watched(
            f"<div role=listbox aria-label=It aria-multiselectable=true tabindex=0>{options}</div>"
            "<script>document.querySelector('[role=listbox]').onclick = ({target}) => {"
            " target.ariaSelected = String(target.ariaSelected !== 'true') }</script>"
        )
    )
    box = (await page.snapshot()).find("listbox").id
    selected = "[...document.querySelectorAll('[aria-selected=true]')].map(o => o.textContent)"

    await page.select(box, label=["Option 1", "Option 3"])
    assert await oracle.eval(selected) == ["Option 1", "Option 3"]
    await page.select(box, index=3)
    assert await oracle.eval(selected) == ["Option 3"]
    await page.select(box, label=[])

    assert await oracle.eval(selected) == []


async def test_a_list_in_the_shadow_tree_of_a_component_with_slotted_options(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        watched("""<x-select><x-option role=option>One</x-option><x-option role=option>Two
        </x-option></x-select><script>
        customElements.define('x-select', class extends HTMLElement {
          connectedCallback() {
            const root = this.attachShadow({mode: 'open'});
            root.innerHTML = `<div role=combobox tabindex=0 aria-label=It aria-expanded=false
              aria-controls=list>None</div><div role=listbox id=list hidden><slot></slot></div>`;
            const [box, list] = root.children;
            box.onclick = () => { list.hidden = !list.hidden };
            list.onclick = event => {
              box.textContent = this.value = event.target.textContent.trim(); list.hidden = true };
          }
        })</script>""")
    )

    await page.select((await page.snapshot()).find("combobox", "It").id, label="Two")

    assert await oracle.eval("document.querySelector('x-select').value") == "Two"


async def test_options_that_are_drawn_anew_under_the_pointer_are_chosen(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        watched("""<div id=list role=listbox aria-label=It tabindex=0></div><script>
        let over = '', picked = '';
        function draw() {
          list.innerHTML = ['One', 'Two'].map(name => `<div role=option data-name=${name}
            aria-selected=${name === picked} class=${name === over}>${name}</div>`).join('');
        }
        list.addEventListener('mouseover', event => {
          const name = event.target.dataset.name;
          if (name && name !== over) { over = name; draw() } });
        list.addEventListener('click', event => { picked = event.target.dataset.name; draw() });
        draw();</script>""")
    )

    await page.select((await page.snapshot()).find("listbox").id, label="Two")

    assert await oracle.eval("picked") == "Two"


# As MUI, Radix and others do: open on the press, under a backdrop that takes the release.
ON_PRESS = watched("""<div id=box role=combobox tabindex=0 aria-label=Fruit aria-expanded=false
  aria-haspopup=listbox style="width:150px">None</div><script>
box.onmousedown = () => {
  const back = document.body.appendChild(document.createElement('div'));
  back.style = 'position:fixed;inset:0';
  back.innerHTML = '<div role=listbox style="position:absolute;top:80px">'
    + '<div role=option>Fig</div><div role=option>Pear</div></div>';
  back.onmousedown = event => {
    if (event.target.role === 'option') box.textContent = event.target.textContent;
    back.remove();
  };
};
</script>""")


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_list_that_opens_and_chooses_on_the_press_alone(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(ON_PRESS, frame_kind)

    outcome = await stage.page.select(await stage.id("combobox", "Fruit"), label="Pear")

    assert outcome.success
    assert await stage.eval("box.textContent") == "Pear"
    assert await stage.eval("document.querySelectorAll('[role=listbox]').length") == 0


async def test_a_field_that_a_design_moves_out_of_sight_is_opened_by_key(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        EDITABLE.replace("<input", "<input style='position:absolute;left:-9999px'").replace(
            "box.value.length > 1", "true"
        )
        + "<script>box.onkeydown = event => event.key === 'ArrowDown' && box.oninput()</script>"
    )

    await page.select((await page.snapshot()).find("combobox").id, label="London", timeout=2)

    assert await oracle.eval("chosen") == "London"


PUT_AWAY = {
    "cut to a point": "position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden",
    "out of the page": "position:absolute;left:-9999px",
    "a shade": "opacity:0;pointer-events:none",
}


@pytest.mark.parametrize("style", PUT_AWAY.values(), ids=PUT_AWAY.keys())
async def test_a_native_list_behind_a_widget_is_not_taken_for_it(
    page: Page, oracle: PageOracle, open_page: OpenPage, style: str
) -> None:
    """The widget would go on showing something else than the form sends."""
    await open_page(f"<select aria-label=It style='{style}'><option>One<option>Two</select>")

    error = await refusal(page, (await page.snapshot()).find("combobox").id, label="Two")

    assert error.code == "element_not_visible"
    assert "widget" in error.hint
    assert await oracle.eval("document.querySelector('select').value") == "One"


async def test_a_transparent_list_over_its_design_is_chosen_from(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<select aria-label=It style='opacity:0'><option>One<option>Two</select>")

    await page.select((await page.snapshot()).find("combobox").id, label="Two")

    assert await oracle.eval("document.querySelector('select').value") == "Two"


async def test_what_opens_no_list_is_an_error(page: Page, open_page: OpenPage) -> None:
    await open_page("<button>Plain</button><button aria-haspopup=listbox>Broken</button>")
    snapshot = await page.snapshot()

    plain = await refusal(page, snapshot.find("button", "Plain").id, label="x")
    broken = await refusal(page, snapshot.find("button", "Broken").id, label="x")

    assert (plain.code, broken.code) == ("invalid_params", "option_not_found")
