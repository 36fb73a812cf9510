"""Waiting for what a page will show."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Sequence

from cdp_agent.act import Outcome, Performed
from cdp_agent.act.mark import Mark
from cdp_agent.act.stirs import Seen, look_until
from cdp_agent.act.waiting import Watch, Wish
from cdp_agent.api.core import Observe, PageCore
from cdp_agent.api.given import require_seconds
from cdp_agent.config import WAIT_TIMEOUT
from cdp_agent.errors import ActionTimeout, InvalidParams
from cdp_agent.ids import ElementId

#: What `quiet=True` means.
_QUIET_SECONDS = 0.5
#: Rest is a matter of time, which no event tells.
_LOOK = 0.05


class Waiting(PageCore):
    """`wait_for`, `look_until`."""

    async def wait_for(
        self,
        *,
        text: str | Sequence[str] | None = None,
        text_gone: str | Sequence[str] | None = None,
        id: str | None = None,
        state: str = "visible",
        url: str | re.Pattern[str] | None = None,
        quiet: bool | float = False,
        new: bool = False,
        observe: Observe = False,
        timeout: float = WAIT_TIMEOUT,
    ) -> Outcome:
        """Wait until everything that is given holds at the same time, in whichever frame.

        `text` is shown somewhere on the page and `text_gone` nowhere (each one or several): as a
        person reads it, in view or not, without regard to case and white space; not what stands in
        fields or closed shadow trees. `id` is in `state`: visible, hidden, enabled, disabled,
        editable, checked, unchecked, expanded, collapsed, selected, unselected, focused, attached
        or gone; what was removed is hidden and gone. `url` is a part of the page's address, all of
        it when it has a `*` for any characters, or a compiled pattern. `quiet` is a time in
        seconds (True: 0.5) in which no frame changed and no request was under way; what changes
        all the time, is polled, or has been loading for over 5 seconds does not count.

        With `new`, only a line with `text` counts that was not shown when the wait began.

        `data["met"]` says what was seen, and `data["lines"]` has the line with each `text`. Other
        calls may act on the page meanwhile.

        Raises:
            ActionTimeout: it did not come true in time; the message has what was seen last.
            DialogOpen: a dialog waits for an answer, and nothing can be seen until it gets one.
            RefInvalid: the id was never handed out.
            TargetClosed, TargetCrashed: it cannot come true any more.
        """
        require_seconds(timeout)
        wish = Wish(
            texts=_several(text),
            texts_gone=_several(text_gone),
            element_id=ElementId.parse(id) if id is not None else None,
            state=state,
            url=url,
            quiet=_QUIET_SECONDS if quiet is True else (quiet or None),
            new=new,
        )
        self._require_ready()
        target = self._target
        before, popups = self._last, len(target.popups)
        mark = Mark.set(target, target.frames.main)
        deadline = time.monotonic() + timeout
        async with Watch(target, self._resolver, wish, deadline) as watch:

            def over() -> bool:
                return watch.is_met() or target.dialog is not None

            step = timeout if wish.quiet is None else _LOOK
            while not await target.until(over, max(min(deadline - time.monotonic(), step), 0)):
                if time.monotonic() >= deadline:
                    raise _too_late(watch, timeout)
            rows, lines = watch.report(), watch.matched()
        if not all(held for _, held, _ in rows):
            self._require_no_dialog()
        data = {"met": [f"{what}: {seen}" for what, _, seen in rows], "lines": lines}
        performed = Performed(None, mark, True, None, data=data)
        return await self._outcome(performed, before, popups, self._observation(observe), deadline)

    async def look_until(
        self, look: Callable[[], Awaitable[Seen | None]], timeout: float
    ) -> Seen | None:
        """What `look` gives: at once, or when the page has changed to what it looks for.

        It is called again after each change of any frame's document, address or dialog. None when
        it gave None until the time was over. What it raises ends the wait.

        Raises:
            TargetClosed, TargetCrashed: nothing will change any more.
        """
        return await look_until(self._target, look, time.monotonic() + timeout)


def _several(given: str | Sequence[str] | None) -> tuple[str, ...]:
    if given is None:
        return ()
    texts = (given,) if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(one, str) for one in texts):
        raise InvalidParams(f"what to wait for must be a text or a list of texts, not {given!r}")
    return tuple(texts)


def _too_late(watch: Watch, seconds: float) -> ActionTimeout:
    missing = [f"{what} ({seen})" for what, held, seen in watch.report() if not held]
    return ActionTimeout(f"not within {seconds:g} s: {'; '.join(missing)}", missing=missing)
