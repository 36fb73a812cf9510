"""The MCP server as the SDK's own client sees it, the server in a process of its own."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from cdp_agent import Browser
from cdp_agent.tools import TOOLS
from tests.browser.fronts.conftest import COMMAND, ROOT, TOKEN, environment, served
from tests.support.site import Request, Response, Site

LOGIN = """<form method=post action=/shop><label>User <input name=user></label>
<label>Password <input name=pass type=password></label><button>Log in</button></form>"""
SHOP = """<h1>Hello {user}</h1><iframe src="{pay}" width=500 height=200></iframe>
<label>Receipt <input type=file id=up onchange="got.textContent = up.files[0].name"></label>
<p id=got></p><button onclick="got.textContent = confirm('Really pay?') ? 'paid' : 'kept'">
Pay</button><p>{filler}</p>"""
CARD = """<label>Card number <input id=c oninput="s.textContent = 'card ' + c.value"></label>
<p id=s></p>"""


def site_url(site: Site) -> str:
    def shop(request: Request) -> Response:
        user = re.search(rb"user=(\w+)", request.body)
        html = SHOP.format(
            user=user[1].decode() if user else "nobody",
            pay=site.page(CARD, host="b.test", path="/pay.html"),
            filler="Terms and conditions apply. " * 30,
        )
        return Response(200, {"Content-Type": "text/html"}, html.encode())

    site.route("/shop", shop)
    return site.page(LOGIN)


@asynccontextmanager
async def http_client(address: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as web,
        Client(streamable_http_client(address, http_client=web)) as client,
    ):
        yield client


BAD_CALLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "a missing argument": ("click", {}, "invalid_params: browser_click: ref"),
    "a wrong type": ("click", {"ref": "0-1", "count": "many"}, "invalid_params: browser_click: "),
    "an unknown argument": ("hover", {"ref": "0-1", "soft": 1}, "invalid_params: browser_hover: "),
    "a malformed id": ("click", {"ref": "button 7"}, "ref_invalid: 'button 7'"),
    "an id that is not a text": ("click", {"ref": {"id": 7}}, "invalid_params: "),
    "an id of nothing": ("click", {"ref": "7-7000"}, "ref_invalid: 7-7000"),
    "a page of nobody": ("snapshot", {"page": "p77"}, "invalid_params: there is no page"),
    "ten megabytes": ("fill", {"ref": "0-1", "value": "x" * 10_000_000}, "invalid_params: "),
    "no step": ("execute", {"steps": [{"action": "fly"}]}, "invalid_params: step 1: there is no"),
    "no schema": ("extract", {"schema": {"type": "banana"}}, "invalid_params: "),
}


@asynccontextmanager
async def connected(transport: str, endpoint: str, *options: str) -> AsyncIterator[Client]:
    if transport == "stdio":
        arguments = [*COMMAND[1:], "mcp", "--connect", endpoint, *options]
        server = StdioServerParameters(command=COMMAND[0], args=arguments, env=environment())
        async with Client(stdio_client(server)) as client:
            yield client
    else:
        async with (
            served("mcp", "--http", "0", "--connect", endpoint, *options) as (address, _),
            http_client(address) as client,
        ):
            yield client


def text_of(result: types.CallToolResult) -> str:
    part = result.content[0]
    assert isinstance(part, types.TextContent)
    return part.text


async def use(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(f"browser_{tool}", arguments)
    assert not result.is_error, text_of(result)
    return text_of(result)


def ref(text: str, what: str) -> str:
    found = re.search(rf"\[(\d+-\d+)\] {what}", text)
    assert found is not None, text
    return found[1]


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_client_logs_in_pays_and_uploads(
    transport: str, endpoint: str, site: Site, browser: Browser, tmp_path: Path
) -> None:
    receipt = tmp_path / "receipt.txt"
    receipt.write_text("paid")
    async with connected(transport, endpoint, "--upload-folder", str(tmp_path)) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == set(TOOLS)

        page = await use(client, "navigate", url=site_url(site))
        await use(client, "fill", ref=ref(page, 'textbox "User"'), value="ada")
        await use(client, "fill", ref=ref(page, 'textbox "Password"'), value="secret")
        page = await use(client, "click", ref=ref(page, "button"))
        assert "Hello ada" in page

        card = ref(page, 'textbox "Card number"')
        assert not card.startswith("0-")
        assert "card 4242" in await use(client, "type", ref=card, text="4242")

        given = await use(client, "upload", ref=ref(page, ".*Receipt"), paths=[str(receipt)])
        assert "receipt.txt" in given

        asked = await use(client, "click", ref=ref(page, 'button "Pay"'))
        assert 'confirm "Really pay?" is open' in asked
        assert "paid" in await use(client, "dialog", accept=True)

        picture = (await client.call_tool("browser_screenshot", {})).content[1]
        assert isinstance(picture, types.ImageContent)
        assert (picture.mime_type, picture.data[:5]) == ("image/png", "iVBOR")

        wrong = await client.call_tool("browser_click", {"ref": "nonsense"})
        assert (wrong.is_error, text_of(wrong)[:11]) == (True, "ref_invalid")
    assert not [p for p in browser.pages if p.url.endswith("/shop")]


async def test_clients_of_one_server_do_not_see_each_other(endpoint: str, site: Site) -> None:
    url = site.page(
        "<button onclick='document.cookie = \"who=\" + 1; p.textContent = 1'>Set"
        "</button><p id=p></p><script>p.textContent = 'has ' + document.cookie</script>"
    )
    async with (
        served("mcp", "--http", "0", "--connect", endpoint) as (address, _),
        http_client(address) as one,
        http_client(address) as two,
    ):
        page = await use(one, "navigate", url=url)
        await use(one, "click", ref=ref(page, "button"))
        assert "has who=1" in await use(one, "navigate", go="reload")
        assert "who=1" not in await use(two, "navigate", url=url)
        assert (await use(two, "tabs")).count("http") == 1
        await use(two, "tabs", action="new", url=url)
        assert (await use(one, "tabs")).count("http") == 1
        mine = await use(one, "tabs")
        assert mine.startswith("p1 (current)")


KILLED = """
import asyncio, sys, httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
async def main():
    headers = {"Authorization": "Bearer " + sys.argv[2]}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as web:
        async with Client(streamable_http_client(sys.argv[1], http_client=web)) as client:
            page = await client.call_tool("browser_navigate", {"url": sys.argv[3]})
            ref = page.content[0].text.split("[")[1].split("]")[0]
            print("typing", flush=True)
            await client.call_tool("browser_type", {"ref": ref, "text": "x" * 50, "delay_ms": 900})
asyncio.run(main())
"""


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_bad_calls_are_told_and_the_client_goes_on(
    transport: str, endpoint: str, site: Site
) -> None:
    async with connected(transport, endpoint) as client:
        await use(client, "navigate", url=site.page("<h1>Still here</h1>"))
        for what, (tool, arguments, said) in BAD_CALLS.items():
            result = await client.call_tool(f"browser_{tool}", arguments)
            assert result.is_error, what
            assert text_of(result).startswith(said), what
            assert "\nhint: " in text_of(result), what
        unknown = await client.call_tool("browser_fly", {})
        assert text_of(unknown).startswith("invalid_params: there is no tool 'browser_fly'")
        assert "Still here" in await use(client, "snapshot")


async def test_a_client_that_is_killed_in_the_middle_leaves_nothing(
    endpoint: str, site: Site, browser: Browser
) -> None:
    url = site.page("<input aria-label=Field>")
    async with (
        served("mcp", "--http", "0", "--connect", endpoint) as (address, _),
        http_client(address) as other,
    ):
        await use(other, "navigate", url=site.page("<h1>Mine</h1>"))
        killed = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            KILLED,
            address,
            TOKEN,
            url,
            env=environment(),
            stdout=asyncio.subprocess.PIPE,
        )
        assert killed.stdout is not None
        assert await asyncio.wait_for(killed.stdout.readline(), 30) == b"typing\n"
        theirs = next(page for page in browser.pages if page.url == url)._tab.target
        killed.kill()
        await killed.wait()
        assert await theirs.until(lambda: theirs.closed is not None, 15, alive=False)
        assert "Mine" in await use(other, "snapshot")


async def test_the_gate_wants_a_token_and_a_version_with_sessions(endpoint: str) -> None:
    async with (
        served("mcp", "--http", "0", "--connect", endpoint) as (address, _),
        httpx2.AsyncClient(timeout=20) as web,
    ):
        assert (await web.post(address, json={})).status_code == 401
        wrong = {"Authorization": "Bearer nonsense"}
        assert (await web.post(address, json={}, headers=wrong)).status_code == 401
        right = {"Authorization": f"Bearer {TOKEN}", "MCP-Protocol-Version": "2026-07-28"}
        refused = await web.post(address, json={}, headers=right)
        assert refused.json()["error"]["data"]["supported"]
        foreign = {"Authorization": f"Bearer {TOKEN}", "Origin": "https://evil.example"}
        assert (await web.post(address, json={}, headers=foreign)).status_code in (400, 403, 421)


async def test_progress_is_told_step_by_step_and_while_it_waits(endpoint: str, site: Site) -> None:
    async with connected("stdio", endpoint) as client:
        page = await use(client, "navigate", url=site.page("<input aria-label=A>"))
        told: list[tuple[float, float | None, str | None]] = []

        async def tell(progress: float, total: float | None, message: str | None) -> None:
            told.append((progress, total, message))

        steps = [{"action": "press", "params": {"key": key}} for key in "abc"]
        await client.call_tool("browser_execute", {"steps": steps}, progress_callback=tell)
        assert [(done, total) for done, total, _ in told] == [(1, 3), (2, 3), (3, 3)]
        told.clear()
        slow = {"ref": ref(page, "textbox"), "text": "abc", "delay_ms": 600}
        await client.call_tool("browser_type", slow, progress_callback=tell)
        assert told
        assert "browser_type" in (told[0][2] or "")


async def test_a_server_with_a_browser_of_its_own_ends_with_its_client(site: Site) -> None:
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "mcp"], env=environment(), cwd=ROOT
    )
    url = site.page("<h1>Own</h1>", path="/own.html").replace("a.test", "127.0.0.1")
    async with Client(stdio_client(server)) as client:
        assert "Own" in await use(client, "navigate", url=url)
    # The run's leak check finds a Chromium that stayed.


async def test_secrets_are_typed_where_they_may_be_and_other_places_are_closed(
    endpoint: str, site: Site
) -> None:
    url = site.page("<label>Key <input oninput='p.textContent = this.value'></label><p id=p></p>")
    origin = url.rpartition("/")[0]
    options = ["--allow-origin", origin, "--secret", "key=SECRET_OF_THE_TEST"]
    server = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "mcp", "--connect", endpoint, *options],
        env=environment(SECRET_OF_THE_TEST="xyzzy-plugh"),
    )
    async with Client(stdio_client(server)) as client:
        page = await use(client, "navigate", url=url)
        key = ref(page, "textbox")
        filled = await use(client, "fill", ref=key, value="{{secret:key}}")
        assert "xyzzy" not in filled
        shown = await use(client, "snapshot")
        assert "xyzzy" not in shown
        assert "secret:key" in shown
        elsewhere = await client.call_tool(
            "browser_navigate", {"url": site.page("<p>x").replace("a.test", "b.test")}
        )
        assert (elsewhere.is_error, text_of(elsewhere)[:17]) == (True, "blocked_by_policy")
