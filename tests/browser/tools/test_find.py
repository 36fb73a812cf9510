"""Elements by role, label and text: what is found, what is several, what is not offered."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent import ElementNotFound, Page
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

PAGE = """<style>.hand { cursor: pointer } .more::after { content: " more" }</style>
<h1 id=title>Orders <small>today</small></h1>
<ul><li id=milk>Milk</li><li><a id=eggs href="#e">Eggs</a></li></ul>
<form><label for=mail>E-mail</label><input id=mail>
<label><input id=agree type=checkbox> Agree to terms</label>
<select id=size aria-label=Size><option id=small>Small<option>Large</select>
<div id=note contenteditable aria-label=Note>Hello</div>
<button id=close type=button title=Close><svg width=9 height=9></svg></button>
<button id=read type=button class=more>Read</button><button id=save>Save</button>
<button id=all>Save all</button><button hidden>Gone</button><button aria-hidden=true>Away</button>
</form><div id=card class=hand><span>Open</span> card</div><div id=heard><b>Listen</b></div>
<p id=words>Some <i>plain</i> words</p><img id=logo alt="Our logo">
<div role=alert id=alert>Stored</div><div style="visibility:hidden">Unseen</div>
<script>heard.addEventListener("click", () => {})</script>"""

FOUND: dict[str, tuple[dict[str, Any], str]] = {
    "role and name": ({"role": "button", "name": "Save"}, "save"),
    "part of a name, whatever the case": ({"role": "button", "name": "save A"}, "all"),
    "a heading": ({"role": "heading", "name": "orders"}, "title"),
    "a role alone": ({"role": "checkbox"}, "agree"),
    "the first": ({"role": "listitem", "nth": 0}, "milk"),
    "the last": ({"role": "button", "nth": -1}, "all"),
    "a list item by its text": ({"role": "listitem", "name": "Milk"}, "milk"),
    "an option of a closed list": ({"role": "option", "name": "Small"}, "small"),
    "what holds rich text": ({"role": "textbox", "name": "Note"}, "note"),
    "a title": ({"role": "button", "name": "Close"}, "close"),
    "a name that CSS makes": ({"role": "button", "name": "Read more"}, "read"),
    "a label beside": ({"label": "E-mail"}, "mail"),
    "a label around": ({"label": "agree"}, "agree"),
    "the name of a list": ({"label": "Size", "exact": True}, "size"),
    "text of a link": ({"text": "Eggs"}, "eggs"),
    "text with a hand cursor": ({"text": "Open"}, "card"),
    "text that is listened to": ({"text": "Listen"}, "heard"),
    "text in pieces": ({"text": "plain words"}, "words"),
    "text of an alert": ({"text": "stored"}, "alert"),
    "text of a picture": ({"text": "Our logo"}, "logo"),
}


@pytest.mark.parametrize(("selector", "wanted"), FOUND.values(), ids=FOUND.keys())
async def test_a_selector_finds_its_element(
    open_page: OpenPage, page: Page, oracle: PageOracle, selector: dict[str, Any], wanted: str
) -> None:
    await open_page(PAGE)

    found = await page.find(selector)

    assert found == f"0-{await oracle.backend_node_id(f'document.getElementById({wanted!r})')}"


NOT_FOUND = {
    "hidden": {"role": "button", "name": "Gone"},
    "hidden from people": {"role": "button", "name": "Away"},
    "invisible text": {"text": "Unseen"},
    "only a part": {"role": "button", "name": "Sav", "exact": True},
    "another role": {"role": "link", "name": "Save"},
    "no control": {"label": "Save"},
    "number three": {"role": "checkbox", "nth": 3},
}


@pytest.mark.parametrize("selector", NOT_FOUND.values(), ids=NOT_FOUND.keys())
async def test_what_is_not_offered_is_not_found(
    open_page: OpenPage, page: Page, selector: dict[str, Any]
) -> None:
    await open_page(PAGE)
    with pytest.raises(ElementNotFound, match="there is no"):
        await page.find(selector)


async def test_a_number_of_what_is_not_there_at_all_is_not_counted(
    open_page: OpenPage, page: Page
) -> None:
    await open_page(PAGE)
    with pytest.raises(ElementNotFound, match="there is no slider on the page"):
        await page.find({"role": "slider", "nth": 0})


async def test_several_are_an_error_that_lists_them(open_page: OpenPage, page: Page) -> None:
    await open_page("<button>Save as</button><button>Save all</button><button>Load</button>")
    with pytest.raises(ElementNotFound, match="2 elements fit") as error:
        await page.find({"role": "button", "name": "save"})
    assert len(error.value.data["matches"]) == 2


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_closed_shadow_roots_are_searched_in_every_kind_of_frame(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        "<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML ="
        " '<label>Inner field <input></label><button>Inner</button>'</script>",
        frame_kind,
    )
    for selector in ({"role": "button", "name": "Inner"}, {"label": "Inner field"}):
        found = await stage.page.find(selector)
        assert (await stage.page.describe(found))["tag"] in ("button", "input")
    assert (await stage.page.fill(await stage.page.find({"label": "Inner field"}), "x")).success


async def test_a_page_of_ten_thousand_rows_is_searched_in_time(
    open_page: OpenPage, page: Page
) -> None:
    rows = "".join(f"<tr><td>{n}<td><button>Edit {n}</button>" for n in range(10_000))
    await open_page(f"<h1>Rows</h1><table>{rows}</table><label>Find <input></label><p>The end</p>")

    for selector in (
        {"role": "button", "name": "Edit 7777"},
        {"role": "button", "nth": -1},
        {"role": "heading", "name": "Rows"},
        {"label": "Find"},
        {"text": "The end"},
    ):
        assert await page.find(selector)  # each within the default of five seconds


async def test_a_frame_that_hangs_does_not_hide_the_page(
    open_page: OpenPage, site: Site, page: Page, oracle: PageOracle
) -> None:
    frame = site.page("<button>Inside</button>", host="b.test")
    await open_page(f"<button>Outside</button><iframe name=stage src='{frame}'></iframe>")
    await oracle.wait_in("stage", "document.readyState === 'complete'")
    await oracle.eval_in("stage", "void setTimeout(() => { while (true); })")

    assert await page.find({"role": "button", "name": "Outside"})


async def test_an_element_that_does_not_come_is_not_there_whatever_the_page_does_then(
    page: Page, open_page: OpenPage
) -> None:
    """The page changes once and then computes for longer than there is time left to look."""
    await open_page(
        "<p>Hello</p><script>setTimeout(() => { document.body.append('more'); setTimeout(() => {"
        " const end = Date.now() + 4000; while (Date.now() < end); }, 40) }, 500)</script>"
    )

    with pytest.raises(ElementNotFound, match="there is no text 'Goodbye'"):
        await page.find_soon({"text": "Goodbye"}, timeout=1.2)
