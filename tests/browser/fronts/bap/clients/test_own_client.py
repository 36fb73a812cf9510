"""`cdp_agent.Client`: what `Page` does in the same process, done over a wire."""

from __future__ import annotations

import re

import pytest
from pydantic import BaseModel

import cdp_agent
from cdp_agent import Client, CompositeResult, Page, StepResult
from cdp_agent.errors import (
    BlockedByPolicy,
    ConditionFailed,
    ConnectionLost,
    ElementDisabled,
    InvalidParams,
)
from cdp_agent.snapshot import SnapshotOptions
from tests.browser.fronts.bap.conftest import TOKENS, WATCHER
from tests.browser.fronts.bap.pages import CONTROLS, frame_page
from tests.browser.fronts.bap.raw import serving
from tests.support.site import Site

SEND = {"role": "button", "name": "Send"}


async def flow(worker: Client | Page, url: str) -> CompositeResult:
    """Written against `Page.act`; every line runs against `Client.act`, too."""
    return await worker.act(
        [
            {"action": "navigate", "params": {"url": url, "timeout": 20}},
            {"action": "fill", "params": {"selector": {"label": "Name"}, "value": "Ada"}},
            {"action": "click", "params": {"selector": SEND, "modifiers": ["Shift"]}},
            {"action": "double_click", "params": {"selector": "text=Send"}},
            {"action": "select", "params": {"selector": {"label": "Size"}, "value": "l"}},
            {
                "action": "type",
                "params": {"selector": {"label": "Note"}, "text": "x", "delay_ms": 1},
            },
            {"action": "scroll", "params": {"direction": "down", "pixels": 120}},
            {"action": "wait", "params": {"text": "size l", "timeout": 10}, "label": "shown"},
            {
                "action": "click",
                "params": {"selector": {"css": "button[disabled]"}, "timeout": 1},
                "condition": {"selector": SEND, "state": "visible", "timeout": 2},
                "on_error": "retry",
                "max_retries": 1,
                "retry_delay": 100,
            },
            {"action": "reload"},
        ],
        timeout=60,
    )


def shape_of(result: CompositeResult) -> list[object]:
    rows = [
        (
            row.label,
            row.action,
            row.status,
            row.retries,
            row.error and (row.error["code"], row.error["can_retry"]),
            sorted((row.result or {}).keys()),
        )
        for row in result.steps
    ]
    return [result.success, result.completed, result.total, result.failed_at, *rows]


async def test_a_flow_runs_against_a_page_and_over_a_wire(
    address: str, token: str, site: Site, page: Page
) -> None:
    """Seed row 40: a client with act, observe, step, and exported types."""
    url = site.page(CONTROLS)
    async with Client(address, token=token) as client:
        remote = await flow(client, url)
    local = await flow(page, url)
    assert shape_of(remote) == shape_of(local)
    assert (remote.failed_at, remote.steps[8].error["code"]) == (8, "element_disabled")  # type: ignore[index]
    assert remote.steps[1].result == local.steps[1].result | {  # type: ignore[operator]
        "id": remote.steps[1].result["id"]  # type: ignore[index]
    }


async def observed_flow(worker: Client | Page, url: str) -> list[object]:
    """Written against `Page.act` with everything that it takes but `before_step`."""
    reported: list[tuple[int, str, str]] = []

    async def on_step(row: StepResult, number: int) -> None:
        reported.append((number, row.label, row.status))

    await worker.act([{"action": "navigate", "params": {"url": url}}], observe=True)
    done = await worker.act(
        [
            {"action": "fill", "params": {"selector": {"label": "Name"}, "value": "Ada"}},
            {"action": "click", "params": {"selector": SEND}, "label": "send"},
            {"action": "click", "params": {"selector": "text=None"}, "on_error": "skip"},
        ],
        observe=SnapshotOptions(roles=("button", "textbox", "heading"), max_tokens=2000),
        on_step=on_step,
    )
    assert done.snapshot is not None
    button = done.snapshot.find("button", "Send")
    again = await worker.act([{"action": "click", "params": {"selector": {"id": button.id}}}])
    heading = done.snapshot.find("heading", "Order")
    value = done.snapshot.find("textbox", "Name").value
    ids = re.compile(r"\[\d+-\d+\]")
    return [
        ids.sub("[id]", done.snapshot.text).splitlines()[1:],  # the first has the tab's own size
        (button.role, button.name, button.tag, button.bounds, button.state),
        (heading.role, heading.level, value),
        done.snapshot.page,
        again.success,
        reported,
    ]


async def test_observing_and_reporting_flows_run_against_both(
    address: str, token: str, site: Site, page: Page
) -> None:
    url = site.page(f"<h1>Order</h1>{CONTROLS}")
    async with Client(address, token=token) as client:
        remote = await observed_flow(client, url)
    local = await observed_flow(page, url)
    assert remote == local
    assert remote[-1] == [(0, "1. fill", "done"), (1, "send", "done"), (2, "3. click", "skipped")]


async def test_callbacks_over_a_wire_fail_loudly(address: str, token: str, site: Site) -> None:
    async def on_step(row: StepResult, number: int) -> None:
        raise ValueError(f"step {number}")

    async def before_step(*_: object) -> None: ...

    async with Client(address, token=token) as client:
        await client.new_page(site.page(CONTROLS))
        with pytest.raises(ValueError, match="step 0"):
            await client.act([{"action": "reload"}, {"action": "reload"}], on_step=on_step)
        with pytest.raises(InvalidParams, match="before_step") as caught:
            await client.act([{"action": "reload"}], before_step=before_step)  # type: ignore[arg-type]
        assert "--ask" in caught.value.hint
        assert (await client.observe()).total > 0


async def test_the_client_observes_extracts_and_steps(address: str, token: str, site: Site) -> None:
    class Form(BaseModel):
        name: str

    async with Client(address, token=token) as client:
        opened = await client.new_page(site.page(CONTROLS))
        steps = [
            client.step("fill", {"selector": {"label": "Name"}, "value": "Ada"}, label="name"),
            Client.step("click", {"selector": SEND}, on_error="retry", max_retries=1),
        ]
        assert isinstance(steps[0], cdp_agent.Step)
        done = await client.execute(steps)
        assert isinstance(done.steps[0], cdp_agent.StepResult)
        assert done.success
        seen = await client.observe(tree=True, picture=True, filter_roles=["textbox"])
        assert isinstance(seen, cdp_agent.Observation)
        name = next(element for element in seen.elements if element["name"] == "Name")
        assert (name["value"], name["tag"], len(name["bounds"])) == ("Ada", "input", 4)
        assert seen.tree is not None
        assert "sent Ada;" in seen.tree
        assert seen.picture is not None
        assert seen.picture.startswith(b"\x89PNG")
        assert (await client.snapshot(max_elements=1)).total > 1
        found = await client.extract(Form)
        assert found.data == Form(name="Ada")
        assert found.sources["name"] == name["ref"]
        with pytest.raises(ConditionFailed, match="tax"):
            await client.extract({"type": "object", "properties": {}, "required": ["tax"]})
        assert [page["id"] for page in await client.pages()] == [opened]
        other = await client.new_page()
        await client.select_page(opened)
        await client.close_page(other)
        assert (await client.goto(frame_page(site)))["status"] == 200
        await client.act([client.step("click", {"selector": {"role": "button", "name": "Pay"}})])


async def test_errors_have_their_classes(address: str, token: str, site: Site) -> None:
    async with Client(address, token=token) as client:
        with pytest.raises(InvalidParams, match="step 1: there is no action 'fly'"):
            await client.act([{"action": "fly"}])
        await client.new_page(site.page(CONTROLS))
        never = {"selector": "role:button:Never", "timeout": 200}
        with pytest.raises(ElementDisabled) as caught:
            await client.call("action/click", never)
        assert caught.value.can_retry
        assert caught.value.hint
    async with Client(address, token=WATCHER) as watcher:
        with pytest.raises(BlockedByPolicy, match="no scope"):
            await watcher.act([{"action": "reload"}])
    with pytest.raises(BlockedByPolicy, match="401"):
        await Client(address, token="wrong-token").__aenter__()
    with pytest.raises(InvalidParams):
        Client("http://127.0.0.1:1/")


async def test_events_are_heard(address: str, token: str, site: Site) -> None:
    async with Client(address, token=token) as client:
        async with client.events("console") as events:
            await client.new_page(site.page("<script>console.log('hello')</script>"))
            event = await events.get(15)
        assert event is not None
        assert (event.kind, event.data["text"]) == ("console", "hello")
        with pytest.raises(InvalidParams, match="weather"):
            await client.events("weather").__aenter__()


async def test_a_client_connects_again(endpoint: str, site: Site) -> None:
    async with serving(endpoint, TOKENS[0]) as address:
        client = Client(address, token=TOKENS[0])
        async with client, client.events("console") as events:
            await client.new_page(site.page("<p>x"))
            wire = client._wire._wire
            assert wire is not None
            wire.transport.abort()  # as a network that breaks
            await wire.wait_closed()
            assert await client.pages() == []
            await client.new_page(site.page("<script>console.log('again')</script>"))
            event = await events.get(15)
            assert event is not None
            assert event.data["text"] == "again"
        with pytest.raises(ConnectionLost, match="closed"):
            await client.pages()


async def test_a_server_that_is_gone_is_told(endpoint: str, site: Site) -> None:
    async with serving(endpoint, TOKENS[0]) as address:
        client = Client(address, token=TOKENS[0])
        await client.new_page(site.page("<p>x"))
    with pytest.raises(ConnectionLost):
        await client.pages()
    await client.aclose()
