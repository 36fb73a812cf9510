"""`BAPClientSync` against the same server: each of its methods once, in a thread of its own."""

from __future__ import annotations

import asyncio
import inspect
import re
from pathlib import Path

import pytest

from tests.browser.fronts.bap.pages import CONTROLS, frame_page
from tests.support.site import Site

pytest.importorskip("browseragentprotocol", reason="the test extra is not installed")

from browseragentprotocol import (
    BAPClient,
    BAPClientSync,
    BAPError,
    css,
    label,
    role,
)


async def test_the_blocking_client_does_the_same(address: str, token: str, site: Site) -> None:
    urls = site.page(CONTROLS), frame_page(site)
    await asyncio.to_thread(_use_everything, address, token, *urls)


def _use_everything(address: str, token: str, url: str, framed: str) -> None:
    client = BAPClientSync(address, token=token)
    client.connect()
    try:
        assert client.capabilities is not None
        launched = client.launch(browser="chromium", headless=True)
        _use_actions(client, url)
        _use_observations(client)
        _use_places(client, url, framed)
        client.close_browser(launched.browser_id)
    finally:
        client.close()
        client._get_loop().close()  # which it leaves open


def _use_actions(client: BAPClientSync, url: str) -> None:
    client.create_page(url)
    client.fill(label("Name"), "Ada")
    client.type(label("Name"), " L")
    client.click(role("button", "Send"))
    client.dblclick(role("button", "Send"))
    client.hover(role("button", "Hover"))
    client.check(label("Agree"))
    client.uncheck(label("Agree"))
    client.select(label("Size"), "l")
    client.press("a", label("Note"))
    client.clear(label("Note"))
    client.scroll(options={"direction": "down", "amount": 100})
    said = client.element(css("#log"), ["text"]).properties["text"]
    assert said.startswith("sent Ada L;")
    assert "hovered;check true;check false;size l;key a;" in said
    step = client.step("action/clear", {"selector": {"type": "css", "value": "#name"}})
    assert client.act([step]).success


def _use_observations(client: BAPClientSync) -> None:
    assert client.screenshot().width > 0
    assert client.accessibility().tree
    assert client.dom().html
    assert client.pdf().pages > 0
    assert "Hover" in client.content().content
    assert "- button" in client.aria_snapshot().snapshot
    assert client.observe(max_elements=1).total_interactive_elements
    client.fill(label("Name"), "Grace")
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    assert client.extract("the name", schema).data == {"name": "Grace"}
    assert not client.cancel_stream("none").cancelled
    with pytest.raises(BAPError, match="approval"):
        client.respond_to_approval("none", "deny")


def _use_places(client: BAPClientSync, url: str, framed: str) -> None:
    first = client.list_pages()["activePage"]
    client.navigate(framed)
    frames = client.list_frames().frames
    client.switch_frame(frame_id=frames[1].frame_id)
    assert client.main_frame().frame_id == frames[0].frame_id
    client.go_back()
    client.go_forward()
    client.reload()
    client.set_viewport(600, 500)
    client.set_user_agent("Test/1.0")
    client.set_geolocation(1.5, 2.5)
    client.set_offline(False)
    client.set_cookies([{"name": "a", "value": "1", "url": url}])
    assert [cookie.name for cookie in client.get_cookies()] == ["a"]
    state = client.get_storage_state()
    client.clear_cookies()
    client.set_storage_state(state)
    assert len(client.get_cookies()) == 1
    made = client.create_context()
    page = client.create_page(url, context_id=made.context_id)
    assert len(client.list_contexts().contexts) == 2
    client.activate_page(first)
    client.close_page(page.id)
    assert client.destroy_context(made.context_id).pages_destroyed == 0


@pytest.mark.parametrize("kind", [BAPClient, BAPClientSync], ids=lambda kind: kind.__name__)
def test_every_public_method_is_called_by_a_test(kind: type) -> None:
    """A method that a later release of the package adds is not forgotten."""
    public = {
        name
        for name, value in inspect.getmembers(kind)
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property))
    }
    folder = Path(__file__).parent.parent
    mine = folder / "clients" / "test_sync_client.py"
    files = [mine] if kind is BAPClientSync else [p for p in folder.rglob("*.py") if p != mine]
    called = {
        name
        for path in files
        for name in re.findall(r"\b(?:client|other|BAPClient)\.(\w+)", path.read_text("utf-8"))
    }
    assert public - called == set()
