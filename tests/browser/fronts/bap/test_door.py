"""Access by token and origin, scopes of tokens, and refusals before the first step."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from cdp_agent.ws_server import RateLimit
from tests.browser.fronts.bap.conftest import WATCHER
from tests.browser.fronts.bap.pages import CONTROLS
from tests.browser.fronts.bap.raw import RawClient, serving
from tests.support.site import Site

CLICK = {"action": "action/click", "params": {"selector": {"type": "text", "value": "Send"}}}
SCROLL = {"action": "action/scroll", "params": {}}


async def test_a_stranger_is_not_let_in(address: str, token: str) -> None:
    """A wrong token, a foreign web page, and a name that is not this machine's."""
    doors: list[tuple[str, dict[str, Any], int]] = [
        (f"{address}?token=wrong-one", {}, 401),
        (address, {}, 401),
        (f"{address}?token={token}", {"origin": "https://evil.example"}, 403),
        (f"{address}nowhere?token={token}", {}, 404),
    ]
    for url, options, status in doors:
        with pytest.raises(InvalidStatus) as caught:
            await connect(url, **options).__aenter__()
        assert caught.value.response.status_code == status, url
    for host, status in (("evil.example", 403), ("localhost:1", 101), ("[::1", 403)):
        assert await _knock(address, token, host) == status, host
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(address, additional_headers=headers) as wire:
        await wire.ping()


async def _knock(address: str, token: str, host: str) -> int:
    """The status that an upgrade with this `Host` header is answered with."""
    port = int(address.rstrip("/").rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [
        f"GET /?token={token} HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    status = int((await reader.readline()).split()[1])
    writer.close()
    await writer.wait_closed()
    return status


async def test_a_web_page_of_an_allowed_origin_is_let_in(endpoint: str) -> None:
    good, evil = Origin("https://good.example"), Origin("https://evil.example")
    async with serving(endpoint, "long-enough", origins=(good,)) as address:
        url = f"{address}?token=long-enough"
        async with connect(url, origin=good) as wire:
            await wire.ping()
        with pytest.raises(InvalidStatus):
            await connect(url, origin=evil).__aenter__()


async def test_a_step_without_a_scope_stops_all_before_the_first(endpoint: str, site: Site) -> None:
    scopes = "page:*,agent:execute,action:scroll,observe:*"
    async with (
        serving(endpoint, f"no-clicks={scopes}") as address,
        RawClient.connected(address, "no-clicks") as raw,
    ):
        await raw("page/create", url=site.page(CONTROLS))
        steps = [SCROLL] * 6 + [CLICK] + [SCROLL] * 2
        refused = await raw("agent/execute", steps=steps)
        assert (refused["code"], refused["data"]["code"]) == (-32000, "blocked_by_policy")
        assert refused["message"].startswith("step 7: ")
        assert "action:click" in refused["data"]["details"]["scopes"]
        seen = await raw("agent/snapshot")
        assert seen["metadata"]["scroll"]["y"] == 0
        assert (await raw("agent/execute", steps=[SCROLL]))["success"]
        direct = await raw("action/click", selector={"type": "text", "value": "Send"})
        assert direct["data"]["code"] == "blocked_by_policy"


@pytest_asyncio.fixture(loop_scope="session")
async def limited(endpoint: str) -> AsyncIterator[RawClient]:
    """A client with 100 actions that are not refilled, however long a test takes."""
    rate = partial(RateLimit, burst=100, per_second=0.01)
    async with (
        serving(endpoint, "long-enough", rate=rate) as address,
        RawClient.connected(address, "long-enough") as connected,
    ):
        yield connected


async def test_steps_are_counted_limited_and_kept_to_their_page(
    limited: RawClient, site: Site
) -> None:
    raw, url = limited, site.page(CONTROLS)
    first = (await raw("page/create", url=url))["id"]
    await raw("page/create", url=url)
    many = await raw("agent/act", steps=[SCROLL] * 51)
    assert (many["code"], "1 to 50 steps" in many["message"]) == (-32602, True)
    elsewhere = {"action": "action/scroll", "params": {"pageId": first}}
    other = await raw("agent/act", steps=[SCROLL, elsewhere])
    assert (other["code"], other["message"]) == (
        -32602,
        "step 2: another page cannot be named in a step",
    )
    for action in ("page/close", "agent/act", "storage/getState", "evaluate", None):
        refused = await raw("agent/act", steps=[{"action": action, "params": {}}])
        assert refused["code"] == -32602, action
    # 51 steps cost as much as 50, and three more composites are more than the rate has left.
    answers = [await raw("agent/act", steps=[{"action": "action/click"}] * 40) for _ in "123"]
    last = answers[-1]
    assert (last["code"], last["data"]["retryable"]) == (-32024, True)
    assert last["data"]["retryAfterMs"] > 0


async def test_one_deadline_holds_for_all_steps(raw: RawClient, site: Site) -> None:
    await raw("page/create", url=site.page(CONTROLS))
    wait = {"action": "action/wait", "params": {"text": "no such words", "timeout": 60_000}}
    done = await raw("agent/act", steps=[SCROLL, wait, SCROLL], timeout=3000)
    assert (done["failedAt"], len(done["results"])) == (1, 2)
    assert done["results"][1]["error"]["code"] == -32016


async def test_a_token_that_may_only_look_sees_an_open_tab(endpoint: str, site: Site) -> None:
    """Seed row 35: with --shared a token of the snapshot's scope is of use."""
    tokens = (f"{WATCHER}=observe:*", "works-here")
    url = site.page("<button>Shared</button>")
    async with (
        serving(endpoint, *tokens, shared=True) as address,
        RawClient.connected(address, "works-here") as worker,
    ):
        made = await worker("page/create", url=url)
        async with RawClient.connected(address, WATCHER) as watcher:
            pages = (await watcher("page/list"))["pages"]
            theirs = next(page["id"] for page in pages if page["url"] == url)
            seen = await watcher("agent/snapshot", pageId=theirs)
            assert [e["name"] for e in seen["interactiveElements"]] == ["Shared"]
            refused = await watcher("page/navigate", pageId=theirs, url="about:blank")
            assert refused["data"]["code"] == "blocked_by_policy"
            refused = await watcher("page/create")
            assert refused["data"]["code"] == "blocked_by_policy"
        # Who leaves closes nothing of others, and comes back to its own.
        pages = (await worker("page/list"))["pages"]
        assert made["id"] in [page["id"] for page in pages]
        async with RawClient.connected(address, "works-here") as again:
            [page] = [one for one in (await again("page/list"))["pages"] if one["url"] == url]
            await again("page/close", pageId=page["id"])


async def test_batches_notifications_and_broken_messages(raw: RawClient) -> None:
    """Who gives no id gets no answer, whatever went wrong; a batch is answered as one."""
    listed = {"jsonrpc": "2.0", "method": "page/list"}
    for silent in (listed, {**listed, "method": "no/such"}, [listed, {**listed, "params": 5}]):
        await raw.send(silent)
    await raw.send([{**listed, "id": "one"}, listed, {**listed, "id": 2, "method": "no/such"}, 7])
    answers = await raw.answer()
    assert [answer["id"] for answer in answers] == ["one", 2, None]
    assert [answer.get("error", {}).get("code") for answer in answers] == [None, -32601, -32600]
    wrongs: list[Any] = [[], {**listed, "id": {}}, {**listed, "id": True}]
    for wrong in wrongs:
        await raw.send(wrong)
        answer = await raw.answer()
        assert (answer["id"], answer["error"]["code"]) == (None, -32600)
    await raw.wire.send("{")
    assert (await raw.answer())["error"]["code"] == -32700
    await raw.wire.send(json.dumps({**listed, "id": "half \ud800"}))
    assert (await raw.answer())["id"] == "half ?"


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("agent/act", {"steps": [SCROLL], "timeout": "long"}),
    ("agent/act", {"steps": {"action": "action/scroll"}}),
    ("agent/act", {"steps": [{**SCROLL, "onError": "panic"}]}),
    ("agent/act", {"steps": [{**SCROLL, "maxRetries": 6}]}),
    ("agent/observe", {"filterRoles": 5}),
    ("agent/observe", {"maxElements": 201}),
    ("agent/observe", {"max_elements": 20}),
    ("agent/extract", {}),
    ("agent/extract", {"schema": {"type": "string"}, "instruction": "x"}),
    ("page/create", {"url": ["x"]}),
    ("page/navigate", {"url": "about:blank", "waitUntil": "soon"}),
    ("page/list", {"page": "p1"}),
    ("dialog/handle", {"action": "maybe"}),
    ("observe/screenshot", {"options": {"fullPage": "much"}}),
    ("observe/screenshot", {"options": {"format": "gif"}}),
    ("observe/element", {"selector": "css=body", "properties": ["soul"]}),
    ("action/fill", {"selector": {"type": "ref", "ref": "0-1"}, "value": "x" * 2_000_000}),
    ("action/click", {"selector": {"type": "css", "value": "body"}, "options": {"force": True}}),
    ("action/click", {"selector": {"type": "css", "value": "body"}, "colour": "red"}),
    ("action/click", {"selector": {"type": "coordinates", "x": -1, "y": 2}}),
    ("action/click", {"selector": {"type": "magic", "value": "x"}}),
    ("action/scroll", {"timeout": 700_000}),
    ("action/upload", {"selector": "css=body", "files": [{"path": "/etc/passwd"}]}),
    ("storage/setCookies", {"cookies": [{"name": 5}]}),
    ("emulate/setViewport", {"width": -1, "height": 5}),
    ("browser/launch", {"args": ["--no-sandbox"]}),
    ("browser/launch", {"cdpUrl": "ws://127.0.0.1:9222"}),
    ("context/create", {"options": {"locale": "not a tag"}}),
    ("context/create", {"options": {"timezoneId": "Nowhere/X"}}),
    ("context/create", {"options": {"colorScheme": "pink"}}),
    ("context/create", {"options": {"ignoreHTTPSErrors": True}}),
    ("page/create", {"permissions": ["geolocation"]}),
    ("action/fill", {"selector": "css=body", "value": "x", "options": {"trial": True}}),
    ("frame/switch", {}),
    ("trace/stop", {}),
    ("approval/respond", {"requestId": "none", "decision": "approve"}),
]


async def test_wrong_parameters_are_told_as_such(raw: RawClient) -> None:
    for method, params in WRONG:
        answer = await raw(method, **params)
        assert (answer.get("code"), answer.get("data", {}).get("code")) == (
            -32602,
            "invalid_params",
        ), (method, answer)
