"""Scrolling on until a text is there, or the end is."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

# Only the rows in sight are there.
VIRTUAL = """<div id=box tabindex=0 role=group aria-label=Rows
  style="height:200px;overflow:auto;width:300px"><div id=space
  style="height:6000px;position:relative"></div></div><script>
const draw = () => {
  const first = Math.floor(box.scrollTop / 20);
  space.innerHTML = Array.from({length: 11}, (_, n) => first + n).filter(n => n < 300).map(n =>
    `<p style="position:absolute;margin:0;height:20px;top:${n * 20}px">Row <b>${n}</b> here</p>`)
    .join('');
};
box.onscroll = draw; draw();
</script>"""
IN_VIEW = """(() => {
  const row = [...document.querySelectorAll('p')].find(p => p.textContent.includes(WANTED));
  if (!row) return false;
  const {top, bottom} = row.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
})()"""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_list_that_draws_what_is_in_sight_is_scrolled_to_the_text(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(VIRTUAL, frame_kind)

    box = await stage.id("group", "Rows")
    outcome = await stage.page.scroll("down", id=box, until="row 60 here", timeout=20)

    assert await stage.eval(IN_VIEW.replace("WANTED", "'Row 60 here'"))
    assert outcome.data["found"] == "Row 60 here"
    assert outcome.data["steps"] > 1


@pytest.mark.parametrize("ref", ["a row", "a label", "the box", "none"])
async def test_a_list_is_scrolled_whatever_in_it_is_named(
    page: Page, oracle: PageOracle, open_page: OpenPage, ref: str
) -> None:
    await open_page(
        "<style>body{margin:0} p{background:#eee}</style>"
        + VIRTUAL.replace("height:200px", "height:650px")
        .replace("length: 11", "length: 33")
        .replace("width:300px", "width:200px")
        .replace("<b>${n}</b>", "${n}")
        .replace("<p style", "<p role=option tabindex=0 style")
        .replace("<div id=space", "<button>Filter</button><div id=space")
        + "<footer style='height:130px'>End</footer>"
    )
    snapshot = await page.snapshot()
    wanted = {"a row": "Row 1 ", "a label": "Filter", "the box": "Rows"}.get(ref)
    found = next(e for e in snapshot.elements if wanted in e.name) if wanted is not None else None

    outcome = await page.scroll(
        "down", id=found.id if found else None, until="row 257 here", timeout=20
    )

    assert await oracle.eval(IN_VIEW.replace("WANTED", "'Row 257 here'"))
    assert outcome.data["found"] == "Row 257 here"


async def test_a_page_that_loads_more_at_its_end_is_scrolled_on(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<div id=all></div><script>let n = 0; const more = () => { for (const end = n + 30;"
        " n < end && n < 100; n++) all.insertAdjacentHTML('beforeend', `<p>Item ${n}.</p>`) };"
        "more(); onscroll = () => { if (scrollY + innerHeight > document.body.scrollHeight - 50)"
        " setTimeout(more, 300) }</script>"
    )

    outcome = await page.scroll("down", until="Item 95.", timeout=30)

    assert await oracle.eval(IN_VIEW.replace("WANTED", "'Item 95.'"))
    # The id is one to act on.
    clicked = await page.click(outcome.data["found_id"])
    assert clicked.success


async def test_a_text_that_is_there_already_is_brought_into_view(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<p>Top</p><p style='margin-top:3000px'>Bottom</p>")

    outcome = await page.scroll("down", until="bottom")

    assert await oracle.eval(IN_VIEW.replace("WANTED", "'Bottom'"))
    assert outcome.data["steps"] == 0


async def test_the_end_without_the_text_is_an_error_that_says_so(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<p style='margin-bottom:2000px'>Top</p><p hidden>Nowhere</p><p>Bottom</p>")

    with pytest.raises(CdpAgentError) as caught:
        await page.scroll("down", until="Nowhere", timeout=20)

    assert caught.value.code == "condition_failed"
    assert "the end was reached" in caught.value.message
    assert await oracle.eval("scrollY > 500")
