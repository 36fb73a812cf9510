"""The protocol's errors for the right causes, in the real client's own classes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from cdp_agent import Browser, Policy
from cdp_agent.ws_server.bap.connection import METHODS
from tests.browser.fronts.bap.pages import CONTROLS, frame_page
from tests.browser.fronts.bap.raw import INITIALIZE, RawClient, serving
from tests.browser.fronts.conftest import served
from tests.support.site import Site

pytest.importorskip("browseragentprotocol", reason="the test extra is not installed")

from browseragentprotocol import (
    BAPActionError,
    BAPAlreadyInitializedError,
    BAPBrowserNotLaunchedError,
    BAPClient,
    BAPDomainNotAllowedError,
    BAPElementNotEnabledError,
    BAPElementNotFoundError,
    BAPElementNotVisibleError,
    BAPError,
    BAPFrameNotFoundError,
    BAPMethodNotFoundError,
    BAPNavigationError,
    BAPNotInitializedError,
    BAPPageNotFoundError,
    BAPResourceLimitExceededError,
    BAPSelectorAmbiguousError,
    BAPTimeoutError,
    ErrorCodes,
    css,
    label,
    ref,
    role,
    text,
)

SHORT: Any = {"timeout": 300}
WAIT = {"action": "action/wait", "params": {"text": "never", "timeout": 20_000}}


async def test_errors_of_elements(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page(CONTROLS + "<button>Twin</button><button>Twin</button>"))
    with pytest.raises(BAPElementNotFoundError):
        await client.click(css("#nothing"), SHORT)
    with pytest.raises(BAPElementNotFoundError):
        await client.click(ref("0-999999"), SHORT)
    with pytest.raises(BAPElementNotFoundError):
        await client.click(ref("@e1"), SHORT)
    with pytest.raises(BAPSelectorAmbiguousError, match="2 elements"):
        await client.click(text("Twin"), SHORT)
    with pytest.raises(BAPElementNotEnabledError):
        await client.click(role("button", "Never"), SHORT)
    with pytest.raises(BAPElementNotVisibleError):
        await client.click(css("button[hidden]"), SHORT)
    with pytest.raises(BAPActionError) as caught:
        await client.select(label("Size"), "xxl", SHORT)
    assert "xxl" in caught.value.message


async def test_errors_name_the_action_and_the_selector_of_the_call(
    client: BAPClient, site: Site
) -> None:
    """The client shows these details alone: it drops what an error of an element says."""
    await client.create_page(site.page(CONTROLS))
    with pytest.raises(BAPElementNotFoundError) as missing:
        await client.click(css("#nothing"), SHORT)
    assert missing.value.details == {"selector": {"type": "css", "value": "#nothing"}}
    with pytest.raises(BAPElementNotFoundError) as missing:
        await client.drag(css("#nothing"), {"x": 5, "y": 5}, SHORT)
    assert missing.value.details == {"selector": {"type": "css", "value": "#nothing"}}
    with pytest.raises(BAPActionError, match=r"action/fill failed: .* takes no text") as failed:
        await client.fill(role("button", "Send"), "Ada", SHORT)
    assert failed.value.details is not None
    assert failed.value.details["action"] == "action/fill"
    assert failed.value.details["selector"]["name"] == "Send"


async def test_hints_are_for_clients_of_the_protocol(raw: RawClient, site: Site) -> None:
    """They name no tools of other fronts, and no Python objects."""
    await raw("page/create", url=site.page("<p>x</p>"))
    missing = await raw("action/click", selector="text=None", timeout=200)
    assert missing["data"]["hint"] == "A snapshot with search shows what is there."
    await raw("page/create", url=site.page("<button onclick=confirm()>Ask</button>"))
    click = {"action": "action/click", "params": {"selector": "text=Ask"}}
    done = await raw("agent/act", steps=[click, {**click, "onError": "skip"}, click])
    single = await raw("action/click", selector="text=Ask")
    hints = {row["error"]["data"]["hint"] for row in done["results"] if "error" in row}
    assert hints == {single["data"]["hint"]} == {"Answer it with dialog/handle."}
    await raw("dialog/handle", action="dismiss")


@pytest.mark.timeout(120)
async def test_the_hint_for_a_page_that_hangs_helps(raw: RawClient, site: Site) -> None:
    hangs = site.page("<button>Go</button><script>setTimeout(() => { for (;;); }, 500)</script>")
    page = (await raw("page/create", url=hangs))["id"]
    await raw("action/wait", text="never", timeout=1000)
    stuck = await raw("action/click", selector="text=Go", timeout=1000)
    assert stuck["data"]["hint"].endswith("or page/close and page/create.")
    assert await raw("page/close", pageId=page) == {"closed": page}
    assert (await raw("page/create", url=site.page("<p>x")))["status"] == "ready"


async def test_a_wrong_step_is_named_by_its_number(raw: RawClient, site: Site) -> None:
    press = {"action": "action/press", "params": {"key": "Tab"}}
    wrong = await raw("agent/act", steps=[press, {"action": "action/clik", "params": {}}])
    assert wrong["message"] == "step 2: there is no action 'action/clik'"


async def test_a_style_of_marks_is_refused_with_the_reason(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page(CONTROLS))
    with pytest.raises(BAPError, match=r"style: .*is not taken: ") as caught:
        await client.observe(annotate_screenshot={"enabled": True, "style": {"opacity": 0.5}})
    assert "bool" not in caught.value.message
    none = await client.observe(annotate_screenshot={"enabled": False})
    assert none.screenshot is None
    some = await client.observe(annotate_screenshot=True, max_elements=2)
    assert some.annotation_map is not None
    assert len(some.annotation_map) == 2


def test_times_that_are_left_out_are_those_of_the_engine() -> None:
    """No default of a wire model is in milliseconds by mistake: the engine's own holds."""
    models = [method.params for method in METHODS.values() if method.params is not None]
    times = {
        (model.__name__, name): field.default
        for model in models
        for name, field in model.model_fields.items()
        if name == "timeout"
    }
    assert ("ExtractParams", "timeout") in times
    assert set(times.values()) == {None}


async def test_errors_of_pages_frames_and_navigations(client: BAPClient, site: Site) -> None:
    with pytest.raises(BAPPageNotFoundError, match="p99"):
        await client.navigate(site.page("<p>x"), page_id="p99")
    await client.create_page(frame_page(site))
    with pytest.raises(BAPFrameNotFoundError):
        await client.switch_frame(frame_id="none")
    with pytest.raises(BAPNavigationError):
        await client.navigate("http://127.0.0.1:9/")
    with pytest.raises(BAPTimeoutError):
        await client.navigate(site.page("<p>slow", delay=20), timeout=500)
    page = await client.create_page()
    await client.close_page(page.id)
    with pytest.raises(BAPPageNotFoundError):
        await client.navigate(site.page("<p>x"), page_id=page.id)


async def test_a_page_that_is_closed_in_the_middle_is_a_closed_target(
    client: BAPClient, site: Site, browser: Browser
) -> None:
    url = site.page("<button onclick=\"console.log('go')\">Go</button>")
    await client.create_page(url)
    page = next(one for one in browser.pages if one.url == url)
    begun = asyncio.Event()
    client.on("console", lambda _: begun.set())
    steps = [
        {"action": "action/click", "params": {"selector": {"type": "text", "value": "Go"}}},
        WAIT,
    ]
    acting = asyncio.create_task(client.act(steps))  # type: ignore[arg-type]
    await begun.wait()
    await page.close()
    error = (await acting).results[-1].error
    assert error is not None
    assert (error.code, (error.data or {})["code"]) == (ErrorCodes.TargetClosed, "target_closed")


async def test_errors_of_the_protocol_itself(address: str, token: str, client: BAPClient) -> None:
    with pytest.raises(BAPMethodNotFoundError, match="action/evaluate"):
        await client._request("action/evaluate", {"expression": "1"})
    with pytest.raises(BAPAlreadyInitializedError):
        await client._request("initialize", INITIALIZE)
    await client._request("shutdown", {})
    with pytest.raises(BAPNotInitializedError):
        await client.list_pages()
    other = BAPClient(address, token=token)
    await other._transport.connect()
    try:
        with pytest.raises(BAPError, match="not spoken here") as caught:
            await other._request("initialize", {**INITIALIZE, "protocolVersion": "1.0.0"})
        assert caught.value.code == ErrorCodes.InvalidRequest
    finally:
        await other.close()


async def test_a_browser_that_the_client_closed_is_not_launched(client: BAPClient) -> None:
    await client.create_page()
    await client.close_browser()
    with pytest.raises(BAPBrowserNotLaunchedError):
        await client.create_page()
    await client.launch()
    await client.create_page()


async def test_a_place_that_is_not_allowed(endpoint: str, site: Site) -> None:
    origin = site.url("/").rstrip("/")
    guarded = serving(endpoint, "long-enough", policy=Policy((origin,)))
    async with guarded as address, BAPClient(address, token="long-enough") as client:
        await client.create_page(site.page("<p>x"))
        with pytest.raises(BAPDomainNotAllowedError, match=r"b\.test"):
            await client.navigate(site.page("<p>x", host="b.test"))


async def test_too_many_actions_and_contexts(client: BAPClient) -> None:
    for number in range(10):
        await client.create_context(f"c{number}")
    with pytest.raises(BAPResourceLimitExceededError, match="contexts"):
        await client.create_context("one more")


async def test_a_browser_that_dies_in_the_middle_is_told_and_replaced(site: Site) -> None:
    """The composite ends with a typed error; the next call has a new browser."""
    go = {"action": "action/click", "params": {"selector": {"type": "text", "value": "Go"}}}
    html = "<button onclick=\"console.log('go')\">Go</button>"
    async with (
        served("serve", "--port", "0", "--token", "long-enough") as (address, process),
        BAPClient(address, token="long-enough") as client,
    ):
        begun = asyncio.Event()
        client.on("console", lambda _: begun.set())
        await client.create_page(site.page(html, host="127.0.0.1"))
        acting = asyncio.create_task(client.act([go, WAIT, WAIT]))
        await begun.wait()
        os.kill(await asyncio.to_thread(_browser_of, process.pid), signal.SIGKILL)
        done = await acting
        assert (done.failed_at, done.results[-1].step) in ((0, 0), (1, 1))
        error = done.results[-1].error
        assert error is not None
        assert error.code == ErrorCodes.TargetClosed
        page = await client.create_page(site.page("<p>again", host="127.0.0.1"))
        assert page.status.value == "ready"


def _browser_of(server: int) -> int:
    """The process id of the Chromium that a server has started."""
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            stat = (folder / "stat").read_text() if folder.name.isdigit() else ""
            if "(chrom" in stat and int(stat.rpartition(")")[2].split()[1]) == server:
                return int(folder.name)
    raise AssertionError("the server has no Chromium")


async def test_a_client_that_is_killed_leaves_nothing(
    address: str, token: str, site: Site, browser: Browser
) -> None:
    client = BAPClient(address, token=token)
    await client.connect()
    url = site.page("<p>orphan")
    await client.create_page(url)
    target = next(page for page in browser.pages if page.url == url)._tab.target
    acting = asyncio.create_task(client.act([WAIT]))
    await asyncio.sleep(0)
    ws = client._transport._ws
    assert ws is not None
    connection = ws._response.connection
    assert connection is not None
    transport = connection.transport
    assert transport is not None
    transport.abort()
    assert await target.until(lambda: target.closed is not None, 10, alive=False)
    acting.cancel()
    await asyncio.wait([acting])
    client._initialized = False
    await client.close()
