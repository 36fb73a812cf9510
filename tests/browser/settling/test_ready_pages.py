"""A page that was opened has drawn: its first content, then what it asked its server for."""

from __future__ import annotations

import threading

import pytest
from websockets.asyncio.server import ServerConnection, serve

from cdp_agent import Page
from tests.support.site import Request, Response, Site

ROWS = "document.body.insertAdjacentHTML('beforeend', '<ul><li><a href=#1>the row</a></ul>')"
LATE = "/late"


@pytest.fixture
def late(site: Site) -> str:
    """A path that is answered after 300 ms."""
    site.page("rows", path=LATE, delay=0.3)
    return LATE


async def text_after_goto(page: Page, url: str) -> str:
    outcome = await page.goto(url)
    assert outcome.settled
    assert outcome.loading == ""
    return (await page.snapshot()).text


DRAWN_LATE = {
    "nothing, then an answer": f"<script>onload = () => fetch('{LATE}').then(() => {{ {ROWS} }})"
    "</script>",
    "a control, then an answer": "<button>Menu</button><script>"
    f"onload = () => fetch('{LATE}').then(() => {{ {ROWS} }})</script>",
    "two answers in turn": "<button>Menu</button><script>onload = () => "
    f"fetch('{LATE}').then(() => fetch('{LATE}')).then(() => {{ {ROWS} }})</script>",
    "an answer, then a timer": "<div></div><script>onload = () => "
    f"fetch('{LATE}').then(() => setTimeout(() => {{ {ROWS} }}, 80))</script>",
    "an answer, then more and more": "<div></div><script>onload = () => fetch('"
    + LATE
    + "').then(() => { let n = 0; const more = () => { document.body.append('more');"
    + f" if (n++ < 5) setTimeout(more, 60); else {{ {ROWS} }} }}; more() }})</script>",
    "a script that comes later": "<button>Menu</button><script>onload = () => {"
    " const s = document.createElement('script'); s.src = '/rows.js'; document.body.append(s) }"
    "</script>",
    "nothing, then a timer": f"<script>setTimeout(() => {{ {ROWS} }}, 400)</script>",
    "a word that it loads, then a timer": "<p id=p>Loading...</p><script>setTimeout(() => {"
    f" p.remove(); {ROWS} }}, 700)</script>",
    "a word that it loads, and a link below": "<p id=p>Initializing the database\u2026</p>"
    f"<a href=#about>About</a><script>setTimeout(() => {{ p.remove(); {ROWS} }}, 700)</script>",
    "nothing, then a script's long work": "<script type=module src=/work.js></script>",
    "a main part that is empty for a while": "<button>Menu</button><main></main><script>"
    f"onload = () => fetch('{LATE}').then(() => setTimeout(() => {{ {ROWS} }}, 500))</script>",
    "boxes for what is to come": "<button>Menu</button><p class=my-skeleton style='height:9px'></p>"
    f"<script>onload = () => fetch('{LATE}').then(() => setTimeout(() => {{ {ROWS} }}, 500))"
    "</script>",
    "an icon and an empty region, while the server is asked": "<button><svg width=9 height=9></svg>"
    "</button><div tabindex=-1 aria-label=Notifications></div><script>onload = () => "
    f"fetch('{LATE}').then(() => setTimeout(() => {{ {ROWS} }}, 500))</script>",
    "frames, each in the one before": "<p>A long paragraph</p><script>onload = () => "
    f"requestAnimationFrame(() => requestAnimationFrame(() => {{ {ROWS} }}))</script>",
    "a task after load": "<button>Menu</button><script>onload = () => { const c = "
    f"new MessageChannel(); c.port1.onmessage = () => {{ {ROWS} }}; c.port2.postMessage(0) }}"
    "</script>",
}


@pytest.mark.parametrize(
    "made",
    ["Worker('/echo.js')", "Worker('/echo.js', {type: 'module'})", "SharedWorker('/echo.js')"],
)
async def test_a_worker_keeps_no_page_loading(page: Page, site: Site, made: str) -> None:
    """Only the worker is told that its script has come."""
    script = Response(200, {"Content-Type": "text/javascript"}, b"onmessage = () => postMessage(1)")
    site.route("/echo.js", lambda _: script)
    url = site.page(f"<button>Menu</button><script>window.made = new {made}</script>")

    outcome = await page.goto(url)

    assert outcome.settled
    assert outcome.loading == ""
    lines = [request.line for request in page.requests()]
    assert [line.rpartition("/")[2] for line in lines if "echo" in line] == ["echo.js sent worker"]


@pytest.mark.parametrize("html", DRAWN_LATE.values(), ids=DRAWN_LATE.keys())
async def test_goto_answers_when_the_page_has_drawn(
    page: Page, site: Site, late: str, html: str
) -> None:
    site.page(ROWS, path="/rows.js", delay=0.3, content_type="text/javascript")
    work = f"""const until = performance.now() + 400, channel = new MessageChannel();
        channel.port1.onmessage = () => {{
            if (performance.now() < until) channel.port2.postMessage(0); else {{ {ROWS} }}
        }};
        channel.port2.postMessage(0)"""
    site.page(work, path="/work.js", content_type="text/javascript")

    assert "the row" in await text_after_goto(page, site.page(html))


async def test_reload_and_history_answer_when_the_page_has_drawn(
    page: Page, site: Site, late: str
) -> None:
    app = site.page(DRAWN_LATE["nothing, then an answer"], headers={"Cache-Control": "no-store"})
    await page.goto(app)
    await page.reload()
    assert "the row" in (await page.snapshot()).text

    await page.goto(site.page("<p>Elsewhere"))
    await page.back()
    assert "the row" in (await page.snapshot()).text


async def test_a_click_that_navigates_answers_when_the_page_has_drawn(
    page: Page, site: Site, late: str
) -> None:
    app = site.page(DRAWN_LATE["a control, then an answer"])
    await page.goto(site.page(f"<a href='{app}'>Go</a>"))

    outcome = await page.click((await page.snapshot()).find("link", "Go").id, observe=True)

    assert outcome.snapshot is not None
    assert "the row" in outcome.snapshot.text
    assert outcome.loading == ""


async def test_a_frame_that_draws_late_is_waited_for(page: Page, site: Site, late: str) -> None:
    inner = site.page(DRAWN_LATE["nothing, then an answer"], host="b.test")
    outer = site.page(f"<button>Menu</button><iframe src='{inner}'></iframe>")

    assert "the row" in await text_after_goto(page, outer)


async def test_what_a_server_says_first_over_a_websocket_is_waited_for(
    page: Page, site: Site
) -> None:
    async def talk(connection: ServerConnection) -> None:
        await connection.recv()
        for part in ("one", "two", "the row"):
            await connection.send(part)
        await connection.wait_closed()

    async with serve(talk, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        url = site.page(f"""<button>Menu</button><script>onload = () => {{
            const socket = new WebSocket('ws://127.0.0.1:{port}');
            socket.onopen = () => socket.send('begin');
            socket.onmessage = ({{data}}) => document.body.append(document.createElement('p'), data)
        }}</script>""")

        assert "the row" in await text_after_goto(page, url)
        await page.goto("about:blank")


async def test_a_request_without_an_end_is_said(page: Page, site: Site) -> None:
    held = threading.Event()

    def hold(_: Request) -> Response:
        held.wait(30)
        return Response(200)

    site.route("/held", hold)
    url = site.page("<button>Menu</button><script>fetch('/held'); fetch('/held?2')</script>")
    try:
        outcome = await page.goto(url)

        assert outcome.loading == "2 requests"
        assert not outcome.settled
        assert "Menu" in (await page.snapshot()).text
    finally:
        held.set()


STREAM = """<button>Menu</button><script>
onload = async () => {
  const reader = (await fetch('/stream')).body.getReader();
  for (;;) { await reader.read(); if (!window.told) { window.told = true; ROWS } }
};</script>""".replace("ROWS", ROWS)


async def test_a_stream_is_not_loading(page: Page, site: Site) -> None:
    ended = threading.Event()

    def stream(_: Request) -> Response:
        def parts() -> object:
            yield b"data: 1\n\n"
            ended.wait(30)

        headers = {"Content-Type": "text/event-stream"}
        return Response(200, headers, parts())  # type: ignore[arg-type]

    site.route("/stream", stream)
    try:
        assert "the row" in await text_after_goto(page, site.page(STREAM))
    finally:
        ended.set()


NEVER_AT_REST = {
    "a clock": "setInterval(() => { p.textContent = performance.now() }, 10)",
    "a spinner": "setInterval(() => { p.style.left = performance.now() + 'px' }, 10)",
    "a growing list": "setInterval(() => { p.append(document.createElement('i'), 'x') }, 10)",
    "frames": "(function f() { p.textContent = performance.now(); requestAnimationFrame(f) })()",
}


@pytest.mark.parametrize("script", NEVER_AT_REST.values(), ids=NEVER_AT_REST.keys())
async def test_a_page_that_never_rests_is_not_still_loading(
    page: Page, site: Site, script: str
) -> None:
    html = f"<button>Menu</button><p id=p></p><script>fetch('/x'); {script}</script>"

    await text_after_goto(page, site.page(html))


async def test_a_picture_that_does_not_come_is_said(page: Page, site: Site) -> None:
    held = threading.Event()

    def hold(_: Request) -> Response:
        held.wait(30)
        return Response(404)

    site.route("/held.png", hold)
    try:
        outcome = await page.goto(site.page("<button>Menu</button><img src=/held.png>"))

        assert not outcome.settled
        assert outcome.loading == "pictures or frames"
    finally:
        held.set()
