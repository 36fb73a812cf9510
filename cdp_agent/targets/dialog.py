"""JavaScript dialogs: alert, confirm, prompt and beforeunload, waiting and past."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from cdp_agent import log
from cdp_agent.errors import DialogOpen, InvalidParams
from cdp_agent.protocol import Session
from cdp_agent.text import one_line, quoted

if TYPE_CHECKING:
    from cdp_use.cdp.page.commands import HandleJavaScriptDialogParameters

_log = log.get("targets")

#: How many dialogs of a page are remembered.
_REMEMBERED = 100

DialogType = Literal["alert", "confirm", "prompt", "beforeunload"]

#: Commands that a document does not answer while it waits for a dialog (prefixes).
BLOCKED_METHODS = (
    "Accessibility.",
    "CSS.",
    "DOM.",
    "DOMSnapshot.",
    "Page.captureScreenshot",
    "Page.createIsolatedWorld",
    "Page.getLayoutMetrics",
    "Runtime.callFunctionOn",
    "Runtime.evaluate",
)


@dataclass(frozen=True, slots=True)
class DialogInfo:
    """A dialog as a result reports it. `open`: it still waits for an answer."""

    type: str
    message: str
    open: bool
    #: True accepted, False dismissed, None while it is open.
    accepted: bool | None = field(default=None, compare=False)
    #: For `beforeunload`: whether its document was left. None for the others, and while it is open.
    left: bool | None = field(default=None, compare=False)
    #: It opened before the action or snapshot whose result this is, after the previous result.
    earlier: bool = field(default=False, compare=False)

    @property
    def line(self) -> str:
        """`alert "Saved" was answered`."""
        what = f"{self.type} {quoted(one_line(self.message, 300))}"
        if self.open:
            return f"{what} is open"
        answer = {True: "was accepted", False: "was dismissed", None: "was closed"}[self.accepted]
        if self.type == "alert":
            answer = "was answered"
        elif self.type == "beforeunload":
            answer += (
                ": the page was left, with changes not saved"
                if self.left
                else ": the page was not left"
            )
        return f"{'since the last result: ' if self.earlier else ''}{what} {answer}"

    def to_dict(self) -> dict[str, Any]:
        """The fields, without those that say nothing."""
        fields = {"type": self.type, "message": self.message, "open": self.open}
        if self.accepted is not None:
            fields["accepted"] = self.accepted
        if self.left is not None:
            fields["left"] = self.left
        return {**fields, "earlier": True} if self.earlier else fields


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
        #: The frame that asks; empty where Chromium did not name it.
        self.frame_id = ""
        #: Whether a result has reported it, or its reader has answered it.
        self.reported = False
        #: Whether the document that asked has been left since.
        self.was_left: Callable[[], bool] = lambda: False

    def __repr__(self) -> str:
        return f"<Dialog {self.type} {self.message[:60]!r}{' open' if self.open else ''}>"

    async def accept(self, text: str | None = None) -> None:
        """Press OK; `text` answers a prompt, which else keeps its default."""
        await self._answer(True, text)

    async def dismiss(self) -> None:
        """Press Cancel."""
        await self._answer(False, None)

    def is_of(self, session: Session) -> bool:
        return self._session is session

    @property
    def error(self) -> DialogOpen:
        """The error of what cannot be done before it is answered."""
        message = f"a {self.type} waits for an answer: {self.message[:200]!r}"
        return DialogOpen(message, type=self.type, text=self.message)

    def info(self, *, earlier: bool = False) -> DialogInfo:
        is_open = self.open and self.accepted is None
        left = self.was_left() if self.type == "beforeunload" and not is_open else None
        return DialogInfo(self.type, self.message, is_open, self.accepted, left, earlier)

    async def _answer(self, accept: bool, text: str | None) -> None:
        if not self.open:
            raise InvalidParams(f"the {self.type} {self.message[:60]!r} is not open any more")
        self.accepted = accept
        self.reported = True
        params = self._params(accept, text)
        await self._session.post("Page.handleJavaScriptDialog", params, timeout=10)
        self.open = False

    def answer_now(self, answer: bool | str) -> None:
        """Answer without waiting; a text accepts a prompt."""
        self.accepted = answer is not False
        params = self._params(self.accepted, answer if isinstance(answer, str) else None)
        self._session.send_only("Page.handleJavaScriptDialog", params)

    def _params(self, accept: bool, text: str | None) -> HandleJavaScriptDialogParameters:
        # Without a text Chromium would answer a prompt with an empty one.
        if text is None and accept and self.type == "prompt":
            text = self.default_prompt
        return {"accept": accept} if text is None else {"accept": accept, "promptText": text}


class Dialogs:
    """The dialogs of one page: the one that waits, and the last ones there were."""

    def __init__(self) -> None:
        self.waiting: Dialog | None = None
        #: How many there have been.
        self.count = 0
        #: True or a text accepts, False dismisses, None leaves it to the caller.
        self.choose: Callable[[Dialog], bool | str | None] = lambda _: None
        self._last: list[Dialog] = []

    def close(self) -> None:
        """The page is closed: drop the waiting dialog and ask no more."""
        self.waiting = None
        self.choose = lambda _: None

    @property
    def last(self) -> Dialog | None:
        """The one that opened last, open or not."""
        return self._last[-1] if self._last else None

    def open_of(self, session: Session) -> Dialog | None:
        """The one that is open in a session; another process may have one open, too."""
        return next((d for d in self._last if d.open and d.is_of(session)), None)

    def since(self, count: int) -> list[Dialog]:
        """Those after the first `count`, as far as they are remembered."""
        new = self.count - count
        return self._last[-new:] if new > 0 else []

    def report(self, count: int) -> tuple[DialogInfo, ...]:
        """Those after the first `count`, after earlier ones that no result has reported."""
        new = self.since(count)
        earlier = [d for d in self._last if not d.reported and d not in new]
        infos = [d.info(earlier=True) for d in earlier] + [d.info() for d in new]
        for dialog in (*earlier, *new):
            dialog.reported = True
        return tuple(infos)

    def report_again(self) -> None:
        """The result that reported them had no reader: the next one does."""
        for dialog in self._last:
            dialog.reported = False

    def opened(
        self, session: Session, params: dict[str, Any], was_left: Callable[[], bool]
    ) -> None:
        dialog = Dialog(
            session,
            params["type"],
            params.get("message", ""),
            params.get("defaultPrompt", ""),
            params.get("url", ""),
        )
        dialog.frame_id = params.get("frameId", "")
        dialog.was_left = was_left
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
        """Note an answer, ours or another's; True when it keeps the page from being left."""
        stays = False
        for dialog in self._last:
            if dialog.open and dialog.is_of(session):
                dialog.open = False
                dialog.accepted = bool(params.get("result"))
                stays = dialog.type == "beforeunload" and not dialog.accepted
        if self.waiting is not None and not self.waiting.open:
            self.waiting = None
        return stays
