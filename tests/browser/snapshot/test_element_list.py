"""The list of interactive elements: each control once, in document order.

The numbers are rows of fixtures/seed_rows.txt.
"""

from __future__ import annotations

from cdp_agent import Page
from tests.support.site import Site

#: Nine controls; four have labels, and the closed list has three options.
FORM = """<form><label>User <input></label><label for=p>Password</label>
<input type=password id=p><label><input type=checkbox> Remember me</label>
<label for=news>News</label><input type=checkbox id=news>
<select aria-label=Plan><option>Basic<option>Family<option>Team</select>
<iframe srcdoc="<button>Inside</button>"></iframe>
<span style="cursor:pointer">Why?</span><button>Sign in</button><a href=/lost>Lost?</a></form>"""
CONTROLS = [
    *("textbox User", "textbox Password", "checkbox Remember me", "checkbox News"),
    *("combobox Plan", "button Inside", "generic Why?", "button Sign in", "link Lost?"),
]


async def test_rows_26_and_27_labels_and_closed_options_are_no_elements_of_their_own(
    page: Page, site: Site
) -> None:
    await page.goto(site.page(FORM))
    await page.wait_for(text="Inside")

    seen = await page.observe()

    assert [f"{e['role']} {e['name']}" for e in seen.elements] == CONTROLS
    assert seen.total == len(CONTROLS)
    some = await page.observe(max_elements=6)
    assert [f"{e['role']} {e['name']}" for e in some.elements] == CONTROLS[:6]
    assert some.total == len(CONTROLS)


async def test_rows_26_and_128_neither_bound_labels_nor_focus_targets_of_scripts_are_elements(
    page: Page, site: Site
) -> None:
    """A label that shows a picture of its own has a line; it is still its control's."""
    picture = "<img alt=Search width=20 height=20>"
    await page.goto(
        site.page(
            f"<style>label {{ cursor: pointer }}</style><label for=q>{picture}</label><input id=q>"
            f"<label>{picture}<input type=checkbox aria-label=All></label>"
            f"<label id=free>{picture}</label><main tabindex=-1>Text</main>"
            "<section tabindex=-1 onclick=x()>Listens</section>"
            "<div tabindex=-1 style='height:40px;overflow:auto'><p>Long<p>Longer<p>Longest</div>"
            "<ul role=menu tabindex=0 aria-label=M><li role=menuitem tabindex=-1>Item</ul>"
            "<button tabindex=-1>Native</button>"
        )
    )

    seen = await page.observe()

    assert [(e["tag"], e["role"]) for e in seen.elements] == [
        ("input", "textbox"),
        ("input", "checkbox"),
        ("label", "label"),
        ("section", "generic"),
        ("div", "generic"),
        ("ul", "menu"),
        ("li", "menuitem"),
        ("button", "button"),
    ]


async def test_labels_and_options_keep_their_ids(page: Page, site: Site) -> None:
    await page.goto(site.page(FORM))
    snapshot = await page.snapshot()

    await page.click(snapshot.find("label", "Remember me").id)

    assert (await page.snapshot()).find("checkbox", "Remember me").state["checked"] is True
    assert snapshot.find("option", "Family") not in snapshot.interactive


async def test_the_options_of_an_open_list_are_elements(page: Page, site: Site) -> None:
    await page.goto(site.page("<select size=2 aria-label=L><option>One<option>Two</select>"))

    names = [element.name for element in (await page.snapshot()).interactive]

    assert names == ["L", "One", "Two"]


async def test_a_limit_counts_controls_and_keeps_the_options_of_a_list(
    page: Page, site: Site
) -> None:
    await page.goto(site.page(FORM))
    await page.wait_for(text="Inside")

    snapshot = await page.snapshot(max_elements=5)

    assert [f"{e.role} {e.name}" for e in snapshot.interactive] == CONTROLS[:5]
    assert 'options: "Basic" selected, Family, Team' in snapshot.text
    assert snapshot.text.splitlines()[-1] == "(5 of 9 elements)"


async def test_row_101_a_long_name_is_cut_and_its_rest_said_once(page: Page, site: Site) -> None:
    words = " ".join(f"word{number}" for number in range(60))
    again = "link of many words " * 30
    await page.goto(site.page(f"<button>{words}</button><a href=x>{again}</a>"))

    lines = (await page.snapshot()).text.splitlines()[1:]

    assert lines[0].endswith('..."')
    assert lines[0].count("word0 ") == 1
    assert sum("word0 " in line for line in lines) == 1
    assert sum("word59" in line for line in lines) == 1
    assert sum(map(len, lines[:2])) < len(words) + 60
    assert sum(map(len, lines[2:])) < len(again) + 60
