"""Effects of an action, found by comparing the page with its state before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from cdp_agent.act.wait.mark import Mark, has_navigated, navigated_to
from cdp_agent.targets.dialog import DialogInfo
from tests.unit.recorded_tab import (
    SAME,
    TOP,
    Heard,
    Tab,
    add_frame,
    began,
    detached,
    navigated,
    open_tab,
    requested,
    stopped,
)

NEXT = "https://b.test/"


@pytest_asyncio.fixture
async def tab() -> AsyncIterator[Tab]:
    async with open_tab() as tab:
        await add_frame(tab)
        yield tab


#: What happens after an action in a frame of the page, where it led, and whether it has arrived.
STORIES: dict[str, tuple[list[Heard], str | None, bool]] = {
    "nothing": ([], None, False),
    "the page went elsewhere": (
        [began("F0", "L9", NEXT), navigated("F0", None, "L9", NEXT)],
        NEXT,
        True,
    ),
    "the page was loaded again": ([navigated("F0", None, "L9", TOP)], TOP, True),
    "only the fragment changed": (
        [("Page.navigatedWithinDocument", {"frameId": "F0", "url": f"{TOP}#x"})],
        f"{TOP}#x",
        False,
    ),
    "the frame went elsewhere": ([navigated("F1", "F0", "L9", NEXT)], NEXT, True),
    "the page's own word counts when both went": (
        [navigated("F1", "F0", "L8", SAME), navigated("F0", None, "L9", NEXT)],
        NEXT,
        True,
    ),
    "it is on its way": ([began("F0", "L9", NEXT)], NEXT, False),
    "the frame is on its way": ([began("F1", "L9", NEXT)], NEXT, False),
    "it became a download": ([began("F0", "L9", NEXT), stopped("F0")], None, False),
    "a link in a new tab": ([requested("F0", NEXT, "newTab")], None, False),
    "the frame was removed": ([detached("F1", "remove")], None, False),
}


@pytest.mark.parametrize(("events", "where", "arrived"), STORIES.values(), ids=STORIES.keys())
async def test_an_action_is_known_by_where_it_led(
    tab: Tab, events: list[Heard], where: str | None, arrived: bool
) -> None:
    mark = Mark.set(tab.page, tab.frame("F1"))

    await tab.hear("S0", *events)

    assert navigated_to(tab.page, mark) == where
    assert has_navigated(tab.page, mark) is arrived


def opens(message: str, kind: str = "confirm") -> tuple[str, dict[str, Any]]:
    return "Page.javascriptDialogOpening", {"type": kind, "message": message, "url": TOP}


def closes(result: bool) -> tuple[str, dict[str, Any]]:
    return "Page.javascriptDialogClosed", {"result": result, "userInput": ""}


async def test_dialogs_of_an_action_are_told_in_order_with_those_still_open(tab: Tab) -> None:
    await tab.hear("S0", opens("before"), closes(True))
    mark = Mark.set(tab.page, tab.page.frames.main)
    assert [dialog.message for dialog in tab.page.dialogs.report(mark.dialogs)] == ["before"]

    await tab.hear("S0", opens("first", "alert"), closes(True), opens("second"))

    assert tab.page.dialogs.report(mark.dialogs) == (
        DialogInfo("alert", "first", open=False),
        DialogInfo("confirm", "second", open=True),
    )


async def test_a_dialog_that_a_policy_answered_is_told_and_not_open(tab: Tab) -> None:
    tab.page.dialogs.choose = lambda _: True
    mark = Mark.set(tab.page, tab.page.frames.main)

    await tab.hear("S0", opens("Sure?"))

    told = tab.page.dialogs.report(mark.dialogs)
    assert told == (DialogInfo("confirm", "Sure?", open=False),)


async def test_more_dialogs_than_are_remembered_are_told_as_far_as_they_are(tab: Tab) -> None:
    tab.page.dialogs.choose = lambda _: True
    mark = Mark.set(tab.page, tab.page.frames.main)

    tab.play("S0", *(one for n in range(150) for one in (opens(str(n)), closes(True))))
    await tab.handled()

    told = tab.page.dialogs.report(mark.dialogs)
    assert [dialog.message for dialog in told] == [str(n) for n in range(50, 150)]
