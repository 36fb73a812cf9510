"""The Action Protocol as a controller written from seed 003 uses it.

The numbers are rows of fixtures/seed_rows.txt.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_agent import Browser, Page
from cdp_agent.tools.host import BrowserHost, ToolClient
from cdp_agent.ws_server import RateLimit
from cdp_agent.ws_server.action_protocol import ActionConnection
from tests.browser.fronts.action_protocol.conftest import Controller
from tests.support.site import Site

#: The elements of the protocol's rules, in depth-first order, and what has no ref.
RULES = """<title>Rules</title><label>User <input></label>
<label><input type=checkbox> Remember</label>
<label for=p>Password</label><input type=password id=p>
<select aria-label=Plan><option>Basic<option>Family</select>
<div><a href=/x>Link</a></div><textarea aria-label=Note></textarea>
<span style="cursor:pointer">Pointer</span><div role=menuitem>Item</div>
<div tabindex=0>Focusable</div><div tabindex=-1>Only by script</div>
<button data-browser-agent-ui>Ours</button><button style="display:none">None</button>
<button style="visibility:hidden">Hidden</button><h2>Heading</h2><p>Text</p><button>Last</button>
<div style="width:3000px;height:3000px"></div><button>Below</button>"""
EXPECTED = [
    ("textbox", "User", "INPUT"),
    ("checkbox", "Remember", "INPUT"),
    ("textbox", "Password", "INPUT"),
    ("combobox", "Plan", "SELECT"),
    ("link", "Link", "A"),
    ("textbox", "Note", "TEXTAREA"),
    ("generic", "Pointer", "SPAN"),
    ("menuitem", "Item", "DIV"),
    ("generic", "Focusable", "DIV"),
    ("button", "Last", "BUTTON"),
]


async def test_row_126_a_snapshot_is_sent_first(controller: Controller) -> None:
    assert controller.tree == []
    assert controller.seen["url"] == "about:blank"


async def test_rows_127_and_128_refs_are_those_of_the_rules_in_their_order(
    controller: Controller, site: Site
) -> None:
    done = await controller.command(type="navigate_to", url=site.page(RULES))

    assert (done["success"], done["error"]) == (True, None)
    assert [(e["role"], e["name"], e["tag"]) for e in controller.tree] == EXPECTED
    assert [e["id"] for e in controller.tree] == list(range(1, len(EXPECTED) + 1))
    assert set(controller.tree[0]) == {"id", "role", "name", "tag", "bounds"}
    assert set(controller.tree[0]["bounds"]) == {"x", "y", "width", "height"}


async def test_row_122_both_coordinates_are_obeyed(
    controller: Controller, site: Site, browser: Browser
) -> None:
    url = site.page(RULES)
    await controller.command(type="navigate_to", url=url)
    [page] = [one for one in browser.pages if one.url == url]

    async def position() -> Any:
        return await page.evaluate("[scrollX, scrollY]")

    done = await controller.command(type="scroll_to", x=300, y=700)
    assert (done["success"], done["data"]["x"], done["data"]["y"]) == (True, 300, 700)
    assert await position() == [300, 700]
    await controller.command(type="scroll_to", x=40)
    assert await position() == [40, 700]
    beyond = await controller.command(type="scroll_to", x=0, y=90_000)
    assert beyond["data"]["y"] == (await position())[1] == beyond["data"]["max_y"]
    assert [e["name"] for e in controller.tree] == ["Below"]
    await controller.command(type="scroll_to", percent=0)
    assert await position() == [0, 0]
    for wrong in ({}, {"x": "0"}, {"y": True}, {"y": 5, "percent": 5}, {"ref": 1, "x": 2}):
        refused = await controller.command(type="scroll_to", **wrong)
        assert (refused["success"], refused["data"]["code"]) == (False, "invalid_params")


async def test_row_133_a_question_of_the_page_is_told_and_answered(
    controller: Controller, site: Site
) -> None:
    html = "<button onclick=\"s.textContent = prompt('Who?')\">Ask</button><button id=s>-</button>"
    await controller.command(type="navigate_to", url=site.page(html))

    asked = await controller.command(type="click_element", ref=controller.ref("Ask"))

    assert asked["success"]
    assert asked["data"]["dialogs"] == [{"type": "prompt", "message": "Who?", "open": True}]
    assert controller.tree == []
    assert controller.seen["dialog"]["message"] == "Who?"
    stuck = await controller.command(type="navigate_to", url=site.page("x"))
    assert stuck["data"]["code"] == "dialog_open"
    assert "answer_dialog" in stuck["data"]["hint"]
    answered = await controller.command(type="answer_dialog", accept=True, text="Ada")
    assert answered["success"], answered
    assert [e["name"] for e in controller.tree] == ["Ask", "Ada"]
    none = await controller.command(type="answer_dialog")
    assert none["data"]["code"] == "invalid_params"


async def test_row_134_a_new_tab_is_told_and_can_be_used(
    controller: Controller, site: Site
) -> None:
    other = site.page("<button>Other</button>")
    html = f"<a target=_blank href='{other}'>Open</a>"
    await controller.command(type="navigate_to", url=site.page(html))
    first = controller.seen["tab"]

    opened = await controller.command(type="click_element", ref=controller.ref("Open"))

    [tab] = opened["data"]["new_tabs"]
    assert tab["url"] == other
    assert controller.seen["tab"] == first
    assert [one["tab"] for one in controller.seen["tabs"]] == [first, tab["tab"]]
    assert (await controller.command(type="switch_tab", tab=tab["tab"]))["success"]
    assert [e["name"] for e in controller.tree] == ["Other"]
    wrong = await controller.command(type="switch_tab", tab="p99")
    assert wrong["data"]["code"] == "invalid_params"


async def test_row_135_errors_speak_of_the_clients_refs(controller: Controller, site: Site) -> None:
    html = """<p>2024-11</p><button>One</button><button disabled>Two</button>
    <button onclick="this.remove()">Three</button><input readonly aria-label=Four>"""
    await controller.command(type="navigate_to", url=site.page(html))

    two = controller.ref("Two")
    refused = await controller.command(type="click_element", ref=two)

    assert refused["data"]["code"] == "element_disabled"
    assert f"ref {two} " in refused["error"]
    assert "-" not in refused["error"].replace("read-only", "")
    beyond = await controller.command(type="click_element", ref=99)
    assert (beyond["data"]["code"], beyond["data"]["hint"]) == ("ref_invalid", "Refs: 1 to 4.")
    for ref in (True, "1", None, 0):
        wrong = await controller.command(type="click_element", ref=ref)
        assert wrong["data"]["code"] == "ref_invalid"


async def test_a_snapshot_can_be_asked_for(
    controller: Controller, site: Site, browser: Browser
) -> None:
    url = site.page("<button id=b>Before</button>")
    await controller.command(type="navigate_to", url=url)
    [page] = [one for one in browser.pages if one.url == url]
    await page.evaluate("b.textContent = 'After'")

    assert (await controller.command(type="take_snapshot"))["success"]

    assert [e["name"] for e in controller.tree] == ["After"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ({"type": "fly"}, "there is no command 'fly'"),
        ({"type": "click_element", "reff": 1}, "click_element has no 'reff'"),
        ({"type": "type_text", "ref": 1}, "text must be a text"),
        ({"type": "navigate_to"}, "url must be a text"),
        ({"type": "answer_dialog", "accept": "yes"}, "answer_dialog takes accept"),
        ({"type": ["click_element"]}, "there is no command"),
    ],
)
async def test_a_wrong_command_is_told_and_followed_by_a_snapshot(
    controller: Controller, command: dict[str, Any], said: str
) -> None:
    refused = await controller.command(**command)

    assert refused["success"] is False
    assert refused["error"].startswith(f"invalid_params: {said}")


async def test_a_page_that_closes_itself_leaves_a_snapshot_of_another(
    controller: Controller, site: Site
) -> None:
    other = site.page("<button onclick='window.close()'>Close me</button>")
    await controller.command(
        type="navigate_to", url=site.page(f"<a target=_blank href='{other}' rel=opener>Open</a>")
    )
    opened = await controller.command(type="click_element", ref=controller.ref("Open"))
    await controller.command(type="switch_tab", tab=opened["data"]["new_tabs"][0]["tab"])

    await controller.command(type="click_element", ref=controller.ref("Close me"))

    assert [e["name"] for e in controller.tree] == ["Open"]


async def test_row_132_a_shared_client_is_shown_the_tabs_that_are_open(
    host: BrowserHost, page: Page, site: Site
) -> None:
    url = site.page("<title>Open already</title><button>Here</button>")
    await page.goto(url)
    client = ToolClient(host, shared=True)
    controller = ActionConnection(client, frozenset({"act"}), RateLimit())
    try:
        seen = json.loads((await controller.greeting())[0])["data"]
        tabs = {tab["url"]: tab["tab"] for tab in seen.get("tabs", [seen])}
        go = {"type": "ActionCommand", "data": {"type": "switch_tab", "tab": tabs[url]}}
        _, shown = await controller.answers(json.dumps(go))
        assert [line["name"] for line in json.loads(shown)["data"]["tree"]] == ["Here"]
    finally:
        await client.aclose()


async def test_a_token_that_may_only_look_is_shown_the_page_and_moves_nothing(
    host: BrowserHost, site: Site
) -> None:
    client = ToolClient(host)
    watcher = ActionConnection(client, frozenset({"look"}), RateLimit())
    stranger = ActionConnection(client, frozenset(), RateLimit())
    go = {"type": "ActionCommand", "data": {"type": "navigate_to", "url": site.page("x")}}
    look = {"type": "ActionCommand", "data": {"type": "take_snapshot"}}
    try:
        [first] = await watcher.greeting()
        refused, _ = await watcher.answers(json.dumps(go))
        looked, seen = await watcher.answers(json.dumps(look))
        assert json.loads(first)["type"] == "Snapshot"
        assert json.loads(refused)["data"]["data"]["code"] == "blocked_by_policy"
        assert json.loads(looked)["data"]["success"]
        assert json.loads(seen)["data"]["url"] == "about:blank"
        assert await stranger.greeting() == []
        assert len(await stranger.answers(json.dumps(go))) == 1
    finally:
        await client.aclose()
