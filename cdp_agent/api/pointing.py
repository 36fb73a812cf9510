"""What a mouse does."""

from __future__ import annotations

from collections.abc import Sequence

from cdp_agent.act import Outcome, Performed, Stage
from cdp_agent.act import click as clicking
from cdp_agent.act.inputs import Button
from cdp_agent.api.core import Observe, PageCore
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.ids import ElementId


class Pointing(PageCore):
    """`click`, `double_click`, `hover`."""

    async def click(
        self,
        id: str,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        position: tuple[float, float] | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Click an element, at its middle or at `position` from its top left corner.

        Where a control of its own stands in its middle (a card with a button) it is clicked beside
        that, if there is a place.

        Waits, within `timeout`, until it is visible, enabled, at rest and not covered. A press that
        would reach another element is stopped before the page sees it.

        Raises:
            ElementError: why it cannot be clicked. Nothing was clicked.
        """
        element_id = ElementId.parse(id)

        async def verb(stage: Stage) -> Performed:
            return await clicking.click(
                stage,
                element_id,
                button=button,
                count=count,
                modifiers=modifiers,
                position=position,
            )

        return await self._act(verb, observe, timeout)

    async def double_click(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Two clicks in a row, with click counts 1 and 2."""
        return await self.click(id, count=2, observe=observe, timeout=timeout)

    async def hover(
        self,
        id: str,
        *,
        position: tuple[float, float] | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Put the pointer on an element.

        `data["covered"]` names what the page has put over it in answer, if it has: the element has
        had the pointer then, and has it no more.
        """
        element_id = ElementId.parse(id)
        return await self._act(
            lambda stage: clicking.hover(stage, element_id, position=position), observe, timeout
        )
