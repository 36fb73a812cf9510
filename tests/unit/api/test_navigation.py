"""Going to an address: what Chromium answers and tells, and what the caller learns of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from cdp_agent.api.navigation.navigate import navigate, reload, require_url, traverse
from cdp_agent.errors import CdpAgentError, InvalidParams
from tests.unit.memory_transport import Command, Refusal, Reply
from tests.unit.recorded_tab import (
    CLEARED,
    OTHER,
    TOP,
    Heard,
    Tab,
    began,
    contexts,
    lifecycle,
    navigated,
    open_tab,
    restored,
    stopped,
)

NEXT = "https://b.test/"
FRAME = {"frameId": "F0"}


@pytest_asyncio.fixture
async def tab() -> AsyncIterator[Tab]:
    async with open_tab() as tab:
        yield tab


def shown(loader: str, url: str, *states: str) -> list[Heard]:
    return [
        CLEARED,
        navigated("F0", None, loader, url),
        *contexts("F0", 1, f"U of {loader}"),
        *lifecycle("F0", loader, *states),
        stopped("F0"),
    ]


def answer(tab: Tab, method: str, reply: Reply, before: list[Heard], after: list[Heard]) -> None:
    """Script a command with the events that come before its reply, and after it."""

    def script(command: Command) -> None:
        async def tell() -> None:
            tab.play("S0", *before)
            tab.wire.answer(command, reply)
            await asyncio.sleep(0)
            tab.play("S0", *after)

        telling.append(asyncio.ensure_future(tell()))

    telling: list[asyncio.Future[None]] = []
    tab.wire.script(method, script)


READ = ("DOMContentLoaded", "load")

#: The reply, the events before and after it, and what is shown in the end.
GOOD: dict[str, tuple[dict[str, Any], list[Heard], list[Heard], str]] = {
    "shown before the reply": (
        {**FRAME, "loaderId": "L2"},
        [began("F0", "L2", NEXT), *shown("L2", NEXT, *READ)],
        [],
        NEXT,
    ),
    "shown after the reply": (
        {**FRAME, "loaderId": "L2"},
        [began("F0", "L2", NEXT)],
        shown("L2", NEXT, *READ),
        NEXT,
    ),
    "told of only after the reply": (
        {**FRAME, "loaderId": "L2"},
        [],
        [began("F0", "L2", NEXT), *shown("L2", NEXT, *READ)],
        NEXT,
    ),
    "another fragment of the same document": (
        FRAME,
        [("Page.navigatedWithinDocument", {**FRAME, "url": f"{TOP}#x"})],
        [],
        f"{TOP}#x",
    ),
    "sent elsewhere by a script": (
        {**FRAME, "loaderId": "L2"},
        [began("F0", "L2", NEXT), *shown("L2", NEXT)],
        [began("F0", "L3", OTHER), *shown("L3", OTHER, *READ)],
        OTHER,
    ),
}


@pytest.mark.parametrize(("reply", "before", "after", "url"), GOOD.values(), ids=GOOD.keys())
async def test_an_address_is_shown(
    tab: Tab, reply: dict[str, Any], before: list[Heard], after: list[Heard], url: str
) -> None:
    answer(tab, "Page.navigate", reply, before, after)

    assert await navigate(tab.page, NEXT, 5) is True

    assert tab.page.url == url
    assert tab.page.frames.main.dom_ready
    assert [command.params for command in tab.wire.commands("Page.navigate")] == [{"url": NEXT}]


BAD: dict[str, tuple[dict[str, Any], list[Heard], str, str]] = {
    "a server that is not there": (
        {**FRAME, "loaderId": "L2", "errorText": "net::ERR_CONNECTION_REFUSED"},
        [],
        "navigation_failed",
        "ERR_CONNECTION_REFUSED",
    ),
    "a download": (
        {**FRAME, "loaderId": "L2", "isDownload": True, "errorText": "net::ERR_ABORTED"},
        [],
        "navigation_failed",
        "a download",
    ),
    "a page that is never read to its end": (
        {**FRAME, "loaderId": "L2"},
        [began("F0", "L2", NEXT), navigated("F0", None, "L2", NEXT)],
        "timeout",
        NEXT,
    ),
}


@pytest.mark.parametrize(("reply", "events", "code", "words"), BAD.values(), ids=BAD.keys())
async def test_an_address_that_cannot_be_shown_is_an_error_that_says_why(
    tab: Tab, reply: dict[str, Any], events: list[Heard], code: str, words: str
) -> None:
    answer(tab, "Page.navigate", reply, events, [])

    with pytest.raises(CdpAgentError) as caught:
        await navigate(tab.page, NEXT, 0.1)

    assert caught.value.code == code
    assert words in caught.value.message


async def test_a_tab_that_crashed_is_revived_by_going_somewhere(tab: Tab) -> None:
    """The reply comes before the event that says the tab lives again."""
    await tab.hear("S0", ("Inspector.targetCrashed", {}))
    answer(tab, "Page.navigate", {**FRAME, "loaderId": "L2"}, [], shown("L2", NEXT, *READ))

    await navigate(tab.page, NEXT, 5)

    tab.page.require_alive()
    assert tab.page.url == NEXT


async def test_a_page_is_loaded_again(tab: Tab) -> None:
    answer(tab, "Page.reload", {}, [], shown("L2", TOP, *READ))

    assert await reload(tab.page, 5) is True

    assert tab.page.frames.main.loader_id == "L2"


async def test_a_tab_between_two_documents_is_asked_to_load_again_once_more(tab: Tab) -> None:
    def refuse(command: Command) -> Reply:
        answer(tab, "Page.reload", {}, [], shown("L2", TOP, *READ))
        return Refusal("Not attached to an active page")

    tab.wire.script("Page.reload", refuse)

    assert await reload(tab.page, 5) is True

    assert tab.page.frames.main.loader_id == "L2"


HISTORY = {
    "currentIndex": 1,
    "entries": [{"id": 10, "url": NEXT}, {"id": 11, "url": TOP}],
}


async def test_going_back_shows_the_entry_before(tab: Tab) -> None:
    tab.wire.script("Page.getNavigationHistory", HISTORY)
    answer(tab, "Page.navigateToHistoryEntry", {}, [], [CLEARED, restored("F0", "L0", NEXT)])

    assert await traverse(tab.page, -1, 5) is True

    assert tab.page.url == NEXT
    assert tab.wire.commands("Page.navigateToHistoryEntry")[0].params == {"entryId": 10}


@pytest.mark.parametrize("steps", [1, -2])
async def test_there_is_nothing_beyond_the_ends_of_the_history(tab: Tab, steps: int) -> None:
    tab.wire.script("Page.getNavigationHistory", HISTORY)

    assert await traverse(tab.page, steps, 5) is False

    assert tab.wire.commands("Page.navigateToHistoryEntry") == []


@pytest.mark.parametrize("url", ["https://a.test/", "about:blank", "data:text/html,x"])
def test_an_absolute_address_is_taken(url: str) -> None:
    assert require_url(url) == url


@pytest.mark.parametrize(
    "url", ["", "a.test", "/path", None, 7, "http://[::1", "http://", "http://a.test:99999/"]
)
def test_what_is_no_absolute_address_is_refused(url: Any) -> None:
    with pytest.raises(InvalidParams):
        require_url(url)


@pytest.mark.parametrize("url", ["localhost:8000", "example.com:8080/shop", "LOCALHOST:80"])
def test_a_host_with_a_port_lacks_a_scheme_and_is_not_one(url: str) -> None:
    with pytest.raises(InvalidParams, match="not an absolute address") as caught:
        require_url(url)
    assert caught.value.hint == f"Write it with its scheme: http://{url}"
