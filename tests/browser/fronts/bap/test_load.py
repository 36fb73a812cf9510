"""Many clients at once: no answer is lost or crossed, and nothing is left behind."""

from __future__ import annotations

import asyncio
import itertools
import sys
from pathlib import Path
from typing import Any

import pytest

from cdp_agent import Browser, Client
from tests.browser.fronts.bap.raw import RawClient, serving
from tests.browser.fronts.conftest import environment, served
from tests.support.site import Request, Response, Site

CONNECTIONS, PAGES = 50, 8
#: Of each connection in each of two rounds; all of them with `--thorough`.
CALLS, ALL_CALLS = 8, 100
#: Milliseconds that a call may wait for those of others on its page.
LONG = 80_000
#: A token for each connection, so that none waits for the rate of another.
TOKENS = [f"load-token-{number:02}" for number in range(CONNECTIONS)]


def page_text(number: int) -> str:
    head = f"<!doctype html><title>Page {number}</title>"
    fields = "".join(f"<label>Field {n} <input></label>" for n in range(CONNECTIONS))
    return f"{head}<h1>Number {number}</h1><button>Go {number}</button>{fields}"


#: What each connection does in turn: half of it reads, a quarter of it acts.
KINDS = (
    *("observe/content", "agent/observe", "action/click", "observe/element"),
    *("frame/list", "agent/act", "page/list", "observe/accessibility"),
)


def params_of(kind: str, number: int, turn: int) -> dict[str, Any]:
    """The parameters of a call; each connection writes into a field of its own."""
    field = {"type": "label", "value": f"Field {number}", "exact": True}
    fill = {"selector": field, "value": f"{number}-{turn}", "timeout": LONG}
    steps = [{"action": "action/fill", "params": fill}]
    params: dict[str, dict[str, Any]] = {
        "observe/element": {"selector": "css=h1", "properties": ["text"]},
        "action/click": {"selector": f"text=Go {number % PAGES}", "timeout": LONG},
        "agent/act": {"steps": steps, "timeout": LONG},
    }
    return params.get(kind, {})


def require_own(kind: str, answer: Any, number: int, turn: int) -> None:
    """The answer is about the page, and the field, of the connection that asked."""
    wanted = f"Number {number % PAGES}"
    if kind == "observe/content":
        assert answer["content"].startswith(wanted)
    elif kind == "observe/element":
        assert answer["properties"] == {"text": wanted}
    elif kind == "observe/accessibility":
        assert answer["tree"][0]["name"] == wanted
    elif kind == "agent/observe":
        assert answer["interactiveElements"][0]["name"] == f"Go {number % PAGES}"
    elif kind == "agent/act":
        assert [row["result"]["value"] for row in answer["results"]] == [f"{number}-{turn}"]
    elif kind == "action/click":
        assert answer["success"]
    elif kind == "page/list":
        assert {f"Page {n}" for n in range(PAGES)} <= {page["title"] for page in answer["pages"]}
    else:
        assert [frame["isMain"] for frame in answer["frames"]] == [True]


async def work(address: str, token: str, number: int, calls: int) -> int:
    """Mixed calls on one of the shared pages; each answer has to be about that page."""
    async with Client(address, token=token, timeout=LONG / 1000) as client:
        pages = {page["title"]: page["id"] for page in await client.pages()}
        about = {"pageId": pages[f"Page {number % PAGES}"]}
        for turn, kind in zip(range(calls), itertools.cycle(KINDS), strict=False):
            page = {} if kind == "page/list" else about
            answer = await client.call(kind, page | params_of(kind, number, turn))
            require_own(kind, answer, number, turn)
        return calls


def resident_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


@pytest.mark.timeout(1200)
async def test_fifty_connections_on_eight_pages(
    request: pytest.FixtureRequest, endpoint: str, site: Site
) -> None:
    calls = ALL_CALLS if request.config.getoption("thorough") else CALLS
    tokens = [word for token in TOKENS for word in ("--token", token)]
    options = ("--port", "0", "--connect", endpoint, "--shared", *tokens)
    urls = [site.page(page_text(number)) for number in range(PAGES)]
    async with served("serve", *options) as (address, process):
        async with RawClient.connected(address, TOKENS[0]) as owner:
            for url in urls:
                await owner("page/create", url=url)
            jobs = [work(address, token, n, calls) for n, token in enumerate(TOKENS)]
            first = await asyncio.gather(*jobs)
            before = resident_kb(process.pid)
            jobs = [work(address, token, n, calls) for n, token in enumerate(TOKENS)]
            second = await asyncio.gather(*jobs)
            after = resident_kb(process.pid)
        assert sum(first) + sum(second) == 2 * CONNECTIONS * calls
        # Flat: a second round of as much work does not grow the server by a third.
        assert after < before * 1.33


#: A program of its own: it opens a page in a context of its own and acts until it is killed.
KILLED_CLIENT = """
import asyncio, sys
from cdp_agent import Client

async def main(address, token, url):
    async with Client(address, token=token) as client:
        context = (await client.call("context/create", {}))["contextId"]
        await client.new_page()
        await client.call("page/create", {"url": url, "contextId": context})
        click = client.step("click", {"selector": "text=Go"})
        await client.act([click, client.step("wait", {"text": "never", "timeout": 60}), click])

asyncio.run(main(*sys.argv[1:]))
"""


async def context_ids(browser: Browser) -> set[str]:
    reply = await browser.connection.root.post("Target.getBrowserContexts")
    return set(reply["browserContextIds"])


async def test_a_client_process_that_is_killed_in_the_middle_leaves_nothing(
    endpoint: str, site: Site, browser: Browser, token: str
) -> None:
    """Its pages, its contexts and the server's tasks for it end; other clients go on."""
    url = site.page("<button onclick=\"fetch('/clicked')\">Go</button>")
    clicked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def serve_click(_: Request) -> Response:
        loop.call_soon_threadsafe(clicked.set)
        return Response(200, {}, b"")

    site.route("/clicked", serve_click)
    async with serving(endpoint, token) as address, Client(address, token=token) as other:
        await other.new_page(site.page("<p>other"))
        contexts, targets = await context_ids(browser), {page.target_id for page in browser.pages}
        tasks = asyncio.all_tasks()
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", KILLED_CLIENT, address, token, url), env=environment()
        )
        try:
            async with asyncio.timeout(60):
                await clicked.wait()
            orphans = [page._tab.target for page in browser.pages if page.target_id not in targets]
            assert len(orphans) == 2
            assert len(await context_ids(browser) - contexts) == 2
        finally:
            program.kill()
            await program.wait()
        for target in orphans:
            assert await target.until(lambda t=target: t.closed is not None, 20, alive=False)  # type: ignore[misc]
        left = {task for task in asyncio.all_tasks() - tasks if task is not asyncio.current_task()}
        if left:
            _, left = await asyncio.wait(left, timeout=20)
        assert not left
        assert await context_ids(browser) == contexts
        assert "other" in (await other.call("observe/content"))["content"]


async def test_a_page_whose_process_dies_in_the_middle(
    address: str, token: str, site: Site, browser: Browser
) -> None:
    """The rest of the composite is told as such, and the page lives again when it is opened."""
    url = site.page("<button onclick=\"console.log('go')\">Go</button>")
    async with Client(address, token=token) as client, client.events("console") as events:
        await client.new_page(url)
        steps = [
            client.step("click", {"selector": "text=Go"}),
            client.step("wait", {"text": "no such words", "timeout": 30}),
            client.step("click", {"selector": "text=Go"}),
        ]
        acting = asyncio.create_task(client.act(steps))
        await events.get(30)
        page = next(one for one in browser.pages if one.url == url)
        page.resolve_frame_session(0).send_only("Page.crash")
        done = await acting
        assert not done.success
        error = done.steps[done.failed_at or 0].error
        assert error is not None
        assert (error["code"], done.steps[-1].status) == ("target_crashed", "not_run")
        assert (await client.goto(url))["status"] == 200
