"""Elements that answer to something else than clicks are in the snapshot, with an id."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from cdp_agent.tools import ToolSession, call
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_bare_canvas_has_an_id_and_is_clicked_at_a_position(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<canvas id=c width=200 height=100></canvas><script>log = [];
        c.onclick = e => log.push([e.offsetX, e.offsetY])</script>""",
        frame_kind,
    )
    canvas = await stage.id("canvas")

    await stage.page.click(canvas, position=(30, 40))
    said = await call(ToolSession(stage.page), "browser_click", {"ref": canvas, "position": [7, 9]})

    assert not said.is_error, said.text
    assert await stage.eval("log") == [[30, 40], [7, 9]]


CANVASES = {
    "plain": ("<canvas></canvas>", 1),
    "named": ("<canvas aria-label=Chart></canvas>", 1),
    "with words inside": ("<canvas>Your browser is old</canvas>", 1),
    "in a link": ("<a href=x>Home <canvas></canvas></a>", 1),
    "in a closed root": (
        "<p></p><script>document.querySelector('p').attachShadow({mode: 'closed'})"
        ".innerHTML = '<canvas></canvas>'</script>",
        1,
    ),
    "hidden": ("<canvas hidden></canvas>", 0),
    "invisible": ("<canvas style='visibility: hidden'></canvas>", 0),
    "only drawn": ("<canvas aria-hidden=true></canvas>", 0),
    "through which one points": ("<canvas style='pointer-events: none'></canvas>", 0),
    "of one pixel": ("<canvas width=1 height=1></canvas>", 0),
}


@pytest.mark.parametrize(("html", "count"), CANVASES.values(), ids=CANVASES.keys())
async def test_canvases_that_one_can_act_on_are_listed(
    page: Page, open_page: OpenPage, html: str, count: int
) -> None:
    await open_page(f"<h1>Drawing</h1>{html}")

    snapshot = await page.snapshot()

    assert len(snapshot.find_all("canvas")) == count, snapshot.text
    assert snapshot.text.count("] canvas") == count, snapshot.text


TYPES = ("drop", "dblclick", "contextmenu", "pointerdown", "mousedown")
BOARD = """<style>.day {{ width: 80px; height: 60px; border: 1px solid }}</style>
<h1>May</h1><div id=board><div class=day id=one>1</div><div class=day id=two>2</div>
<div class=day id=empty></div></div>
<script>
  for (const day of [one, empty]) day.addEventListener('{type}', () => {{}});
</script>"""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("type", TYPES)
async def test_what_answers_to_nothing_but_this_has_an_id(
    make_stage: MakeStage, frame_kind: str, type: str
) -> None:
    stage = await make_stage(BOARD.format(type=type), frame_kind)

    snapshot = await stage.page.snapshot()
    again = await stage.page.snapshot()

    frame = next(f.index for f in snapshot.frames if f.url == stage.url)
    stage.frame_index = frame
    listed = {e.id: e.name for e in snapshot.elements if e.frame_index == frame}
    assert listed == {await stage.ref("#one"): "1", await stage.ref("#empty"): ""}, snapshot.text
    assert f"[{await stage.ref('#one')}] generic" in snapshot.text
    assert again.text == snapshot.text


async def test_a_listener_that_is_added_later_is_seen_without_a_mutation(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(BOARD.format(type="x"))
    assert not (await stage.page.snapshot()).elements

    await stage.eval("one.addEventListener('dblclick', () => document.title = 'Opened'), 0")
    day = (await stage.page.snapshot()).find(name="1")
    await stage.page.double_click(day.id)

    assert await stage.eval("document.title") == "Opened"


async def test_a_region_that_listens_for_all_of_the_page_has_no_line(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(
        """<div id=app style="height: 90vh"><button>Save</button><p>Words</p></div><script>
        for (const one of [document, document.body, app])
          for (const type of ['contextmenu', 'pointerdown', 'drop']) one.addEventListener(type, f);
        function f() {}</script>"""
    )

    assert [e.role for e in (await page.snapshot()).elements] == ["button"]


async def test_a_row_that_opens_by_a_double_click_has_an_id(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(
        """<table><tr><th>Name</th></tr><tr id=r><td>Ada</td></tr></table>
        <script>r.addEventListener('dblclick', () => r.cells[0].textContent = 'Open')</script>"""
    )
    [row] = [e for e in (await page.snapshot()).elements if e.role == "row"]

    await page.double_click(row.id)

    assert "Open" in (await page.snapshot()).text


ROWS = "".join(f"<p><button onclick='this.textContent += 1'>Row {n}</button>" for n in range(80))


async def test_a_page_with_onclick_attributes_is_captured_after_each_change(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(f"<table><tr onclick='1'><td>A</table>{ROWS}")
    for number in range(4):
        await page.evaluate(
            "document.body.append(document.createElement('i'));"
            "document.querySelector('button').setAttribute('onclick', 'this.title = 2');"
            f"document.querySelector('td').textContent = 'Cell {number}'"
        )

        assert f"Cell {number}" in (await page.snapshot()).text


@pytest.mark.parametrize("mode", ["open", "closed"])
@pytest.mark.parametrize("type", ["drop", "dblclick"])
async def test_a_target_in_a_shadow_root_has_an_id(
    page: Page, open_page: OpenPage, mode: str, type: str
) -> None:
    await open_page(
        f"""<my-board></my-board><p>Words</p><script>
        const root = document.querySelector('my-board').attachShadow({{mode: '{mode}'}});
        root.innerHTML = '<div style="width:80px;height:60px">1</div>';
        root.firstChild.addEventListener('{type}', () => {{}});
        </script>"""
    )

    snapshot = await page.snapshot()
    again = await page.snapshot()

    assert [(e.role, e.name) for e in snapshot.elements] == [("generic", "1")], snapshot.text
    assert again.text == snapshot.text


HIDING = {
    "is not shown": "menu.hidden = true",
    "has left": "menu.remove()",
}


@pytest.mark.parametrize("hide", HIDING.values(), ids=HIDING.keys())
async def test_what_listens_for_the_clicks_on_a_closed_popup_is_not_listed(
    make_stage: MakeStage, hide: str
) -> None:
    """As the element around each popup of React, which all listeners are put on."""
    stage = await make_stage(
        "<h1>Page</h1><div id=portal><div id=menu title=Cities><p>Rome</p></div></div>"
        "<script>portal.addEventListener('click', () => {})</script>"
    )
    assert "Rome" in (await stage.page.snapshot()).text

    await stage.eval(hide)

    snapshot = await stage.page.snapshot()
    assert "generic" not in snapshot.text, snapshot.text
    assert "Cities" not in snapshot.text, snapshot.text


async def test_what_listens_for_clicks_on_what_stands_outside_its_box_is_listed(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        "<div id=target><b style='position:absolute;left:50px;top:50px'>Rome</b></div>"
        "<script>target.addEventListener('click', () => {})</script>"
    )

    assert "Rome" in (await stage.page.snapshot()).text
    assert (await stage.page.snapshot()).get(await stage.ref("#target"))


@pytest.mark.parametrize("display", ["list-item", "table-row"])
async def test_an_item_of_a_menu_without_a_role_is_a_target(
    page: Page, open_page: OpenPage, display: str
) -> None:
    await open_page(
        f"<style>ul {{ display: table; list-style: none }} li {{ display: {display} }}</style>"
        "<ul role=menu>"
        "<li tabindex=0 aria-haspopup=true id=theme><div></div><div>Theme</div></li>"
        "<li role=menuitem tabindex=0>Save</li><li role=presentation tabindex=0></li></ul>"
    )

    snap = await page.snapshot()

    theme = await page.find({"css": "#theme"})
    assert snap.text.splitlines()[1:] == [
        "menu",
        f' [{theme}] generic "Theme"',
        f' [{snap.find("menuitem", "Save").id}] menuitem "Save"',
    ]
