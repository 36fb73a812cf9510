"""Locks on elements of a page: for a while, no event activates them.

Held in the isolated world of each frame (`lock.js`), so that every way to the same effect ends
there: keys, labels, scripts, a form's submission. Requests that a locked element would send are
stopped on the wire where the browser has a policy.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cdp_agent.errors import CdpAgentError
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets import Frame
from cdp_agent.targets.network.gate import plain_address

if TYPE_CHECKING:
    from cdp_agent.api.page import Page

_SECONDS = 3.0


@dataclass
class Locks:
    """Made by `lock`. Whoever makes it calls `release`, once."""

    page: Page
    #: Method and address of what the locked elements would send, by element.
    sends: dict[ElementId, tuple[str, str]] = field(default_factory=dict)
    _frames: dict[int, Frame] = field(default_factory=dict)

    async def meant_by(self, element_id: str, *, enters: bool) -> set[ElementId]:
        """The locked elements that input at an element reaches; with Enter, the form's."""
        parsed = ElementId.parse(element_id)
        if parsed.frame_index not in self._frames:
            return set()
        live = await self._resolve(parsed)
        if live is None:
            return set()
        try:
            return {ElementId.parse(token) for token in await live.call("locksOf", enters)}
        finally:
            live.release()

    async def _add(self, element_id: ElementId, stops: bool) -> None:
        live = await self._resolve(element_id)
        if live is None:
            return
        try:
            sent = await live.call("lock", str(element_id), stops)
        finally:
            live.release()
        self._frames[element_id.frame_index] = live.frame
        if sent is not None:
            self.sends[element_id] = str(sent["method"]), str(sent["url"])

    async def _resolve(self, element_id: ElementId) -> LiveElement | None:
        try:
            deadline = time.monotonic() + _SECONDS
            return await self.page._tab.resolver.resolve(element_id, deadline=deadline)
        except CdpAgentError:
            return None  # it is gone: there is nothing to activate

    def refuse(self, elements: Iterable[ElementId]) -> None:
        """Stop what these elements would send, whoever sends it."""
        gate = self.page.browser.gate
        if gate is not None:
            sent = (self.sends[one] for one in elements if one in self.sends)
            gate.refused = frozenset((method, plain_address(url)) for method, url in sent)

    async def release(self) -> set[ElementId]:
        """Unlock; the elements that something was stopped at, or that were activated."""
        self.refuse(())
        hits: set[ElementId] = set()
        for frame in self._frames.values():
            try:
                found = await evaluate_in_frame(
                    self.page._tab.target, frame, "cdpAgent.unlock()", _SECONDS
                )
            except CdpAgentError:
                continue  # its document is gone, and the lock with it
            hits.update(ElementId.parse(token) for token in found)
        return hits


async def lock(page: Page, elements: Mapping[ElementId, bool]) -> Locks:
    """Lock elements (True), or only watch whether they are activated (False)."""
    locks = Locks(page)
    for element_id, stops in elements.items():
        await locks._add(element_id, stops)
    return locks
