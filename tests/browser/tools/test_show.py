"""The part of the page that an answer shows is the one that was asked for."""

from __future__ import annotations

import io
import re

from PIL import Image

from cdp_agent.snapshot.text.tokens import estimate_tokens
from tests.browser.tools.conftest import Use
from tests.support.site import Site

PAGE = """<h1>Orders</h1>
<table><tr><th>Number<th>Customer<th>Status
<tr><td><a href=#1>SO-1</a><td>Hugo Weber<td>Pending
<tr><td><a href=#2>SO-2</a><td>Hugo Almeida<td>Shipped
<tr><td><a href=#3>SO-3</a><td>Rosa Weber<td>Shipped</table>
<h2>Notes</h2><p id=note>Nothing yet</p>
<button onclick="note.textContent = 'Saved for Hugo'">Save</button>"""


async def test_quiet_shows_the_outcome_alone_and_changes_are_told_later(
    use: Use, site: Site
) -> None:
    opened = await use("navigate", url=site.page(PAGE), show={"quiet": True})
    clicked = await use("click", ref="text=Save", show={"quiet": True})
    pressed = await use("press", key="Tab")

    assert opened.text.startswith("opened http")
    assert opened.text.endswith(' "Test page"')
    assert re.fullmatch(r'clicked \[0-\d+\] button "Save"', clicked.text)
    assert "Saved for Hugo" in pressed.text
    assert "Rosa" not in pressed.text


async def test_a_search_in_an_answer_shows_whole_rows_with_head_and_heading(
    use: Use, site: Site
) -> None:
    shown = (await use("navigate", url=site.page(PAGE), show={"search": "weber pending"})).text

    assert 'heading "Orders"' in shown
    assert "row header: Number | Customer" in shown
    assert "SO-1" in shown
    assert "Hugo Weber" in shown
    assert "SO-2" not in shown
    assert "SO-3" not in shown
    assert "Notes" not in shown


async def test_any_of_the_words_is_found_the_best_first(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(PAGE))

    found = (await use("snapshot", search="shipped weber unicorn")).text

    assert found.index("SO-3") < found.index("SO-1")
    assert found.index("SO-3") < found.index("SO-2")
    assert "Notes" not in found


async def test_a_search_without_a_match_says_so(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(PAGE))

    found = (await use("snapshot", search="zebra unicorn")).text

    assert 'nothing on the page has any of the words "zebra unicorn"' in found
    assert "SO-1" not in found


async def test_root_and_budget_limit_an_answer(use: Use, site: Site) -> None:
    rows = "".join(f"<li><a href=#{n}>Row {n}</a></li>" for n in range(300))
    inside = (await use("navigate", url=site.page(PAGE), show={"root": "css=#note"})).text
    long = (await use("navigate", url=site.page(f"<ul>{rows}</ul>"), show={"max_tokens": 200})).text

    assert "Nothing yet" in inside
    assert "SO-1" not in inside
    assert "[expand 0-" in long
    assert len(long) < 1500


async def test_a_root_that_is_gone_after_the_action_is_no_error(use: Use, site: Site) -> None:
    page = "<div id=box>Box</div><button onclick='box.remove()'>Drop</button>"
    await use("navigate", url=site.page(page))

    done = await use("click", ref="text=Drop", show={"root": "css=#box"})

    assert not done.is_error
    assert done.text.startswith("clicked ")
    assert "not shown: " in done.text


async def test_a_picture_of_one_element_has_its_size(use: Use, site: Site) -> None:
    frame = site.page(
        "<body style='margin:0'><div id=in style='width:90px;height:20px'>x</div>", host="b.test"
    )
    await use(
        "navigate",
        url=site.page(
            "<div style='height:2000px'></div>"
            "<div id=box style='width:120px;height:40px;background:red'></div>"
            f"<iframe src='{frame}'>"
        ),
    )
    await use("wait", text="x")

    picture = await use("screenshot", ref="css=#box")
    framed = await use("screenshot", ref="frame=1 css=#in")

    with Image.open(io.BytesIO(picture.images[0])) as image:
        assert image.size == (120, 40)
        assert image.convert("RGB").getpixel((60, 20)) == (255, 0, 0)
    with Image.open(io.BytesIO(framed.images[0])) as image:
        assert image.size == (90, 20)


async def test_a_stub_opens_exactly_what_it_counts(use: Use, site: Site) -> None:
    rows = "".join(f"<li><a href=#{n}>Row {n}</a></li>" for n in range(100))
    page = f"<ul>{rows}<li><button autofocus>Last</button></li></ul>"
    shown = (await use("navigate", url=site.page(page), show={"max_tokens": 300})).text
    found = re.search(r"\+(\d+) listitem \[expand (0-\d+)\]", shown)
    assert found is not None, shown
    assert 'button "Last"' in shown

    opened = (await use("snapshot", expand=f"[expand {found[2]}]")).text

    assert opened.count("link ") == int(found[1])
    assert "Last" not in opened


async def test_what_is_new_is_shown_also_where_the_page_is_folded(use: Use, site: Site) -> None:
    rows = "".join(f"<p>paragraph {n} of a page that is long</p>" for n in range(300))
    add = "for (let n = 0; n < 12; n++) r.insertAdjacentHTML('beforeend', `<p>new ${n}</p>`)"
    html = f'<button onclick="{add}">Add</button>{rows}<div id=r></div>'
    await use("navigate", url=site.page(html))

    added = await use("click", ref="text=Add", show={"max_tokens": 150})

    assert '+ text "new 11"' in added.text
    assert "Page:" not in added.text


async def test_the_choices_of_a_list_are_not_repeated_with_its_value(use: Use, site: Site) -> None:
    choices = "".join(f"<option>choice {n}" for n in range(12))
    await use("navigate", url=site.page(f"<select id=s aria-label=Kind>{choices}</select>"))

    chosen = await use("select", ref="label=Kind", label="choice 7")

    assert 'combobox "Kind" value="choice 7"' in chosen.text
    assert "options:" not in chosen.text


async def test_choices_that_came_are_told(use: Use, site: Site) -> None:
    page = "<select id=s aria-label=Kind><option>A<option>B</select>"
    page += "<button onclick=\"s.add(new Option('C'))\">More</button>"
    await use("navigate", url=site.page(page))

    more = await use("click", ref="text=More")

    assert "options:" in more.text or "C" in more.text


async def test_a_search_that_fits_most_of_a_page_is_cut(use: Use, site: Site) -> None:
    rows = "".join(f"<li><a href=#{n}>Add a child page to news item {n}</a>" for n in range(200))
    await use("navigate", url=site.page(f"<ul>{rows}</ul><button>Add news</button>"))

    short = (await use("press", key="Tab", show={"search": "news add"})).text
    long = (await use("press", key="Tab", show={"search": "news add", "max_tokens": 1500})).text

    assert "more lines)" in short
    assert estimate_tokens(short) < 900
    assert estimate_tokens(long) > 1000


async def test_a_budget_below_the_least_is_the_least(use: Use, site: Site) -> None:
    opened = await use("navigate", url=site.page(PAGE), show={"max_tokens": 40})
    seen = await use("snapshot", max_tokens=1)
    read = await use("read", max_tokens=1)

    assert not any(result.is_error for result in (opened, seen, read))
    assert seen.text == (await use("snapshot", max_tokens=100)).text
    assert read.text == (await use("read", max_tokens=50)).text
    assert (await use("snapshot", max_tokens=-5)).code == "invalid_params"
