"""Fetching a page: everything at once, and what to do when some of it goes away meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from cdp_agent.config import WORLD_NAME
from cdp_agent.errors import CommandTimeout, NavigationFailed, ProtocolError, TargetCrashed
from cdp_agent.resolve import RefBook
from cdp_agent.snapshot import Snapshot, SnapshotOptions, Snapshotter
from tests.unit.memory_transport import Command, Refusal, Reply, until
from tests.unit.pages import Document, button, el, text
from tests.unit.recorded_tab import (
    Heard,
    Tab,
    attached,
    began,
    context,
    contexts,
    detached,
    lifecycle,
    navigated,
    open_tab,
)

FRAME = el("Iframe", "Card", tag="iframe")
SHOP = Document(button("Buy"), FRAME)
CARD = Document(button("Pay"), index=1, parent=0, owner=SHOP.number(FRAME))
METRICS = {
    "cssLayoutViewport": {"pageX": 0, "pageY": 120, "clientWidth": 800, "clientHeight": 600},
    "cssContentSize": {"x": 0, "y": 0, "width": 800, "height": 2000},
}
BOX = {
    "content": [102, 202, 402, 202, 402, 352, 102, 352],
    "border": [100, 200, 404, 200, 404, 354, 100, 354],
    "width": 304,
    "height": 154,
}


class Shop:
    """A tab that answers with documents: those of its sessions, by session."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.snapshotter = Snapshotter(tab.page)
        self.documents = {"S0": SHOP, "S1": CARD}
        wire = tab.wire
        wire.script("Page.getLayoutMetrics", METRICS)
        wire.script("DOM.getFrameOwner", {"backendNodeId": SHOP.number(FRAME)})
        wire.script("DOM.getBoxModel", {"model": BOX})
        wire.script("Accessibility.getFullAXTree", self.tree)
        wire.script("DOMSnapshot.captureSnapshot", self.layout)

    def tree(self, command: Command) -> Reply:
        reply: dict[str, Any] = msgspec.to_builtins(self.documents[command.session_id].tree)
        return reply

    def meanwhile(self, session_id: str, *heard: Heard) -> None:
        """Events that are on the wire before the reply to the command at hand."""
        asyncio.get_running_loop().call_soon(self.tab.play, session_id, *heard)

    def lose_frame(self) -> None:
        """The frame is removed before the reply to the command at hand."""
        gone = "Target.detachedFromTarget", {"sessionId": "S1"}
        self.meanwhile("S0", detached("F1", "remove"), gone)

    def layout(self, command: Command) -> Reply:
        reply: dict[str, Any] = msgspec.to_builtins(
            self.documents[command.session_id].layout, enc_hook=list
        )
        return reply

    async def take(self, top: tuple[int, int] | None = None, **options: Any) -> Snapshot:
        wanted = SnapshotOptions.make(**{"timeout": 5, **options})
        return await self.snapshotter.take(wanted, top)


@pytest_asyncio.fixture
async def shop() -> AsyncIterator[Shop]:
    async with open_tab() as tab:
        await tab.hear("S0", attached("F1", "F0"))
        await tab.attach_frame("S1", "F1")
        await tab.hear("S1", navigated("F1", "F0", "L10", "https://pay.test/"))
        yield Shop(tab)


def lines(snapshot: Snapshot) -> list[str]:
    return snapshot.text.split("\n")[1:]


async def test_a_page_is_fetched_with_the_frames_of_other_processes(shop: Shop) -> None:
    snapshot = await shop.take()

    assert lines(snapshot) == [
        '[0-4] button "Buy"',
        'iframe 1 "Card" https://pay.test',
        ' [1-4] button "Pay"',
    ]
    assert [(f.index, f.loader_id, f.is_oopif) for f in snapshot.frames] == [
        (0, "L1", False),
        (1, "L10", True),
    ]
    assert snapshot.get("1-4").id.loader_id == "L10"
    assert snapshot.get("1-4").bounds == (112, 212, 100, 20)  # inside the iframe's content box
    assert (snapshot.viewport.scroll_y, snapshot.viewport.content_height) == (120, 2000)
    assert snapshot.warnings == ()


async def test_everything_is_asked_for_before_anything_large_is_answered(shop: Shop) -> None:
    """How large a document is decides how its tree is fetched: that alone is waited for."""
    wire = shop.tab.wire
    slow = ("Accessibility.getFullAXTree", "DOMSnapshot.captureSnapshot", "Page.getLayoutMetrics")
    for method in (*slow, "DOM.getFrameOwner"):
        wire.script(method, None)

    taking = asyncio.create_task(shop.take())
    await until(lambda: all(slow[0] in wire.methods(one) for one in ("S0", "S1")))

    assert set(slow) <= set(wire.methods("S0"))
    assert set(slow[:2]) <= set(wire.methods("S1"))
    taking.cancel()
    await asyncio.wait([taking])


async def test_the_accessibility_domain_is_switched_on_once(shop: Shop) -> None:
    for _ in range(3):
        await shop.take()

    for session_id in ("S0", "S1"):
        assert shop.tab.wire.methods(session_id).count("Accessibility.enable") == 1


async def test_a_page_that_is_still_read_says_so(shop: Shop) -> None:
    await shop.tab.hear("S0", began("F0", "L2", "https://b.test/"))
    shop.tab.play("S0", navigated("F0", None, "L2", "https://b.test/"))
    await shop.tab.handled()

    assert (await shop.take()).page.loading

    await shop.tab.hear("S0", lifecycle("F0", "L2", "DOMContentLoaded"))
    assert not (await shop.take()).page.loading


# -- what goes away meanwhile -------------------------------------------------------------------


async def test_a_frame_that_does_not_answer_is_left_out_and_named(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cdp_agent.snapshot.capture.page_capture.CHILD_GRACE", 0.05)
    wire = shop.tab.wire
    wire.script(
        "Accessibility.getFullAXTree",
        lambda command: shop.tree(command) if command.session_id == "S0" else None,
    )

    snapshot = await shop.take()

    assert lines(snapshot)[:2] == ['[0-4] button "Buy"', 'iframe "Card"']
    assert snapshot.warnings == ("frame 1 (https://pay.test/) did not answer",)
    assert "(warning: frame 1 (https://pay.test/) did not answer)" in snapshot.text


async def test_a_frame_that_is_removed_meanwhile_is_left_out_and_named(shop: Shop) -> None:
    def tree(command: Command) -> Reply | None:
        if command.session_id == "S0":
            return shop.tree(command)
        shop.lose_frame()
        return None

    shop.tab.wire.script("Accessibility.getFullAXTree", tree)

    snapshot = await shop.take()

    assert lines(snapshot)[:2] == ['[0-4] button "Buy"', 'iframe "Card"']
    assert len(snapshot.warnings) == 1
    assert "frame 1" in snapshot.warnings[0]
    assert [frame.index for frame in snapshot.frames] == [0]


async def test_a_frame_that_is_removed_while_it_reports_its_state_does_not_fail_the_capture(
    shop: Shop,
) -> None:
    await shop.tab.hear("S1", context("F1", 7, "ours", name=WORLD_NAME))

    def count(command: Command) -> Reply | None:
        if command.session_id != "S1" or "documentState" not in command.params["expression"]:
            return {"result": {}}
        shop.lose_frame()
        return None

    shop.tab.wire.script("Runtime.evaluate", count)

    snapshot = await shop.take(max_tokens=500)

    assert lines(snapshot)[:2] == ['[0-4] button "Buy"', 'iframe "Card"']
    assert "was removed while the snapshot was taken" in snapshot.warnings[0]


async def test_a_frame_that_is_removed_after_it_has_answered_is_left_out_and_named(
    shop: Shop,
) -> None:
    await shop.tab.hear("S0", context("F0", 7, "ours", name=WORLD_NAME))

    def say(command: Command) -> Reply:
        if "hiddenNodes" in command.params["expression"]:
            shop.lose_frame()
        return {"result": {"type": "string", "value": ""}}

    shop.tab.wire.script("Runtime.evaluate", say)

    snapshot = await shop.take()

    assert lines(snapshot)[:2] == ['[0-4] button "Buy"', 'iframe "Card"']
    assert "frame 1" in snapshot.warnings[0]


async def test_a_frame_that_navigates_meanwhile_is_left_out_and_named(shop: Shop) -> None:
    """What was fetched is of the old document, and ids would be issued for the new one."""

    def tree(command: Command) -> Reply:
        if command.session_id == "S1":
            shop.meanwhile("S1", navigated("F1", "F0", "L11", "https://other.test/"))
        return shop.tree(command)

    shop.tab.wire.script("Accessibility.getFullAXTree", tree)

    snapshot = await shop.take()

    assert [element.name for element in snapshot.elements] == ["Buy"]
    assert "navigated while the snapshot was taken" in snapshot.warnings[0]


async def test_a_page_that_navigates_meanwhile_is_fetched_again(shop: Shop) -> None:
    after = Document(button("Thanks"), loader="new")
    calls: list[Command] = []

    def tree(command: Command) -> Reply:
        calls.append(command)
        if len(calls) == 1:
            old = shop.tree(command)
            shop.documents["S0"] = after
            shop.meanwhile("S0", navigated("F0", None, "L2", "https://shop.test/thanks"))
            return old
        return shop.tree(command)

    shop.tab.wire.script("Accessibility.getFullAXTree", tree)

    snapshot = await shop.take()

    assert [element.name for element in snapshot.elements] == ["Thanks"]
    assert snapshot.elements[0].id.loader_id == "L2"
    assert snapshot.page.url == "https://shop.test/thanks"


async def test_a_page_that_never_holds_still_is_given_up(shop: Shop) -> None:
    calls: list[Command] = []

    def tree(command: Command) -> Reply:
        calls.append(command)
        loader = f"again {len(calls)}"
        shop.meanwhile("S0", navigated("F0", None, loader, "https://shop.test/loop"))
        return shop.tree(command)

    shop.tab.wire.script("Accessibility.getFullAXTree", tree)

    with pytest.raises(NavigationFailed):
        await shop.take()

    assert len(calls) < 20


async def test_the_main_frames_failure_is_the_callers(shop: Shop) -> None:
    shop.tab.wire.script("Accessibility.getFullAXTree", Refusal("Accessibility is broken"))
    with pytest.raises(ProtocolError, match="Accessibility is broken"):
        await shop.take()

    shop.tab.wire.script("Accessibility.getFullAXTree", None)
    with pytest.raises(CommandTimeout):
        await shop.take(timeout=0.15)

    await shop.tab.hear("S0", ("Inspector.targetCrashed", {}))
    with pytest.raises(TargetCrashed):
        await shop.take()


# -- what may be found again later ----------------------------------------------------------------

FIRST = button("Delete", box=(10, 10, 80, 20))
SECOND = el("group", "", button("Delete", box=(10, 1900, 80, 20)), tag="section")
ROW = el("listitem", "", text("One"), FIRST, tag="li")
ROWS = Document(el("list", "", ROW, SECOND, tag="ul"))

PARTS: dict[str, tuple[tuple[int, int] | None, dict[str, Any]]] = {
    "the whole page": (None, {}),
    "the first elements": (None, {"max_elements": 1}),
    "what can be seen": (None, {"viewport_only": True}),
    "a part of the page": ((0, ROWS.number(ROW)), {}),
}


@pytest.mark.parametrize(("top", "options"), PARTS.values(), ids=PARTS.keys())
async def test_one_of_two_is_never_known_as_the_only_one(
    shop: Shop, top: tuple[int, int] | None, options: dict[str, Any]
) -> None:
    """However little of the page was asked for: healing goes by it, and must not take the other."""
    shop.documents["S0"] = ROWS
    book = RefBook()

    snapshot = await shop.take(top, **options)
    book.remember(snapshot)

    assert not book.require(snapshot.elements[0].id).unique


async def test_a_capture_is_bounded_by_its_own_time_when_the_page_stops_answering(
    shop: Shop,
) -> None:
    await shop.tab.hear("S1", detached("F1", "remove"))
    await shop.tab.hear("S0", *contexts("F0", 7, "it"))
    shop.documents["S0"] = Document(button("Buy"))
    shop.tab.wire.script("Runtime.evaluate", {"result": {}})
    await shop.take(timeout=30)
    shop.tab.wire.script("Runtime.evaluate", None)

    async with asyncio.timeout(5):
        with pytest.raises(CommandTimeout):
            await shop.take(timeout=0.15)
