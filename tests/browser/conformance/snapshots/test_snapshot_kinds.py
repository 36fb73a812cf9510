"""One element of each kind: the role and the name it goes by, and what text is kept around it."""

from __future__ import annotations

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.stage import OpenPage

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="

ACTED_ON = {
    "label around": ("<label>Zip <input></label>", "textbox", "Zip"),
    "label for": ("<label for=x>Street</label><input id=x>", "textbox", "Street"),
    "labelled by": ("<b id=y>Town</b><input aria-labelledby=y>", "textbox", "Town"),
    "title": ("<input title=State>", "textbox", "State"),
    "search": ("<input type=search aria-label=Find>", "searchbox", "Find"),
    "number": ("<input type=number aria-label=Count>", "spinbutton", "Count"),
    "range": ("<input type=range aria-label=Volume>", "slider", "Volume"),
    "submit": ("<input type=submit value=Send>", "button", "Send"),
    "image button": (f"<input type=image alt=Pay src='{PIXEL}'>", "button", "Pay"),
    "file": ("<input type=file aria-label=Photo>", "button", "Photo"),
    "checkbox with words": ("<label><input type=checkbox> I agree</label>", "checkbox", "I agree"),
    "icon button": (f"<button><img alt=Close src='{PIXEL}'></button>", "button", "Close"),
    "image link": (f"<a href='#x'><img alt=Home src='{PIXEL}'></a>", "link", "Home"),
    "drawn link": ("<svg><a href='#x'><text y=20>Go</text></a></svg>", "link", "Go"),
    "summary": ("<details><summary>More</summary>x</details>", "button", "More"),
    "tab": ("<div role=tablist><div role=tab tabindex=0>Mail</div></div>", "tab", "Mail"),
    "menu item": (
        "<div role=menu><div role=menuitem tabindex=0>Cut</div></div>",
        "menuitem",
        "Cut",
    ),
    "tree item": ("<div role=tree><div role=treeitem>Root</div></div>", "treeitem", "Root"),
    "list": ("<select multiple aria-label=Sizes><option>S</select>", "listbox", "Sizes"),
    "option": (
        "<select size=3><optgroup label=G><option>Tall</optgroup></select>",
        "option",
        "Tall",
    ),
    "switch": ("<div role=switch tabindex=0 aria-checked=true>Wifi</div>", "switch", "Wifi"),
    "custom element": ("<x-tile tabindex=0 role=button>Tile</x-tile>", "button", "Tile"),
    "plain text": ("<p contenteditable=plaintext-only aria-label=Memo>x</p>", "textbox", "Memo"),
    "plain text in a box": (
        "<div contenteditable=plaintext-only title=Jot>x</div>",
        "textbox",
        "Jot",
    ),
    "rich text": ("<div contenteditable aria-label=Note>x</div>", "textbox", "Note"),
}


async def test_an_element_goes_by_the_role_and_name_that_a_person_would_use(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("".join(f"<div>{html}</div>" for html, _, _ in ACTED_ON.values()))

    snap = await page.snapshot()

    for case, (_, role, name) in ACTED_ON.items():
        elements = snap.find_all(role, name, exact=True)
        assert len(elements) == 1, case
        assert f'[{elements[0].id}] {role} "{name}"' in snap.text, case


READ = {
    "image": (f"<img alt=Logo src='{PIXEL}'>", ['image "Logo"']),
    "drawing": ("<svg role=img aria-label=Chart width=20 height=20></svg>", ['image "Chart"']),
    "alert": ("<div role=alert>Wrong password</div>", ["Wrong password"]),
    "progress": ("<progress aria-label=Done value=.3></progress>", ['progressbar "Done"']),
    "terms": ("<dl><dt>Price</dt><dd>10 €</dd></dl>", ["Price", "10 €"]),
    "quote": ("<blockquote>To be</blockquote><cite>Hamlet</cite>", ["To be", "Hamlet"]),
    "code": ("<pre>a = 1\nb = 2</pre>", ["a = 1 b = 2"]),
    "list": ("<ol><li>One<li>Two</ol>", ["One", "Two"]),
    "landmark": ("<nav aria-label=Main><p>Menu</p></nav>", ['navigation "Main"', "Menu"]),
    "mixed": ("<p>Pay <b>10</b> <i>now</i> or <a href='#x'>later</a>.</p>",
              ["Pay", "10", "now", "or", 'link "later"', "."]),
    "generated": ("<style>#n::before { content: 'Note: ' }</style><p id=n>Mind it</p>",
                  ["Note:", "Mind it"]),
    "transformed": ("<p style='text-transform:uppercase'>loud</p>", ["LOUD"]),
    "opened": ("<details open><summary>More</summary><p>Told</p></details>", ["More", "Told"]),
    "caption": ("<table><caption>Sales</caption><tr><th>Year<td>Sum</table>",
                ["Sales", "Year", "Sum"]),
    "form": ("<fieldset><legend>Card</legend><input aria-label=No></fieldset>", ["Card", "No"]),
    "off screen": ("<p style='margin-top:4000px'>Far below</p>", ["Far below"]),
}  # fmt: skip


async def test_what_can_be_read_is_there_in_reading_order(page: Page, open_page: OpenPage) -> None:
    parts = "".join(f"<h2>{case}</h2><div>{html}</div>" for case, (html, _) in READ.items())
    await open_page(f"{parts}<h2>end</h2>")

    text = (await page.snapshot()).text
    for case, (_, words) in READ.items():
        _, _, text = text.partition(f'heading "{case}" 2\n')
        said = text.partition("heading ")[0]
        positions = [said.find(word) for word in words]
        assert -1 not in positions, f"{case}: {said}"
        assert positions == sorted(positions), case


async def test_what_appears_later_is_in_the_next_snapshot_and_what_went_is_not(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<p id=old>Loading</p><button>Stays</button>")
    first = await page.snapshot()

    await oracle.eval("old.outerHTML = '<p>Ready</p><button>New</button>'")
    second = await page.snapshot()

    assert "Loading" not in second.text
    assert "Ready" in second.text
    assert second.find("button", "Stays").id == first.find("button", "Stays").id
    assert second.find("button", "New").id not in first.backend_node_map


async def test_an_area_of_an_image_map_is_a_link_that_can_be_followed(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(f"""<img usemap='#m' width=200 height=100 src='{PIXEL}' alt=Map>
      <map name=m><area shape=rect coords='0,0,100,100' href='#west' alt=West>
      <area shape=rect coords='100,0,200,100' href='#east' alt=East></map>""")

    await page.click((await page.snapshot()).find("link", "East").id)

    assert await oracle.eval("location.hash") == "#east"


async def test_an_open_popover_is_listed_and_works(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<button popovertarget=menu>Menu</button>
      <div popover id=menu><button onclick='document.title = "cut"'>Cut</button></div>""")
    before = await page.snapshot()

    await page.click(before.find("button", "Menu").id)
    await page.click((await page.snapshot()).find("button", "Cut").id)

    assert not before.find_all("button", "Cut")
    assert await oracle.eval("document.title") == "cut"
    await oracle.eval("menu.hidePopover()")
