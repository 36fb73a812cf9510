"""Keys without a target: every frame listens, and the one with the focus answers."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Stage, receipt_of
from cdp_agent.act.text.popup import popup_receipt, popup_state
from cdp_agent.act.wait.mark import Mark
from cdp_agent.act.wait.settle import Settled
from cdp_agent.errors import ActionTimeout, CdpAgentError
from cdp_agent.ids import ElementId
from cdp_agent.resolve.live import script_value
from cdp_agent.resolve.worlds import post_in_frame, world_of
from cdp_agent.snapshot.fetch.script_nodes import SINGLE_NODE, backend_id_of
from cdp_agent.targets import Frame, PageTarget
from cdp_agent.targets.remote_objects import release_object

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateParameters, EvaluateReturns


class KeyBroadcast:
    """Arms all frames on entry and disarms them on exit."""

    def __init__(self, target: PageTarget, token: int, life_ms: int) -> None:
        self._target = target
        self._token = token
        self._life_ms = life_ms
        self._armed: frozenset[Frame] = frozenset()
        #: The frame in which the popup of a native list is open, and takes the keys.
        self._with_popup: Frame | None = None
        #: Facts for the outcome.
        self.data: dict[str, Any] = {}

    async def __aenter__(self) -> KeyBroadcast:
        main = self._target.frames.main
        await world_of(self._target, main, 5)
        guard = {"kind": "key", "token": self._token, "lifeMs": self._life_ms + 1000}
        arm = f"cdpAgent.arm(null, {json.dumps(guard)}), cdpAgent.isListOpen()"
        answers = await self._everywhere(arm, 1.0)
        self._armed = frozenset(answers)
        self._with_popup = next((frame for frame, is_open in answers.items() if is_open), None)
        if main not in self._armed:
            raise ActionTimeout("the page does not answer", hint="Try page.recover().")
        return self

    async def __aexit__(self, *_: object) -> None:
        for frame in self._armed:
            if frame.world is not None and frame.session is not None:
                frame.session.send_only(
                    "Runtime.evaluate",
                    {"expression": "cdpAgent.disarm()", **frame.world.for_evaluate},
                )

    async def _everywhere(self, expression: str, seconds: float) -> dict[Frame, Any]:
        """Evaluate in every frame that has our world; frames that fail are left out."""
        replies: dict[Frame, asyncio.Future[EvaluateReturns]] = {}
        for frame in self._target.frames:
            if frame.world is not None and frame.session is not None:
                replies[frame] = post_in_frame(frame, frame.world, expression, seconds)
        if replies:
            await asyncio.wait(replies.values(), timeout=seconds)
        answers: dict[Frame, Any] = {}
        for frame, reply in replies.items():
            if reply.done() and not reply.cancelled() and reply.exception() is None:
                try:
                    answers[frame] = script_value(reply.result())
                except CdpAgentError:
                    continue
        return answers

    async def finish(self, mark: Mark, stage: Stage) -> tuple[Settled, Receipt]:
        """Wait for rest in the frame that has the focus.

        Raises:
            ActionTimeout: no frame has received the key.
        """
        frame = self._with_popup or await self._receiving() or self._target.frames.main
        world = frame.world or await world_of(self._target, frame, 2)
        if frame is not mark.frame:
            mark.frame, mark.frame_documents, mark.frame_url = frame, frame.documents, frame.url
        asking = asyncio.create_task(self._receiver(frame), name="cdp_agent receiver of a key")
        try:
            settled = await stage.settle(mark, world, "finish", {"keep": True})
            seen = receipt_of(settled)
            who = await asking if seen is not None and self._target.dialog is None else None
        finally:
            asking.cancel()
            await asyncio.wait([asking])
        if self._with_popup is not None:
            return settled, popup_receipt(who, settled)
        if seen is not None and seen["events"]:
            prevented, events = bool(seen["prevented"]), tuple(seen["events"])
            return settled, Receipt(True, who, bool(seen["trusted"]), prevented, events)
        # The document that received it is gone or blocked: what it said in time is the proof.
        await self._target.until(lambda: bool(stage.notes(self._token)), 0.3, alive=False)
        notes = stage.notes(self._token)
        if not notes:
            self._target.require_alive()
            raise ActionTimeout("no frame of the page received the key")
        kinds = tuple(n["type"] for n in notes.values() if "type" in n)
        return settled, Receipt(True, None, True, False, kinds)

    async def _receiving(self) -> Frame | None:
        """The frame that has seen the key, if it can say so."""
        if self._target.dialog is not None:
            return None
        if len(self._armed) == 1:
            return self._target.frames.main
        for frame, seen in (await self._everywhere("cdpAgent.receipt()", 1.0)).items():
            if frame in self._armed and seen is not None and seen["events"]:
                return frame
        return None

    async def _receiver(self, frame: Frame) -> ElementId | None:
        """The element that the keys went to, unless that was the document as a whole."""
        if frame.world is None or frame.session is None:
            return None
        session, loader_id = frame.session, frame.loader_id
        try:
            params: EvaluateParameters = {
                "expression": "cdpAgent.receiver()",
                "serializationOptions": SINGLE_NODE,
                **frame.world.for_evaluate,
            }
            reply = await session.post("Runtime.evaluate", params, timeout=1)
            backend = backend_id_of(reply)
            if backend is None:
                return None
            object_id = reply["result"]["objectId"]
            if self._with_popup is not None:
                self.data = await popup_state(session, object_id)
            release_object(session, object_id)
        except CdpAgentError:
            return None  # it left with its document
        return ElementId(frame.index, backend, loader_id)
