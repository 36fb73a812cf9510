"""Real widgets from npm, unpacked by `scripts/widgets`, each on a page of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from cdp_agent import Element, Outcome, Page, Snapshot
from cdp_agent.ids import ElementId
from tests.support.afresh import look_and_compare
from tests.support.oracle import PageOracle
from tests.support.site import Site

HERE = Path(__file__).parent
PACKAGES = HERE.parents[2] / ".widgets"
_TRIES = 3
#: Resolves when all animations are over but those that go on for long or for ever.
_AT_REST = """Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < 3000 && one.playState === "running")
    .map((one) => one.finished)).then(() => true)"""


class Widget:
    """A page with a widget, acted on by ids of a fresh snapshot and read by the tests' own eyes."""

    def __init__(self, page: Page, oracle: PageOracle) -> None:
        self.page = page
        self.oracle = oracle
        self.looks = 0

    async def look(self) -> Snapshot:
        """The page, which shows what somebody sees who never saw it before."""
        return await self._compared() or await self.page.snapshot()

    async def _compared(self) -> Snapshot | None:
        self.looks += 1
        return await look_and_compare(self.page, f"look {self.looks} at {self.page.url}")

    async def look_at_rest(self) -> None:
        """A look that is compared for certain: what moves by itself has come to its end."""
        for _ in range(_TRIES):
            await self.oracle.eval(_AT_REST)
            if await self._compared() is not None:
                return
        raise AssertionError("the page never held still")

    async def find(self, role: str | None, name: str | None, **options: Any) -> Element:
        return (await self.look()).find(role, name, **options)

    async def node(self, js: str) -> ElementId:
        """The id in a fresh snapshot, of the node that an expression gives.

        Found by the tests' own eyes where a widget names none of its parts.
        """
        number = await self.oracle.backend_node_id(js)
        return (await self.look()).get(f"0-{number}").id

    async def click(self, role: str | None, name: str | None, **options: Any) -> Outcome:
        return await self.page.click((await self.find(role, name, **options)).id)

    async def type(self, role: str | None, name: str | None, text: str, **options: Any) -> Outcome:
        return await self.page.type((await self.find(role, name, **options)).id, text)

    async def fill(self, role: str | None, name: str | None, text: str, **options: Any) -> Outcome:
        return await self.page.fill((await self.find(role, name, **options)).id, text)

    async def eval(self, js: str) -> Any:
        return await self.oracle.eval(js)


OpenWidget = Callable[[str], Awaitable[Widget]]


@pytest_asyncio.fixture(loop_scope="session")
async def open_widget(page: Page, oracle: PageOracle, site: Site) -> AsyncIterator[OpenWidget]:
    """`await open_widget("quill")` shows pages/quill.html; a whole path shows that file.

    Once it has been driven, and at each look on the way, it shows what a first look shows.
    """
    if not (PACKAGES / ".stamp").exists():
        pytest.skip("the widgets are not here: scripts/widgets install brings them")
    site.folder("npm", PACKAGES)
    site.folder("widgets", HERE / "pages")
    opened: list[Widget] = []

    async def open_widget(name: str) -> Widget:
        await page.goto(site.url(name if "/" in name else f"widgets/{name}.html"))
        await oracle.wait("document.readyState === 'complete'", 20)
        opened.append(Widget(page, oracle))
        return opened[-1]

    yield open_widget
    for widget in opened[-1:]:
        await widget.look_at_rest()
