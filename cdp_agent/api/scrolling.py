"""Moving what is in sight."""

from __future__ import annotations

from cdp_agent.act import Outcome
from cdp_agent.act import scroll as scrolls
from cdp_agent.api.core import PageCore
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.ids import ElementId


class Scrolling(PageCore):
    """`scroll_into_view`."""

    async def scroll_into_view(
        self, id: str, *, observe: bool = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Scroll until an element is in the viewport, in all documents around it."""
        element_id = ElementId.parse(id)
        return await self._act(
            lambda stage: scrolls.scroll_into_view(stage, element_id), observe, timeout
        )
