"""Names, hints, values and states of real elements, as Chromium's own tree and layout give them."""

from __future__ import annotations

import pytest

from cdp_agent import ElementNotFound, Page
from tests.support.stage import OpenPage

ICON_FONT = """<style>.bars::before { content: '\\f0c9' }</style>"""


def _line(text: str, words: str) -> str:
    return next(line.strip() for line in text.splitlines() if words in line)


async def test_a_glyph_is_no_name_and_the_page_gives_a_hint(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(f"""{ICON_FONT}<a href='#a' id=side-menu><i class=bars></i></a>
      <a href='#b'><i class=bars></i> Info</a>
      <button class='MuiButtonBase-root css-1x2y3z'><svg aria-hidden=true data-testid=DeleteIcon
        width=9 height=9></svg></button>
      <a href='#c' title='Add a flow'><i class=bars></i></a>""")

    snap = await page.snapshot()

    ids = [element.id for element in snap.elements]
    assert snap.text.splitlines()[1:] == [
        f'[{ids[0]}] link hint="side-menu"',
        f'[{ids[1]}] link "Info"',
        f'[{ids[2]}] button hint="DeleteIcon"',
        f'[{ids[3]}] link hint="Add a flow"',
    ]
    with pytest.raises(ElementNotFound):
        snap.find("button", "DeleteIcon")


async def test_a_field_for_numbers_shows_its_text(page: Page, open_page: OpenPage) -> None:
    await open_page(
        "<label>Price <input type=number step=.01 value=79.00></label>"
        "<table><tr><th>Sum<td><input type=number step=.01 aria-label=Sum value=333.30></table>"
    )

    snap = await page.snapshot()

    price = snap.find("spinbutton", "Price")
    assert (price.value, snap.find("spinbutton", "Sum").value) == ("79.00", "333.30")
    assert _line(snap.text, "row").endswith('spinbutton "Sum" value="333.30"')
    filled = await page.fill(price.id, "80.50", observe=True)
    assert filled.diff is not None
    assert filled.diff.text == f'~ [{price.id}] spinbutton "Price" value="80.50" focused'


async def test_values_keep_their_lines_in_the_text_and_as_data(
    page: Page, open_page: OpenPage
) -> None:
    words = "word\n" * 400
    await open_page(
        "<textarea aria-label=Code>if x:\n  y()\n\treturn</textarea>"
        f"<textarea aria-label=Long>{words}</textarea>"
    )

    snap = await page.snapshot()

    code, long = snap.find("textbox", "Code"), snap.find("textbox", "Long")
    assert code.value == "if x:\n  y()\n\treturn"
    assert snap.model_dump()["elements"][0]["value"] == code.value
    assert _line(snap.text, "Code").endswith(r'value="if x:\n  y()\n\treturn"')
    assert _line(snap.text, "Long").endswith('..." (cut, 2,000 characters)')
    assert long.state["value_length"] == 2000


async def test_formatted_text_shows_its_blocks_and_follows_a_change(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("""<div contenteditable role=textbox aria-label=Body><h2>News</h2>
      <p>The <b>crane</b> is <span style='font-weight: bold'>closed</span>.</p>
      <ul><li>Ask Ada</li></ul></div>
      <button onclick="document.querySelector('b').outerHTML = 'crane'">Plain</button>""")
    snap = await page.snapshot()

    lines = snap.text.splitlines()[1:]
    assert lines[0].endswith('textbox "Body"')
    assert lines[1:5] == [
        ' heading "News" 2',
        ' text "The **crane** is **closed** ."',
        " list",
        '  listitem "Ask Ada"',
    ]
    assert "crane" in str(snap.find("textbox", "Body").value)

    await page.click(snap.find("button", "Plain").id)

    assert ' text "The crane is **closed** ."' in (await page.snapshot()).text.splitlines()


async def test_sliders_tabs_filters_and_columns_say_how_they_stand(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("""<input type=range aria-label=Discount min=0 max=60 step=5 value=10>
      <nav><a href='#a' aria-current=page>Home</a></nav>
      <ul><li class=selected><a href='#b'>Paid</a></li><li><a href='#c'>Open</a></li></ul>
      <table><thead><tr><th aria-sort=descending>Day</th><th>City</th></tr></thead>
      <tr><td>1</td><td>Riga</td></tr></table>""")

    text = (await page.snapshot()).text

    assert _line(text, "Discount").endswith('value="10" min=0 max=60 step=5')
    assert _line(text, "Home").endswith('link "Home" current')
    assert _line(text, "Paid").endswith('link "Paid" selected')
    assert _line(text, "Open").endswith('link "Open"')
    assert _line(text, "Day").endswith('header: "Day" sorted=descending | City')


async def test_a_class_that_chooses_is_seen_after_a_click_that_moves_nothing(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("""<style>.active { color: red }</style><script>
      function choose(link) {
        document.querySelector('.active').classList.remove('active');
        link.classList.add('active');
      }</script>
      <a href='#' class=active onclick='choose(this); return false'>One</a>
      <a href='#' onclick='choose(this); return false'>Two</a>""")
    snap = await page.snapshot()
    assert snap.find("link", "One").state.get("selected") is True

    outcome = await page.click(snap.find("link", "Two").id, observe=True)

    after = outcome.snapshot or await page.snapshot()
    assert after.find("link", "Two").state.get("selected") is True
    assert "selected" not in after.find("link", "One").state
