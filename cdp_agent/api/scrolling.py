"""Moving what is in sight."""

from __future__ import annotations

from cdp_agent.act import Outcome
from cdp_agent.act import scroll as scrolls
from cdp_agent.act import travel as ways
from cdp_agent.act import wheel as wheels
from cdp_agent.act.text_search import scroll_until
from cdp_agent.act.travel import Amount, Direction, Travel
from cdp_agent.api.core import Observe, PageCore
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.ids import ElementId


class Scrolling(PageCore):
    """`scroll`, `scroll_to`, `next_chunk`, `prev_chunk`, `scroll_into_view`, `wheel`.

    All but the last two answer where the box rests in `data`: `x`, `y` as the page itself has them
    (a right-to-left box counts down from 0), `min_x`, `max_x`, `min_y`, `max_y`, `moved_x`,
    `moved_y`, `percent` of the way gone, `at_start`, `at_end`, `chunk` of `chunks`, whether a
    handler of the page `prevented` it, and `by`: `wheel` or `script`.
    """

    async def scroll(
        self,
        direction: Direction,
        *,
        pixels: float | None = None,
        amount: Amount = "page",
        id: str | None = None,
        until: str | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Scroll by a page, half a page or pixels, or to the `top` or `bottom`, and wait for rest.

        Without an id the page: its document, or where that does not scroll, the box or frame that
        fills it. With an id the element itself if it scrolls that way, else the box that fills it
        (of a grid or canvas), else what it stands in; an iframe means the document in it. Only that
        box moves: at its end nothing does, which is a success with `moved_x` and `moved_y` 0, and
        so is a wheel that the page's own code has prevented (`prevented`). `data["box"]` names it.

        `until` is a text: it is scrolled on until the page, or the element, has it, as long as
        there is more and the timeout allows, and the text is brought into view. `data["found"]` is
        its line and `data["found_id"]` the id of its element.

        Raises:
            InvalidParams: no such direction or amount; pixels not above 0.
            ElementNotVisible: the element is not shown.
            ConditionFailed: it had room that way and has not moved: its style locks it, or the
                page has put it back. Or the end was reached without the text.
        """
        travel = ways.travel(direction, pixels, amount)
        if until is None:
            return await self._scroll(travel, id, observe, timeout)
        element_id = ElementId.parse(id) if id is not None else None
        return await self._act(
            lambda stage: scroll_until(stage, travel, element_id, until), observe, timeout
        )

    async def scroll_to(
        self,
        percent: float,
        *,
        id: str | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Scroll to a share of the whole height: 0 is the top, 100 the bottom."""
        return await self._scroll(ways.travel_to(percent), id, observe, timeout)

    async def next_chunk(
        self, *, id: str | None = None, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Read on: one view further down, with a tenth of the last one still in sight."""
        return await self._scroll(Travel("y", 1, pages=ways.CHUNK), id, observe, timeout)

    async def prev_chunk(
        self, *, id: str | None = None, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Read back: one view further up, with a tenth of the last one still in sight."""
        return await self._scroll(Travel("y", -1, pages=ways.CHUNK), id, observe, timeout)

    async def _scroll(
        self, travel: Travel, id: str | None, observe: Observe, timeout: float
    ) -> Outcome:
        element_id = ElementId.parse(id) if id is not None else None
        return await self._act(
            lambda stage: scrolls.scroll(stage, travel, element_id), observe, timeout
        )

    async def scroll_into_view(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Scroll until an element is in the viewport, in all documents around it."""
        element_id = ElementId.parse(id)
        return await self._act(
            lambda stage: scrolls.scroll_into_view(stage, element_id), observe, timeout
        )

    async def wheel(
        self,
        delta_x: float,
        delta_y: float,
        id: str | None = None,
        *,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Turn the wheel over an element, or over the middle of the page, by CSS pixels.

        What that does is the page's: it may scroll what is there or what is around it, zoom a map,
        or nothing. `data` has the position of the innermost box that had room to move.

        Raises:
            InvalidParams: a delta is no number, or both are 0.
            ElementError: the element cannot be pointed at.
            ActionTimeout: nothing in the page received it.
        """
        element_id = ElementId.parse(id) if id is not None else None
        return await self._act(
            lambda stage: wheels.wheel(stage, delta_x, delta_y, element_id), observe, timeout
        )
