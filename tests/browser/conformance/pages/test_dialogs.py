"""Dialogs: told of, answered, and never in the way of anything else."""

from __future__ import annotations

import pytest

from cdp_agent import Browser, DialogOpen, InvalidParams, Page
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

LOG = "<script>window.log = [];</script>"


@pytest.mark.row("DLG-01", "OOP-28")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_dialog_that_waits_is_told_and_holds_everything_else(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        f"{LOG}<button id=target onclick=\"log.push(confirm('Delete it?'))\">Delete</button>",
        frame_kind,
    )
    page, target = stage.page, await stage.css()

    outcome = await page.click(target)

    [told] = outcome.dialogs
    assert (told.type, told.message, told.open) == ("confirm", "Delete it?", True)
    assert page.dialog is not None
    for held in (page.click(target), page.snapshot(), page.evaluate("1"), page.screenshot()):
        with pytest.raises(DialogOpen) as refused:
            await held
        assert "Delete it?" in refused.value.message
    await page.dialog.dismiss()
    assert page.dialog is None
    assert await stage.eval("log") == [False]


@pytest.mark.row("DLG-01")
async def test_an_alert_is_acknowledged_and_told(make_stage: MakeStage) -> None:
    stage = await make_stage(
        f"{LOG}<button id=target onclick=\"alert('Saved'); log.push('went on')\">Save</button>"
    )

    outcome = await stage.page.click(await stage.css())

    assert [(d.type, d.message, d.open) for d in outcome.dialogs] == [("alert", "Saved", False)]
    assert await stage.eval("log") == ["went on"]


@pytest.mark.row("DLG-03")
async def test_two_alerts_are_told_in_order(make_stage: MakeStage) -> None:
    stage = await make_stage(
        "<button id=target onclick=\"alert('one'); alert('two')\">Twice</button>"
    )
    page, target = stage.page, await stage.css()

    assert [d.message for d in (await page.click(target)).dialogs] == ["one", "two"]

    page.on_dialog("wait")
    assert [d.message for d in (await page.click(target)).dialogs] == ["one"]
    for message in ("one", "two"):
        await page._tab.target.until(lambda: page.dialog is not None, 5)
        assert page.dialog is not None
        assert page.dialog.message == message
        await page.dialog.accept()
    await page.snapshot()


async def test_a_prompt_is_answered_with_a_text(make_stage: MakeStage) -> None:
    stage = await make_stage(
        f"{LOG}<button id=target onclick=\"log.push(prompt('Name?', 'Bob'))\">Ask</button>"
    )
    page, target = stage.page, await stage.css()

    await page.click(target)
    assert page.dialog is not None
    assert (page.dialog.type, page.dialog.default_prompt) == ("prompt", "Bob")
    await page.dialog.accept("Ada")
    page.on_dialog(lambda dialog: f"{dialog.default_prompt}by")
    await page.click(target)
    page.on_dialog("dismiss")
    await page.click(target)

    assert await stage.eval("log") == ["Ada", "Bobby", None]


@pytest.mark.row("DLG-06")
async def test_a_dialog_that_somebody_else_answers_is_over(
    make_stage: MakeStage, oracle: PageOracle
) -> None:
    stage = await make_stage(
        f"{LOG}<button id=target onclick=\"log.push(confirm('Sure?'))\">Ask</button>"
    )
    page, target = stage.page, await stage.css()
    await oracle.send("Page.enable")  # as one does who answers dialogs
    await page.click(target)
    dialog = page.dialog
    assert dialog is not None

    await oracle.send("Page.handleJavaScriptDialog", {"accept": True})
    await page._tab.target.until(lambda: page.dialog is None, 5)

    assert dialog.accepted is True
    with pytest.raises(InvalidParams):
        await dialog.accept()
    assert await stage.eval("log") == [True]


async def test_a_dialog_that_nobody_caused_is_seen(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(f"{LOG}<script>setTimeout(() => log.push(confirm('Still here?')), 50)</script>")
    await page._tab.target.until(lambda: page.dialog is not None, 5)
    assert page.dialog is not None
    await page.dialog.accept()
    assert await oracle.wait("log.length") == 1


LEAVING = "<script>addEventListener('beforeunload', event => event.preventDefault())</script>"


@pytest.mark.row("DLG-07")
@pytest.mark.parametrize("leave", [True, False], ids=["accepted", "dismissed"])
async def test_a_page_that_asks_before_it_is_left(
    make_stage: MakeStage, site: Site, leave: bool
) -> None:
    there = site.page("<h1>There</h1>")
    stage = await make_stage(f"{LEAVING}<a id=target href={there}>Go</a><button id=b>Stay</button>")
    page = stage.page
    await page.click(await stage.css("#b"))  # without a gesture Chromium does not ask

    outcome = await page.click(await stage.css())

    assert [(d.type, d.open) for d in outcome.dialogs] == [("beforeunload", True)]
    assert page.dialog is not None
    if leave:
        await page.dialog.accept()
        await page.wait_for(url=there, text="There")
    else:
        await page.dialog.dismiss()
        assert await stage.eval("location.href") == stage.url
        assert (await page.click(await stage.css("#b"))).navigated is None
        page.on_dialog("accept")


@pytest.mark.row("DLG-07")
async def test_our_own_navigation_is_not_held_up(make_stage: MakeStage, site: Site) -> None:
    there = site.page("<h1>There</h1>")
    stage = await make_stage(f"{LEAVING}<button id=target>Touch</button>")
    await stage.page.click(await stage.css())

    assert (await stage.page.goto(there)).navigated == there


@pytest.mark.row("DLG-08")
async def test_a_tab_that_asks_before_it_is_left_is_closed(browser: Browser, site: Site) -> None:
    page = await browser.new_page(site.page(f"{LEAVING}<button>Touch</button>"))
    await page.click((await page.snapshot()).find("button").id)

    await page.close()

    assert page.is_closed
    assert page not in browser.pages


async def test_a_page_that_asks_while_it_loads_does_not_hold_up_a_goto(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    url = site.page("<script>alert('Hi'); window.answer = confirm('Old enough?')</script><p>In</p>")

    opened = await page.goto(url)

    assert [(d.message, d.open) for d in opened.dialogs] == [("Hi", False), ("Old enough?", True)]
    assert not opened.settled
    assert page.dialog is not None
    await page.dialog.accept()
    await page.wait_for(text="In")
    assert await oracle.eval("answer") is True
    again = await page.reload()
    assert [d.open for d in again.dialogs] == [False, True]
    await page.dialog.dismiss()
    await page.wait_for(text="In")
