"""Attaching to many processes, next to other clients, and to ones that hang or crash."""

from __future__ import annotations

import json

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import CLICKED, RECORDER, crash, iframe, presses, target_page
from tests.support.site import Site
from tests.support.stage import OpenPage

HOSTS = [f"{letter}.test" for letter in "bcdefghijk"]


@pytest.mark.row("OOP-13")
@pytest.mark.timeout(180)
async def test_two_hundred_frames_of_ten_sites_are_all_listed(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    frames = "".join(
        iframe(
            site.page(f"<button>Button {number}</button>", host=HOSTS[number % len(HOSTS)]),
            name=f"frame-{number}",
            style="width:100px;height:40px",
        )
        for number in range(200)
    )
    await open_page(frames)
    await oracle.wait("document.readyState === 'complete'", timeout=60)

    snap = await page.snapshot(timeout=30)

    assert len(snap.frames) == 201
    assert len({frame.index for frame in snap.frames}) == 201
    listed = {element.name for element in snap.find_all("button")}
    assert listed == {f"Button {number}" for number in range(200)}
    assert list(snap.warnings) == []


@pytest.mark.row("OOP-14")
async def test_frames_workers_and_service_workers_all_get_to_run(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    """On localhost, because service workers need a secure context."""
    javascript = "text/javascript"
    worker = site.page("postMessage('worker runs')", content_type=javascript)
    shared = site.page(
        "onconnect = event => event.ports[0].postMessage('shared worker runs')",
        content_type=javascript,
    )
    service = site.page(
        "oninstall = () => skipWaiting(); onactivate = event => event.waitUntil(clients.claim())",
        content_type=javascript,
    )
    paths = [json.dumps("/" + url.rpartition("/")[2]) for url in (worker, shared, service)]
    child = site.page(
        f"<script>new Worker({paths[0]}).onmessage = () => parent.postMessage('frame', '*')"
        "</script>"
        "<button>Inside</button>",
        host="127.0.0.1",
    )
    await open_page(
        f"""{iframe(child, name="subject")}<script>
        running = [];
        onmessage = event => running.push(event.data);
        new Worker({paths[0]}).onmessage = event => running.push(event.data);
        new SharedWorker({paths[1]}).port.onmessage = event => running.push(event.data);
        navigator.serviceWorker.oncontrollerchange = () => running.push("service worker runs");
        navigator.serviceWorker.register({paths[2]});
        </script>""",
        host="localhost",
    )

    await oracle.wait("running.length === 4", timeout=20)
    assert (await page.snapshot()).find("button", "Inside").id.frame_index == 1
    assert sorted(await oracle.eval("running")) == [
        "frame",
        "service worker runs",
        "shared worker runs",
        "worker runs",
    ]


@pytest.mark.row("OOP-15")
async def test_a_second_client_that_attaches_to_everything_changes_nothing(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    settings = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
    await oracle.send("Target.setAutoAttach", settings)
    await oracle.oracle.send("Target.setDiscoverTargets", {"discover": True})
    for method in ("DOM.enable", "Accessibility.enable", "Overlay.enable", "Network.enable"):
        await oracle.send(method)
    field = "<input id=field aria-label=Street style='position:relative'>"
    child = site.page(target_page() + field, host="b.test")
    await open_page(iframe(child, name="subject"))
    snap = await page.snapshot()

    street = snap.find("textbox", "Street").id
    await page.fill(street, "High Street")
    await page.type(street, " 1")
    await page.press("Home", street)
    await page.hover(street)
    await page.click(snap.find("button", "Target").id)

    assert await oracle.eval_in("subject", "field.value") == "High Street 1"
    assert (await presses(oracle, "subject"))[-3:] == CLICKED


@pytest.mark.row("OOP-15")
async def test_nested_frames_all_load_beside_a_client_that_follows_them(
    page: Page, site: Site, oracle: PageOracle
) -> None:
    """Several times: Chromium leaves a frame paused in about one load of ten."""
    url = site.page("<button>Deep</button>", host="d.test")
    for host in ("c.test", "b.test", "a.test"):
        url = site.page(iframe(url, name=host), host=host)
    await oracle.oracle.follow_frames(oracle)
    for _ in range(15):
        await page.goto(url)

        await page.wait_for(text="Deep", timeout=10)

        assert (await page.snapshot()).find("button", "Deep").id.frame_index > 2


@pytest.mark.row("OOP-22")
async def test_a_hung_frame_is_named_and_the_rest_of_the_page_works(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(
        target_page() + "<script>onmessage = () => { for (;;); }</script>", host="b.test"
    )
    healthy = site.page("<button>Healthy</button>", host="c.test")
    await open_page(
        f"{RECORDER}<button id=target>Main</button>"
        + iframe(child, name="hung")
        + iframe(healthy, name="healthy")
    )
    inside = (await page.snapshot()).find("button", "Target")
    await oracle.eval("frames.hung.postMessage('hang', '*')")

    snap = await page.snapshot(timeout=3)
    assert any(child in warning for warning in snap.warnings), snap.warnings
    assert snap.find("button", "Healthy")
    await page.click(snap.find("button", "Main").id)
    assert await presses(oracle) == CLICKED

    with pytest.raises(CdpAgentError) as error:
        await page.click(inside.id, timeout=1)
    assert error.value.code == "timeout"
    assert "recover" in error.value.hint


async def test_a_crashed_frame_is_named_and_works_again_after_it_was_loaded_anew(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(target_page(), host="b.test")
    await open_page(f"{RECORDER}<button id=target>Main</button>" + iframe(child, name="subject"))
    old = (await page.snapshot()).find("button", "Target")
    await crash(oracle, "subject")

    snap = await page.snapshot(timeout=3)
    assert snap.find_all("button", "Target") == []
    await page.click(snap.find("button", "Main").id)
    assert await presses(oracle) == CLICKED
    with pytest.raises(CdpAgentError) as error:
        await page.click(old.id, timeout=1)
    assert error.value.code in {"stale_ref", "target_crashed", "frame_detached"}

    await oracle.eval(
        """new Promise(resolve => {
            const frame = document.querySelector('iframe');
            frame.onload = () => resolve();
            frame.src = frame.src;
        })"""
    )
    await page.click((await page.snapshot()).find("button", "Target").id)

    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.row("OOP-30")
async def test_a_fenced_frame_does_not_hold_up_the_page(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    """Documented gap: Chromium loads nothing into one without an advertising API that made it."""
    await open_page(
        f"{RECORDER}<button id=target>Main</button>"
        "<fencedframe width=400 height=300></fencedframe><p>After the fence</p>",
        host="localhost",
    )
    assert await oracle.eval(
        "document.querySelector('fencedframe') instanceof HTMLFencedFrameElement"
    )

    snap = await page.snapshot()
    await page.click(snap.find("button", "Main").id)

    assert "After the fence" in snap.text
    assert await presses(oracle) == CLICKED


@pytest.mark.row("ROB-20")
@pytest.mark.timeout(120)
async def test_frames_of_other_processes_that_came_and_went_leave_no_session(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    urls = [site.page("<p>Brief</p>", host=host) for host in HOSTS[:3]]
    await open_page("<main></main>")
    for _ in range(20):
        await oracle.eval(
            f"""Promise.all({json.dumps(urls)}.map(async url => {{
                const frame = document.createElement('iframe');
                const loaded = new Promise(resolve => frame.onload = resolve);
                frame.src = url;
                document.querySelector('main').append(frame);
                await loaded;
                frame.remove();
            }}))"""
        )

    snap = await page.snapshot()

    assert len(snap.frames) == 1
    assert len(page.frames) == 1
