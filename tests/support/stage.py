"""The same document as a page, in a frame of the page's process, or in one of another process.

A behaviour that must hold in every frame is written once and staged three times:

    @pytest.mark.parametrize("frame_kind", FRAME_KINDS)
    async def test_...(make_stage: MakeStage, frame_kind: str) -> None:
        stage = await make_stage("<button>Buy</button>", frame_kind)
        await stage.page.click(await stage.id("button", "Buy"))
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from cdp_agent import Page
from cdp_agent.ids import ElementId
from tests.support.oracle import PageOracle
from tests.support.site import Site

HOSTS = {"main": "a.test", "same-process": "a.test", "oopif": "b.test"}
FRAME_KINDS = tuple(HOSTS)

# Offset, border and an odd size: a coordinate that forgot one of them misses.
AROUND = """<body style="margin:0">
<iframe src="{url}" name=stage
  style="margin:30px 40px; border:2px solid; width:600px; height:400px"></iframe>{outer}"""

OpenPage = Callable[..., Awaitable[str]]


class MakeStage(Protocol):
    async def __call__(
        self, html: str, frame_kind: str = "main", *, outer: str = "", **page: Any
    ) -> Stage: ...


class Stage:
    """One document under test and the two ways to it: the engine's page, the tests' own session."""

    def __init__(self, page: Page, oracle: PageOracle, url: str, frame_kind: str) -> None:
        self.page = page
        self.oracle = oracle
        self.url = url
        self.frame_kind = frame_kind
        self.frame_index = 0

    @classmethod
    async def set(
        cls,
        page: Page,
        oracle: PageOracle,
        site: Site,
        html: str,
        frame_kind: str,
        outer: str,
        **options: Any,
    ) -> Stage:
        """Load `html`; `outer` is put into the document around the frame, after it."""
        url = site.page(html, **{"host": HOSTS[frame_kind]} | options)
        stage = cls(page, oracle, url, frame_kind)
        if frame_kind == "main":
            assert not outer, "the main frame has no document around it"
            await page.goto(url)
        else:
            await page.goto(site.page(AROUND.format(url=url, outer=outer)))
        await stage.wait("document.readyState === 'complete'")
        return stage

    async def id(
        self, role: str | None = None, name: str | None = None, nth: int | None = None
    ) -> ElementId:
        """The id in a fresh snapshot, of an element in the stage's own frame."""
        snapshot = await self.page.snapshot()
        self.frame_index = self._index_in(snapshot.frames)
        return snapshot.find(role, name, frame=self.frame_index, nth=nth).id

    async def css(self, selector: str = "#target") -> ElementId:
        """The id in a fresh snapshot, of the element that this selector names.

        The node is found by the tests' own session, so that a test about the third of
        three equal buttons does not depend on how the engine tells them apart.
        """
        return await self.js(f"document.querySelector({selector!r})")

    async def js(self, expression: str) -> ElementId:
        """The same for the node that an expression gives, in a shadow tree for instance."""
        snapshot = await self.page.snapshot()
        self.frame_index = self._index_in(snapshot.frames)
        return snapshot.get(await self._ref(expression)).id

    async def ref(self, selector: str) -> str:
        """The expected id of any element, listed in a snapshot or not."""
        return await self._ref(f"document.querySelector({selector!r})")

    async def _ref(self, expression: str) -> str:
        number = await self.oracle.backend_node_id(expression, self._part)
        return f"{self.frame_index}-{number}"

    async def eval(self, js: str) -> Any:
        if self._part is None:
            return await self.oracle.eval(js)
        return await self.oracle.eval_in(self._part, js)

    async def wait(self, js: str, timeout: float = 5) -> Any:
        if self._part is None:
            return await self.oracle.wait(js, timeout)
        return await self.oracle.wait_in(self._part, js, timeout)

    @property
    def _part(self) -> str | None:
        # By its name, which stays when the document in the frame changes.
        return None if self.frame_kind == "main" else "stage"

    def _index_in(self, frames: Any) -> int:
        if self.frame_kind == "main":
            return 0
        indices = [frame.index for frame in frames if frame.name == "stage"]
        assert len(indices) == 1, f"the frame is listed {len(indices)} times: {frames}"
        return int(indices[0])
