"""A tab as Chromium 156 tells of it: events in its words, replies where it gives them.

The sequences that tests play with these were recorded from a real browser.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import Any

from cdp_agent.config import WORLD_NAME
from cdp_agent.protocol import Connection
from cdp_agent.targets import BrowserTargets, Frame, PageTarget, World
from tests.unit.memory_transport import Command, MemoryTransport, Reply, until

Heard = tuple[str, dict[str, Any]]

#: The page, a frame in its process, and one in another.
TOP = "https://a.test/"
SAME = "https://a.test/inner"
OTHER = "https://b.test/inner"


def attached(frame: str, parent: str) -> Heard:
    return "Page.frameAttached", {"frameId": frame, "parentFrameId": parent}


def navigated(frame: str, parent: str | None, loader: str, url: str, kind: str = "") -> Heard:
    facts = frame_facts(frame, parent, loader, url)
    return "Page.frameNavigated", {"frame": facts, "type": kind or "Navigation"}


def restored(frame: str, loader: str, url: str) -> Heard:
    """Out of the back/forward cache."""
    return navigated(frame, None, loader, url, "BackForwardCacheRestore")


def detached(frame: str, reason: str) -> Heard:
    return "Page.frameDetached", {"frameId": frame, "reason": reason}


def lifecycle(frame: str, loader: str, *names: str) -> list[Heard]:
    return [
        ("Page.lifecycleEvent", {"frameId": frame, "loaderId": loader, "name": name})
        for name in names
    ]


def began(frame: str, loader: str, url: str, kind: str = "differentDocument") -> Heard:
    return "Page.frameStartedNavigating", {
        "frameId": frame,
        "loaderId": loader,
        "url": url,
        "navigationType": kind,
    }


def requested(frame: str, url: str, disposition: str = "currentTab") -> Heard:
    return "Page.frameRequestedNavigation", {
        "frameId": frame,
        "reason": "scriptInitiated",
        "url": url,
        "disposition": disposition,
    }


def stopped(frame: str) -> Heard:
    return "Page.frameStoppedLoading", {"frameId": frame}


def contexts(frame: str, number: int, unique: str) -> list[Heard]:
    """The page's own world and ours, as they are announced with every document."""
    return [
        context(frame, number, f"{unique} page", is_default=True),
        context(frame, number + 1, f"{unique} ours", name=WORLD_NAME),
    ]


def context(
    frame: str, number: int, unique: str, *, name: str = "", is_default: bool = False
) -> Heard:
    return "Runtime.executionContextCreated", {
        "context": {
            "id": number,
            "uniqueId": unique,
            "origin": "",
            "name": name,
            "auxData": {"frameId": frame, "isDefault": is_default},
        }
    }


def destroyed(*uniques: str) -> list[Heard]:
    return [
        ("Runtime.executionContextDestroyed", {"executionContextUniqueId": unique})
        for unique in uniques
    ]


CLEARED: Heard = ("Runtime.executionContextsCleared", {})


def frame_facts(frame: str, parent: str | None, loader: str, url: str) -> dict[str, Any]:
    facts = {
        "id": frame,
        "loaderId": loader,
        "url": url,
        "securityOrigin": "/".join(url.split("/")[:3]),
        "mimeType": "text/html",
    }
    if parent is not None:
        facts |= {"parentId": parent, "name": ""}
    return facts


def frame_tree(facts: dict[str, Any], *children: dict[str, Any]) -> dict[str, Any]:
    """A reply to `Page.getFrameTree`, or a part of one."""
    tree: dict[str, Any] = {"frame": facts}
    if children:
        tree["childFrames"] = list(children)
    return tree


class Tab:
    """One tab, with everything between the wire and its `PageTarget`."""

    def __init__(self, wire: MemoryTransport, targets: BrowserTargets) -> None:
        self.wire = wire
        self.targets = targets
        #: What `Page.getFrameTree` answers, by session.
        self.trees: dict[str, dict[str, Any]] = {}
        self._marks = 0
        wire.script("Page.getFrameTree", self._frame_tree)

    def _frame_tree(self, command: Command) -> Reply:
        empty = frame_tree(frame_facts("F0", None, "L0", "about:blank"))
        return {"frameTree": self.trees.get(command.session_id, empty)}

    @property
    def page(self) -> PageTarget:
        return self.targets.pages["F0"]

    def frame(self, frame_id: str) -> Frame:
        frame = self.page.frames.find(frame_id)
        assert frame is not None, f"{frame_id} is not known"
        return frame

    def play(self, session_id: str, *heard: Heard | Iterable[Heard]) -> None:
        """Events of one session are on the wire."""
        for one in heard:
            flat = [one] if isinstance(one, tuple) else one
            for method, params in flat:
                self.wire.event(method, params, session_id)

    async def hear(self, session_id: str, *heard: Heard | Iterable[Heard]) -> None:
        """Events of one session, handled when this returns."""
        self.play(session_id, *heard)
        await self.handled()

    async def handled(self) -> None:
        """Until what was on the wire has reached the page: a change of title comes last."""
        page = self.page
        self._marks += 1
        title = f"mark {self._marks}"
        info = {"targetId": "F0", "type": "page", "title": title, "url": page.url}
        self.wire.event("Target.targetInfoChanged", {"targetInfo": info})
        await until(lambda: page.title == title, 2)

    async def attach_frame(self, session_id: str, frame_id: str, parent: str = "S0") -> None:
        """A frame of another process is announced, by the session of its parent."""
        self.wire.attach(session_id, frame_id, "iframe", parent=parent, url="")
        await until(lambda: session_id in self.page.setups)


@contextlib.asynccontextmanager
async def open_tab() -> AsyncIterator[Tab]:
    """A tab that shows TOP: session S0, frame F0, loader L1, worlds 3 and 4 of U1."""
    wire = MemoryTransport(answers_all=True)
    connection = Connection(wire)
    targets = BrowserTargets(connection)
    tab = Tab(wire, targets)
    await targets.start()
    wire.attach("S0", "F0", title="")
    await until(lambda: "F0" in targets.pages)
    await tab.page.wait_ready(5)
    await tab.hear("S0", *visit("F0", None, "L1", TOP, 3, "U1"))
    try:
        yield tab
    finally:
        await targets.aclose()
        await connection.aclose()


def visit(
    frame: str, parent: str | None, loader: str, url: str, number: int, unique: str
) -> list[Heard | list[Heard]]:
    """A document is fetched, shown and read, within one process."""
    return [
        began(frame, loader, url),
        ("Page.frameStartedLoading", {"frameId": frame}),
        *([CLEARED] if parent is None else []),
        lifecycle(frame, loader, "init"),
        navigated(frame, parent, loader, url),
        contexts(frame, number, unique),
        lifecycle(frame, loader, "DOMContentLoaded", "load"),
        stopped(frame),
    ]


async def add_frame(tab: Tab) -> None:
    """F1, a frame of the page's own process with document L3 and worlds 5 and 6 of U3."""
    await tab.hear(
        "S0",
        attached("F1", "F0"),
        lifecycle("F1", "L2", "init"),
        requested("F1", SAME),
        *visit("F1", "F0", "L3", SAME, 5, "U3"),
    )


async def to_another_process(
    tab: Tab, session_id: str, loader: str, *, swap_first: bool = False
) -> None:
    """F1 moves out of the page's process. Either process may be the first to say so."""
    await tab.hear("S0", requested("F1", OTHER), began("F1", loader, OTHER))
    await tab.attach_frame(session_id, "F1")
    shown: list[Heard | list[Heard]] = [
        lifecycle("F1", "L of the empty document", "commit", "DOMContentLoaded"),
        lifecycle("F1", loader, "init"),
        CLEARED,
        navigated("F1", "F0", loader, OTHER),
        contexts("F1", 1, f"U of {session_id}"),
        lifecycle("F1", loader, "DOMContentLoaded", "load"),
    ]
    gone = [detached("F1", "swap"), *destroyed("U3 page", "U3 ours")]
    if swap_first:
        await tab.hear("S0", *gone)
        await tab.hear(session_id, *shown)
    else:
        await tab.hear(session_id, *shown)
        await tab.hear("S0", *gone)
    await tab.hear(session_id, stopped("F1"))


async def back_to_the_tabs_process(tab: Tab, session_id: str, loader: str) -> None:
    """F1 moves back: its session ends first."""
    await tab.hear("S0", requested("F1", SAME))
    await tab.hear(session_id, began("F1", loader, SAME))
    tab.wire.detach(session_id, parent="S0")
    await tab.hear(
        "S0",
        attached("F1", "F0"),
        lifecycle("F1", loader, "init"),
        navigated("F1", "F0", loader, SAME),
        contexts("F1", 7, f"U of {loader}"),
        lifecycle("F1", loader, "DOMContentLoaded", "load"),
        stopped("F1"),
    )


def worlds(frame: Frame) -> tuple[World | None, World | None]:
    return frame.main_world, frame.world


def worlds_named(unique: str, number: int) -> tuple[World, World]:
    """The worlds that `contexts` announces."""
    return World(number, f"{unique} page"), World(number + 1, f"{unique} ours")
