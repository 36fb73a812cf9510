"""Seed 000 and the wire: each test names its row of fixtures/seed_rows.txt."""

from __future__ import annotations

from typing import Any

from tests.browser.fronts.bap.pages import CONTROLS
from tests.browser.fronts.bap.raw import RawClient
from tests.support.site import Site

NAME = {"type": "label", "value": "Name"}
SEND = {"type": "role", "role": "button", "name": "Send"}


async def test_camel_case_parameters_of_a_composite(raw: RawClient, site: Site) -> None:
    """Seed row 3: stopOnFirstError, continueOnConditionFail, pageId, onError, maxRetries …"""
    page = (await raw("page/create", url=site.page(CONTROLS)))["id"]
    missing = {"type": "css", "value": "#no"}
    never = {"selector": missing, "state": "visible", "timeout": 50}
    retried = {"onError": "retry", "maxRetries": 2, "retryDelay": 100}
    click = {"action": "action/click", "params": {"selector": missing, "options": {"timeout": 50}}}
    done = await raw(
        "agent/execute",
        pageId=page,
        steps=[{**click, **retried}, {**click, "condition": never}, {**click, "onError": "skip"}],
        stopOnFirstError=False,
        continueOnConditionFail=True,
    )
    assert [row["retries"] for row in done["results"]] == [2, 0, 0]
    assert [row["status"] for row in done["results"]] == ["failed", "skipped", "skipped"]


async def test_names_of_the_snapshot(raw: RawClient, site: Site) -> None:
    """Seed row 4: pageId, include…, maxElements, filterRoles are the seed's names."""
    page = (await raw("page/create", url=site.page(CONTROLS)))["id"]
    asked: dict[str, Any] = {
        "pageId": page,
        "includeAccessibility": True,
        "includeScreenshot": True,
        "includeInteractiveElements": True,
        "includeMetadata": False,
        "includeBounds": True,
        "maxElements": 2,
        "filterRoles": ["button"],
    }
    seen = await raw("agent/snapshot", **asked)
    assert "metadata" not in seen
    assert seen["screenshot"]["data"].startswith("iVBOR")
    assert [e["role"] for e in seen["interactiveElements"]] == ["button", "button"]
    assert {"accessibility", "totalInteractiveElements"} <= set(seen)


async def test_steps_name_methods(raw: RawClient, site: Site) -> None:
    """Seed row 5: action/fill, action/click, page/navigate are names of steps."""
    url = site.page(CONTROLS)
    steps = [
        {"action": "page/navigate", "params": {"url": url}},
        {"action": "action/fill", "params": {"selector": NAME, "value": "Ada"}},
        {"action": "action/click", "params": {"selector": SEND}},
        {"action": "action/press", "params": {"key": "Tab"}},
    ]
    assert (await raw("agent/execute", steps=steps))["success"]
    assert "sent Ada;" in (await raw("observe/content"))["content"]


async def test_names_of_the_page_methods(raw: RawClient, site: Site) -> None:
    """Seed row 6: page/navigate, page/goBack, page/goForward, page/reload."""
    first, second = site.page("<p>1"), site.page("<p>2")
    assert (await raw("page/navigate", url=first))["url"] == first
    assert (await raw("page/navigate", url=second))["status"] == 200
    assert (await raw("page/goBack"))["url"] == first
    assert (await raw("page/goForward"))["url"] == second
    assert (await raw("page/reload"))["url"] == second
    for old in ("page/goto", "page/back", "page/new", "page/dialog", "page/screenshot"):
        assert (await raw(old))["code"] == -32601


async def test_times_are_milliseconds(raw: RawClient, site: Site) -> None:
    """Seed row 10: 300 is 300 ms, for a step, a condition and the whole."""
    await raw("page/create", url=site.page(CONTROLS))
    missing = {"type": "css", "value": "#no"}
    step = {"action": "action/click", "params": {"selector": missing, "timeout": 300}}
    condition = {"selector": missing, "state": "exists", "timeout": 300}
    for one in (step, {**step, "condition": condition}):
        done = await raw("agent/act", steps=[one], timeout=30_000)
        error = done["results"][0]["error"]
        assert error["data"]["code"] in ("element_not_found", "condition_failed")
        assert "timeout" not in error["data"]["code"]
    said = done["results"][0]["error"]["message"]
    assert "within 0.3 s" in said


async def test_the_result_of_a_composite(raw: RawClient, site: Site) -> None:
    """Seed row 16: results[] with step, success, result, error.code a number, duration in ms."""
    await raw("page/create", url=site.page(CONTROLS))
    never = {"type": "role", "role": "button", "name": "Never"}
    steps = [
        {"action": "action/fill", "params": {"selector": NAME, "value": "Ada"}, "label": "name"},
        {"action": "action/click", "params": {"selector": never, "timeout": 200}},
        {"action": "page/reload", "params": {}},
    ]
    done = await raw("agent/execute", steps=steps)
    assert (done["completed"], done["total"], done["success"], done["failedAt"]) == (1, 3, False, 1)
    first, second = done["results"]
    assert (first["step"], first["label"], first["success"]) == (0, "name", True)
    assert (first["result"]["value"], first["retries"]) == ("Ada", 0)
    assert isinstance(first["duration"], int)
    assert isinstance(done["duration"], int)
    assert (second["step"], second["error"]["code"]) == (1, -32014)
    assert second["error"]["data"]["code"] == "element_disabled"
    assert second["error"]["data"]["retryable"] is True
    assert second["error"]["data"]["hint"]


async def test_selectors_of_a_string(raw: RawClient, site: Site) -> None:
    """Seed row 20: role:button:Submit and text:Login."""
    await raw("page/create", url=site.page(CONTROLS))
    assert (await raw("action/click", selector="role:button:Send"))["success"]
    assert (await raw("action/click", selector="text:Send"))["success"]
    assert (await raw("action/fill", selector="testId:search", value="x"))["success"]
    assert (await raw("action/fill", selector="role=textbox[name=Name]", value="x"))["success"]


async def test_an_element_of_the_snapshot(raw: RawClient, site: Site) -> None:
    """Seed row 24: tagName, focused, disabled, bounds as an object and only when asked for."""
    await raw("page/create", url=site.page(CONTROLS))
    await raw("action/fill", selector=NAME, value="Ada")
    seen = await raw("agent/snapshot")
    elements = {e["name"]: e for e in seen["interactiveElements"]}
    assert not any("bounds" in element for element in elements.values())
    name = elements["Name"]
    assert (name["tagName"], name["focused"], name["disabled"]) == ("input", True, False)
    assert (name["value"], name["actionHints"]) == ("Ada", ["editable"])
    assert elements["Never"]["disabled"] is True
    seen = await raw("agent/snapshot", includeBounds=True)
    boxes = [e["bounds"] for e in seen["interactiveElements"] if "bounds" in e]
    assert set(boxes[0]) == {"x", "y", "width", "height"}


async def test_each_control_is_one_element_in_the_order_of_the_document(
    raw: RawClient, site: Site
) -> None:
    """Seed row 26 and 27: no labels beside their controls, and none of them last."""
    html = "<label>Name <input></label><label><input type=checkbox> Agree</label><a href=#>Go</a>"
    await raw("page/create", url=site.page(html))
    seen = await raw("agent/snapshot")
    roles = [element["role"] for element in seen["interactiveElements"]]
    assert (roles, seen["totalInteractiveElements"]) == (["textbox", "checkbox", "link"], 3)


async def test_names_of_the_elements(raw: RawClient, site: Site) -> None:
    """Seed row 25: interactiveElements and totalInteractiveElements."""
    await raw("page/create", url=site.page(CONTROLS))
    seen = await raw("agent/snapshot", maxElements=3)
    assert len(seen["interactiveElements"]) == 3
    assert seen["totalInteractiveElements"] > 3


async def test_the_tree_is_structured(raw: RawClient, site: Site) -> None:
    """Seed row 31: accessibility.tree is an array of nodes."""
    await raw("page/create", url=site.page("<main><h1>Shop</h1></main>"))
    [main] = (await raw("agent/snapshot", includeAccessibility=True))["accessibility"]["tree"]
    assert (main["role"], main["children"][0]["name"]) == ("main", "Shop")
