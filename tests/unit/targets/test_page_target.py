"""Frames that change process, come back and go, in the order in which Chromium tells of it."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest

from cdp_agent.protocol import Session
from cdp_agent.targets import Frame
from cdp_agent.targets.setup import SessionSetup
from tests.unit.recorded_tab import (
    CLEARED,
    OTHER,
    SAME,
    TOP,
    Tab,
    attached,
    back_to_the_tabs_process,
    began,
    context,
    contexts,
    destroyed,
    detached,
    lifecycle,
    navigated,
    requested,
    stopped,
    to_another_process,
    visit,
    worlds,
    worlds_named,
)


async def test_a_document_and_its_worlds_are_known_when_it_is_read(tab: Tab) -> None:
    main = tab.page.frames.main

    assert (main.url, main.loader_id, main.index) == (TOP, "L1", 0)
    assert (main.dom_ready, main.loaded, main.pending_loader) == (True, True, "")
    assert worlds(main) == worlds_named("U1", 3)


async def test_a_frame_of_the_same_process_belongs_to_the_tabs_session(framed: Tab) -> None:
    frame = framed.frame("F1")

    assert (frame.index, frame.url, frame.loader_id) == (1, SAME, "L3")
    assert frame.session is framed.page.session
    assert not frame.is_oopif
    assert (frame.dom_ready, frame.loaded) == (True, True)
    assert worlds(frame) == worlds_named("U3", 5)


async def test_a_frame_that_shows_nothing_yet_has_the_empty_document_it_begins_with(
    tab: Tab,
) -> None:
    await tab.hear("S0", attached("F1", "F0"), lifecycle("F1", "L2", "init"))
    frame = tab.frame("F1")
    assert (frame.loader_id, frame.documents) == ("L2", 0)

    await tab.hear("S0", lifecycle("F1", "L3", "init"))  # another is fetched, and not shown yet
    assert frame.loader_id == "L2"


# -- to another process and back ----------------------------------------------------------------


SWAPS = {"the new process speaks first": False, "the old process speaks first": True}


@pytest.mark.parametrize("swap_first", SWAPS.values(), ids=SWAPS.keys())
async def test_a_frame_moves_to_another_process_and_back_under_the_same_number(
    framed: Tab, swap_first: bool
) -> None:
    frame = framed.frame("F1")
    for number in (1, 2):
        session_id = f"S{number}"
        await to_another_process(framed, session_id, f"L{number}0", swap_first=swap_first)

        assert framed.frame("F1") is frame
        assert frame.session is not None
        assert (frame.session.id, frame.index, frame.is_oopif) == (session_id, 1, True)
        assert (frame.url, frame.loader_id) == (OTHER, f"L{number}0")
        assert (frame.dom_ready, frame.loaded) == (True, True)
        assert (frame.pending_loader, frame.navigation_requested) == ("", False)
        assert worlds(frame) == worlds_named(f"U of {session_id}", 1)

        await back_to_the_tabs_process(framed, session_id, f"L{number}1")

        assert framed.frame("F1") is frame
        assert (frame.session, frame.index) == (framed.page.session, 1)
        assert (frame.url, frame.loader_id) == (SAME, f"L{number}1")
        assert worlds(frame) == worlds_named(f"U of L{number}1", 7)
        assert list(framed.page.setups) == ["S0"]


async def test_a_frame_inside_a_frame_of_another_process_goes_with_it(framed: Tab) -> None:
    await to_another_process(framed, "S1", "L10")
    await framed.hear("S1", attached("F2", "F1"), *visit("F2", "F1", "L11", OTHER, 3, "U11"))
    inner = framed.frame("F2")
    assert (inner.parent, inner.index) == (framed.frame("F1"), 2)
    assert inner.local_root is framed.frame("F1")

    await back_to_the_tabs_process(framed, "S1", "L12")

    assert framed.page.frames.find("F2") is None
    assert [frame.index for frame in framed.page.frames] == [0, 1]
    assert framed.page.frames.was_issued(2)


async def test_frames_of_other_processes_nest(framed: Tab) -> None:
    """The inner session is announced by the outer one, perhaps before the tab lets go."""
    await framed.hear("S0", requested("F1", OTHER), began("F1", "L10", OTHER))
    await framed.attach_frame("S1", "F1")
    await framed.hear(
        "S1",
        navigated("F1", "F0", "L10", OTHER),
        contexts("F1", 1, "U10"),
        attached("F2", "F1"),
        lifecycle("F2", "L11", "init"),
        began("F2", "L12", "https://c.test/"),
    )
    await framed.attach_frame("S2", "F2", parent="S1")
    await framed.hear("S0", detached("F1", "swap"))
    await framed.hear("S2", navigated("F2", "F1", "L12", "https://c.test/"))
    await framed.hear("S1", detached("F2", "swap"))
    await framed.hear("S2", contexts("F2", 1, "U12"), lifecycle("F2", "L12", "load"))

    outer, inner = framed.frame("F1"), framed.frame("F2")
    assert [frame.index for frame in framed.page.frames] == [0, 1, 2]
    assert (outer.is_oopif, inner.is_oopif, inner.parent) == (True, True, outer)
    assert worlds(inner) == worlds_named("U12", 1)
    assert inner.loaded

    await framed.hear("S1", detached("F2", "remove"))
    framed.wire.detach("S2", parent="S1")
    await framed.hear("S0", detached("F1", "remove"))
    framed.wire.detach("S1", parent="S0")
    await framed.handled()

    assert [frame.index for frame in framed.page.frames] == [0]
    assert list(framed.page.setups) == ["S0"]


async def test_leaving_a_page_ends_the_sessions_of_its_nested_frames(framed: Tab) -> None:
    """Chromium reports the end of the outer session only."""
    await to_another_process(framed, "S1", "L10")
    await framed.hear("S1", attached("F2", "F1"))
    await framed.attach_frame("S2", "F2", parent="S1")
    await framed.hear("S2", navigated("F2", "F1", "L12", "https://c.test/"))

    await framed.hear("S0", began("F0", "L20", "https://d.test/"))
    framed.wire.detach("S1", parent="S0")
    await framed.hear("S0", CLEARED, navigated("F0", None, "L20", "https://d.test/"))

    assert [frame.index for frame in framed.page.frames] == [0]
    assert list(framed.page.setups) == ["S0"]


async def test_a_frame_that_is_removed_is_gone_whoever_says_so(framed: Tab) -> None:
    await to_another_process(framed, "S1", "L10")

    await framed.hear("S0", detached("F1", "remove"))
    framed.wire.detach("S1", parent="S0")
    await framed.hear("S0", attached("F2", "F0"))

    assert framed.page.frames.find("F1") is None
    assert framed.frame("F2").index == 2


async def test_what_an_old_process_still_says_does_not_touch_the_frame(framed: Tab) -> None:
    await to_another_process(framed, "S1", "L10")
    frame = framed.frame("F1")

    await framed.hear(
        "S0",
        began("F0", "L1", TOP, "sameDocument"),
        contexts("F1", 50, "U50"),
        lifecycle("F1", "L10", "init"),
        CLEARED,
    )
    await framed.hear("S1", began("F1", "L13", OTHER))
    await framed.hear("S0", stopped("F1"))

    assert worlds(frame) == worlds_named("U of S1", 1)
    assert frame.pending_loader == "L13"
    assert worlds(framed.page.frames.main) == (None, None)


# -- frames without end -------------------------------------------------------------------------


def living(*kinds: type) -> Counter[str]:
    gc.collect()
    return Counter(type(thing).__name__ for thing in gc.get_objects() if type(thing) in kinds)


async def empty_frame(tab: Tab, number: int) -> None:
    frame, loader = f"F{number}", f"L{number}"
    tab.play(
        "S0",
        attached(frame, "F0"),
        lifecycle(frame, f"{loader} empty", "init"),
        navigated(frame, "F0", loader, "about:blank"),
        context(frame, number, f"U{number}", is_default=True),
        stopped(frame),
        detached(frame, "remove"),
        destroyed(f"U{number}"),
    )


async def frame_of_another_process(tab: Tab, number: int) -> None:
    frame, session = f"F{number}", f"S{number}"
    tab.play("S0", attached(frame, "F0"), began(frame, "L", OTHER))
    await tab.attach_frame(session, frame)
    tab.play(session, navigated(frame, "F0", f"L{number}", OTHER))
    tab.play("S0", detached(frame, "swap"), detached(frame, "remove"))
    tab.wire.detach(session, parent="S0")


FRAMES: dict[str, tuple[Callable[[Tab, int], Awaitable[None]], int]] = {
    "of the same process": (empty_frame, 1000),
    "of another process": (frame_of_another_process, 50),
}


@pytest.mark.parametrize(("come_and_go", "count"), FRAMES.values(), ids=FRAMES.keys())
async def test_frames_that_came_and_went_leave_no_memory(
    tab: Tab, come_and_go: Callable[[Tab, int], Awaitable[None]], count: int
) -> None:
    before = living(Frame, Session, SessionSetup)

    for number in range(10, 10 + count):
        await come_and_go(tab, number)
    await tab.handled()

    assert living(Frame, Session, SessionSetup) == before
    assert len(tab.page.frames) == 1
