"""Pages that flood, and callers that give up or come in crowds: nothing is lost or left held."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from cdp_agent import Browser, Page
from tests.support.oracle import Oracle, PageOracle
from tests.support.pages.press_log import CLICKED, presses, watched
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage


@pytest.mark.row("ROB-18")
async def test_a_flood_of_console_messages_holds_nothing_up_and_is_not_kept(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("""<button onclick="this.textContent = 'Done'">Order</button><script>
      let n = 0;
      const timer = setInterval(() => {
        for (let i = 0; i < 100; i++) console.error('message', n++, {deep: [1, 2, 3]});
      }, 10);
    </script>""")
    # Not by the tests' own session: it is sent every message, and 10,000 a second would drown it.
    await page.evaluate(
        "new Promise(done => { const t = setInterval("
        "() => { if (n > 5000) { clearInterval(t); done(true); } }, 20); })"
    )

    outcome = await page.click((await page.snapshot()).find("button", "Order").id)
    snap = await page.snapshot()
    await page.evaluate("clearInterval(timer)")

    assert snap.find("button", "Done")
    assert len(outcome.console_errors) <= 200
    assert len(page._tab.target.console.since(0)) <= 200
    assert len(page.browser._targets._queue._events) < 10_000


@pytest.mark.row("ROB-20")
@pytest.mark.timeout(120)
async def test_a_thousand_frames_that_came_and_went_leave_no_session(
    browser: Browser, page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    inner = site.page("<button>Inner</button>", host="b.test")
    await open_page(
        "<button onclick=\"document.title = 'clicked'\">Order</button><div id=box></div>"
    )
    before = len(browser.connection.sessions)

    # Most are removed before their process could answer; some live long enough to be attached.
    await oracle.eval(f"""void (async () => {{
      for (let round = 0; round < 40; round++) {{
        for (let i = 0; i < 25; i++) {{
          const frame = document.createElement('iframe');
          frame.src = '{inner}?' + round + '.' + i;
          box.append(frame);
        }}
        if (round % 10 === 0) await new Promise(done => box.lastChild.onload = done);
        else await new Promise(done => setTimeout(done));
        box.replaceChildren();
      }}
      const last = document.createElement('iframe');
      last.src = '{inner}';
      box.append(last);
      last.onload = () => window.finished = true;
    }})()""")
    await oracle.wait("window.finished", 60)
    snap = await page.snapshot()

    assert [frame.url for frame in snap.frames] == [page.url, inner]
    assert snap.find("button", "Inner")
    await page._tab.target.until(lambda: len(page._tab.target.setups) == 2, 40)
    assert len(page._tab.target.setups) == 2
    assert len(browser.connection.sessions) <= before + 1
    await page.click(snap.find("button", "Order").id)
    assert await oracle.eval("document.title") == "clicked"


BUSY = watched(
    "<button id=target style='margin:40px'>Order</button>",
    head="<script>addEventListener('mousedown', () => { window.pressed = true; })</script>",
)


@pytest.mark.row("ROB-24")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_given_up_halfway_holds_no_button_down(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(BUSY, frame_kind)
    button = await stage.id("button", "Order")

    # Cancelled at one point after the other, from before the first command to the settling.
    for turns in (0, 1, 3, 6, 10, 20, 40):
        clicking = asyncio.ensure_future(stage.page.click(button))
        for _ in range(turns):
            await asyncio.sleep(0.001)
        clicking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await clicking
    await stage.page.click(button)  # whatever the others have sent has arrived before it
    await stage.eval("window.seen = []")
    await stage.page.click(button)

    seen = await stage.eval("seen")
    assert [f"{event['type']} {event['on']}" for event in seen] == CLICKED
    assert [event["buttons"] for event in seen] == [1, 0, 0]


@pytest.mark.row("ROB-25")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_two_clicks_at_the_same_time_are_made_one_after_the_other(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched("<button id=a>First</button><button id=b>Second</button>"), frame_kind
    )
    snap = await stage.page.snapshot()
    ids = [snap.find("button", name).id for name in ("First", "Second")]

    outcomes = await asyncio.gather(*(stage.page.click(one) for one in ids))

    assert all(outcome.success for outcome in outcomes)
    assert await presses(stage) == [
        f"{kind} {name}" for name in "ab" for kind in ("mousedown", "mouseup", "click")
    ]


@pytest.mark.row("ROB-25")
async def test_typing_into_two_fields_at_the_same_time_does_not_mix(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input aria-label=A id=a><input aria-label=B id=b>")
    snap = await page.snapshot()

    await asyncio.gather(
        page.type(snap.find("textbox", "A").id, "first words"),
        page.type(snap.find("textbox", "B").id, "second words"),
        page.snapshot(),
    )

    assert await oracle.eval("[a.value, b.value]") == ["first words", "second words"]


@pytest.mark.row("ROB-28")
async def test_only_pages_are_listed_whatever_else_runs(
    browser: Browser, page: Page, oracle: PageOracle, browser_oracle: Oracle, site: Site
) -> None:
    site.page("self.onmessage = () => {}", path="/worker.js", content_type="text/javascript")
    frame = site.page("<p>Framed</p>", host="b.test")
    await page.goto(
        site.page(
            f"<iframe src='{frame}'></iframe><script>"
            "new Worker('/worker.js'); new SharedWorker('/worker.js')</script>"
        )
    )
    await oracle.wait("document.readyState === 'complete'")

    listed = {one.target_id for one in browser.pages}
    everything = await browser_oracle.live_targets()

    assert {"iframe", "worker", "shared_worker"} & {one["type"] for one in everything}
    assert page.target_id in listed
    for one in everything:
        assert one["type"] == "page" or one["targetId"] not in listed


CLOCK = """<script>
  const later = window.setTimeout;
  Date.now = () => 0; performance.now = () => 1e15; window.Date = function () { return {} };
  window.setTimeout = window.requestAnimationFrame = window.queueMicrotask = () => 0;
</script>"""


@pytest.mark.row("ROB-29")
async def test_a_page_without_a_clock_is_waited_for_as_any_other(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(f"""{CLOCK}<button disabled onclick="this.textContent = 'Done'">Order</button>
      <script>later(() => document.querySelector('button').disabled = false, 300)</script>""")

    outcome = await page.click((await page.snapshot()).find("button", "Order").id)

    assert outcome.settled
    assert await oracle.eval("document.querySelector('button').textContent") == "Done"
