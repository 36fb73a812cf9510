"""What a keyboard does."""

from __future__ import annotations

from cdp_agent.act import Outcome, Performed, Stage
from cdp_agent.act import text as texts
from cdp_agent.api.core import Observe, PageCore
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.ids import ElementId


class Writing(PageCore):
    """`fill`, `clear`, `type`, `press`."""

    async def fill(
        self, id: str, value: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Replace the text of an element; `data["value"]` is what it holds afterwards.

        Works by focus, so an overlay does not hinder it. A disabled field is waited for.

        Raises:
            NotEditable: it takes no text, or did not keep what it was given.
        """
        element_id = ElementId.parse(id)
        return await self._act(lambda stage: texts.fill(stage, element_id, value), observe, timeout)

    async def clear(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Remove the text of an element."""
        return await self.fill(id, "", observe=observe, timeout=timeout)

    async def type(
        self,
        id: str,
        text: str,
        *,
        delay_ms: float = 0,
        commit_enter: bool = False,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Type key by key at the end of what an element holds; `data["value"]` is the result.

        Raises:
            StaleRef: the page took the focus away; `typed` in its data says how much had arrived.
            NotEditable: the page refused every key.
        """
        element_id = ElementId.parse(id)

        async def verb(stage: Stage) -> Performed:
            return await texts.type_text(
                stage, element_id, text, delay_ms=delay_ms, commit_enter=commit_enter
            )

        return await self._act(verb, observe, timeout)

    async def press(
        self,
        key: str,
        id: str | None = None,
        *,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Press a key or chord (`Enter`, `Control+A`) on an element, or where the focus is.

        `data` has the `value` of a field after a character, and `refused` if the page prevented it.
        """
        element_id = ElementId.parse(id) if id is not None else None
        return await self._act(lambda stage: texts.press(stage, key, element_id), observe, timeout)
