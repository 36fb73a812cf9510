"""Answering a dialog that waits, and what the page does then."""

from __future__ import annotations

import time

from cdp_agent.act import Outcome, Performed
from cdp_agent.act.mark import Mark
from cdp_agent.act.settle import CEILING, settle
from cdp_agent.api.core import Observe, PageCore
from cdp_agent.api.given import require_seconds
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.errors import InvalidParams
from cdp_agent.resolve.worlds import world_of
from cdp_agent.targets.dialog import Dialog

_REST = "cdpAgent.restAfterwards({ceilingMs: 500})"


class Answering(PageCore):
    """`answer_dialog`."""

    async def answer_dialog(
        self,
        *,
        accept: bool = True,
        text: str | None = None,
        observe: Observe = False,
        timeout: float = ACTION_TIMEOUT,
    ) -> Outcome:
        """Answer the dialog that waits, and wait for what the page does then.

        `text` answers a prompt; without one it keeps its default, as after a person's Enter.
        `data["answered"]` has the dialog's `type` and `message`, `accepted`, and for `beforeunload`
        in `left` whether the page was left. `dialogs` are those that opened next.

        Raises:
            InvalidParams: no dialog is open.
        """
        require_seconds(timeout)
        dialog, target = self._target.dialog, self._target
        if dialog is None:
            raise InvalidParams("no dialog is open", hint="Go on: a snapshot shows the page.")
        deadline = time.monotonic() + timeout
        before, popups = self._last, len(target.popups)
        frame = target.frames.find(dialog.frame_id) or target.frames.main
        mark = Mark.set(target, frame)
        if accept:
            await dialog.accept(text)
        else:
            await dialog.dismiss()
        settled = await self._settled_after(dialog, mark, deadline)
        performed = Performed(None, mark, settled, None)
        info = dialog.info()
        performed.data["answered"] = {name: getattr(info, name) for name in _ANSWERED}
        observation = self._observation(observe)
        return await self._outcome(performed, before, popups, observation, deadline)

    async def _settled_after(self, dialog: Dialog, mark: Mark, deadline: float) -> bool:
        target = self._target
        await target.until(
            lambda: target.dialog is not dialog, max(deadline - time.monotonic(), 0.1), alive=False
        )
        if target.dialog is not None or target.closed is not None or mark.frame.session is None:
            return True
        seconds = max(deadline - time.monotonic(), 0.1)
        world = mark.frame.world or await world_of(target, mark.frame, seconds)
        latest = min(deadline, time.monotonic() + CEILING)
        return (await settle(target, mark, world, _REST, deadline, latest=latest)).settled


_ANSWERED = ("type", "message", "accepted", "left")
