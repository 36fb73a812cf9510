"""Waiting until the page has taken what was sent to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from cdp_agent.act.input import inputs
from cdp_agent.errors import ActionTimeout
from cdp_agent.resolve.frame_point import Point
from tests.unit.memory_transport import idle
from tests.unit.recorded_tab import Tab, open_tab

INPUT = "Input.dispatchMouseEvent"


@pytest_asyncio.fixture
async def tab() -> AsyncIterator[Tab]:
    async with open_tab() as tab:
        tab.wire.script(INPUT, None)
        yield tab


def soon(seconds: float = 5) -> float:
    return time.monotonic() + seconds


async def test_input_is_delivered_when_the_page_has_answered_all_of_it(tab: Tab) -> None:
    replies = inputs.click(tab.page.session, Point(1, 1))
    waiting = asyncio.create_task(inputs.delivered(tab.page, replies, soon()))
    first, *rest = tab.wire.commands(INPUT)

    tab.wire.answer(first, {})
    await idle()
    assert not waiting.done()

    for command in rest:
        tab.wire.answer(command, {})
    assert await waiting is True


async def test_a_dialog_that_the_input_opened_ends_the_wait(tab: Tab) -> None:
    """Chromium does not answer the press while the dialog is up."""
    replies = inputs.click(tab.page.session, Point(1, 1))
    waiting = asyncio.create_task(inputs.delivered(tab.page, replies, soon()))

    await tab.hear("S0", ("Page.javascriptDialogOpening", {"type": "confirm", "message": "?"}))

    assert await waiting is False


async def test_a_page_that_does_not_take_it_in_time_is_said_to_be_busy(tab: Tab) -> None:
    replies = inputs.click(tab.page.session, Point(1, 1))

    with pytest.raises(ActionTimeout) as caught:
        await inputs.delivered(tab.page, replies, soon(0.01))

    assert "busy" in caught.value.hint


async def test_a_tab_that_closes_on_the_press_keeps_nobody_waiting(tab: Tab) -> None:
    replies = inputs.click(tab.page.session, Point(1, 1))
    waiting = asyncio.create_task(inputs.delivered(tab.page, replies, soon()))
    await idle()

    tab.wire.detach("S0")

    assert await waiting is True  # whether it arrived is told by the receipts
