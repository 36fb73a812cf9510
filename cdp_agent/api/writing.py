"""What a keyboard does."""

from __future__ import annotations

from cdp_agent.act import Outcome, Performed, Stage
from cdp_agent.act import text as texts
from cdp_agent.act.focus_text import press_times, type_at_focus
from cdp_agent.act.grid_cell import fill_or_edit
from cdp_agent.act.text_piece import replace_piece
from cdp_agent.api.core import Observe, PageCore
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.ids import ElementId


class Writing(PageCore):
    """`fill`, `clear`, `replace`, `type`, `press`."""

    async def fill(
        self, id: str, value: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Replace the text of an element; `data["value"]` is what it holds afterwards.

        Works by focus, so an overlay does not hinder it. A disabled field is waited for. Of a cell
        in a grid the editor is opened (by a double click, Enter or F2), filled and committed by
        Enter; `data["value"]` is what the cell shows then.

        Raises:
            NotEditable: it takes no text, or did not keep what it was given.
        """
        element_id = ElementId.parse(id)
        return await self._act(
            lambda stage: fill_or_edit(stage, element_id, value), observe, timeout
        )

    async def replace(
        self,
        id: str,
        old: str,
        new: str,
        *,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Replace one piece of the text of a field or editor; the rest stays as it is.

        `data["value"]` is what it holds afterwards.

        Raises:
            ConditionFailed: `old` is not there exactly once; `count` in its data says how often.
            NotEditable: it takes no text, or did not keep what it was given.
        """
        element_id = ElementId.parse(id)
        return await self._act(
            lambda stage: replace_piece(stage, element_id, old, new), observe, timeout
        )

    async def clear(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Remove the text of an element."""
        return await self.fill(id, "", observe=observe, timeout=timeout)

    async def type(
        self,
        id: str | None,
        text: str,
        *,
        delay_ms: float = 0,
        commit_enter: bool = False,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Type key by key at the end of what an element holds; `data["value"]` is the result.

        Without an id (None) into what has the focus, which `data["focus"]` describes; that may be
        a grid or canvas that takes keys and is no field.

        Raises:
            StaleRef: the page took the focus away; `typed` in its data says how much had arrived.
            NotEditable: the page refused every key.
            InvalidParams: no id was given, and nothing has the focus.
        """
        element_id = ElementId.parse(id) if id is not None else None

        async def verb(stage: Stage) -> Performed:
            if element_id is None:
                return await type_at_focus(
                    stage, text, delay_ms=delay_ms, commit_enter=commit_enter
                )
            return await texts.type_text(
                stage, element_id, text, delay_ms=delay_ms, commit_enter=commit_enter
            )

        return await self._act(verb, observe, timeout)

    async def press(
        self,
        key: str,
        id: str | None = None,
        *,
        times: int = 1,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Press a key or chord (`Enter`, `Control+A`) on an element, or where the focus is.

        `times` (1 to 100) presses it again and again, until a press fails, a dialog opens or
        another document comes; the timeout holds for all of them. `data` has the `value` of a field
        after a character, `refused` if the page prevented it, and `pressed` of several presses.
        """
        element_id = ElementId.parse(id) if id is not None else None
        return await self._act(
            lambda stage: press_times(stage, key, element_id, times), observe, timeout
        )
