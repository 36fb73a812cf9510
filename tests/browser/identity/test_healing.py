"""Healing asks about the candidates of one frame: it works on large pages and beside hung frames.

What must never be healed is in `test_never_the_wrong_element_healed`; here the ways in which a
second element can have the same name without the same text are added.
"""

from __future__ import annotations

import json
import time

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

HITS = """<script>
hits = [];
addEventListener("click", event => hits.push(event.composedPath()[0].dataset.key), true);
</script>"""
PAY = "<button data-key=old>Pay</button>"


async def require_stale(page: Page, element_id: str) -> None:
    with pytest.raises(CdpAgentError) as error:
        await page.click(element_id, timeout=2)
    assert error.value.code == "stale_ref"


async def test_an_id_is_healed_while_another_frame_hangs(
    open_page: OpenPage, site: Site, page: Page, oracle: PageOracle
) -> None:
    frame = site.page("<button>Hang</button>", host="b.test")
    await open_page(f"{HITS}<div id=box>{PAY}</div><iframe name=stage src='{frame}'></iframe>")
    await oracle.wait_in("stage", "document.readyState === 'complete'")
    button = (await page.snapshot()).find("button", "Pay").id
    await oracle.eval_in("stage", "void setTimeout(() => { while (true); })")

    await oracle.eval("box.innerHTML = box.innerHTML")
    outcome = await page.click(button, timeout=3)

    assert outcome.healed
    assert await oracle.eval("hits") == ["old"]


#: A second element whose accessible name is the same, by other means than its text.
DOUBLES = {
    "text": "<button data-key=new>Pay</button>",
    "aria-label": "<button data-key=new aria-label=Pay>x</button>",
    "labelledby": "<i id=n hidden>Pay</i><button data-key=new aria-labelledby=n>x</button>",
    "label": "<label>Pay <button data-key=new></button></label>",
    "title": "<button data-key=new title=Pay></button>",
    "picture": "<button data-key=new><img alt=Pay></button>",
    "inner-label": "<button data-key=new><span aria-label=Pay>x</span></button>",
    "inner-title": "<button data-key=new><span role=img title=Pay>x</span></button>",
    "hidden-words": "<button data-key=new>Pay<span hidden> later</span></button>",
    "aria-hidden": "<button data-key=new>Pay<span aria-hidden=true> later</span></button>",
    "css": "<style>.p::before{content:'Pay'}</style><button data-key=new class=p></button>",
    "css-part": "<style>.q::after{content:'ay'}</style><button data-key=new class=q>P</button>",
    "white-space": "<button data-key=new> P<b>ay</b>\n</button>",
    "soft-hyphen": "<button data-key=new>P&shy;ay&#8203;</button>",
    "transform": "<button data-key=new><span style='text-transform:capitalize'>pay</span></button>",
    "far-away": (
        "<div style='content-visibility:auto;position:absolute;top:9000px'>"
        "<button data-key=new>Pay</button></div>"
    ),
}


@pytest.mark.parametrize("double", DOUBLES.values(), ids=DOUBLES.keys())
async def test_an_id_is_stale_where_two_elements_may_be_meant(
    open_page: OpenPage, page: Page, oracle: PageOracle, double: str
) -> None:
    await open_page(f"{HITS}<div id=box>{PAY}</div><div id=beside></div>")
    button = (await page.snapshot()).find("button", "Pay").id

    await oracle.eval(f"box.innerHTML = {json.dumps(PAY)}")
    await oracle.eval(f"beside.innerHTML = {json.dumps(double)}")

    await require_stale(page, button)
    assert await oracle.eval("hits") == []


SHADOW = """<script>
customElements.define("x-pay", class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({mode: "closed"}).innerHTML = `<p><button data-key=in>Pay</button></p>`;
  }
});
</script>"""
DIV_HOST = """void (() => { const host = document.createElement("div"); document.body.append(host);
host.attachShadow({mode: "closed"}).innerHTML = "<button data-key=new>Pay</button>"; })()"""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_equal_element_in_a_closed_shadow_root_makes_an_id_stale(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(f"{HITS}<div id=box>{PAY}</div>", frame_kind)
    button = await stage.id("button", "Pay")

    await stage.eval("box.innerHTML = box.innerHTML")
    await stage.eval(DIV_HOST)

    await require_stale(stage.page, button)
    assert await stage.eval("hits") == []


async def test_what_is_shown_in_a_slot_is_healed(open_page: OpenPage, page: Page) -> None:
    await open_page(
        f"<x-card><div slot=foot>{PAY}</div></x-card><script>"
        "customElements.define('x-card', class extends HTMLElement { connectedCallback() {"
        " this.attachShadow({mode: 'open'}).innerHTML = '<p><slot name=foot></slot></p>' } })"
        "</script>"
    )
    button = (await page.snapshot()).find("button", "Pay").id

    await page.evaluate("void (document.querySelector('[slot]').innerHTML += '')")

    assert (await page.click(button)).healed


KINDS = {
    "link": "<a href='#x'>Help</a>",
    "textbox": "<label>Name <input></label>",
    "checkbox": "<label><input type=checkbox> Agree</label>",
    "combobox": "<select aria-label=Size><option>S<option>M</select>",
    "rich text": "<div contenteditable aria-label=Note>Hello</div>",
    "tab": "<div role=tablist><div role=tab tabindex=0>First</div></div>",
    "summary": "<details><summary>More</summary><p>Text</p></details>",
    "label": "<label for=later>Only a label</label><input id=later aria-label=Other>",
    "clickable box": "<div style=cursor:pointer>Buy now</div>",
    "focusable box": "<div tabindex=0>Focus</div>",
    "icon": "<button title=Close><svg width=9 height=9></svg></button>",
}


@pytest.mark.parametrize("html", KINDS.values(), ids=KINDS.keys())
async def test_every_kind_of_control_is_healed(open_page: OpenPage, page: Page, html: str) -> None:
    await open_page(f"<div id=box>{html}</div>")
    before = (await page.snapshot()).elements

    await page.evaluate("void (box.innerHTML += '')")

    for element in before:
        if element.role == "option":
            continue  # chosen through their list
        assert (await page.hover(element.id)).healed, element


async def test_a_healed_element_has_an_id_of_its_own_that_heals_again(
    open_page: OpenPage, page: Page
) -> None:
    await open_page(f"<div id=box>{PAY}</div>")
    first = (await page.snapshot()).find("button", "Pay").id

    await page.evaluate("void (box.innerHTML += '')")
    second = await page._tab.resolver.locate(first, deadline=time.monotonic() + 5)
    await page.evaluate("void (box.innerHTML += '')")

    assert second != first
    assert (await page.click(second)).healed
