"""Documents that were there before: out of the back/forward cache, or before we connected."""

from __future__ import annotations

import asyncio

from tests.unit.memory_transport import idle, until
from tests.unit.recorded_tab import (
    CLEARED,
    OTHER,
    SAME,
    TOP,
    Heard,
    Tab,
    began,
    contexts,
    frame_facts,
    frame_tree,
    lifecycle,
    navigated,
    restored,
    stopped,
    to_another_process,
    visit,
    worlds,
    worlds_named,
)


async def leave_and_come_back(tab: Tab, *, announced: list[Heard]) -> None:
    await tab.hear("S0", *visit("F0", None, "L20", "https://c.test/", 1, "U20"))
    await tab.hear(
        "S0",
        began("F0", "L21", TOP, "historyDifferentDocument"),
        ("Page.frameStartedLoading", {"frameId": "F0"}),
        stopped("F0"),
        CLEARED,
        *announced,
        *reversed(contexts("F0", 3, "U1")),
        restored("F0", "L1", TOP),
    )


async def test_a_document_out_of_the_cache_is_the_one_it_was(tab: Tab) -> None:
    main = tab.page.frames.main
    documents = main.documents

    await leave_and_come_back(tab, announced=[])

    assert (main.url, main.loader_id, main.documents) == (TOP, "L1", documents + 2)
    assert (main.dom_ready, main.loaded, main.pending_loader) == (True, True, "")
    assert worlds(main) == worlds_named("U1", 3)


async def test_a_document_out_of_the_cache_has_its_frames_again(framed: Tab) -> None:
    """Chromium announces the worlds of its frames, and the frames themselves not at all."""
    main = frame_facts("F0", None, "L1", TOP)
    framed.trees["S0"] = frame_tree(main, frame_tree(frame_facts("F1", "F0", "L3", SAME)))

    await leave_and_come_back(framed, announced=list(reversed(contexts("F1", 5, "U3"))))

    await until(lambda: framed.page.frames.find("F1") is not None, 1)
    frame = framed.frame("F1")
    assert (frame.index, frame.url, frame.loader_id) == (1, SAME, "L3")
    assert worlds(frame) == worlds_named("U3", 5)


async def test_a_frame_of_another_process_comes_out_of_the_cache_with_its_worlds(
    framed: Tab,
) -> None:
    """It is attached anew, runs already, and names its worlds before its frame tree."""
    await to_another_process(framed, "S1", "L10")
    framed.wire.detach("S1", parent="S0")
    await framed.hear("S0", *visit("F0", None, "L20", "https://c.test/", 1, "U20"))
    assert framed.page.frames.find("F1") is None

    framed.wire.script("Page.getFrameTree", None)
    await framed.hear("S0", began("F0", "L21", TOP, "historyDifferentDocument"))
    await framed.attach_frame("S2", "F1")
    await framed.hear("S0", CLEARED, *contexts("F0", 3, "U1"), restored("F0", "L1", TOP))
    await framed.hear(
        "S2",
        lifecycle("F1", "L10", "commit", "DOMContentLoaded", "load"),
        *contexts("F1", 1, "U of S1"),
    )
    command = framed.wire.commands("Page.getFrameTree", "S2")[0]
    tree = frame_tree(frame_facts("F1", "F0", "L10", OTHER))
    framed.wire.answer(command, {"frameTree": tree})
    await until(lambda: framed.page.frames.find("F1") is not None, 1)

    frame = framed.frame("F1")
    assert (frame.index, frame.loader_id, frame.is_oopif) == (1, "L10", True)
    assert worlds(frame) == worlds_named("U of S1", 1)


# -- a page that was there before us ------------------------------------------------------------


async def test_a_page_that_runs_already_is_known_with_its_frames_and_their_worlds(
    tab: Tab,
) -> None:
    """`connect`: the worlds of all frames are named before the reply that names the frames."""
    tab.wire.script("Page.getFrameTree", None)
    tab.wire.attach("S7", "F7", url=TOP)
    await until(lambda: "F7" in tab.targets.pages)
    page = tab.targets.pages["F7"]
    for method, params in [*contexts("F7", 1, "U1"), *contexts("F8", 3, "U3")]:
        tab.wire.event(method, params, "S7")
    tree = frame_tree(
        frame_facts("F7", None, "L1", TOP), frame_tree(frame_facts("F8", "F7", "L3", SAME))
    )
    tab.wire.answer(tab.wire.commands("Page.getFrameTree", "S7")[0], {"frameTree": tree})
    await page.wait_ready(1)

    child = page.frames.find("F8")
    assert child is not None
    assert (child.index, child.loader_id, child.url) == (1, "L3", SAME)
    assert (page.frames.main.loader_id, page.frames.main.dom_ready) == ("L1", True)
    assert worlds(page.frames.main) == worlds_named("U1", 1)
    assert worlds(child) == worlds_named("U3", 3)


async def test_events_know_better_than_a_frame_tree_that_comes_late(tab: Tab) -> None:
    tab.wire.script("Page.getFrameTree", None)
    tab.wire.attach("S7", "F7")
    await until(lambda: "F7" in tab.targets.pages)
    page = tab.targets.pages["F7"]
    tab.wire.event(*navigated("F7", None, "L2", OTHER), "S7")
    old = frame_tree(frame_facts("F7", None, "L1", TOP))
    tab.wire.answer(tab.wire.commands("Page.getFrameTree", "S7")[0], {"frameTree": old})
    await page.wait_ready(1)

    assert (page.url, page.frames.main.loader_id) == (OTHER, "L2")


async def test_whoever_waits_for_a_frame_is_woken_by_the_frame_tree(tab: Tab) -> None:
    tab.wire.script("Page.getFrameTree", None)
    await tab.attach_frame("S1", "F1")
    page = tab.page
    waiting = asyncio.create_task(page.until(lambda: page.frames.find("F1") is not None, 5))
    await idle()

    tree = frame_tree(frame_facts("F1", "F0", "L10", OTHER))
    tab.wire.answer(tab.wire.commands("Page.getFrameTree", "S1")[0], {"frameTree": tree})

    await until(waiting.done, 1)
    assert tab.frame("F1").is_oopif
