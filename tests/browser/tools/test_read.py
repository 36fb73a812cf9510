"""The readable text of a page: by section, within a limit, without what stands around it."""

from __future__ import annotations

import pytest

from tests.browser.tools.conftest import Use
from tests.support.site import Site

PAGE = """<title>Guide</title><header>Brand <nav><a href=#>Home</a></nav></header>
<main><h1>Guide</h1><p>First <b>bold</b> <a href=#>link</a>
words.</p><p style="display:none">Hidden</p><p style="color:#fff;background:#fff">Invisible ink</p>
<h2>Prices</h2><table><tr><th>Item<th>Price<tr><td>Tea<td>3.50<tr><td>Cake<td></table>
<label>Status <select><option>Pending<option selected>Shipped</select></label>
<ul><li>One<li>Two</ul><button>Buy</button>
<h3>Refunds</h3><p>Within 30 days.</p><h2>Contact</h2><pre>a
  b</pre></main><aside>Adverts</aside><footer>Imprint</footer>"""

WHOLE = """# Guide
First bold link words.
## Prices
Item | Price
Tea | 3.50
Cake |
Status Shipped
- One
- Two
### Refunds
Within 30 days.
## Contact
a
  b"""


async def test_a_page_is_read_by_sections_and_without_its_chrome(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(PAGE))

    assert (await use("read")).text == f"{WHOLE}\n(outside the main text: 5 lines)"


async def test_a_heading_stands_for_its_section(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(PAGE))

    read = (await use("read", ref="role=heading[name=Prices]")).text

    assert read == WHOLE[WHOLE.index("## Prices") : WHOLE.index("\n## Contact")]
    assert (await use("read", ref="css=aside")).text == "Adverts"


async def test_what_is_left_out_is_counted_and_can_be_read_on(use: Use, site: Site) -> None:
    text = "".join(f"<h2>Part {n}</h2><p>{'word ' * 30}</p>" for n in range(30))
    await use("navigate", url=site.page(text))

    first = (await use("read", max_tokens=150)).text
    lines = first.split("\n")
    begin = len(lines)

    assert lines[-1].startswith(f"(lines 1-{begin - 1} of 60, about ")
    assert f"from {begin}" in lines[-1]
    assert "sections: " in lines[-1]
    following = (await use("read", max_tokens=150, **{"from": begin})).text
    assert (
        following.split("\n")[0]
        == (await use("read", max_tokens=99_999)).text.split("\n")[begin - 1]
    )


async def test_a_search_gives_the_lines_with_their_heading_and_head(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(PAGE))

    found = (await use("read", search="tea cost")).text
    nothing = (await use("read", search="zebra")).text

    assert found == "## Prices\nItem | Price\n5: Tea | 3.50"
    assert nothing == '(nothing here has any of the words "zebra")'


async def test_frames_are_read_after_the_page(use: Use, site: Site) -> None:
    frame = site.page("<p>Inside</p>", host="b.test")
    await use("navigate", url=site.page(f"<p>Outside</p><iframe src='{frame}'></iframe>"))
    await use("wait", text="Inside")

    assert (await use("read")).text == f"Outside\n(frame 1, {frame})\nInside"


async def test_a_label_in_a_box_of_its_own_stands_before_its_value(use: Use, site: Site) -> None:
    await use(
        "navigate",
        url=site.page(
            "<div><label for=s>Status:</label></div><div><select id=s><option>Open</select></div>"
            "<div>Total:</div><div>12.50</div>"
        ),
    )

    assert (await use("read")).text == "Status: Open\nTotal:\n12.50"
    assert (await use("read", search="total")).text == "2: Total: 12.50"


METRICS = """<h2>Sales</h2><div><div>Units</div><div>1,956</div></div>
<div><div>Net revenue</div><div>61,149.60</div></div>
<button class="icon trash"></button><button class="icon download"></button>"""


async def test_a_search_shows_a_label_with_its_value(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(METRICS))

    read = (await use("read", search="net revenue")).text
    snapshot = (await use("snapshot", search="net revenue")).text

    assert read == "## Sales\n4: Net revenue 61,149.60"
    assert snapshot.split("\n")[1:] == [
        'heading "Sales" 2',
        'text "Net revenue"',
        'text "61,149.60"',
    ]


async def test_a_search_finds_a_nameless_element_by_its_hint(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(METRICS))

    lines = (await use("snapshot", search="trash")).text.split("\n")

    assert lines[-1].endswith('button hint="trash"')
    assert len(lines) == 3


CODE = """<div style="white-space:pre">def total(rows):</div>
<div style="white-space:pre"><span>    for</span> row in rows:</div>
<pre>  a
    b</pre><p>  plain   text</p>"""


async def test_lines_of_code_begin_as_far_in_as_they_are_written(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(CODE))

    assert (await use("read")).text.split("\n") == [
        "def total(rows):",
        "    for row in rows:",
        "  a",
        "    b",
        "plain text",
    ]


async def test_a_cell_over_two_columns_shifts_none(use: Use, site: Site) -> None:
    table = "<table><tr><th>A<th>B<th>C<tr><td colspan=2>1<td>3<tr><td>4<td>5<td>6</table>"
    await use("navigate", url=site.page(table))

    assert (await use("read")).text.split("\n") == ["A | B | C", "1 | | 3", "4 | 5 | 6"]


async def test_a_search_finds_also_what_a_page_leaves_out(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(PAGE))

    assert (await use("read", search="imprint")).text == "outside the main text: Imprint"
    assert (await use("read", search="guide")).text == "1: # Guide"
    await use("navigate", url=site.page("<ul><li>Kayak <button>Cancel booking</button></ul>"))
    assert (await use("read", search="kayak")).text == "1: - Kayak"
    assert (await use("read", search="cancel")).text == "outside the main text: Cancel booking"


async def test_an_own_selector_means_the_element_and_not_its_section(use: Use, site: Site) -> None:
    boxes = (
        "<div class=c><h2>One</h2><p>First</p></div><div class=c><h2>Two</h2><p>Second</p></div>"
    )
    await use("navigate", url=site.page(f"<h1>All</h1><p>Text</p>{boxes}"))

    assert (await use("read", ref="css=h1")).text == "# All"
    assert (await use("read", ref="xpath=//div[2]/h2")).text == "## Two"
    assert (await use("read", ref="text=Two")).text == "## Two\nSecond"
    several = (await use("read", ref="css=.c")).text
    assert [line for line in several.split("\n") if "[" not in line] == ["First", "Second"]


TRIALS = "".join(f"<p>Trial {n}</p>" for n in range(40)) + "<p>A trial of 3 weeks</p>"


async def test_lines_with_the_words_as_they_stand_are_shown_alone(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(TRIALS))

    read = (await use("read", search="Trial 3")).text
    snapshot = (await use("snapshot", search="Trial 3")).text

    assert read == "4: Trial 3\n(40 more lines with some of the words)"
    assert snapshot.split("\n")[1:] == ['text "Trial 3"']
    assert len((await use("read", search="Trial 77")).text.split("\n")) == 41


LISTS = """<h2>Bookings</h2><ul><li>Kayak, 4 July<li>Bicycle, 12 July</ul>
<pre>Umbrellas: 5
Gloves: 11</pre><div>Graz</div><div>Malmo</div><div>Total:</div><div>12 July</div>
<div>Units</div><div>1,944</div>"""


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("July", ["## Bookings", "2: - Kayak, 4 July", "3: - Bicycle, 12 July", "9: 12 July"]),
        ("Umbrellas", ["## Bookings", "4: Umbrellas: 5"]),
        ("Graz", ["## Bookings", "6: Graz"]),
        ("total 12", ["## Bookings", "3: - Bicycle, 12 July", "8: Total: 12 July"]),
        ("units", ["## Bookings", "10: Units 1,944"]),
    ],
)
async def test_a_line_is_found_as_it_stands_and_once(
    use: Use, site: Site, words: str, lines: list[str]
) -> None:
    await use("navigate", url=site.page(LISTS))

    assert (await use("read", search=words)).text.split("\n") == lines
