"""JSON-RPC and the Action Protocol as a WebSocket client sees them, on the run's Chromium."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from cdp_agent import Browser
from tests.browser.fronts.conftest import TOKEN, served
from tests.support.site import Site

_numbers = itertools.count(1)
PAGE = """<label>Name <input></label><button onclick="p.textContent = 'Hi ' +
document.querySelector('input').value">Send</button><p id=p></p>
<div style="height:3000px"></div><button>Below</button>"""

WRONG: list[tuple[str, dict[str, Any]]] = [
    ("agent/act", {"steps": [{"action": "reload"}], "timeout": "long"}),
    ("agent/act", {"steps": {"action": "reload"}}),
    ("agent/observe", {"filter_roles": 5}),
    ("agent/observe", {"max_elements": 201}),
    ("agent/extract", {}),
    ("page/new", {"url": ["x"]}),
    ("page/list", {"page": 7}),
    ("page/select", {"page": "p99"}),
    ("page/dialog", {"text": {}}),
    ("page/screenshot", {"full_page": "much"}),
    ("action/fill", {"ref": "0-1", "value": "x" * 10_000_000}),
]


async def rpc(wire: ClientConnection, method: str, **params: Any) -> Any:
    number = next(_numbers)
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    await wire.send(json.dumps(request))
    answer = json.loads(await wire.recv())
    assert answer["id"] == number
    return answer.get("result", answer.get("error"))


@asynccontextmanager
async def serving(endpoint: str, *more: str) -> AsyncIterator[str]:
    async with served("serve", "--port", "0", "--connect", endpoint, *more) as (address, _):
        yield address


async def test_methods_act_observe_and_extract(endpoint: str, site: Site, browser: Browser) -> None:
    url = site.page(PAGE)
    async with serving(endpoint) as address:
        async with connect(
            address, additional_headers={"Authorization": f"Bearer {TOKEN}"}
        ) as wire:
            assert (await rpc(wire, "page/goto", url=url))["navigated"] == url
            seen = await rpc(wire, "agent/observe", max_elements=5)
            field = next(e for e in seen["elements"] if e["role"] == "textbox")
            filled = await rpc(wire, "action/fill", ref=field["ref"], value="Ada")
            assert (filled["success"], filled["data"]["value"]) == (True, "Ada")
            button = {"type": "role", "role": "button", "name": "Send"}
            steps = [{"action": "click", "label": "go", "params": {"selector": button}}]
            done = await rpc(wire, "agent/act", steps=steps)
            assert (done["completed"], done["steps"][0]["label"]) == (1, "go")
            schema = {"type": "object", "properties": {"name": {"type": "string"}}}
            assert (await rpc(wire, "agent/extract", schema=schema))["data"] == {"name": "Ada"}
            opened = await rpc(wire, "page/new", url=url)
            assert len((await rpc(wire, "page/list"))["pages"]) == 2
            assert await rpc(wire, "page/close", page=opened["page"]) == {"closed": opened["page"]}
            assert (await rpc(wire, "page/screenshot"))["data"].startswith("iVBOR")

            stale = await rpc(wire, "action/click", ref="0-999999")
            assert (stale["code"], stale["data"]["code"]) == (-32000, "ref_invalid")
            assert (await rpc(wire, "action/evaluate", expression="1"))["code"] == -32601
            assert (await rpc(wire, "action/click", colour="red"))["code"] == -32602
            for method, params in WRONG:
                told = await rpc(wire, method, **params)
                assert (told["code"], told["data"]["code"]) == (-32602, "invalid_params"), method
            await wire.send("{")
            assert json.loads(await wire.recv())["error"]["code"] == -32700
            await _batches_and_notifications(wire)
            theirs = next(page for page in browser.pages if page.url == url)._target
        assert await theirs.until(lambda: theirs.closed is not None, 10, alive=False)


async def _batches_and_notifications(wire: ClientConnection) -> None:
    """Who gives no id gets no answer, whatever went wrong; a batch is answered as one."""
    listed = {"jsonrpc": "2.0", "method": "page/list"}
    for silent in (listed, {**listed, "method": "no/such"}, [listed, {**listed, "params": 5}]):
        await wire.send(json.dumps(silent))
    batch = [{**listed, "id": "one"}, listed, {**listed, "id": 2, "method": "no/such"}, 7]
    await wire.send(json.dumps(batch))
    answers = json.loads(await wire.recv())
    assert [answer["id"] for answer in answers] == ["one", 2, None]
    assert [answer.get("error", {}).get("code") for answer in answers] == [None, -32601, -32600]
    wrongs: list[Any] = [[], {**listed, "id": {}}, {**listed, "id": True}]
    for wrong in wrongs:
        await wire.send(json.dumps(wrong))
        told = json.loads(await wire.recv())
        assert (told["id"], told["error"]["code"]) == (None, -32600)
    await wire.send(json.dumps({**listed, "id": "half \ud800"}))
    assert json.loads(await wire.recv())["id"] == "half ?"


async def test_a_dialog_is_told_and_answered(endpoint: str, site: Site) -> None:
    html = "<button onclick=\"p.textContent = prompt('Who?')\">Ask</button><p id=p></p>"
    async with serving(endpoint) as address, connect(f"{address}?token={TOKEN}") as wire:
        await rpc(wire, "page/goto", url=site.page(html))
        assert (await rpc(wire, "page/dialog"))["data"]["code"] == "invalid_params"
        asked = await rpc(wire, "action/click", selector={"role": "button", "name": "Ask"})
        assert asked["dialogs"] == [{"type": "prompt", "message": "Who?", "open": True}]
        blind = (await rpc(wire, "agent/observe"))["data"]
        assert (blind["code"], "page/dialog" in blind["hint"]) == ("dialog_open", True)
        answered = await rpc(wire, "page/dialog", accept=True, text="Ada")
        assert answered == {"type": "prompt", "message": "Who?"}
        assert "Ada" in (await rpc(wire, "agent/observe", tree=True))["tree"]


async def test_scopes_rates_and_the_door(endpoint: str, site: Site) -> None:
    look = ["--token", "only-looking=look", "--token", TOKEN]
    origin = ["--web-origin", "https://good.example"]
    async with serving(endpoint, *look, *origin) as address:
        async with connect(f"{address}?token=only-looking") as wire:
            refused = await rpc(wire, "action/press", key="a")
            assert (refused["code"], refused["data"]["code"]) == (-32001, "blocked_by_policy")
            assert "elements" in await rpc(wire, "agent/observe")
        async with connect(f"{address}?token={TOKEN}", origin="https://good.example") as wire:  # type: ignore[arg-type]
            # A composite counts as its steps, also one that is refused for another reason.
            answers = [await rpc(wire, "agent/act", steps=[{"action": "fly"}] * 50) for _ in "123"]
            assert [answer["code"] for answer in answers] == [-32602, -32602, -32001]
            assert answers[2]["data"]["data"]["retry_after"] > 0
        for bad, status in ((f"{address}?token=wrong-one", 401), (address, 401)):
            with pytest.raises(InvalidStatus) as caught:
                await connect(bad).__aenter__()
            assert caught.value.response.status_code == status
        with pytest.raises(InvalidStatus) as caught:
            await connect(f"{address}?token={TOKEN}", origin="https://evil.example").__aenter__()  # type: ignore[arg-type]
        assert caught.value.response.status_code == 403


async def test_the_action_protocol(endpoint: str, site: Site) -> None:
    async with serving(endpoint) as address:
        action = address.replace("/rpc", "/action")
        async with connect(f"{action}?token={TOKEN}") as wire:

            async def command(**data: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
                await wire.send(json.dumps({"type": "ActionCommand", "data": data}))
                result = json.loads(await wire.recv())
                snapshot = json.loads(await wire.recv())
                assert (result["type"], snapshot["type"]) == ("ActionResult", "Snapshot")
                return result["data"], snapshot["data"]["tree"]

            done, tree = await command(type="navigate_to", url=site.page(PAGE))
            assert (done["success"], done["error"]) == (True, None)
            assert [line["id"] for line in tree] == list(range(1, len(tree) + 1))
            assert "Below" not in [line["name"] for line in tree]
            assert set(tree[0]) == {"id", "role", "name", "tag", "bounds"}
            field = next(line["id"] for line in tree if line["role"] == "textbox")
            button = next(line["id"] for line in tree if line["name"] == "Send")
            done, _ = await command(type="type_text", ref=field, text="Ada")
            assert done["data"]["value"] == "Ada"
            done, _ = await command(type="click_element", ref=button)
            assert done["success"]
            _, tree = await command(type="scroll_to", percent=100)
            assert "Below" in [line["name"] for line in tree]
            done, _ = await command(type="click_element", ref=99)
            assert (done["success"], done["data"]["code"]) == (False, "ref_invalid")
            done, _ = await command(type="fly")
            assert done["error"].startswith("invalid_params: there is no command 'fly'")
