"""Waiting until a page shows what is waited for, and no longer."""

from __future__ import annotations

import asyncio
import re

import pytest

from cdp_agent import ActionTimeout, DialogOpen, InvalidParams, Page, RefInvalid, TargetCrashed
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import iframe
from tests.support.site import Request, Response, Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_text_is_awaited_in_every_frame(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage("<p id=note>Saving</p>", frame_kind)
    waiting = asyncio.create_task(stage.page.wait_for(text="all   is SAVED", text_gone="Saving"))
    await asyncio.sleep(0)
    await stage.eval("note.innerHTML = 'All <b>is</b>\\n saved'")

    outcome = await waiting

    assert outcome.success
    assert len(outcome.data["met"]) == 2


NOT_SHOWN = {
    "not displayed": "<p style='display:none'>Ready</p>",
    "invisible": "<p style='visibility:hidden'>Ready</p>",
    "in a script": "<script>const word = 'Ready'</script>",
    "in a hidden frame": "<iframe style='display:none' srcdoc='<p>Ready'></iframe>",
    "in a template": "<template><p>Ready</p></template>",
}


@pytest.mark.parametrize("html", NOT_SHOWN.values(), ids=NOT_SHOWN.keys())
async def test_text_that_nobody_can_read_is_not_there(
    page: Page, open_page: OpenPage, html: str
) -> None:
    await open_page(f"<h1>Page</h1>{html}")

    with pytest.raises(ActionTimeout) as late:
        await page.wait_for(text="Ready", timeout=0.4)

    assert "'Ready' (not shown)" in late.value.message
    assert (await page.wait_for(text_gone="Ready")).success


NAMES = {
    "a hint in a field": "<input placeholder='Confirm password'>",
    "a label": "<button aria-label='Confirm password'><svg width=9 height=9></svg></button>",
    "the words on a button": "<input type=submit value='Confirm password'>",
    "a picture": "<img alt='Confirm password' width=9 height=9>",
    "a tooltip": "<button title='Confirm password'><svg width=9 height=9></svg></button>",
}


@pytest.mark.parametrize("html", NAMES.values(), ids=NAMES.keys())
async def test_a_name_that_a_snapshot_shows_is_there_until_it_is_gone(
    page: Page, oracle: PageOracle, open_page: OpenPage, html: str
) -> None:
    await open_page(f"<h1>Page</h1><p id=one>{html}</p>")
    assert "Confirm password" in (await page.snapshot()).text

    assert (await page.wait_for(text="confirm password")).success
    with pytest.raises(ActionTimeout):
        await page.wait_for(text_gone="Confirm password", timeout=0.4)
    await oracle.eval("one.hidden = true")
    assert (await page.wait_for(text_gone="Confirm password")).success


async def test_what_a_field_holds_is_no_text_of_the_page(page: Page, open_page: OpenPage) -> None:
    """One waits for what the page makes of it."""
    await open_page("<input aria-label=Name value=Ready>")

    with pytest.raises(ActionTimeout):
        await page.wait_for(text="Ready", timeout=0.4)


async def test_text_in_an_open_shadow_tree_is_read(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<div id=host></div>")
    waiting = asyncio.create_task(page.wait_for(text="Inside"))
    await oracle.eval("host.attachShadow({mode: 'open'}).innerHTML = '<p>Inside</p>'")
    assert (await waiting).success


async def test_text_that_only_a_style_reveals_is_seen(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<style id=style>p { display: none }</style><p>Ready</p>")
    waiting = asyncio.create_task(page.wait_for(text="Ready"))
    await oracle.eval("document.styleSheets[0].deleteRule(0)")
    assert (await waiting).success


async def test_a_wait_goes_on_through_a_navigation(
    page: Page, oracle: PageOracle, open_page: OpenPage, site: Site
) -> None:
    there = site.page("<h1>Thank you</h1>", path="/waiting/thanks.html", delay=0.2)
    await open_page("<h1>Paying</h1>")
    waiting = asyncio.create_task(
        page.wait_for(text="Thank you", text_gone="Paying", url="*/waiting/thanks.html")
    )
    await asyncio.sleep(0)
    await oracle.eval(f"location.href = {there!r}")

    assert (await waiting).navigated == there


async def test_a_frame_that_comes_later_is_watched_too(
    page: Page, oracle: PageOracle, open_page: OpenPage, site: Site
) -> None:
    late = site.page("<p>From another process</p>", host="b.test")
    await open_page("<h1>Page</h1>")
    waiting = asyncio.create_task(page.wait_for(text="another process"))
    await asyncio.sleep(0)
    await oracle.eval(f"document.body.insertAdjacentHTML('beforeend', {iframe(late, name='x')!r})")

    outcome = await waiting

    assert outcome.data["met"] == ["text 'another process': in frame 1"]


CHANGES = {
    "visible": ("<button id=target>Go</button>", "target.hidden = true", "target.hidden = false"),
    "hidden": ("<button id=target>Go</button>", "", "target.style.visibility = 'hidden'"),
    "gone": ("<button id=target>Go</button>", "", "target.remove()"),
    "enabled": (
        "<fieldset id=set disabled><button id=target>Go</button></fieldset>",
        "",
        "set.disabled = false",
    ),
    "disabled": ("<button id=target>Go</button>", "", "target.ariaDisabled = 'true'"),
    "checked": ("<input type=checkbox id=target>", "", "target.checked = true"),
    "unchecked": (
        "<div id=target role=switch tabindex=0 aria-checked=true>Wifi</div>",
        "",
        "target.ariaChecked = 'false'",
    ),
    "expanded": ("<details><summary id=target>More</summary>x</details>", "", "target.click()"),
    "collapsed": (
        "<button id=target aria-expanded=true>Menu</button>",
        "",
        "target.ariaExpanded = 'false'",
    ),
    "selected": (
        "<div role=tab id=target tabindex=0 aria-selected=false>One</div>",
        "",
        "target.ariaSelected = 'true'",
    ),
    "focused": ("<input id=target>", "", "target.focus()"),
    "editable": ("<input id=target readonly>", "", "target.readOnly = false"),
}


@pytest.mark.parametrize("state", CHANGES)
async def test_the_state_of_an_element_is_awaited(make_stage: MakeStage, state: str) -> None:
    html, before, change = CHANGES[state]
    stage = await make_stage(html)
    target = await stage.css()
    if before:
        await stage.eval(before)
    with pytest.raises(ActionTimeout) as late:
        await stage.page.wait_for(id=target, state=state, timeout=0.3)
    assert f"{target} {state}" in late.value.message

    waiting = asyncio.create_task(stage.page.wait_for(id=target, state=state))
    await asyncio.sleep(0)
    await stage.eval(change)

    assert (await waiting).success


async def test_an_element_in_another_process_is_awaited(make_stage: MakeStage) -> None:
    stage = await make_stage("<button id=target disabled>Go</button>", "oopif")
    target = await stage.css()
    waiting = asyncio.create_task(stage.page.wait_for(id=target, state="enabled"))
    await asyncio.sleep(0)
    await stage.eval("target.disabled = false")
    assert (await waiting).success


async def test_an_element_that_is_replaced_by_its_equal_is_not_gone(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage("<div id=box><button id=target disabled>Go</button></div>")
    target = await stage.css()
    await stage.eval("box.innerHTML = '<button>Go</button>'")

    with pytest.raises(ActionTimeout):
        await stage.page.wait_for(id=target, state="gone", timeout=0.6)
    assert (await stage.page.wait_for(id=target, state="enabled")).success


async def test_a_frame_that_was_removed_takes_its_elements_along(make_stage: MakeStage) -> None:
    stage = await make_stage("<button id=target>Go</button>", "oopif")
    target = await stage.css()
    await stage.oracle.eval("document.querySelector('iframe').remove()")
    assert (await stage.page.wait_for(id=target, state="gone")).success


ADDRESSES = {
    "a part": "/list?page=2",
    "all of it": "http://*/list?page=2",
    "a pattern": re.compile(r"page=\d$"),
}


@pytest.mark.parametrize("wanted", ADDRESSES.values(), ids=ADDRESSES.keys())
async def test_an_address_is_awaited(
    page: Page, oracle: PageOracle, open_page: OpenPage, wanted: str | re.Pattern[str]
) -> None:
    await open_page("<h1>List</h1>")
    waiting = asyncio.create_task(page.wait_for(url=wanted))
    await asyncio.sleep(0)
    await oracle.eval("history.pushState(null, '', '/list?page=2')")
    assert (await waiting).success


async def test_quiet_comes_after_the_last_request_and_change(
    page: Page, oracle: PageOracle, open_page: OpenPage, site: Site
) -> None:
    site.page("data", path="/waiting/data", delay=0.5)
    await open_page(
        """<ol id=list></ol><script>
        fetch('/waiting/data').then(async () => {
          for (let i = 0; i < 5; i += 1) {
            list.append(document.createElement('li'));
            await new Promise(done => setTimeout(done, 100));
          }
        })</script>"""
    )

    await page.wait_for(quiet=0.3)

    assert await oracle.eval("list.children.length") == 5


async def test_a_page_that_never_stops_ticking_and_polling_is_quiet_all_the_same(
    page: Page, open_page: OpenPage, site: Site
) -> None:
    def trickle(_: Request) -> Response:
        return Response(200, {"Content-Type": "text/plain"}, b"x")

    site.route("/waiting/poll", trickle)
    await open_page(
        "<p id=clock></p><script>setInterval(() => { clock.textContent = performance.now() }, 20);"
        "setInterval(() => fetch('/waiting/poll'), 100)</script>"
    )

    assert (await page.wait_for(quiet=True)).success


async def test_a_page_that_keeps_building_is_not_quiet(page: Page, open_page: OpenPage) -> None:
    await open_page("<button>Go</button>")
    append = "document.body.append(document.createElement('p'))"
    await page.evaluate(f"void setInterval(() => {append}, 100)")
    with pytest.raises(ActionTimeout) as late:
        await page.wait_for(quiet=True, timeout=1)
    assert "keeps changing" in late.value.message


async def test_a_dialog_ends_a_wait(page: Page, oracle: PageOracle, open_page: OpenPage) -> None:
    await open_page("<script>setTimeout(() => confirm('Stay?'), 100)</script>")
    with pytest.raises(DialogOpen) as held:
        await page.wait_for(text="Never")
    assert held.value.data["text"] == "Stay?"
    assert page.dialog is not None
    await page.dialog.dismiss()


@pytest.mark.no_after_state
async def test_a_crash_ends_a_wait(page: Page, oracle: PageOracle, open_page: OpenPage) -> None:
    await open_page("<h1>Page</h1>")
    waiting = asyncio.create_task(page.wait_for(text="Never"))
    await asyncio.sleep(0)
    crash = asyncio.create_task(oracle.send("Page.crash"))
    with pytest.raises(TargetCrashed):
        await waiting
    crash.cancel()
    await asyncio.wait([crash])


async def test_what_cannot_be_waited_for_is_refused(page: Page, open_page: OpenPage) -> None:
    await open_page("<h1>Page</h1>")
    unfit = ({"text": 5}, {"text": ["x", None]}, {"quiet": "soon"}, {"timeout": float("nan")})
    for wrong in ({}, {"text": " "}, {"id": "0-1", "state": "happy"}, {"quiet": -1}, *unfit):
        with pytest.raises(InvalidParams):
            await page.wait_for(**wrong)
    with pytest.raises(RefInvalid):
        await page.wait_for(id="0-999999")
