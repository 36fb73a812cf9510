"""Real widgets from npm, unpacked by `scripts/widgets`, each on a page of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cdp_agent import Element, Outcome, Page, Snapshot
from cdp_agent.ids import ElementId
from tests.support.oracle import PageOracle
from tests.support.site import Site

HERE = Path(__file__).parent
PACKAGES = HERE.parents[2] / ".widgets"


class Widget:
    """A page with a widget, acted on by ids of a fresh snapshot and read by the tests' own eyes."""

    def __init__(self, page: Page, oracle: PageOracle) -> None:
        self.page = page
        self.oracle = oracle

    async def look(self) -> Snapshot:
        return await self.page.snapshot()

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


@pytest.fixture
def open_widget(page: Page, oracle: PageOracle, site: Site) -> OpenWidget:
    """`await open_widget("quill")` shows pages/quill.html; a whole path shows that file."""
    if not (PACKAGES / ".stamp").exists():
        pytest.skip("the widgets are not here: scripts/widgets install brings them")
    site.folder("npm", PACKAGES)
    site.folder("widgets", HERE / "pages")

    async def open_widget(name: str) -> Widget:
        await page.goto(site.url(name if "/" in name else f"widgets/{name}.html"))
        await oracle.wait("document.readyState === 'complete'", 20)
        return Widget(page, oracle)

    return open_widget
