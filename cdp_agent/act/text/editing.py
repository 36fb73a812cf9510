"""An element that takes text: made ready, watched while typed into, read back."""

from __future__ import annotations

import time
from typing import Any

from cdp_agent.act.pointer.frame_guard import FrameGuard
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Stage, receipt_of
from cdp_agent.act.wait.mark import Mark
from cdp_agent.act.wait.settle import Settled
from cdp_agent.errors import ActionTimeout, CdpAgentError, StaleRef
from cdp_agent.ids import ElementId
from cdp_agent.protocol.chrome_errors import is_context_gone
from cdp_agent.resolve import LiveElement
from cdp_agent.text import MASKED_PASSWORD


class Editing:
    """An element that was made ready to take text, from focus to read-back."""

    def __init__(
        self, stage: Stage, element_id: ElementId, *, select: bool, gives: bool = True
    ) -> None:
        """`gives`: it should change no other field. A key that sends a form may well."""
        self._stage = stage
        self._element_id = element_id
        self._select = select
        self._gives = gives
        self.token = stage.new_token()
        self._others: FrameGuard | None = None
        self.live: LiveElement
        self.prepared: dict[str, Any] = {}

    async def __aenter__(self) -> Editing:
        stage = self._stage
        try:
            self.live = await stage.resolve(self._element_id)
            self._others = FrameGuard(stage, self.token, "text", gives=True)
            self.prepared = await self._prepare()
            if self.prepared.get("why") == "detached":
                self.live = await stage.heal(self.live)
                self.prepared = await self._prepare()
            if not self.prepared.get("ok"):
                self.live.release()
                raise await stage.cannot(self.live, self.prepared, "take text")
            self._others.armed = self.live.world
            await self._others.ready()
        except BaseException:  # also when cancelled: `__aexit__` is not called
            if self._others is not None:
                self._others.end()
            stage.drop_token(self.token)
            raise
        return self

    async def _prepare(self) -> dict[str, Any]:
        stage = self._stage
        options = {
            "timeoutMs": stage.left_ms,
            "select": self._select,
            "role": self.live.ref.role,
            "guard": {
                "kind": "key",
                "text": True,
                "whole": self._select,
                "token": self.token,
                "id": str(self.live.id),
                "gives": self._gives,
                "lifeMs": stage.left_ms + 1000,
            },
        }
        answer = await self.live.call("prepareEdit", options, timeout=stage.reply_timeout)
        return answer if isinstance(answer, dict) else {"why": "hidden"}

    async def __aexit__(self, *_: object) -> None:
        self._stage.disarm(self.live)
        if self._others is not None:
            self._others.end()
        self._stage.drop_token(self.token)
        self.live.release()

    @property
    def is_lost(self) -> bool:
        """Returns whether the focus is lost: keys that are sent now would be stopped."""
        return "lost" in self._stage.notes(self.token)

    async def finish(
        self, mark: Mark, total: int = 0, *, may_go: bool = False
    ) -> tuple[Settled, Receipt, str | None]:
        """Rest, receipt, and the value now (None when the element is gone).

        `may_go`: a page takes away what was confirmed, such as a file's name while it is changed;
        that all keys arrived is the evidence then.
        """
        stage, live = self._stage, self.live
        settled = await stage.finish(live, mark, keep=True, answers=True)
        receipt = await key_receipt(stage, live, self.token, settled, total=total)
        try:
            return settled, receipt, await self._value(settled)
        except StaleRef:
            if not may_go:
                raise
            return settled, receipt, None

    async def finish_set(self, mark: Mark) -> tuple[Settled, str | None]:
        """Rest, and the value now, after it was set without input."""
        settled = await self._stage.finish(self.live, mark, keep=True, answers=True)
        return settled, await self._value(settled)

    async def _value(self, settled: Settled) -> str | None:
        if self._stage.target.dialog is not None:
            return None
        try:
            if settled.report is not None and not settled.outdated:
                now = settled.report["receipt"]["value"]
            else:
                now = await self.live.call("readValue", timeout=2)
        except CdpAgentError as error:
            if (
                is_context_gone(error)
                or isinstance(error, StaleRef)
                or error.code == "frame_detached"
            ):
                return None  # the page went on because of what was typed
            raise
        if now["connected"]:
            value = now["value"]
            return str(value) if value is not None else None
        return await self._value_of_heir()

    async def _value_of_heir(self) -> str | None:
        """The page replaced the field while it was written to: what its heir holds counts.

        Raises:
            StaleRef: none is certain to be it, so nothing proves that the text was kept.
        """
        heir = await self._stage.resolver.heal(self.live.ref, time.monotonic() + 2)
        try:
            value = (await heir.call("readValue", timeout=2))["value"]
        finally:
            heir.release()
        return str(value) if value is not None else None

    @property
    def is_secret(self) -> bool:
        return bool(self.prepared.get("type") == "password")

    def shown(self, value: str | None) -> dict[str, Any]:
        """The value as an outcome may show it."""
        return {"value": MASKED_PASSWORD if self.is_secret and value else value}


async def key_receipt(
    stage: Stage, live: LiveElement, token: int, settled: Settled, *, total: int = 0
) -> Receipt:
    """The evidence that keys arrived; `total` is how many characters should have.

    Raises:
        StaleRef: another element or frame took the focus; nothing of the rest reached it.
        FrameDetached: its frame was removed before the keys came.
        ActionTimeout: there is no evidence.
    """
    seen = receipt_of(settled)
    notes = stage.notes(token)
    if seen is not None and seen["kept"] and not seen["events"] and "lost" not in notes:
        # The controls of audio and video keep keys to themselves, and have the focus.
        return Receipt(True, live.id, True, False)
    if "lost" in notes or (seen is not None and (seen["lost"] or seen["typed"] < total)):
        typed = seen["typed"] if seen is not None else notes.get("typed", {}).get("count", 0)
        raise _loss(live, int(typed), total)
    if seen is not None and seen["events"]:
        events = tuple(seen["events"])
        where = live.id if seen["own"] or not seen["elsewhere"] else None
        return Receipt(True, where, bool(seen["trusted"]), bool(seen["prevented"]), events)
    if seen is None:
        await stage.target.until(lambda: bool(stage.notes(token)), 0.3, alive=False)
        if stage.notes(token):
            return Receipt(True, live.id, True, False, ())
        stage.target.require_alive()
        live.require_document()
    raise ActionTimeout(f"no key event arrived at {live.id}", element_id=str(live.id))


def _loss(live: LiveElement, typed: int, total: int) -> StaleRef:
    much = f"{typed} of {total} characters" if total > 1 else "it" if typed else "nothing"
    return StaleRef(
        f"the page took the focus away from {live.id} while typing: {much} arrived there, and the"
        " rest was stopped",
        hint="Take a new snapshot: see what has the focus now and what the field holds.",
        ref=str(live.id),
        typed=typed,
    )
