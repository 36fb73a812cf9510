"""Events, dialogs and approvals as the real client hears them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.fronts.bap.conftest import TOKENS
from tests.browser.fronts.bap.pages import CONTROLS
from tests.browser.fronts.bap.raw import RawClient, serving
from tests.support.site import Request, Response, Site

pytest.importorskip("browseragentprotocol", reason="the test extra is not installed")

from browseragentprotocol import (
    BAPApprovalDeniedError,
    BAPClient,
    ConsoleEvent,
    DialogEvent,
    DownloadEvent,
    NetworkEvent,
    PageEvent,
    css,
    label,
    role,
)

KINDS = ["page", "console", "network", "dialog", "download"]


class Heard:
    """Events of one kind, and waiting for one."""

    def __init__(self, client: BAPClient, kind: str) -> None:
        self.events: list[Any] = []
        self._changed = asyncio.Event()
        client.on(kind, self._take)

    def _take(self, event: Any) -> None:
        self.events.append(event)
        self._changed.set()

    async def until(self, fits: Callable[[Any], bool]) -> Any:
        async with asyncio.timeout(15):
            while True:
                self._changed.clear()
                for event in self.events:
                    if fits(event):
                        return event
                await self._changed.wait()


async def test_events_of_pages_consoles_networks_dialogs_and_downloads(
    address: str, token: str, site: Site
) -> None:
    def file(_: Request) -> Response:
        headers = {"Content-Disposition": "attachment; filename=a.txt"}
        return Response(200, headers, b"content")

    site.route("/a.txt", file)
    html = """<a href="/a.txt">Get</a><button onclick="console.warn('careful', 7)">Warn</button>
      <button onclick="fetch('/none').then(() => 0)">Fetch</button>
      <button onclick="title = prompt('Who?', 'me')">Ask</button>"""
    async with BAPClient(address, token=token, events=KINDS) as client:
        page, console, network, dialog, download = (Heard(client, kind) for kind in KINDS)
        made = await client.create_page(site.page(html))
        loaded = PageEvent.model_validate(await page.until(lambda e: e["event"] == "load"))
        assert (loaded.page_id, loaded.url) == (made.id, made.url)

        await client.click(role("button", "Warn"))
        told = await console.until(lambda e: e["level"] == "warn")
        assert ConsoleEvent.model_validate(told).text == "careful 7"
        await client.click(role("button", "Fetch"))
        answer = await network.until(lambda e: e.get("response", {}).get("url", "")[-5:] == "/none")
        response = NetworkEvent.model_validate(answer).response
        assert response is not None
        assert response.status == 404
        assert [
            NetworkEvent.model_validate(event).request
            for event in network.events
            if event["event"] == "request" and event["request"]["url"].endswith("/none")
        ]
        await client.click(role("button", "Ask"))
        asked = DialogEvent.model_validate(await dialog.until(lambda e: True))
        assert (asked.dialog_type.value, asked.message) == ("prompt", "Who?")
        assert (asked.default_value, asked.page_id) == ("me", made.id)
        await client.handle_dialog("accept", "Ada")
        await client.click(role("link", "Get"))
        begun = await download.until(lambda e: e["state"] == "started")
        assert DownloadEvent.model_validate(begun).suggested_filename == "a.txt"
        await client.close_page()
        closed = PageEvent.model_validate(await page.until(lambda e: e["event"] == "close"))
        assert closed.page_id == made.id


async def test_a_download_is_followed_to_its_end(site: Site) -> None:
    """In a browser of the server's own, which has a folder for downloads."""

    def file(_: Request) -> Response:
        headers = {"Content-Disposition": "attachment; filename=b.txt"}
        return Response(200, headers, b"content")

    site.route("/b.txt", file)
    url = site.page("<a href=/b.txt>Get</a>", host="127.0.0.1")
    async with (
        serving(None, TOKENS[0]) as address,
        BAPClient(address, token=TOKENS[0], events=["download"]) as client,
    ):
        download = Heard(client, "download")
        await client.create_page(url)
        await client.click(role("link", "Get"))
        done = await download.until(lambda e: e["state"] == "completed")
        assert DownloadEvent.model_validate(done).received_bytes == len(b"content")


async def test_a_handler_that_is_taken_off_hears_no_more(client: BAPClient, site: Site) -> None:
    heard: list[Any] = []
    forget = client.on("console", heard.append)
    other = Heard(client, "console")
    await client.create_page(site.page("<script>console.log('one')</script>"))
    await other.until(lambda e: e["text"] == "one")
    forget()
    await client.navigate(site.page("<script>console.log('two')</script>"))
    await other.until(lambda e: e["text"] == "two")
    assert [event["text"] for event in heard] == ["one"]


async def test_the_end_of_the_server_is_told(endpoint: str) -> None:
    over = asyncio.Event()
    async with serving(endpoint, TOKENS[0]) as address:
        client = BAPClient(address, token=TOKENS[0])
        await client.connect()
        client.on("close", over.set)
    async with asyncio.timeout(15):
        await over.wait()
    await client.close()


async def test_no_event_of_another_client_is_heard(
    address: str, token: str, client: BAPClient, site: Site
) -> None:
    console = Heard(client, "console")
    async with BAPClient(address, token=token) as other:
        await other.create_page(site.page("<script>console.log('theirs')</script>"))
        await client.create_page(site.page("<script>console.log('ours')</script>"))
        await console.until(lambda e: e["text"] == "ours")
    assert [event["text"] for event in console.events] == ["ours"]


async def test_a_token_that_may_not_observe_subscribes_to_nothing(endpoint: str) -> None:
    async with (
        serving(endpoint, "clicks-only=action:*") as address,
        RawClient.connected(address, "clicks-only") as raw,
    ):
        assert await raw("events/subscribe", events=KINDS) == {"subscribed": []}
        unknown = await raw("events/subscribe", events=["weather"])
        assert unknown["data"]["code"] == "invalid_params"


async def test_a_dialog_holds_the_page_until_it_is_answered(raw: RawClient, site: Site) -> None:
    html = "<button onclick=\"p.textContent = prompt('Who?')\">Ask</button><p id=p></p>"
    await raw("page/create", url=site.page(html))
    ask = {"type": "role", "role": "button", "name": "Ask"}
    asked = await raw("action/click", selector=ask)
    assert asked["dialogs"] == [{"type": "prompt", "message": "Who?", "open": True}]
    blind = await raw("agent/observe")
    assert (blind["code"], blind["data"]["code"]) == (-32021, "dialog_open")
    assert "dialog/handle" in blind["data"]["hint"]
    answered = await raw("dialog/handle", action="accept", promptText="Ada")
    assert (answered["type"], answered["message"]) == ("prompt", "Who?")
    assert "Ada" in (await raw("observe/content"))["content"]


async def test_what_needs_approval_waits_for_it(endpoint: str, site: Site) -> None:
    asks = ("action/click", "action/fill")
    async with (
        serving(endpoint, TOKENS[0], ask=asks) as address,
        BAPClient(address, token=TOKENS[0]) as client,
    ):
        decisions: list[Any] = ["deny", "approve-once", "approve-session"]
        asked: list[Any] = []
        answers: list[asyncio.Task[Any]] = []

        def decide(question: Any) -> None:
            asked.append(question)
            answer = client.respond_to_approval(question.request_id, decisions.pop(0), "no thanks")
            answers.append(asyncio.create_task(answer))

        client.on_approval_required(decide)
        await client.create_page(site.page(CONTROLS))
        send = role("button", "Send")
        with pytest.raises(BAPApprovalDeniedError, match="no thanks"):
            await client.click(send)
        assert (await client.element(css("#log"), ["text"])).properties["text"] == ""
        [question] = asked
        assert (question.rule, question.context.page_title) == ("action/click", "Test page")
        assert question.context.screenshot
        step = BAPClient.step("action/click", {"selector": {"type": "text", "value": "Send"}})
        assert (await client.act([step])).success
        await client.fill(label("Name"), "secret words")
        assert "secret words" not in str(asked[-1].original_request)
        await client.fill(label("Name"), "again")
        assert len(asked) == 3
        await asyncio.gather(*answers)
