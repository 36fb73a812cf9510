"""The state of a tab besides its frames: navigations, crashes, requests, errors, its end."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from cdp_agent.config import RECEIPT_BINDING
from cdp_agent.errors import ConnectionLost, TargetClosed, TargetCrashed
from tests.unit.memory_transport import Command, Refusal, idle, until
from tests.unit.recorded_tab import (
    Tab,
    attached,
    began,
    lifecycle,
    navigated,
    requested,
    stopped,
)

CRASHED: tuple[str, dict[str, Any]] = ("Inspector.targetCrashed", {})


async def with_frame_of_another_process(tab: Tab) -> None:
    await tab.hear("S0", attached("F1", "F0"))
    await tab.attach_frame("S1", "F1")
    await tab.hear("S1", navigated("F1", "F0", "L10", "https://b.test/"))


# -- set-up -------------------------------------------------------------------------------------


async def test_a_new_session_is_let_run_before_anything_is_answered(tab: Tab) -> None:
    """A target that waits for the debugger answers some commands only after it runs."""
    for method in {command.method for command in tab.wire.sent}:
        tab.wire.script(method, None)

    await tab.attach_frame("S1", "F1")

    sent = tab.wire.methods("S1")
    assert sent[-1] == "Runtime.runIfWaitingForDebugger"
    assert {"Page.enable", "Runtime.enable", "Target.setAutoAttach", "Network.enable"} < set(sent)
    assert sent.index("Page.addScriptToEvaluateOnNewDocument") < sent.index("Page.getFrameTree")
    assert not tab.page.setups["S1"].done.done()


async def test_only_the_tabs_own_session_is_told_to_act_as_if_in_front(tab: Tab) -> None:
    await with_frame_of_another_process(tab)

    focus = [
        command.session_id for command in tab.wire.commands("Emulation.setFocusEmulationEnabled")
    ]
    assert focus == ["S0"]
    nested = tab.wire.commands("Target.setAutoAttach", "S1")
    assert nested[0].params["autoAttach"] is True
    assert nested[0].params["flatten"] is True


async def test_a_set_up_that_is_refused_in_part_is_over_all_the_same(tab: Tab) -> None:
    tab.wire.script("Page.addScriptToEvaluateOnNewDocument", Refusal("not supported"))

    await tab.attach_frame("S1", "F1")
    await tab.page.wait_ready(1)

    assert tab.page.setups["S1"].done.done()


async def test_a_session_that_ends_during_its_set_up_keeps_nobody_waiting(tab: Tab) -> None:
    tab.wire.script("Page.getFrameTree", None)
    await tab.attach_frame("S1", "F1")
    waiting = asyncio.create_task(tab.page.wait_ready(5))
    await idle()
    assert not waiting.done()

    tab.wire.detach("S1", parent="S0")

    await until(waiting.done, 1)
    await waiting


async def test_a_target_that_is_no_page_and_no_frame_is_let_run(tab: Tab) -> None:
    tab.wire.attach("S5", "W1", "service_worker")
    tab.wire.attach("S6", "D1", "page", url="devtools://devtools/bundled/inspector.html")
    await tab.handled()

    assert "Runtime.runIfWaitingForDebugger" in tab.wire.methods("S5")
    assert "Runtime.runIfWaitingForDebugger" in tab.wire.methods("S6")
    assert list(tab.targets.pages) == ["F0"]


# -- navigations --------------------------------------------------------------------------------


async def test_a_navigation_is_under_way_from_the_request_to_the_new_document(tab: Tab) -> None:
    main = tab.page.frames.main
    await tab.hear("S0", requested("F0", "https://b.test/"))
    assert (main.navigation_requested, main.pending_loader) == (True, "")

    await tab.hear("S0", began("F0", "L2", "https://b.test/"))
    assert (main.navigation_requested, main.pending_loader) == (False, "L2")
    assert main.pending_url == "https://b.test/"

    await tab.hear("S0", navigated("F0", None, "L2", "https://b.test/"))
    assert (main.navigation_requested, main.pending_loader) == (False, "")
    assert (main.dom_ready, main.loaded) == (False, False)

    await tab.hear("S0", lifecycle("F0", "L1", "load"))  # a late word of the old document
    assert (main.dom_ready, main.loaded) == (False, False)

    await tab.hear("S0", lifecycle("F0", "L2", "DOMContentLoaded"))
    assert (main.dom_ready, main.loaded) == (True, False)


async def test_a_navigation_that_becomes_a_download_ends_when_the_loading_stops(tab: Tab) -> None:
    await tab.hear("S0", began("F0", "L2", "https://a.test/file.zip"))
    await tab.hear("S0", stopped("F0"))

    assert tab.page.frames.main.pending_loader == ""
    assert tab.page.frames.main.loader_id == "L1"


async def test_a_link_to_a_new_tab_navigates_nothing_here(tab: Tab) -> None:
    await tab.hear("S0", requested("F0", "https://b.test/", "newTab"))

    assert not tab.page.frames.main.navigation_requested


async def test_a_change_of_the_fragment_keeps_the_document(tab: Tab) -> None:
    main = tab.page.frames.main
    documents = main.documents

    await tab.hear(
        "S0",
        requested("F0", "https://a.test/#x"),
        began("F0", "L1", "https://a.test/#x", "sameDocument"),
        ("Page.navigatedWithinDocument", {"frameId": "F0", "url": "https://a.test/#x"}),
    )

    assert (main.url, main.loader_id) == ("https://a.test/#x", "L1")
    assert (main.documents, main.pending_loader) == (documents, "")
    assert (main.navigation_requested, main.dom_ready) == (False, True)


# -- crashes and ends ---------------------------------------------------------------------------


async def test_a_crash_fails_what_is_under_way_and_a_navigation_revives_the_tab(tab: Tab) -> None:
    tab.wire.script("DOM.enable", None)
    pending = tab.page.session.post("DOM.enable")
    waiting = asyncio.create_task(tab.page.until(lambda: False, 5))
    await idle()

    await tab.hear("S0", CRASHED)

    for lost in (pending, waiting):
        with pytest.raises(TargetCrashed):
            await lost
    with pytest.raises(TargetCrashed):
        tab.page.require_alive()

    await tab.hear("S0", navigated("F0", None, "L2", "https://b.test/"))
    tab.page.require_alive()


async def test_the_crash_of_one_frames_process_leaves_the_tab_alive(tab: Tab) -> None:
    await with_frame_of_another_process(tab)
    session = tab.frame("F1").require_session()
    tab.wire.script("DOM.enable", None)
    pending = session.post("DOM.enable")

    await tab.hear("S1", CRASHED)

    with pytest.raises(TargetCrashed):
        await pending
    tab.page.require_alive()
    assert [frame.id for frame in tab.page.frames] == ["F0"]


async def test_a_tab_that_is_closed_tells_its_waiters(tab: Tab) -> None:
    page = tab.page
    waiting = asyncio.create_task(page.until(lambda: False, 5))
    await idle()

    tab.wire.detach("S0")

    with pytest.raises(TargetClosed):
        await waiting
    assert tab.targets.pages == {}


async def test_when_the_browser_goes_every_tab_says_why(tab: Tab) -> None:
    page = tab.page
    waiting = asyncio.create_task(page.until(lambda: False, 5))
    await idle()

    tab.wire.drop("browser exited 139")

    with pytest.raises(ConnectionLost, match="browser exited 139"):
        await waiting


async def test_a_wait_ends_with_what_it_waits_for_or_at_its_deadline(tab: Tab) -> None:
    page = tab.page
    waiting = asyncio.create_task(page.until(lambda: page.url == "https://b.test/", 5))
    await tab.hear("S0", navigated("F0", None, "L2", "https://b.test/"))

    assert await waiting is True
    assert await page.until(lambda: False, 0.01) is False


# -- what goes on -------------------------------------------------------------------------------


def request_began(number: str, url: str = "https://a.test/api") -> tuple[str, dict[str, Any]]:
    request = {"url": url, "method": "GET"}
    params = {"requestId": number, "request": request, "type": "Fetch", "frameId": "F0"}
    return "Network.requestWillBeSent", params


async def test_requests_are_open_until_they_end_or_the_page_goes(tab: Tab) -> None:
    requests = tab.page.requests
    start = requests.last_number
    await tab.hear("S0", *(request_began(str(n), f"https://a.test/{n}") for n in range(4)))
    assert len(requests.open_since(start)) == 4

    await tab.hear(
        "S0",
        ("Network.loadingFinished", {"requestId": "0"}),
        ("Network.loadingFailed", {"requestId": "1"}),
    )
    assert [r.url for r in requests.open_since(start)] == ["https://a.test/2", "https://a.test/3"]

    await tab.hear("S0", navigated("F0", None, "L2", "https://b.test/"))
    assert requests.open_since(start) == []


async def test_errors_of_the_page_are_kept_as_one_line_each(tab: Tab) -> None:
    errors = tab.page.console
    await tab.hear(
        "S0",
        ("Runtime.consoleAPICalled", {"type": "log", "args": [{"value": "hello"}]}),
        ("Runtime.consoleAPICalled", {"type": "error", "args": [{"value": "no"}, {"value": 7}]}),
        ("Runtime.consoleAPICalled", {"type": "error", "args": [{"description": "Error: bad"}]}),
        (
            "Runtime.exceptionThrown",
            {
                "exceptionDetails": {
                    "text": "Uncaught",
                    "exception": {"description": "TypeError: x\n  at y"},
                }
            },
        ),
        ("Runtime.exceptionThrown", {"exceptionDetails": {"text": "Uncaught"}}),
    )

    assert errors.since(0) == ("no 7", "Error: bad", "TypeError: x", "Uncaught")
    assert errors.since(errors.last_number) == ()


async def test_receipts_are_kept_for_actions_that_ask_for_them(tab: Tab) -> None:
    tab.page.receipts[7] = []
    note = {"token": 7, "kind": "event", "type": "click"}
    stranger = {**note, "token": 8}
    await tab.hear(
        "S0",
        ("Runtime.bindingCalled", {"name": RECEIPT_BINDING, "payload": json.dumps(note)}),
        ("Runtime.bindingCalled", {"name": RECEIPT_BINDING, "payload": json.dumps(stranger)}),
        ("Runtime.bindingCalled", {"name": "somebodyElse", "payload": "no JSON"}),
    )

    assert tab.page.receipts == {7: [note]}


async def test_a_tab_that_the_page_opened_is_known_to_its_opener(tab: Tab) -> None:
    seen: list[str] = []
    tab.targets.on_page(lambda page: seen.append(page.target_id))

    tab.wire.attach("S9", "F9", openerId="F0", title="", browserContextId="C")
    tab.wire.attach("S10", "F10", title="")
    await until(lambda: "F10" in tab.targets.pages)

    assert [popup.target_id for popup in tab.page.popups] == ["F9"]
    assert tab.targets.pages["F9"].context_id == "C"
    assert seen == ["F9", "F10"]


async def test_a_tab_that_was_destroyed_is_not_listed(tab: Tab) -> None:
    tab.wire.attach("S9", "F9")
    await until(lambda: "F9" in tab.targets.pages)

    tab.wire.event("Target.targetDestroyed", {"targetId": "F9"})
    await tab.handled()

    assert list(tab.targets.pages) == ["F0"]


async def test_attaching_asks_for_tabs_and_nothing_else(tab: Tab) -> None:
    first: Command = tab.wire.commands("Target.setAutoAttach", "")[0]

    assert first.params["filter"] == [{"type": "page"}, {"exclude": True}]
    assert first.params["waitForDebuggerOnStart"] is True
