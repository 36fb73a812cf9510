"""A frame whose session Chromium ends before the frame may run, as recorded beside DevTools."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.unit.memory_transport import idle, until
from tests.unit.recorded_tab import OTHER, Tab, attached, began, detached, navigated, open_tab


@pytest_asyncio.fixture
async def tab(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tab]:
    monkeypatch.setattr("cdp_agent.targets.paused_frames._SECONDS", 0.01)
    monkeypatch.setattr("cdp_agent.targets.paused_frames._POLL", 0.001)
    monkeypatch.setattr("cdp_agent.targets.paused_frames._POLLS", 1_000_000)
    async with open_tab() as tab:
        yield tab


def attaching(tab: Tab) -> list[bool]:
    """The requests to attach since the set-up, in order."""
    asked = tab.wire.commands("Target.setAutoAttach", "S0")[1:]
    return [command.params["autoAttach"] for command in asked]


async def lose_session(tab: Tab) -> None:
    """F1 begins to load, its session comes, and goes at once."""
    await tab.hear("S0", attached("F1", "F0"), began("F1", "L2", OTHER))
    await tab.attach_frame("S1", "F1")
    gone: dict[str, Any] = {"sessionId": "S1", "targetId": "F1"}
    await tab.hear("S0", ("Target.detachedFromTarget", gone))


async def test_a_frame_left_paused_is_let_go_and_attached_to_when_it_has_left(tab: Tab) -> None:
    await lose_session(tab)

    await until(lambda: attaching(tab) == [False])
    await idle()
    assert attaching(tab) == [False]
    refused = tab.wire.commands("Target.setAutoAttach", "S0")[-1].params
    assert "filter" not in refused  # Chromium would not take the command
    await tab.hear("S0", detached("F1", "swap"))

    await until(lambda: attaching(tab) == [False, True])
    await tab.attach_frame("S2", "F1")
    await tab.hear("S2", navigated("F1", "F0", "L2", OTHER))
    assert (tab.frame("F1").url, tab.frame("F1").index) == (OTHER, 1)


async def test_attaching_begins_again_also_when_the_frame_does_not_leave(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cdp_agent.targets.paused_frames._POLLS", 3)
    await lose_session(tab)

    await until(lambda: attaching(tab) == [False, True])


async def test_a_frame_that_goes_on_by_itself_is_left_alone(tab: Tab) -> None:
    await lose_session(tab)
    await tab.hear("S0", navigated("F1", "F0", "L2", OTHER))

    await until(lambda: not tab.page.paused_frames._timers)
    assert attaching(tab) == []


async def test_a_closed_page_waits_for_no_frame(tab: Tab) -> None:
    page = tab.page
    await lose_session(tab)
    assert page.paused_frames._timers

    page.ended()

    assert not page.paused_frames._timers
