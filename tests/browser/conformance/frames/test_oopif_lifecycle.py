"""Frames of other processes that come, swap process, reload and go, also in the middle of things.

A frame keeps its index when it navigates, into another process too. One that left the page
and came back is another frame with another index.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from cdp_agent import CdpAgentError, Page
from tests.browser.conformance.attempt import attempt
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import CLICKED, FRAME_HOSTS, iframe, presses, target_page
from tests.support.site import Site
from tests.support.stage import OpenPage


async def assert_stale(page: Page, element_id: str) -> None:
    with pytest.raises(CdpAgentError) as error:
        await page.click(element_id)
    assert error.value.code == "stale_ref"


async def show(oracle: PageOracle, url: str) -> None:
    """Give the page's iframe another address, as the page would, and wait until it is there."""
    await oracle.eval(
        f"""new Promise(resolve => {{
            const frame = document.querySelector('iframe');
            frame.onload = () => resolve();
            frame.src = {json.dumps(url)};
        }})"""
    )


@pytest.mark.row("OOP-07")
async def test_a_frame_that_swaps_process_and_back_keeps_its_index_and_loses_its_ids(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    near, far = (site.page(target_page(), host=host) for host in FRAME_HOSTS)
    await open_page(iframe(near, name="subject"))
    target = (await page.snapshot()).find("button", "Target")
    await page.click(target.id)
    assert await presses(oracle, "subject") == CLICKED

    for address, oopifs in ((far, 1), (near, 0), (far, 1)):
        old = target
        # The same document at another address: nothing in it tells the old id apart.
        await show(oracle, address)
        await assert_stale(page, old.id)
        assert await presses(oracle, "subject") == []

        snap = await page.snapshot()
        target = snap.find("button", "Target")
        await page.click(target.id)

        assert await presses(oracle, "subject") == CLICKED
        assert target.id.frame_index == old.id.frame_index == 1
        assert sum(frame.is_oopif for frame in snap.frames) == oopifs
        await assert_stale(page, old.id)


@pytest.mark.row("OOP-08")
async def test_a_frame_that_navigates_in_its_process_keeps_its_index_and_loses_its_ids(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    first, second = (site.page(target_page(), host="b.test") for _ in range(2))
    await open_page(iframe(first, name="subject"))
    old = (await page.snapshot()).find("button", "Target")
    await oracle.eval_in("subject", f"void (location.href = {json.dumps(second)})")
    await oracle.wait_in(
        "subject", f"location.href === {json.dumps(second)} && document.readyState === 'complete'"
    )

    await assert_stale(page, old.id)
    new = (await page.snapshot()).find("button", "Target")
    await page.click(new.id)

    assert new.id.frame_index == old.id.frame_index
    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.parametrize("empty", ["about:blank", "data:text/html,", "http://b.test:9/"])
async def test_a_frame_that_goes_empty_or_fails_keeps_its_index(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, empty: str
) -> None:
    """Port 9 is one that Chromium refuses to talk to: an error page stands in the frame."""
    child = site.page(target_page(), host="b.test")
    await open_page(iframe(child, name="subject"))
    old = (await page.snapshot()).find("button", "Target")

    await show(oracle, empty)
    await assert_stale(page, old.id)
    snap = await page.snapshot()
    assert [frame.index for frame in snap.frames] == [0, 1]
    assert snap.find_all("button", "Target") == []

    await show(oracle, child)
    await page.click((await page.snapshot()).find("button", "Target", frame=1).id)
    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_frame_that_left_and_came_back_has_a_new_index(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(iframe(child, name="subject"))
    old = (await page.snapshot()).find("button", "Target")
    await oracle.eval(
        """new Promise(resolve => {
            const frame = document.querySelector('iframe');
            frame.remove();
            frame.onload = () => resolve();
            document.body.append(frame);
        })"""
    )

    await assert_stale(page, old.id)
    new = (await page.snapshot()).find("button", "Target")
    await page.click(new.id)

    assert new.id.frame_index > old.id.frame_index
    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_an_id_in_a_frame_that_was_removed_is_stale(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page("<button>Stay</button>" + iframe(child, name="subject"))
    target = (await page.snapshot()).find("button", "Target")
    await oracle.eval("document.querySelector('iframe').remove()")
    # Until Chromium has told of it, the click begins and ends in `frame_detached`.
    await page._tab.target.until(lambda: len(list(page._tab.target.frames)) == 1, 10)

    await assert_stale(page, target.id)

    snap = await page.snapshot()
    assert len(snap.frames) == 1
    assert snap.find_all("button", "Target") == []


@pytest.mark.row("DYN-19")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_frame_removed_in_the_middle_of_a_click_is_reported_as_detached(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    """The target never rests, so the click is still waiting for it when the frame goes."""
    moving = """<style>
      @keyframes drift { to { margin-left: 300px } }
      #target { animation: drift 1s linear infinite }
    </style>"""
    child = site.page(target_page() + moving, host=host)
    await open_page(iframe(child, name="subject"))
    target = (await page.snapshot()).find("button", "Target")
    clicking = asyncio.create_task(page.click(target.id))
    await oracle.eval("new Promise(resolve => setTimeout(resolve, 500))")
    assert not clicking.done()

    await oracle.eval("document.querySelector('iframe').remove()")

    with pytest.raises(CdpAgentError) as error:
        await clicking
    assert error.value.code == "frame_detached"


@pytest.mark.row("OOP-09")
@pytest.mark.parametrize("hosts", ["bcdefghi", "bbbbbbbb", "aaaaaaaa"])
async def test_frames_removed_while_a_snapshot_is_taken_are_left_out(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, hosts: str
) -> None:
    children = [site.page(target_page(), host=f"{host}.test") for host in hosts]
    frames = "".join(
        iframe(child, name="subject", style="width:90px;height:90px") for child in children
    )
    await open_page("<button>Stay</button><main></main>")
    for _ in range(10):
        await oracle.eval(
            f"""new Promise(resolve => {{
                const main = document.querySelector('main');
                main.innerHTML = {json.dumps(frames)};
                let loading = main.children.length;
                for (const frame of main.children) frame.onload = () => --loading || resolve();
            }})"""
        )
        taking = asyncio.create_task(page.snapshot())
        await oracle.eval("document.querySelector('main').replaceChildren()")
        during = await taking

        after = await page.snapshot()
        assert during.find("button", "Stay").id == after.find("button", "Stay").id
        assert len(after.frames) == 1
        assert after.find_all("button", "Target") == []


@pytest.mark.row("OOP-10")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_frame_that_reloads_at_the_press_of_the_button_gives_an_answer(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(
        target_page() + "<script>target.onmousedown = () => location.reload()</script>", host=host
    )
    await open_page(
        "<script>loads = 0</script>" + iframe(child, name="subject", attrs='onload="++loads"')
    )
    target = (await page.snapshot()).find("button", "Target")

    result = await attempt(page.click(target.id))

    assert result.code == "stale_ref" if isinstance(result, CdpAgentError) else result.success
    await oracle.wait("loads === 2")


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_frame_whose_click_removes_it_reports_success(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    """What "Close" in a cookie banner or payment window does."""
    closing = "<script>target.onclick = () => parent.postMessage('close', '*')</script>"
    child = site.page(target_page() + closing, host=host)
    await open_page(
        iframe(child, name="subject")
        + "<script>onmessage = () => document.querySelector('iframe').remove()</script>"
    )
    target = (await page.snapshot()).find("button", "Target")

    outcome = await page.click(target.id)

    assert outcome.success
    await oracle.wait("document.querySelector('iframe') === null")


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_link_followed_inside_a_frame_is_awaited(
    page: Page, site: Site, open_page: OpenPage, host: str
) -> None:
    arrival = site.page("<button>Arrived</button>", host="c.test", delay=0.3)
    child = site.page(f'<a href="{arrival}">Go</a>', host=host)
    await open_page(iframe(child, name="subject"))

    await page.click((await page.snapshot()).find("link", "Go").id)

    assert (await page.snapshot()).find("button", "Arrived").id.frame_index == 1
