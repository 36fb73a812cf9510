"""Real widgets from npm, unpacked by `scripts/widgets`, each on a page of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from cdp_agent import Element, Outcome, Page, Snapshot
from cdp_agent.ids import ElementId
from tests.browser.widgets import rate
from tests.support.fresh_snapshot import equal_snapshot
from tests.support.oracle import PageOracle
from tests.support.site import Site

HERE = Path(__file__).parent
PACKAGES = HERE.parents[2] / ".widgets"
_TRIES = 3
#: Frames without a change after which a page that is moved by its own script has arrived.
_STILL_FRAMES = 12
#: Resolves when all animations are over but those that go on for long or for ever.
_AT_REST = """Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < 3000 && one.playState === "running")
    .map((one) => one.finished)).then(() => true)"""
#: Resolves when no script has changed the document for some frames: FilePond's springs, for one,
#: write a new `style` at each frame and are no animation to the browser.
_UNCHANGED = f"""new Promise((resolve) => {{
    let still = 0;
    const observer = new MutationObserver(() => {{ still = 0 }});
    observer.observe(document, {{
        subtree: true, childList: true, attributes: true, characterData: true,
    }});
    const until = performance.now() + 5000;
    const frame = (now) => {{
        if (++still < {_STILL_FRAMES} && now < until) return requestAnimationFrame(frame);
        observer.disconnect();
        resolve(true);
    }};
    requestAnimationFrame(frame);
}})"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each test here says whose widget it drives; its report carries that to the rate."""
    for item in items:
        if HERE in item.path.parents:
            mark = item.get_closest_marker("widget")
            assert mark is not None, f"{item.nodeid} does not say which package it drives"
            assert mark.args[0] in rate.versions(), f"{mark.args[0]} is not in packages.txt"
            item.user_properties.append((rate.PROPERTY, mark.args[0]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if results := rate.results(terminalreporter.stats):
        terminalreporter.write_sep("=", "widgets")
        for line in rate.lines(results, rate.versions()):
            terminalreporter.write_line(line)


class Widget:
    """A page with a widget, acted on by ids of a fresh snapshot, read by the tests' own session."""

    def __init__(self, page: Page, oracle: PageOracle) -> None:
        self.page = page
        self.oracle = oracle
        self.looks = 0

    async def look(self) -> Snapshot:
        """The page, which shows what somebody sees who never saw it before."""
        return await self._compared() or await self.page.snapshot()

    async def _compared(self) -> Snapshot | None:
        self.looks += 1
        return await equal_snapshot(self.page, f"look {self.looks} at {self.page.url}")

    async def look_at_rest(self) -> None:
        """A look that is compared for certain: what moves by itself has come to its end."""
        for _ in range(_TRIES):
            await self.oracle.eval(_AT_REST)
            if await self._compared() is not None:
                return
            await self.oracle.eval(_UNCHANGED)  # takes a moment, so only where it is needed
        raise AssertionError("the page never held still")

    async def find(self, role: str | None, name: str | None, **options: Any) -> Element:
        return (await self.look()).find(role, name, **options)

    async def node(self, js: str) -> ElementId:
        """The id in a fresh snapshot, of the node that an expression gives.

        Found by the tests' own session where a widget names none of its parts.
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
PAGES = HERE / "pages"


def _page_of(name: str) -> str:
    (page,) = PAGES.glob(f"*/{name}.html")
    return page.relative_to(PAGES).as_posix()


@pytest_asyncio.fixture(loop_scope="session")
async def open_widget(page: Page, oracle: PageOracle, site: Site) -> AsyncIterator[OpenWidget]:
    """`await open_widget("quill")` shows pages/editors/quill.html; a whole path shows that file.

    Once it has been driven, and at each look on the way, it shows what a first look shows.
    """
    if not (PACKAGES / ".stamp").exists():
        pytest.skip("the widgets are not here: scripts/widgets install brings them")
    site.folder("npm", PACKAGES)
    site.folder("widgets", PAGES)
    opened: list[Widget] = []

    async def open_widget(name: str) -> Widget:
        await page.goto(site.url(name if "/" in name else f"widgets/{_page_of(name)}"))
        await oracle.wait("document.readyState === 'complete'", 20)
        opened.append(Widget(page, oracle))
        return opened[-1]

    yield open_widget
    for widget in opened[-1:]:
        await widget.look_at_rest()
