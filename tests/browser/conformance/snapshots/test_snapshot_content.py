"""What is in a snapshot: everything a person can see and use, once, and nothing they cannot.

Left out by choice: what is not rendered, `aria-hidden` and inert content, and anything under
`data-browser-agent-ui`. An element gets an id where one can act on it, whether its author gave it
a role or not.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

HIDDEN = {
    "display none": "<div style='display:none'>{}</div>",
    "hidden attribute": "<div hidden>{}</div>",
    "visibility hidden": "<div style='visibility:hidden'>{}</div>",
    "content-visibility hidden": "<div style='content-visibility:hidden'>{}</div>",
    "closed details": "<details><summary>More</summary>{}</details>",
    "closed dialog": "<dialog>{}</dialog>",
    "closed popover": "<div popover>{}</div>",
    "template": "<template>{}</template>",
    "noscript": "<noscript>{}</noscript>",
    "aria-hidden": "<div aria-hidden=true>{}</div>",
    "inert": "<div inert>{}</div>",
    "our own interface": "<div data-browser-agent-ui>{}</div>",
}


@pytest.mark.row("SNP-10", "SNP-11")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_cannot_be_seen_or_used_is_left_out(
    make_stage: MakeStage, frame_kind: str
) -> None:
    parts = [
        around.format(f"<button onclick='1'>Secret {case}</button><p>Whisper {case}</p>"
                      f"<a href='#'>Path {case}</a>") + f"<button>After {case}</button>"
        for case, around in HIDDEN.items()
    ]  # fmt: skip
    stage = await make_stage(f"<button>Before</button>{''.join(parts)}", frame_kind)

    snap = await stage.page.snapshot()

    assert snap.find("button", "Before")
    for case in HIDDEN:
        assert snap.find("button", f"After {case}"), case
        for words in (f"Secret {case}", f"Whisper {case}", f"Path {case}"):
            assert words not in snap.text, case
            assert not snap.find_all(name=words), case
    assert not snap.find_all("link")


@pytest.mark.row("SNP-09")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_visible_child_of_a_hidden_parent_is_listed(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<div style='visibility:hidden'><button>Hidden</button>
        <button style='visibility:visible'>Shown</button>
        <p style='visibility:visible'>Text</p></div>""",
        frame_kind,
    )

    snap = await stage.page.snapshot()

    assert [element.name for element in snap.find_all("button")] == ["Shown"]
    assert "Text" in snap.text
    assert "Hidden" not in snap.text


@pytest.mark.row("SNP-11")
async def test_only_the_open_modal_dialog_is_offered(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<button>Outside</button>
      <dialog id=box><button onclick='box.close()'>Inside</button></dialog>
      <script>box.showModal()</script>""")

    during = await page.snapshot()
    await page.click(during.find("button", "Inside").id)
    after = await page.snapshot()

    assert [element.name for element in during.find_all("button")] == ["Inside"]
    assert [element.name for element in after.find_all("button")] == ["Outside"]


@pytest.mark.row("SNP-11")
async def test_nothing_behind_a_modal_dialog_is_offered_whatever_it_listens_for(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    """Of two dialogs only the upper one; icons and listeners are known to the layout alone."""
    await open_page("""<button onclick='0'>Outside</button><div style='cursor:pointer'>Card</div>
      <i style='cursor:pointer; display:block; width:20px; height:20px'></i>
      <dialog id=lower><button onclick='upper.showModal()'>More</button></dialog>
      <dialog id=upper><i onclick='0' style='cursor:pointer; display:block; width:20px;
        height:20px'></i><button onclick='0'>Close</button></dialog>
      <script>lower.showModal()</script>""")

    one = await page.snapshot()
    await page.click(one.find("button", "More").id)
    two = await page.snapshot()
    await oracle.eval("upper.close(); lower.close()")
    none = await page.snapshot()

    assert [element.name for element in one.elements] == ["", "More"]
    assert [element.name for element in two.elements] == ["", "", "Close"]
    assert [element.name for element in none.elements] == ["Outside", "Card", ""]


@pytest.mark.row("SNP-12")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_that_takes_no_pointer_is_listed_and_not_clicked(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<div onclick='hits.push("behind")'><button style='pointer-events:none'
        onclick='hits.push("button")'>Ghost</button></div><script>window.hits = []</script>""",
        frame_kind,
    )
    ghost = await stage.id("button", "Ghost")

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.click(ghost, timeout=0.5)

    assert caught.value.code == "element_obscured"
    assert await stage.eval("hits") == []


ICON = "<svg width=24 height=24><path d='M0 0h24v24H0z'/></svg>"
UNNAMED = {
    "cursor pointer": f"<div id=it style='cursor:pointer;width:24px'>{ICON}</div>",
    "click listener": f"<div id=it style='width:24px'>{ICON}</div>",
    "onclick attribute": f"<div id=it onclick='1' style='width:24px'>{ICON}</div>",
    "tabindex": f"<div id=it tabindex=0 style='width:24px'>{ICON}</div>",
    "icon button": f"<button id=it>{ICON}</button>",
    "icon link": f"<a id=it href='#x'>{ICON}</a>",
}


@pytest.mark.row("SNP-13")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("html", UNNAMED.values(), ids=UNNAMED.keys())
async def test_an_icon_without_role_or_name_has_an_id_that_clicks_it(
    make_stage: MakeStage, frame_kind: str, html: str
) -> None:
    stage = await make_stage(
        f"""<p>Text</p>{html}<script>
        window.hits = 0;
        document.getElementById('it').addEventListener('click', () => hits++);
        </script>""",
        frame_kind,
    )

    it = await stage.css("#it")
    await stage.page.click(it)

    assert await stage.eval("hits") == 1
    assert f"[{it}]" in (await stage.page.snapshot()).text


@pytest.mark.row("SNP-13")
async def test_icons_stand_in_the_order_of_the_page(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    icons = [f"<i id=i{n} style='cursor:pointer;display:block'>{ICON}</i>" for n in range(3)]
    await open_page(
        f"{icons[0]}<button id=b0>A</button><ul><li>{icons[1]}</li></ul>"
        f"<button id=b1>B</button>{icons[2]}"
    )
    order = ["i0", "b0", "i1", "b1", "i2"]
    ids = [f"0-{await oracle.backend_node_id(name)}" for name in order]

    snap = await page.snapshot()

    assert [element.id for element in snap.elements] == ids
    assert sorted(ids, key=lambda element_id: snap.text.index(f"[{element_id}]")) == ids


@pytest.mark.row("SNP-15")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_can_be_dragged_has_an_id(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        "<div id=it draggable=true>Card</div><div id=zone>Drop here</div>", frame_kind
    )

    card = (await stage.page.snapshot()).get(await stage.css("#it"))

    assert "draggable" in card.hints
    assert f"[{card.id}]" in (await stage.page.snapshot()).text


async def test_only_the_outermost_of_nested_clickables_is_listed(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    """`cursor` is inherited: without this rule every span of a card would be an element."""
    await open_page("""<div id=card style='cursor:pointer' onclick='document.title = "hit"'>
      <div><span>Title</span> <span>Price</span></div></div>""")
    card = f"0-{await oracle.backend_node_id('card')}"

    snap = await page.snapshot()

    assert [element.id for element in snap.elements] == [card]
    await page.click(snap.get(card).id)
    assert await oracle.eval("document.title") == "hit"


async def test_a_control_inside_a_clickable_card_has_an_id_of_its_own(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<div id=card style='cursor:pointer' onclick='hits.push("card")'>Card
      <button onclick='event.stopPropagation(); hits.push("button")'>Remove</button></div>
      <script>window.hits = []</script>""")
    snap = await page.snapshot()

    await page.click(snap.find("button", "Remove").id)

    assert await oracle.eval("hits") == ["button"]


async def test_a_scrollable_region_says_so(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<div id=box style='height:100px;overflow:auto' tabindex=0 aria-label=Log
      role=region><p style='height:900px'>Long</p></div>""")

    box = (await page.snapshot()).find("region", "Log")

    assert "scrollable" in box.hints


@pytest.mark.row("SNP-19")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_focus_is_marked_on_the_element_that_has_it(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=First><input aria-label=Second>", frame_kind)
    second = await stage.id("textbox", "Second")

    await stage.page.click(second)
    snap = await stage.page.snapshot()

    focused = [element.id for element in snap.elements if element.state.get("focused")]
    assert focused == [second]
    marked = [line for line in snap.text.splitlines() if line.endswith(" focused")]
    assert len(marked) == 1
    assert f"[{second}]" in marked[0]


@pytest.mark.row("SNP-20")
async def test_a_long_address_is_cut(page: Page, site: Site, open_page: OpenPage) -> None:
    data_url = "data:text/html,<p>Short</p><!--" + "QUFB" * 1250 + "-->"
    await open_page(
        f"<a href='{data_url}'>Picture</a><img alt=Photo src='{data_url}'>"
        f"<iframe title=Inline src='{data_url}'></iframe>"
    )

    snap = await page.snapshot()

    assert snap.find("link", "Picture")
    assert "QUFB" * 60 not in snap.text
    assert len(snap.text) < 1000


@pytest.mark.row("SNP-26")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_options_of_a_select_are_listed_closed_and_open(
    make_stage: MakeStage, frame_kind: str
) -> None:
    options = "".join(f"<option>Size {n}</option>" for n in range(1, 6))
    stage = await make_stage(f"<select aria-label=Size>{options}</select>", frame_kind)
    names = [f"Size {n}" for n in range(1, 6)]

    closed = await stage.page.snapshot()
    await stage.page.click(await stage.id("combobox", "Size"))
    opened = await stage.page.snapshot()
    await stage.page.press("Escape")

    assert [element.name for element in closed.find_all("option")] == names
    assert [element.name for element in opened.find_all("option")] == names
    assert closed.find("combobox", "Size").value == "Size 1"


async def test_a_field_with_suggestions_and_a_date_field_are_single_elements(
    page: Page, open_page: OpenPage
) -> None:
    """The parts of a date field are the browser's own; `fill` takes the whole date."""
    await open_page("""<input list=colours aria-label=Colour>
      <datalist id=colours><option>Red<option>Green</datalist>
      <input type=date aria-label=Day value=2027-03-17>""")

    snap = await page.snapshot()

    assert snap.find("combobox", "Colour").tag == "input"
    day = snap.find(name="Day")
    assert day.tag == "input"
    assert day.value == "2027-03-17"
    assert not snap.find_all("spinbutton")


async def test_frames_stand_where_their_iframe_stands(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    inner = site.page("<button>Middle</button>", host="b.test")
    await open_page(
        f"<button>Before</button><iframe title=Shop src='{inner}'></iframe><button>After</button>"
    )
    await oracle.wait_in("b.test", "document.readyState === 'complete'")

    text = (await page.snapshot()).text

    order = ["Before", "Shop", "http://b.test", "Middle", "After"]
    assert sorted(order, key=text.index) == order
    lines = text.splitlines()
    frame_line = next(line for line in lines if "Shop" in line)
    middle = next(line for line in lines if "Middle" in line)
    assert frame_line.lstrip().startswith("iframe 1 ")
    assert _indent(middle) > _indent(frame_line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


async def test_the_header_says_which_page_this_is(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    url = await open_page(
        "<!doctype html><title>The  Shop</title><body style='margin:0;height:1540px'>x"
    )
    await oracle.eval("scrollTo(0, 100)")

    header = (await page.snapshot()).text.splitlines()[0]

    assert header == f"Page: The Shop · {url} · 800x600, scrolled 100 of 940"


async def test_a_term_says_its_words_once(open_page: OpenPage, page: Page) -> None:
    await open_page("<dl><dt>Opens<dd>9:00<dt><a href='#'>Closes</a> at<dd>17:00</dl>")

    lines = (await page.snapshot()).text.splitlines()[1:]

    assert lines[:3] == ["list", ' term "Opens"', ' definition "9:00"']
    assert sum("Opens" in line for line in lines) == 1
    assert any("link" in line and "Closes" in line for line in lines)
