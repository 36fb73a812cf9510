"""Checking: a real click where the state is not the wanted one yet, and the state read back.

What is so already is a success without a click (`data["changed"]` is False). A state that the page
does not keep is `condition_failed`; unchecking a radio button is `invalid_params`.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.pages.press_log import presses, watched
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

TOGGLE = "this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')"
HIDDEN = "width:0;height:0;opacity:0;margin:0;position:absolute"

CONTROLS = {
    "checkbox": ("<input id=it type=checkbox aria-label=It>", "checkbox"),
    "styled checkbox": (
        f"<label><input id=it type=checkbox style='{HIDDEN}'><span>It</span></label>",
        "checkbox",
    ),
    "ARIA checkbox": (
        f'<div id=it role=checkbox aria-checked=false tabindex=0 onclick="{TOGGLE}">It</div>',
        "checkbox",
    ),
    "switch": (
        f'<button id=it role=switch aria-checked=false onclick="{TOGGLE}">It</button>',
        "switch",
    ),
    "menu item": (
        "<div role=menu><div id=it role=menuitemcheckbox aria-checked=false tabindex=0"
        f' onclick="{TOGGLE}">It</div></div>',
        "menuitemcheckbox",
    ),
    "toggle button": (
        '<button id=it aria-pressed=false onclick="'
        + TOGGLE.replace("checked", "pressed")
        + '">It</button>',
        "button",
    ),
}
STATE = "it.checked ?? (it.ariaChecked ?? it.ariaPressed) === 'true'"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(("html", "role"), CONTROLS.values(), ids=CONTROLS.keys())
async def test_it_is_checked_and_unchecked_by_one_click_each(
    make_stage: MakeStage, frame_kind: str, html: str, role: str
) -> None:
    stage = await make_stage(watched(html), frame_kind)
    id = await stage.id(role, "It")

    checked = await stage.page.check(id)
    assert await stage.eval(STATE) is True
    again = await stage.page.check(id)
    assert await stage.eval(STATE) is True
    unchecked = await stage.page.uncheck(id)
    assert await stage.eval(STATE) is False

    assert [o.data["changed"] for o in (checked, again, unchecked)] == [True, False, True]
    assert checked.receipt is not None
    assert checked.receipt.trusted
    assert (await presses(stage)).count("mousedown it") in (0, 2)  # 0: on what stands for it
    assert len([line for line in await presses(stage) if line.startswith("mousedown")]) == 2


RADIOS = {
    "native": "<input type=radio name=r aria-label=A checked>"
    "<input type=radio name=r aria-label=B>",
    "ARIA": "".join(
        f"<div role=radio aria-checked={state} aria-label={name} tabindex=0"
        " onclick=\"for (const e of document.querySelectorAll('[role=radio]'))"
        ' e.ariaChecked = String(e === this)">x</div>'
        for name, state in [("A", "true"), ("B", "false")]
    ),
}


@pytest.mark.parametrize("html", RADIOS.values(), ids=RADIOS.keys())
async def test_a_radio_button_is_checked_and_cannot_be_unchecked(
    page: Page, open_page: OpenPage, html: str
) -> None:
    await open_page(html)
    snapshot = await page.snapshot()
    a, b = snapshot.find("radio", "A").id, snapshot.find("radio", "B").id

    await page.check(b)
    after = await page.snapshot()
    assert (after.get(a).state["checked"], after.get(b).state["checked"]) == (False, True)

    with pytest.raises(CdpAgentError) as caught:
        await page.uncheck(b)
    assert caught.value.code == "invalid_params"


@pytest.mark.parametrize("verb", ["check", "uncheck"])
async def test_a_mixed_box_is_neither_and_ends_as_asked(
    page: Page, oracle: PageOracle, open_page: OpenPage, verb: str
) -> None:
    await open_page(
        "<input type=checkbox aria-label=It><script>"
        "document.querySelector('input').indeterminate = true</script>"
    )

    outcome = await getattr(page, verb)((await page.snapshot()).find("checkbox").id)

    assert outcome.data == {"checked": verb == "check", "changed": True}
    state = "(e => [e.checked, e.indeterminate])(document.querySelector('input'))"
    assert await oracle.eval(state) == [verb == "check", False]


REFUSED = {
    "prevented": ("<input type=checkbox aria-label=It onclick='return false'>", "condition_failed"),
    "taken back": (
        "<input type=checkbox aria-label=It onchange='this.checked = false'>",
        "condition_failed",
    ),
    "taken back a moment later": (
        "<input type=checkbox aria-label=It onchange="
        "'fetch(location.href).then(() => { this.checked = false })'>",
        "condition_failed",
    ),
    "ARIA without effect": (
        "<div role=checkbox aria-checked=false tabindex=0 aria-label=It>x</div>",
        "condition_failed",
    ),
    "disabled": ("<input type=checkbox aria-label=It disabled>", "element_disabled"),
    "covered": (
        "<input type=checkbox aria-label=It><div style='position:fixed;inset:0'></div>",
        "element_obscured",
    ),
    "no box": ("<button aria-label=It>x</button>", "invalid_params"),
}


@pytest.mark.parametrize(("html", "code"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_does_not_stay_checked_is_an_error(
    page: Page, oracle: PageOracle, open_page: OpenPage, html: str, code: str
) -> None:
    await open_page(html)

    with pytest.raises(CdpAgentError) as caught:
        await page.check((await page.snapshot()).find(name="It").id, timeout=0.6)

    assert caught.value.code == code
    assert await oracle.eval("document.querySelector('input')?.checked ?? false") is False
    await oracle.eval("document.querySelector('div')?.remove()")  # the cover, if there is one


async def test_a_disabled_box_that_is_checked_already_needs_nothing(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<input type=checkbox aria-label=It disabled checked>")

    outcome = await page.check((await page.snapshot()).find("checkbox").id)

    assert outcome.data == {"checked": True, "changed": False}


async def test_a_state_that_the_page_sets_a_moment_later_is_waited_for(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(
        '<div role=switch aria-checked=false tabindex=0 onclick="setTimeout(() =>'
        " this.setAttribute('aria-checked', 'true'), 400)\">Wifi</div>"
    )
    switch = (await page.snapshot()).find("switch", "Wifi").id

    outcome = await page.check(switch)

    assert outcome.data["changed"] is True
    assert (await page.snapshot()).get(switch).state["checked"] is True


async def test_a_state_known_only_to_the_accessibility_tree_is_read_there(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<x-box tabindex=0 aria-label=It>box</x-box><script>
      customElements.define('x-box', class extends HTMLElement {
        constructor() {
          super();
          const internals = this.attachInternals();
          internals.role = 'checkbox';
          internals.ariaChecked = 'false';
          this.onclick = () => {
            internals.ariaChecked = String(internals.ariaChecked !== 'true');
            this.now = internals.ariaChecked;
          };
        }
      })</script>""")
    box = (await page.snapshot()).find("checkbox", "It").id

    await page.check(box)
    assert await oracle.eval("document.querySelector('x-box').now") == "true"
    await page.uncheck(box)

    assert await oracle.eval("document.querySelector('x-box').now") == "false"


async def test_a_box_whose_change_leaves_the_page_is_no_error(
    page: Page, site: Site, open_page: OpenPage
) -> None:
    arrived = site.page("<h1>Arrived</h1>")
    await open_page(f"<input type=checkbox aria-label=It onchange='location = \"{arrived}\"'>")

    outcome = await page.check((await page.snapshot()).find("checkbox").id)

    assert outcome.navigated == arrived
