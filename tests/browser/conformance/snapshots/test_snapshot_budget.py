"""Texts within a budget, opened where they were folded; searched; with places and pictures."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from cdp_agent import CdpAgentError, Page
from cdp_agent.snapshot.text.tokens import estimate_tokens
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

ROWS = """<h1>Rows</h1><ul id=list></ul><script>
for (let n = 1; n <= 400; n += 1) {
  const item = document.createElement('li');
  item.innerHTML = `<a href="#${n}">Row ${n}</a> <span>${n} g</span> <button>Delete ${n}</button>`;
  item.querySelector('button').onclick = () => { window.deleted = n; };
  list.append(item);
}</script>"""


async def test_a_folded_list_is_read_to_its_end_stub_by_stub(
    open_page: OpenPage, page: Page
) -> None:
    await open_page(ROWS)
    text = (await page.snapshot(max_tokens=2500)).text
    seen: list[int] = []
    for _ in range(20):
        assert estimate_tokens(text) <= 2500
        seen += [int(n) for n in re.findall(r'link "Row (\d+)"', text)]
        stub = re.search(r"\+\d+ listitem \[expand (0-\d+)\]", text)
        if stub is None:
            break
        text = (await page.snapshot(max_tokens=2500, expand=stub[1])).text

    assert seen == list(range(1, 401))


async def test_what_a_budget_has_folded_can_still_be_acted_on(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page(ROWS)
    snapshot = await page.snapshot(max_tokens=500)
    assert "Delete 399" not in snapshot.text

    await page.click(snapshot.find("button", "Delete 399").id)

    assert await oracle.eval("window.deleted") == 399


async def test_a_search_shows_the_row_it_finds_under_its_heading_and_nothing_else(
    open_page: OpenPage, page: Page
) -> None:
    await open_page(ROWS)
    snapshot = await page.snapshot(search="delete 377")

    assert [line.strip() for line in snapshot.text.split("\n")[1:]] == [
        'heading "Rows" 1',
        "list",
        f'* [{snapshot.find("link").id}] link "Row 377"',
        'text "377 g"',
        f'[{snapshot.find("button").id}] button "Delete 377"',
    ]


async def test_a_stub_of_a_page_that_went_is_stale(open_page: OpenPage, page: Page) -> None:
    await open_page(ROWS)
    text = (await page.snapshot(max_tokens=500)).text
    stub = re.search(r"\[expand (0-\d+)\]", text)
    assert stub is not None
    await page.evaluate("document.querySelector('#list').remove()")

    with pytest.raises(CdpAgentError) as refused:
        await page.snapshot(expand=stub[1])
    assert refused.value.code == "stale_ref"


async def test_bounds_tell_where_a_person_sees_it(open_page: OpenPage, page: Page) -> None:
    await open_page("<button style='position:fixed;left:40px;top:60px;width:90px;height:30px'>Go")

    assert 'button "Go" @40,60 90x30' in (await page.snapshot(bounds=True)).text


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_marks_are_drawn_where_things_are_in_every_kind_of_frame(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        "<body style='margin:0'><button style='position:fixed;left:100px;top:80px;width:120px;"
        "height:40px;background:#fff;border:0;color:#fff'>Go</button>",
        frame_kind,
    )
    snapshot = await stage.page.snapshot(marks=True)
    box = snapshot.find("button", "Go").bounds
    assert box is not None
    assert snapshot.screenshot is not None
    with Image.open(io.BytesIO(snapshot.screenshot)) as source:
        picture = source.convert("RGB")
    corners = [(box.x, box.y), (box.x + box.width, box.y + box.height)]

    for x, y in corners:
        near = [
            picture.getpixel((round(x) + dx, round(y) + dy)) for dx in (-1, 0) for dy in (-1, 0)
        ]
        assert (0xD0, 0, 0) in near
    assert picture.getpixel((round(box.x) + 60, round(box.y) + 20)) == (255, 255, 255)


async def test_a_picture_for_a_model_is_scaled_down_and_boxes_stay_the_pages(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page("<button style='position:fixed;left:1500px;top:100px'>Far</button>")
    await oracle.send(
        "Emulation.setDeviceMetricsOverride",
        {"width": 2048, "height": 1000, "deviceScaleFactor": 1, "mobile": False},
    )
    snapshot = await page.snapshot(screenshot=True)
    await oracle.send("Emulation.clearDeviceMetricsOverride")
    assert snapshot.screenshot is not None
    with Image.open(io.BytesIO(snapshot.screenshot)) as picture:
        size = picture.size
    box = snapshot.find("button", "Far").bounds

    assert size == (1024, 500)
    assert box is not None
    assert box.x == 1500


async def test_what_can_only_be_read_is_found_and_hovered_over(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page(
        "<ul><li>Alpha<li onmouseover='window.over = this.textContent'>Beta</ul><h2>News</h2>"
    )
    snapshot = await page.snapshot()

    assert snapshot.find("heading", "News").level == 2
    await page.hover(snapshot.find("listitem", "Beta").id)
    await page.hover(str(snapshot.find("listitem", "Alpha").id))
    assert await oracle.eval("window.over") == "Beta"


async def test_what_was_and_the_difference_make_what_is_on_a_page_that_changes(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page(ROWS.replace("400", "30"))
    before = await page.snapshot()
    for step in (
        "list.children[3].remove()",
        "list.append(list.children[2])",
        "list.prepend(Object.assign(document.createElement('li'), {textContent: 'New'}))",
        "list.querySelectorAll('button')[4].disabled = true",
        "list.querySelectorAll('a')[6].textContent = 'Renamed'",
        "list.style.display = 'none'",
        "list.style.display = ''; document.querySelector('h1').remove()",
    ):
        await oracle.eval(f"{{ {step} }}")
        after = await page.snapshot()

        assert after.diff(before).apply(before) == after.nodes, step
        assert not after.diff(before).is_empty, step
        before = after
