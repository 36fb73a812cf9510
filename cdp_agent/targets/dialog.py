"""A JavaScript dialog while it is open: alert, confirm, prompt or beforeunload."""

from __future__ import annotations

from typing import Literal

from cdp_agent.errors import InvalidParams
from cdp_agent.protocol import Session

DialogType = Literal["alert", "confirm", "prompt", "beforeunload"]


class Dialog:
    """`accept` or `dismiss` it once; while it is open the page answers nothing else."""

    def __init__(
        self, session: Session, kind: DialogType, message: str, default_prompt: str, url: str
    ) -> None:
        self._session = session
        self.type: DialogType = kind
        self.message = message
        self.default_prompt = default_prompt
        self.url = url
        self.open = True
        #: True accepted, False dismissed, None still open or closed by somebody else.
        self.accepted: bool | None = None

    def __repr__(self) -> str:
        return f"<Dialog {self.type} {self.message[:60]!r}{' open' if self.open else ''}>"

    async def accept(self, text: str | None = None) -> None:
        """Press OK; `text` answers a prompt."""
        await self._answer(True, text)

    async def dismiss(self) -> None:
        """Press Cancel."""
        await self._answer(False, None)

    async def _answer(self, accept: bool, text: str | None) -> None:
        if not self.open:
            raise InvalidParams(f"the {self.type} {self.message[:60]!r} is not open any more")
        self.accepted = accept
        params: dict[str, object] = {"accept": accept}
        if text is not None:
            params["promptText"] = text
        await self._session.post("Page.handleJavaScriptDialog", params, timeout=10)
        self.open = False

    def answer_now(self, accept: bool) -> None:
        """Answer without waiting, from a place that must not wait."""
        self.accepted = accept
        self._session.send_only("Page.handleJavaScriptDialog", {"accept": accept})
