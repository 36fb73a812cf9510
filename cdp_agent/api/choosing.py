"""Choosing and marking: lists, boxes to check, the focus, and what is drawn over an element."""

from __future__ import annotations

import time

from cdp_agent.act import Outcome, Performed, Stage
from cdp_agent.act import highlight as highlighting
from cdp_agent.act.check import set_checked
from cdp_agent.act.focus import focus, send_click_event
from cdp_agent.act.select import OneOrMore, Wanted
from cdp_agent.act.selecting import select
from cdp_agent.api.core import Observe, PageCore
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.ids import ElementId


class Choosing(PageCore):
    """`select`, `check`, `uncheck`, `focus`, `send_click_event`, `highlight`."""

    async def select(
        self,
        id: str,
        *,
        value: OneOrMore | None = None,
        label: OneOrMore | None = None,
        index: OneOrMore | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Choose in a list by value, by visible label, or by index from 0; each one or a list.

        In a list that takes several, exactly those are chosen afterwards; `[]` means none. Takes
        native lists, fields with a list of suggestions, and ARIA listboxes and comboboxes, which
        are opened, searched and clicked as a person would. Options that are not there yet are
        waited for. Where no option has a label, the only one that has it as a part is chosen (from
        the beginning of a word on, in upper or lower case).

        `data` has the chosen `value` and `label`, `changed`, and in `chose` the whole label for
        each part.

        Raises:
            OptionNotFound: there is no such option in time, or several have the label as a part;
                the hint lists those there are.
            ElementDisabled: the list or the option cannot be chosen.
            ConditionFailed: it was chosen, and the page did not keep it.
        """
        element_id = ElementId.parse(id)
        wanted = Wanted.parse(value, label, index)
        return await self._act(lambda stage: select(stage, element_id, wanted), observe, timeout)

    async def check(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Check a checkbox, radio button or switch, by a click if it is not checked yet.

        Raises:
            ConditionFailed: it was clicked, and the page did not keep it checked.
        """
        return await self._set_checked(id, True, observe, timeout)

    async def uncheck(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Uncheck a checkbox or switch, by a click if it is checked.

        Raises:
            InvalidParams: it is a radio button.
            ConditionFailed: it was clicked, and the page did not keep it unchecked.
        """
        return await self._set_checked(id, False, observe, timeout)

    async def _set_checked(
        self, id: str, wanted: bool, observe: Observe, timeout: float
    ) -> Outcome:
        element_id = ElementId.parse(id)

        async def verb(stage: Stage) -> Performed:
            return await set_checked(stage, element_id, wanted)

        return await self._act(verb, observe, timeout)

    async def focus(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Give an element the focus."""
        element_id = ElementId.parse(id)
        return await self._act(lambda stage: focus(stage, element_id), observe, timeout)

    async def send_click_event(
        self, id: str, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Dispatch a synthetic click event, for what no pointer can reach.

        Nothing else in the library does this. The page can tell it from a person's click; the
        outcome's receipt says `trusted=False`, and `data` says `synthetic`.
        """
        element_id = ElementId.parse(id)
        return await self._act(lambda stage: send_click_event(stage, element_id), observe, timeout)

    async def highlight(
        self, id: str, *, color: str = "#e8710a", timeout: float = ACTION_TIMEOUT
    ) -> None:
        """Draw a box over an element, for people and pictures; the page does not notice.

        One box at a time; it stays until `hide_highlight` or until the document goes.
        """
        element_id = ElementId.parse(id)
        self._require_ready()
        deadline = time.monotonic() + timeout
        await highlighting.highlight(self._target, self._resolver, element_id, color, deadline)

    async def hide_highlight(self) -> None:
        """Remove the box that `highlight` drew. May be called without one."""
        self._target.require_alive()
        await highlighting.hide_highlight(self._target)
