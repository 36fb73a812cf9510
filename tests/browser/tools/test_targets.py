"""Targets of tools: an id as it was copied, or a selector that means one element."""

from __future__ import annotations

import re

import pytest

from cdp_agent import Page
from cdp_agent.tools import ToolCall, ToolSession
from tests.browser.tools.conftest import Use
from tests.support.oracle import PageOracle
from tests.support.site import Site

PAGE = """<title>Orders</title>
<div onclick="hits.push('around')" style="cursor:pointer"><p>Save your work</p>
<button id=save onclick="event.stopPropagation(); hits.push('save')">Save</button></div>
<label>Status: <select id=status><option>Pending<option>Shipped</select></label>
<label>Payment status <input id=payment></label>
<label>E-mail * <input id=mail placeholder="you@example.com"></label>
<a id=rma href="#rma">RMA-7731</a> <a href="#other">RMA-7732</a>
<button id=all data-testid=all onclick="hits.push('all')"><span>Export   all</span></button>
<button id=two1>Twice</button><button id=two2>Twice</button>
<button hidden>Export</button>
<script>window.hits = []</script>"""

CLICKS = {
    "text=Save": "save",
    "text=save": "save",
    "text=Sav": "save",
    "text=export ALL": "all",
    'role=link[name="RMA-7731"]': "rma",
    "role=link[name=rma-7731]": "rma",
    "testid=all": "all",
    "css=#rma": "rma",
    "xpath=//button[@id='all']": "all",
    "label=e-mail": "mail",
    "placeholder=you@": "mail",
    "label=Status": "status",
    "label=payment": "payment",
}


@pytest.mark.parametrize(("target", "wanted"), CLICKS.items(), ids=CLICKS.keys())
async def test_a_selector_means_the_control_itself(
    use: Use, site: Site, page: Page, oracle: PageOracle, target: str, wanted: str
) -> None:
    await use("navigate", url=site.page(PAGE))
    element = f"0-{await oracle.backend_node_id(f'document.getElementById({wanted!r})')}"

    done = await use("click", ref=target)

    assert not done.is_error, done.text
    assert done.text.startswith(f"clicked [{element}] "), done.text


async def test_the_answer_names_what_was_acted_on(use: Use, site: Site, oracle: PageOracle) -> None:
    await use("navigate", url=site.page(PAGE))

    clicked = await use("click", ref="text=Save")
    filled = await use("fill", ref="label=E-mail", value="ada@x.org")
    chosen = await use("select", ref="label=Status", label="Shipped")

    assert re.match(r'clicked \[0-\d+\] button "Save"\n?', clicked.text), clicked.text
    assert re.match(r'\[0-\d+\] textbox "E-mail \*" holds "ada@x.org"', filled.text), filled.text
    assert re.match(r'\[0-\d+\] combobox "Status:" has "Shipped" chosen', chosen.text), chosen.text
    assert await oracle.eval("hits.join()") == "save"


async def test_several_are_listed_with_ids_and_nothing_is_done(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    shown = await use("navigate", url=site.page(PAGE + "<button>Twice</button>" * 10))

    done = await use("click", ref="text=twice")

    listed = re.findall(r'\[(0-\d+)\] button "Twice"', done.text)
    assert (done.is_error, done.code) == (True, "element_not_found")
    assert "12 elements fit text 'twice'" in done.text
    assert len(listed) == 10
    assert "and 2 more" in done.text
    assert all(f"[{one}]" in shown.text for one in listed)
    assert "Page:" not in done.text
    assert await oracle.eval("hits.length") == 0


async def test_none_is_an_error_with_the_nearest(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(PAGE))

    done = await use("click", ref="role=button[name=Export alle]")

    assert done.code == "element_not_found"
    assert re.search(r'nearest: \[0-\d+\] button "Export all"', done.text), done.text
    assert "Page:" not in done.text


async def test_an_element_that_comes_later_is_waited_for(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    script = "setTimeout(() => { late.innerHTML = '<button onclick=document.title=1>Go</button>' })"
    await use("navigate", url=site.page(f'<p id=late></p><button onclick="{script}">Load</button>'))
    await oracle.eval("document.querySelector('button').click()")

    done = await use("click", ref="text=Go")

    assert done.text.startswith("clicked ")
    assert await oracle.eval("document.title") == "1"


async def test_frames_are_searched_and_can_be_named(use: Use, site: Site) -> None:
    frame = site.page("<button>Pay</button><button>Both</button>", host="b.test")
    await use("navigate", url=site.page(f"<button>Both</button><iframe src='{frame}'></iframe>"))
    await use("wait", text="Pay")

    inside = await use("click", ref="text=Pay")
    both = await use("click", ref="text=Both")
    named = await use("click", ref="frame=1 text=Both")

    assert re.match(r'clicked \[1-\d+\] button "Pay"', inside.text), inside.text
    assert re.search(r'2 elements fit .*\[0-\d+\] button "Both", \[1-\d+\]', both.text), both.text
    assert re.match(r'clicked \[1-\d+\] button "Both"', named.text), named.text


async def test_ids_are_taken_as_copied(use: Use, site: Site) -> None:
    shown = await use("navigate", url=site.page(PAGE))
    found = re.search(r"\[0-\d+\] button \"Save\"", shown.text)
    assert found is not None
    element = found[0].split()[0]

    for written in (element, f" {element[1:-1]} ", f"ref={element[1:-1]}"):
        assert (await use("click", ref=written)).text.startswith(f"clicked {element} button")


async def test_hooks_see_the_element_that_a_selector_means(
    use: Use, site: Site, session: ToolSession
) -> None:
    await use("navigate", url=site.page(PAGE))
    seen: list[str] = []

    async def hook(call: ToolCall) -> None:
        seen.append(str(call.args.ref))

    session.before_call.append(hook)
    await use("click", ref="text=Save")

    assert re.fullmatch(r"0-\d+", seen[0])


FIELDS = """<title>Fields</title>
<form onsubmit="return false"><input type=search aria-label="Search the shop" id=q>
<input type=submit value=Search></form>
<label for=customer>Customer:</label>
<select id=customer aria-hidden=true tabindex=-1 style="position:absolute;width:1px;height:1px">
</select><span role=combobox tabindex=0 id=box aria-expanded=false>&nbsp;<input readonly tabindex=-1
 style="opacity:0;width:1px"></span>
<label><input type=checkbox id=news>News</label> <button>News</button>
<button class="icon trash" id=trash></button>
<section aria-label=Body><h2>Body</h2><div role=textbox contenteditable id=body></div></section>"""


@pytest.mark.parametrize(
    ("tool", "arguments", "wanted"),
    [
        ("fill", {"ref": "label=Search", "value": "tea"}, "q"),
        ("fill", {"ref": "text=Search", "value": "tea"}, "q"),
        ("check", {"ref": "text=News"}, "news"),
        ("click", {"ref": "label=Customer:"}, "box"),
        ("click", {"ref": "label=customer"}, "box"),
        ("click", {"ref": "text=trash"}, "trash"),
        ("fill", {"ref": "label=Body", "value": "tea"}, "body"),
        ("click", {"ref": "role=button[name=trash]"}, "trash"),
    ],
)
async def test_a_target_suits_its_verb_and_may_be_known_by_its_hint(
    use: Use, site: Site, oracle: PageOracle, tool: str, arguments: dict[str, str], wanted: str
) -> None:
    await use("navigate", url=site.page(FIELDS))
    element = f"0-{await oracle.backend_node_id(f'document.getElementById({wanted!r})')}"

    done = await use(tool, **arguments)

    assert not done.is_error, done.text
    assert f"[{element}] " in done.text.split("\n")[0]


async def test_a_hint_that_several_have_is_an_error(use: Use, site: Site) -> None:
    await use("navigate", url=site.page("<button class='icon trash'></button>" * 2))

    done = await use("click", ref="text=trash")

    assert done.code == "element_not_found"
    assert "2 elements fit" in done.text


async def test_what_is_in_a_modal_dialog_is_meant(use: Use, site: Site, oracle: PageOracle) -> None:
    html = """<button id=out>Restart all</button><dialog id=d><p>Sure?</p>
        <button id=in>Restart</button></dialog><button>Restart</button>
        <script>d.showModal()</script>"""
    await use("navigate", url=site.page(html))
    element = f"0-{await oracle.backend_node_id('document.getElementById(`in`)')}"

    done = await use("click", ref="text=Restart")

    assert done.text.startswith(f"clicked [{element}] ")


async def test_the_label_of_a_button_with_a_list_chooses_from_it(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    html = """<label for=colour>Colour</label><button id=colour aria-haspopup=listbox
        aria-expanded=false aria-controls=list onclick="list.hidden = false">Red</button>
        <div id=list role=listbox hidden><div role=option>Red</div><div role=option
        onclick="colour.textContent = 'Green'; list.hidden = true">Green</div></div>"""
    await use("navigate", url=site.page(html))

    done = await use("select", ref="label=Colour", label="Green")

    assert not done.is_error, done.text
    assert await oracle.eval("colour.textContent") == "Green"


def row(number: int, name: str) -> str:
    delete = f"<button onclick='said.textContent = {number}'>Delete</button>"
    return f"<tr><td>SO-100{number}<td>{name}<td><input type=checkbox>{delete}"


ROWS = f"""<title>Orders</title><table>{row(1, "Ada")}{row(2, "Bob")}</table>
<ul><li>Kayak, 4 July <button>Cancel</button><li>Tour, 11 July <button>Cancel</button></ul>
<p id=said></p>"""


async def test_a_text_in_its_row_tells_one_of_several_equals(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    await use("navigate", url=site.page(ROWS))

    by_name = await use("click", ref="role=button[name=Delete] near=SO-1002")
    assert not by_name.is_error, by_name.text
    assert await oracle.eval("said.textContent") == "2"

    by_tag = await use("click", ref="css=button near=so-1001")
    assert not by_tag.is_error, by_tag.text
    assert await oracle.eval("said.textContent") == "1"

    checked = await use("check", ref="role=checkbox near=Ada")
    assert not checked.is_error, checked.text
    boxes = "Array.from(document.querySelectorAll('input'), (box) => box.checked)"
    assert await oracle.eval(boxes) == [True, False]


async def test_near_means_neither_the_element_itself_nor_one_elsewhere(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    search = "<main><form><input type=search aria-label=Search value='Oak Mirror'></form>"
    rows = "<table><tr><td>Oak Mirror<td>77<tr><td>Rug<td><input aria-label=Price></table>"
    await use("navigate", url=site.page(search + rows))

    filled = await use("fill", ref="css=input near=Oak Mirror", value="5")

    assert filled.code == "element_not_found"
    assert await oracle.eval("document.querySelector('input').value") == "Oak Mirror"


async def test_equals_are_listed_with_what_stands_around_each(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(ROWS))

    several = await use("click", ref="text=Cancel")
    nowhere = await use("click", ref="text=Cancel near=SO-1002")

    assert several.code == "element_not_found"
    assert 'button "Cancel" near "Kayak, 4 July"' in several.text
    assert 'button "Cancel" near "Tour, 11 July"' in several.text
    assert nowhere.code == "element_not_found"


async def test_a_class_of_several_means_the_field_for_what_fills(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    page = "<h2 class=title>Draft</h2><input class=title><input type=number max=9 value=1 "
    page += "aria-label='number of Copies'><input type=range aria-label='range of Copies' value=1>"
    await use("navigate", url=site.page(page))

    assert not (await use("fill", ref="css=.title", value="Soup")).is_error
    copies = await use("fill", ref="label=Copies", value="5")

    assert not copies.is_error, copies.text
    values = "Array.from(document.querySelectorAll('input'), (field) => field.value)"
    assert await oracle.eval(values) == ["Soup", "5", "1"]


async def test_a_short_word_is_not_looked_for_inside_of_others(use: Use, site: Site) -> None:
    await use("navigate", url=site.page("<h1>Kitchen notebook</h1><button>Okay, go</button>"))

    clicked = await use("click", ref="text=ok")

    assert 'button "Okay, go"' in clicked.text


DRAWING = """<svg width=300 height=100><g class=node transform="translate(40,20)"
onclick="document.title = 'opened'">
<g><text x=10 y=25 style="pointer-events:none">Too hot?</text></g>
<rect width=120 height=40 fill="#fff8" cursor=pointer></rect></g></svg>"""


async def test_the_label_of_a_drawn_shape_stands_for_the_shape(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    await use("navigate", url=site.page(DRAWING))

    clicked = await use("click", ref="text=Too hot?")

    assert not clicked.is_error, clicked.text
    assert await oracle.eval("document.title") == "opened"
