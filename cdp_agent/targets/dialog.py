"""JavaScript dialogs: alert, confirm, prompt and beforeunload, waiting and past."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from cdp_agent import log
from cdp_agent.errors import InvalidParams
from cdp_agent.protocol import Session

_log = log.get("targets")

#: How many dialogs of a page are remembered.
_REMEMBERED = 100

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

    def is_of(self, session: Session) -> bool:
        return self._session is session

    async def _answer(self, accept: bool, text: str | None) -> None:
        if not self.open:
            raise InvalidParams(f"the {self.type} {self.message[:60]!r} is not open any more")
        self.accepted = accept
        params: dict[str, object] = {"accept": accept}
        if text is not None:
            params["promptText"] = text
        await self._session.post("Page.handleJavaScriptDialog", params, timeout=10)
        self.open = False

    def answer_now(self, answer: bool | str) -> None:
        """Answer without waiting, from a place that must not wait; a text accepts a prompt."""
        self.accepted = answer is not False
        params: dict[str, Any] = {"accept": self.accepted}
        if isinstance(answer, str):
            params["promptText"] = answer
        self._session.send_only("Page.handleJavaScriptDialog", params)


class Dialogs:
    """The dialogs of one page: the one that waits, and the last ones there were."""

    def __init__(self) -> None:
        self.waiting: Dialog | None = None
        #: How many there have been.
        self.count = 0
        #: True or a text accepts, False dismisses, None leaves it to the caller.
        self.choose: Callable[[Dialog], bool | str | None] = lambda _: None
        self._last: list[Dialog] = []

    def since(self, count: int) -> list[Dialog]:
        """Those after the first `count`, as far as they are remembered."""
        new = self.count - count
        return self._last[-new:] if new > 0 else []

    def opened(self, session: Session, params: dict[str, Any]) -> None:
        dialog = Dialog(
            session,
            params["type"],
            params.get("message", ""),
            params.get("defaultPrompt", ""),
            params.get("url", ""),
        )
        self._last.append(dialog)
        self.count += 1
        del self._last[:-_REMEMBERED]
        try:
            answer = self.choose(dialog)
        except Exception:  # noqa: BLE001 - the caller's own code
            _log.exception("the dialog policy failed")
            answer = None
        if answer is None:
            self.waiting = dialog
        else:
            dialog.answer_now(answer)

    def closed(self, session: Session, params: dict[str, Any]) -> bool:
        """Answered, by us or by somebody else; True when that keeps the page from being left."""
        stays = False
        for dialog in self._last:
            if dialog.open and dialog.is_of(session):
                dialog.open = False
                dialog.accepted = bool(params.get("result"))
                stays = dialog.type == "beforeunload" and not dialog.accepted
        if self.waiting is not None and not self.waiting.open:
            self.waiting = None
        return stays
