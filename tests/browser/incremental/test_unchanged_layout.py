"""The observation after an action equals a fresh snapshot, also where no mutation tells of it."""

from __future__ import annotations

import pytest

from cdp_agent import Outcome, Page
from tests.support.fresh_snapshot import fields, fresh_snapshot
from tests.support.stage import OpenPage

_FIELDS = (
    "<label>Name <input id=a></label> <label>Notes <textarea id=b></textarea></label>"
    "<label><input type=checkbox id=c>Send</label>"
    "<label><input type=radio name=r>One</label><label><input type=radio name=r id=e>Two</label>"
    "<select id=f aria-label=Size><option>Small<option>Large</select><button id=g>Go</button>"
)
#: Style of the page → selector of the element that is acted on, verb and text.
CASES = {
    "a value": ("", "#a", "fill", "Ada"),
    "a longer value": ("", "#b", "fill", "Ada\nLovelace"),
    "a check": ("", "#c", "check", ""),
    "another choice": ("", "#e", "check", ""),
    "an option": ("", "#f", "select", "Large"),
    "the focus": ("", "#g", "press", "Shift+Tab"),
    "the pointer": ("", "#g", "hover", ""),
    "a click that does nothing": ("", "#g", "click", ""),
    "text at the pointer": ("#g:hover::after { content: ' now' }", "#g", "hover", ""),
    "text inside it": ("#g:hover b::before { content: 'go' }", "#g", "hover", ""),
    "text at the focus": ("#a:focus { color: red } label:focus-within::after { content: 'x' }",
                          "#a", "fill", "Ada"),
    "something shown by the pointer": ("p { display: none } #g:hover ~ p { display: block }",
                                       "#g", "hover", ""),
    "something invisible no more": ("p { visibility: hidden } #g:hover ~ p { visibility: visible }",
                                    "#g", "hover", ""),
    "something hidden by a check": (":checked ~ p, label:has(:checked) ~ p { display: none }",
                                    "#c", "check", ""),
    "a field that is invalid now": (":user-invalid { outline: 1px solid }", "#a", "fill", ""),
    "something that moves": ("#g:focus { margin-left: 80px }", "#g", "press", "a"),
}  # fmt: skip


async def _act(page: Page, element: str, verb: str, text: str) -> Outcome:
    match verb:
        case "fill":
            return await page.fill(element, text, observe=True)
        case "check":
            return await page.check(element, observe=True)
        case "select":
            return await page.select(element, label=text, observe=True)
        case "press":
            return await page.press(text, element, observe=True)
        case "hover":
            return await page.hover(element, observe=True)
    return await page.click(element, observe=True)


@pytest.mark.parametrize(("style", "css", "verb", "text"), CASES.values(), ids=CASES.keys())
async def test_an_observation_equals_a_fresh_snapshot(
    page: Page, open_page: OpenPage, style: str, css: str, verb: str, text: str
) -> None:
    html = f"<style>{style}</style><h1>Order</h1>{_FIELDS}<p>A paragraph"
    await open_page(html.replace("Go<", "Go <b></b><"))
    first = await page.snapshot()
    element = await page.find({"css": css})

    for again in (text, "", text):
        outcome = await _act(page, element, verb, again or text)

        assert outcome.snapshot is not None
        assert fields(outcome.snapshot) == fields(await fresh_snapshot(page))
    assert first.page.url == page.url


#: Pages on which the text of the field `#a` is part of another node's name or description.
NAMED_BY_A_FIELD = {
    "a label with a field in it": (
        "<label><input type=checkbox>Wait <input id=a aria-label=Minutes> minutes</label>"
    ),
    "the label of another": "<label for=b>Wait <input id=a> minutes</label><input id=b>",
    "a reference": "<div id=r>Up to <input id=a></div><button aria-labelledby=r>Go</button>",
    "a description": "<input id=a><button aria-describedby=a>Go</button>",
    "a cell": "<table><thead><tr><th>Name<tbody><tr><td>Of <input id=a></table>",
    "a button": "<div role=button tabindex=0>Send <input id=a></div>",
    "a heading": "<h2>Order of <textarea id=a></textarea></h2>",
}


@pytest.mark.parametrize("html", NAMED_BY_A_FIELD.values(), ids=NAMED_BY_A_FIELD.keys())
async def test_names_made_of_a_field_follow_its_value(
    page: Page, open_page: OpenPage, html: str
) -> None:
    await open_page(f"<h1>Order</h1>{html}<p>More</p>")
    await page.snapshot()
    field = await page.find({"css": "#a"})

    for text in ("Ada", "", "Grace"):
        outcome = await page.fill(field, text, observe=True)

        assert outcome.snapshot is not None
        assert fields(outcome.snapshot) == fields(await fresh_snapshot(page))


async def test_text_at_the_pointer_goes_when_the_pointer_goes(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(
        "<style>#a:hover::after { content: ' tip' }</style>"
        "<button id=a>A</button><button>B</button>"
    )
    snapshot = await page.snapshot()
    there, away = (snapshot.find("button", name).id for name in "AB")

    shown = await page.hover(there, observe=True)
    gone = await page.hover(away, observe=True)

    assert shown.snapshot is not None
    assert gone.snapshot is not None
    assert "tip" in shown.snapshot.text
    assert "tip" not in gone.snapshot.text


#: What `p` is like in both classes, and how it gets from one to the other.
ANIMATED = {
    "a colour": ("color: red", "color: blue", "color .1s"),
    "text that fades by its colour": ("color: transparent", "color: #000", "color .1s"),
    "a background": ("background: #eee", "background: #fff", "background-color .1s"),
    "a shadow and an outline": ("box-shadow: 0 0 9px red", "outline: 3px solid", "all .1s"),
    "some opacity": ("opacity: .5", "opacity: 1", "opacity .1s"),
    "text that fades in or out": ("opacity: 0", "opacity: 1", "opacity .1s"),
    "a height": ("height: 0; overflow: hidden", "height: 40px", "height .1s"),
    "a shift": ("transform: translateX(-900px)", "transform: none", "transform .1s"),
    "visibility": ("visibility: hidden", "visibility: visible", "visibility .1s"),
    "a border": ("border: 0 solid", "border: 30px solid", "border-width .1s"),
}


@pytest.mark.parametrize(("before", "after", "how"), ANIMATED.values(), ids=ANIMATED.keys())
async def test_what_an_animation_leads_to_is_in_the_next_observation(
    page: Page, open_page: OpenPage, before: str, after: str, how: str
) -> None:
    await open_page(
        f"<style>p {{ {before}; transition: {how} }} .on ~ p {{ {after} }}"
        "@keyframes spin { to { rotate: 360deg } } i { animation: spin .3s linear infinite }"
        "@keyframes line { from { scale: 0 } }"
        "button::after { content: ''; position: absolute; animation: line .2s 2 }</style>"
        "<button id=g onclick='this.classList.toggle(`on`)'>Go</button><button id=h>Other</button>"
        "<i style='display: inline-block; width: 20px; height: 9px'></i><p>A paragraph</p>"
    )
    button, other = [await page.find({"css": css}) for css in ("#g", "#h")]

    for _ in range(4):
        await page.click(button, observe=True)
        await page.evaluate(
            "Promise.all(document.querySelector('p').getAnimations().map(one => one.finished))"
        )
        outcome = await page.hover(other, observe=True)

        assert outcome.snapshot is not None
        assert fields(outcome.snapshot) == fields(await fresh_snapshot(page))


async def test_a_listener_that_an_action_added_is_in_the_next_snapshot(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(
        "<h1>Order</h1><div id=d style='width: 90px'>Word</div><p>More</p><button id=g>Go</button>"
        "<script>g.onclick = () => d.addEventListener('click', () => 1)</script>"
    )
    button = (await page.snapshot()).find("button", "Go")

    await page.click(button.id, observe=True)

    assert (await page.snapshot()).find(name="Word").id
