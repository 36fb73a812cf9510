"""A part of the page instead of all of it: by subtree, depth, role, viewport or number."""

from __future__ import annotations

import json

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

FORM = """<h1>Shop</h1><p>Welcome</p>
<form aria-label=Order id=order><label>Name <input></label><button>Buy</button>
  <div role=group aria-label=Extras><p>Nice to have</p><button>Wrap</button></div></form>
<nav aria-label=Footer><a href='#terms'>Terms</a></nav>"""


@pytest.mark.row("SNP-39")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_snapshot_of_one_id_is_its_subtree_with_the_same_ids(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<button>Outside</button><div tabindex=0 role=group aria-label=Box>
        <button>Inside</button><p>Text</p></div><p>Elsewhere</p>""",
        frame_kind,
    )
    box, inside = await stage.id("group", "Box"), await stage.id("button", "Inside")

    part = await stage.page.snapshot(root=box)

    assert [element.id for element in part.elements] == [box, inside]
    assert "Text" in part.text
    assert "Outside" not in part.text
    assert "Elsewhere" not in part.text
    await stage.page.click(part.find("button", "Inside").id)


async def test_the_subtree_of_an_id_that_is_gone_is_stale(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<div tabindex=0 role=group aria-label=Box><button>In</button></div>")
    box = (await page.snapshot()).find("group", "Box").id
    await oracle.eval("document.querySelector('div').remove()")

    with pytest.raises(CdpAgentError) as caught:
        await page.snapshot(root=box)

    assert caught.value.code == "stale_ref"


@pytest.mark.row("SNP-39")
async def test_a_depth_limit_cuts_below_and_says_so(page: Page, open_page: OpenPage) -> None:
    await open_page("""<ul aria-label=One><li>a<ul aria-label=Two><li>b<ul aria-label=Three>
      <li><button>Deep</button></li></ul></li></ul></li></ul><button>Top</button>""")

    full, cut = await page.snapshot(), await page.snapshot(max_depth=3)

    assert full.find("button", "Deep")
    assert not cut.find_all("button", "Deep")
    assert cut.find("button", "Top").id == full.find("button", "Top").id
    assert len(cut.text) < len(full.text)


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("selector", ["#order", "//form[@id='order']", "form"])
async def test_a_part_can_be_named_by_a_selector_in_its_frame(
    make_stage: MakeStage, frame_kind: str, selector: str
) -> None:
    stage = await make_stage(FORM, frame_kind)
    buy = await stage.id("button", "Buy")

    part = await stage.page.snapshot(focus={"frame_index": stage.frame_index, "selector": selector})

    assert part.find("button", "Buy").id == buy
    assert part.find("textbox", "Name")
    assert "Shop" not in part.text
    assert "Terms" not in part.text


@pytest.mark.parametrize(
    ("frame_index", "selector", "code"),
    [
        (0, "#nowhere", "element_not_found"),
        (0, "//nothing", "element_not_found"),
        (0, "###", "invalid_params"),
        (0, "//[", "invalid_params"),
        (9, "#order", "invalid_params"),
    ],
)
async def test_a_selector_that_names_nothing_is_an_error(
    page: Page, open_page: OpenPage, frame_index: int, selector: str, code: str
) -> None:
    await open_page(FORM)

    with pytest.raises(CdpAgentError) as caught:
        await page.snapshot(focus={"frame_index": frame_index, "selector": selector})

    assert caught.value.code == code


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_roles_keep_only_elements_of_those_roles(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(FORM, frame_kind)

    part = await stage.page.snapshot(roles=["button", "link"])

    assert [element.name for element in part.elements] == ["Buy", "Wrap", "Terms"]
    assert "Name" not in part.text


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_interactive_only_leaves_the_reading_matter_out(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(FORM, frame_kind)

    full = await stage.page.snapshot()
    part = await stage.page.snapshot(interactive_only=True)

    # A label has an id in the whole snapshot, and is not a control.
    controls = [element.id for element in full.elements if element.role != "label"]
    assert [element.id for element in part.elements] == controls
    assert [element.name for element in part.elements] == ["Name", "Buy", "Wrap", "Terms"]
    for words in ("Welcome", "Nice to have"):
        assert words in full.text
        assert words not in part.text


async def test_viewport_only_is_what_can_be_seen_now(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    inner = site.page("<button>Framed</button>", host="b.test")
    await open_page(f"""<button>Top</button><div style='height:3000px'></div>
      <button>Bottom</button><iframe src='{inner}'></iframe>""")
    await oracle.wait_in("b.test", "document.readyState === 'complete'")

    top = await page.snapshot(viewport_only=True)
    await oracle.eval("scrollTo(0, 1e6)")
    bottom = await page.snapshot(viewport_only=True)

    assert [element.name for element in top.elements] == ["Top"]
    assert [element.name for element in bottom.elements] == ["Bottom", "Framed"]


async def test_what_a_box_or_a_frame_has_scrolled_away_is_not_in_view(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    """Inside the page's viewport, as boxes go, but nobody sees it."""
    inner = site.page(
        "<button>Framed</button><p style='margin-bottom:300px'></p><button>Framed low</button>",
        host="b.test",
    )
    await open_page(f"""<h1>Basket</h1>
      <div style='height:60px; overflow:auto'><button>Upper</button><p>Words above</p>
        <p style='margin-bottom:200px'></p><button>Lower</button><p>Words below</p></div>
      <div style='height:20px; overflow:hidden'>
        <button style='position:absolute; left:300px; top:300px'>Loose</button></div>
      <iframe src='{inner}' style='height:80px'></iframe>
      <select aria-label=Size><option>S<option>M</select>""")
    await oracle.wait_in("b.test", "document.readyState === 'complete'")

    seen = await page.snapshot(viewport_only=True)

    names = [element.name for element in seen.elements]
    assert names == ["Upper", "Loose", "Framed", "Size", "S", "M"]
    assert {"Lower", "Framed low"} < {element.name for element in (await page.snapshot()).elements}
    assert "Basket" in seen.text
    assert "Words above" in seen.text
    assert "Words below" not in seen.text


async def test_roles_that_one_can_only_read_keep_their_lines(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("""<h1>Prices</h1><p>Nothing</p><table><tr><td>Tea<td>3</tr>
      <tr><td>Milk<td><button>Ask</button></tr></table>""")

    headings = await page.snapshot(roles=["heading"])
    rows = await page.snapshot(roles=["row"])

    assert headings.text.splitlines()[1:-1] == ['heading "Prices" 1']
    assert [line.strip() for line in rows.text.splitlines()[2:-1]] == [
        "row Tea | 3",
        "row Milk | Ask",
    ]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_number_of_elements_is_kept_and_the_rest_is_mentioned(
    make_stage: MakeStage, frame_kind: str
) -> None:
    buttons = "".join(f"<button>Button {n}.</button>" for n in range(50))
    stage = await make_stage(buttons, frame_kind)
    full = await stage.page.snapshot()

    part = await stage.page.snapshot(max_elements=10)

    assert [element.id for element in part.elements] == [e.id for e in full.elements][:10]
    assert "Button 10." not in part.text
    assert part.text.splitlines()[-1] == "(10 of 50 elements)"


async def test_bounds_are_where_the_element_is_on_the_screen(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<body style='margin:0;height:2000px'><button style='position:absolute;
      left:100px;top:250px;width:80px;height:30px'>It</button>""")
    await oracle.eval("scrollTo(0, 200)")

    bounds = (await page.snapshot()).find("button", "It").bounds

    assert bounds is not None
    assert (bounds.x, bounds.y, bounds.width, bounds.height) == (100, 50, 80, 30)


async def test_the_snapshot_is_plain_data_too(page: Page, open_page: OpenPage) -> None:
    url = await open_page(FORM)
    snap = await page.snapshot()

    data = json.loads(json.dumps(snap.model_dump()))

    assert data["text"] == snap.text
    assert [(e["id"], e["role"], e["name"]) for e in data["elements"]] == [
        (e.id, e.role, e.name) for e in snap.elements
    ]
    assert data["page"]["url"] == url


async def test_the_maps_hold_every_element(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(FORM)
    snap = await page.snapshot()

    for element in snap.elements:
        assert snap.backend_node_map[element.id] == element.backend_node_id
        xpath = snap.xpath_map[element.id]
        found = f"document.evaluate({xpath!r}, document, null, 9).singleNodeValue"
        assert await oracle.backend_node_id(found) == element.backend_node_id
