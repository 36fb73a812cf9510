"""Keys, focus, dialogs and popups in a frame of another process."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import RECORDER, iframe
from tests.support.site import Site
from tests.support.stage import OpenPage

FIELD = RECORDER + "<input id=field aria-label=Street>"


@pytest.mark.row("OOP-25")
async def test_keys_go_to_the_field_that_a_click_focused(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input id=outer>" + iframe(site.page(FIELD, host="b.test"), name="subject"))
    await page.click((await page.snapshot()).find("textbox", "Street").id)

    for key in ("H", "i", "!"):
        await page.press(key)

    assert await oracle.eval_in("subject", "field.value") == "Hi!"
    assert await oracle.eval("outer.value") == ""


@pytest.mark.row("OOP-25")
async def test_typing_goes_to_the_named_field_wherever_the_focus_is(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    b, c = (site.page(FIELD, host=host) for host in ("b.test", "c.test"))
    small = "width:300px"
    await open_page(
        "<input id=outer aria-label=Outer autofocus>"
        + iframe(b, name="left", style=small)
        + iframe(c, name="right", style=small)
    )
    snap = await page.snapshot()
    index = {frame.name: frame.index for frame in snap.frames}
    left = snap.find("textbox", "Street", frame=index["left"]).id
    right = snap.find("textbox", "Street", frame=index["right"]).id

    await page.type(left, "left")
    await page.type(right, "rïght 🎈")
    await page.type(snap.find("textbox", "Outer").id, "outer")
    await page.type(left, " again")

    assert await oracle.eval_in("left", "field.value") == "left again"
    assert await oracle.eval_in("right", "field.value") == "rïght 🎈"
    assert await oracle.eval("outer.value") == "outer"


async def test_chords_work_in_a_frame_and_leave_no_key_held(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(
        FIELD + "<script>held = []; onkeyup = e => held.push(e.ctrlKey, e.shiftKey)</script>",
        host="b.test",
    )
    await open_page(iframe(child, name="subject"))
    street = (await page.snapshot()).find("textbox", "Street").id
    await page.fill(street, "wrong")

    await page.press("Control+A", street)
    await page.press("Delete", street)
    await page.type(street, "right")
    await page.press("Shift+Home", street)

    selected = await oracle.eval_in("subject", "[field.selectionStart, field.selectionEnd]")
    assert selected == [0, 5]
    assert await oracle.eval_in("subject", "field.value") == "right"
    assert await oracle.eval_in("subject", "held.slice(-2)") == [False, False]


@pytest.mark.row("OOP-26")
async def test_tab_moves_the_focus_into_the_frame_and_out_again(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page("<input id=first><input id=second>", host="b.test")
    await open_page(
        "<button id=before>Before</button>"
        + iframe(child, name="subject")
        + "<button id=after>After</button>"
    )
    inside = "document.hasFocus() ? document.activeElement.id : null"
    await page.press("Tab", (await page.snapshot()).find("button", "Before").id)
    await oracle.wait_in("subject", f"({inside}) === 'first'")
    assert await oracle.eval("document.activeElement.localName") == "iframe"

    await page.press("Tab")
    await oracle.wait_in("subject", f"({inside}) === 'second'")

    await page.press("Tab")
    await oracle.wait("document.activeElement.id === 'after'")

    await page.press("Shift+Tab")
    await oracle.wait_in("subject", f"({inside}) === 'second'")


@pytest.mark.row("OOP-27")
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("date", "2027-03-17"),
        ("time", "13:45"),
        ("month", "2027-03"),
        ("number", "12.5"),
        ("color", "#aabbcc"),
        ("range", "30"),
    ],
)
async def test_the_special_inputs_are_filled_in_a_frame_as_in_the_page(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, kind: str, value: str
) -> None:
    child = site.page(f"{RECORDER}<label>Value <input id=field type={kind}></label>", host="b.test")
    await open_page(iframe(child, name="subject"))
    snap = await page.snapshot()
    number = await oracle.backend_node_id("field", "subject")

    await page.fill(snap.get(f"1-{number}").id, value)

    assert await oracle.eval_in("subject", "field.value") == value


async def test_hovering_in_a_frame_is_seen_there_and_ends_when_the_pointer_leaves(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page("<button id=target>Menu</button>", host="b.test")
    await open_page("<button>Away</button>" + iframe(child, name="subject"))
    snap = await page.snapshot()

    await page.hover(snap.find("button", "Menu").id)
    await oracle.wait_in("subject", "target.matches(':hover')")

    await page.hover(snap.find("button", "Away").id)
    await oracle.wait_in("subject", "!target.matches(':hover')")


async def test_an_element_of_a_frame_is_scrolled_into_view_through_all_documents(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    filler = "<div style='height:3000px'></div>"
    inner = site.page(f"{filler}<button id=target>Deep</button>{filler}", host="c.test")
    outer = site.page(f"{filler}{iframe(inner, name='inner')}{filler}", host="b.test")
    await open_page(f"{filler}{iframe(outer, name='outer')}{filler}")

    await page.scroll_into_view((await page.snapshot()).find("button", "Deep").id)

    # Chromium reports an intersection only where every document above shows the target too.
    await oracle.wait_in(
        "inner",
        """new Promise(resolve => new IntersectionObserver(
            entries => resolve(entries[0].isIntersecting)).observe(target))""",
    )
    assert await oracle.eval("scrollY") > 0


@pytest.mark.parametrize(
    ("options", "events"),
    [
        ({"button": "right"}, ["mousedown target", "contextmenu target", "mouseup target"]),
        ({"button": "middle"}, ["mousedown target", "mouseup target", "auxclick target"]),
        ({"count": 2}, ["mousedown target", "mouseup target", "click target"] * 2),
    ],
    ids=("right", "middle", "double"),
)
async def test_every_kind_of_click_arrives_in_a_frame(
    page: Page,
    site: Site,
    oracle: PageOracle,
    open_page: OpenPage,
    options: dict[str, object],
    events: list[str],
) -> None:
    child = site.page(f"{RECORDER}<button id=target>Target</button>", host="b.test")
    await open_page(iframe(child, name="subject"))
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id, **options)  # type: ignore[arg-type]  # a table of keywords

    seen = await oracle.eval_in("subject", "seen")
    assert [event for event in seen if event in set(events)] == events


async def test_a_modifier_held_for_a_click_in_a_frame_is_released(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(
        "<button onclick='held.push(event.shiftKey)'>Target</button><script>held = []</script>",
        host="b.test",
    )
    await open_page(iframe(child, name="subject"))
    target = (await page.snapshot()).find("button", "Target").id

    await page.click(target, modifiers=("Shift",))
    await page.click(target)

    assert await oracle.eval_in("subject", "held") == [True, False]


@pytest.mark.row("OOP-28")
async def test_an_alert_in_a_frame_is_reported_and_can_be_answered(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(
        """<button onclick="alert('From the frame'); window.went = 'on'">Ask</button>""",
        host="b.test",
    )
    await open_page(iframe(child, name="subject"))
    page.on_dialog("wait")

    outcome = await page.click((await page.snapshot()).find("button", "Ask").id)

    [reported] = outcome.dialogs
    assert (reported.type, reported.message, reported.open) == ("alert", "From the frame", True)
    assert page.dialog is not None
    await page.dialog.accept()
    await oracle.wait_in("subject", "window.went === 'on'")
    assert page.dialog is None


@pytest.mark.row("OOP-28")
async def test_an_alert_in_a_frame_that_nobody_waits_for_is_acknowledged_and_reported(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(
        """<button onclick="alert('Saved'); window.went = 'on'">Save</button>""", host="b.test"
    )
    await open_page(iframe(child, name="subject"))

    outcome = await page.click((await page.snapshot()).find("button", "Save").id)

    [reported] = outcome.dialogs
    assert (reported.type, reported.message) == ("alert", "Saved")
    assert await oracle.eval_in("subject", "window.went") == "on"
    assert page.dialog is None


@pytest.mark.row("OOP-28")
@pytest.mark.parametrize("answer", [True, False])
async def test_the_answer_to_a_confirm_reaches_the_frame(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, answer: bool
) -> None:
    child = site.page(
        """<button onclick="window.answer = String(confirm('Sure?'))">Ask</button>""",
        host="b.test",
    )
    await open_page(iframe(child, name="subject"))
    await page.click((await page.snapshot()).find("button", "Ask").id)
    assert page.dialog is not None

    await (page.dialog.accept() if answer else page.dialog.dismiss())

    await oracle.wait_in("subject", f"window.answer === '{str(answer).lower()}'")


@pytest.mark.row("OOP-29")
async def test_a_window_opened_by_a_frame_is_reported_with_its_opener(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    popup = site.page("<button>In the popup</button>", host="c.test")
    child = site.page(f"<button onclick=\"window.open('{popup}')\">Open</button>", host="b.test")
    await open_page(iframe(child, name="subject"))

    outcome = await page.click((await page.snapshot()).find("button", "Open").id)

    [opened] = outcome.new_pages
    try:
        infos = {info["targetId"]: info for info in await oracle.oracle.live_targets()}
        assert infos[opened.target_id]["openerId"] == page.target_id
        assert (await opened.snapshot()).find("button", "In the popup")
    finally:
        await opened.close()


async def test_the_focused_element_of_a_frame_is_the_snapshots_focused_element(
    page: Page, site: Site, open_page: OpenPage
) -> None:
    await open_page(
        "<input aria-label=Outer>" + iframe(site.page(FIELD, host="b.test"), name="subject")
    )
    street = (await page.snapshot()).find("textbox", "Street").id

    await page.click(street)

    snap = await page.snapshot()
    assert snap.focused is not None
    assert snap.focused.id == street
