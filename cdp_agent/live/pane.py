"""One watched browser: its page, the log of its actions, open questions, and its driver.

An agent's calls come through `before_call` and `after_call`, the hooks of a tool session. Nothing
is sent to the browser unless somebody looks.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cdp_agent.act.input.keys import MODIFIERS
from cdp_agent.agent.safety.approvals import Decision, Question
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError, HumanRejected, InvalidParams
from cdp_agent.live.action_log import COMPOSITE, MOST_ENTRIES, ActionLog, Entry, result_text
from cdp_agent.live.control import HOLD_SECONDS, Control
from cdp_agent.live.forwarded_input import send_key, send_mouse, send_text
from cdp_agent.live.screencast import Picture, Screencast
from cdp_agent.live.viewer_messages import AnswerDialog, KeyInput, MouseInput, TextInput
from cdp_agent.text import cut, kept_lines, one_line
from cdp_agent.tools import ToolCall, ToolResult
from cdp_agent.tools.result import failure
from cdp_agent.tools.table import find_tool
from cdp_agent.tools.text.report import page_after_error

_LONGEST_TEXT = 40_000
_LONGEST_LINE = 300

#: `publish(key, message)`: the latest message of a key is the one that counts.
Publish = Callable[[str, dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class _OpenQuestion:
    question: Question
    decision: asyncio.Future[Decision]


class Pane:
    """`logs_calls` is off where somebody else (a run's watcher) writes the entries."""

    def __init__(
        self, pane_id: str, title: str, publish: Publish, secrets: Secrets | None = None
    ) -> None:
        self.id = pane_id
        self.title = one_line(title, 200)
        self.logs_calls = True
        #: The word for an agent that is between two calls.
        self.idle_word = "idle"
        self._publish_to = publish
        self._secrets = secrets or Secrets()
        self.control = Control(self.refresh)
        self._page: Page | None = None
        self.log = ActionLog(self._entry_changed)
        self._question_numbers = itertools.count(1)
        #: Address and title; those of a page that is closed stay to be read.
        self._where = "", ""
        self._text = ""
        self._result: dict[str, Any] | None = None
        self._asked: dict[str, _OpenQuestion] = {}
        self._picture: Picture | None = None
        self._screencast = Screencast(self._show, self.refresh)
        self._showing: asyncio.Task[None] | None = None
        self._width: int | None = None
        self._last_state: dict[str, Any] = {}
        #: Viewers have been told that it is gone: later news would bring it back.
        self._has_ended = False

    # -- what viewers see -----------------------------------------------------------------------

    @property
    def page(self) -> Page | None:
        return self._page

    def watch(self, page: Page) -> None:
        """Show this page from now on, with secrets hidden in its pictures."""
        self._secrets.cover_pictures(page.browser)
        if self._page is not page:
            self._page = page
            self.refresh()

    def messages(self) -> list[tuple[str, dict[str, Any]]]:
        """All that a new viewer needs, as keys and messages."""
        found = [(f"pane {self.id}", self._state()), (f"text {self.id}", self._text_message())]
        found += [self._entry_message(entry) for entry in self.log.entries]
        if self._picture is not None:
            found.append((f"frame {self.id}", self._frame_message(self._picture)))
        return found

    def refresh(self) -> None:
        """Tell viewers how it stands, where that is news."""
        state = self._state()
        if state != self._last_state and not self._has_ended:
            self._last_state = state
            self._publish_to(f"pane {self.id}", state)

    def _state(self) -> dict[str, Any]:
        page, control = self._page, self.control
        lives = page is not None and not page.is_closed
        dialog = page.dialog if page is not None and lives else None
        if page is not None and lives:
            self._where = one_line(page.url, 2000), one_line(page.title, _LONGEST_LINE)
        return self._masked(
            {
                "type": "pane",
                "id": self.id,
                "title": self.title,
                "state": self._word(dialog is not None),
                "url": self._where[0],
                "pageTitle": self._where[1],
                "closed": page is not None and not lives,
                "paused": control.paused,
                "waiting": control.waiting > 0,
                "taken": control.holder is not None,
                "granted": control.granted,
                "questions": [
                    {"id": number, **_question_fields(asked.question)}
                    for number, asked in self._asked.items()
                ],
                "dialog": None
                if dialog is None
                else {
                    "type": dialog.type,
                    "message": kept_lines(dialog.message, 2000),
                    "default": kept_lines(dialog.default_prompt, 2000),
                },
                "result": self._result,
            }
        )

    def _word(self, has_dialog: bool) -> str:
        control = self.control
        if self._result is not None:
            return str(self._result["status"])
        if self._asked:
            return "asks you"
        if control.holder is not None:
            return "you drive" if control.granted else "handing over"
        if control.waiting:
            return "paused"
        if self._page is not None and self._page.is_closed:
            return "closed"
        if has_dialog:
            return "dialog"
        if self.log.is_running:
            return "pausing" if control.paused else "acting"
        return "pausing" if control.paused else self.idle_word

    def _text_message(self) -> dict[str, Any]:
        return self._masked({"type": "text", "pane": self.id, "text": self._text})

    def _entry_message(self, entry: Entry) -> tuple[str, dict[str, Any]]:
        message = {"type": "entry", "pane": self.id, **entry.to_dict()}
        return f"entry {self.id} {entry.number % MOST_ENTRIES}", self._masked(message)

    def _entry_changed(self, entry: Entry) -> None:
        self._publish_to(*self._entry_message(entry))
        self.refresh()

    def _frame_message(self, picture: Picture) -> dict[str, Any]:
        return {"type": "frame", "pane": self.id, **picture.to_dict()}

    def _show(self, picture: Picture) -> None:
        self._picture = picture
        self._publish_to(f"frame {self.id}", self._frame_message(picture))

    def _masked(self, message: dict[str, Any]) -> dict[str, Any]:
        if not self._secrets:
            return message
        return {key: self._secrets.mask_data(value) for key, value in message.items()}

    def show_text(self, text: str) -> None:
        """Show the snapshot or the difference that the agent reads."""
        self._text = cut(kept_lines(text, _LONGEST_TEXT), _LONGEST_TEXT)
        self._publish_to(f"text {self.id}", self._text_message())

    def finish(self, status: str, summary: str, *, success: bool) -> None:
        """Say how the work in this browser ended."""
        self._result = {
            "status": one_line(status, 40),
            "summary": one_line(summary, 1000),
            "success": success,
        }
        self.refresh()

    # -- hooks of a tool session ----------------------------------------------------------------

    def around(self, hooks: Mapping[str, Any]) -> dict[str, Any]:
        """Hooks for a session: its own, with this pane before the first and after the last."""
        return {
            **hooks,
            "before_call": (self.before_call, *hooks.get("before_call", ())),
            "after_call": (*hooks.get("after_call", ()), self.after_call),
        }

    async def before_call(self, call: ToolCall) -> ToolResult | None:
        """Show a call, and hold it up while a person wants to.

        Raises:
            HumanRejected: a person has used the browser; what was meant for the page before that
                is not done. A tool of the table gets a result that shows the page instead.
            ActionTimeout: nobody let it go on.
        """
        self.watch(call.page)
        entry = self.log.begin_call(call) if self.logs_calls else None
        await self.control.enter(call.session.lock, of_several=call.name == COMPOSITE)
        if entry is not None:
            entry.began = time.monotonic()  # without the time that it was held up
        reads = call.tool.reads_only
        deeds = "" if reads else self.control.take_deeds()
        if not deeds:
            return None
        error = person_acted(deeds)
        if find_tool(call.name) is not call.tool:
            raise error
        try:
            snapshot, text = await page_after_error(call, error)
        except CdpAgentError:
            snapshot, text = None, ""
        return failure(error, snapshot, text)

    async def after_call(self, call: ToolCall, result: ToolResult) -> ToolResult:
        """Show what a call came to, and say in it what a person did meanwhile."""
        deeds = self.control.take_deeds()
        if deeds:
            result = result.with_words_before(f"a person used the browser: {deeds}")
        self.watch(call.page)
        if call.name == COMPOSITE:
            self.control.end_steps()
        if self.logs_calls:
            self.log.end_call(call, result)
            self.show_text(result_text(result))
        self.refresh()
        return result

    # -- questions ------------------------------------------------------------------------------

    async def ask(self, question: Question, seconds: float = HOLD_SECONDS) -> Decision:
        """Put a question to whoever looks at the page. No answer is a no."""
        number = f"{self.id}-{next(self._question_numbers)}"
        decision: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._asked[number] = _OpenQuestion(question, decision)
        self.control.asked(1)
        try:
            await asyncio.wait([decision], timeout=seconds)
            if not decision.done():
                return Decision(False, "nobody answered on the live page")
            return decision.result()
        finally:
            del self._asked[number]
            self.control.asked(-1)

    def answer(self, question_id: str, decision: Decision) -> None:
        """Raises: InvalidParams: it is not open any more."""
        asked = self._asked.get(question_id)
        if asked is None or asked.decision.done():
            raise InvalidParams("this question is not open any more")
        asked.decision.set_result(decision)

    async def answer_dialog(self, answer: AnswerDialog) -> None:
        """Answer the dialog that was read; another one that opened meanwhile is not answered.

        Raises:
            InvalidParams: it is not open any more.
        """
        page = self._require_page()
        dialog = page.dialog
        shown = self._secrets.mask(kept_lines(dialog.message, 2000)) if dialog is not None else None
        if dialog is None or shown != answer.message:
            raise InvalidParams("this dialog is not open any more")
        self.control.did("dialog answer")
        if answer.accept:
            await dialog.accept(answer.text if dialog.type == "prompt" else None)
        else:
            await dialog.dismiss()
        self.refresh()

    # -- a person drives ------------------------------------------------------------------------

    def forward(self, viewer: object, event: MouseInput | KeyInput | TextInput) -> None:
        """Send a viewer's input to the page.

        Raises:
            InvalidParams: they have not taken over. And whatever says that the page is gone.
        """
        self.control.require_granted(viewer)
        session = self._require_page().resolve_frame_session(0)
        if isinstance(event, MouseInput):
            if self._picture is None:
                return  # nobody can point at what they do not see
            send_mouse(session, event, self._picture.size)
            if event.kind == "mousePressed":
                self.control.did("click")
            elif event.kind == "mouseWheel":
                self.control.did("turn of the wheel")
        elif isinstance(event, KeyInput):
            send_key(session, event)
            if event.kind == "down" and event.key not in MODIFIERS:
                self.control.did("key")
        else:
            send_text(session, event)
            self.control.did("character", len(event.text))

    def _require_page(self) -> Page:
        if self._page is None or self._page.is_closed:
            raise InvalidParams("there is no page in this browser")
        return self._page

    # -- its life -------------------------------------------------------------------------------

    def set_width(self, width: int | None) -> None:
        """Show pictures of this width; 0 shows only facts, None sends nothing to the browser."""
        if width == self._width:
            return
        self._width = width
        before = self._showing
        if before is not None:
            before.cancel()
        self._showing = None
        if width is not None or before is not None:
            self._showing = asyncio.create_task(
                self._show_after(before, width), name=f"live pane {self.id}"
            )

    async def _show_after(self, before: asyncio.Task[None] | None, width: int | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        if width is not None:
            await self._screencast.run(lambda: self._page, width)

    async def aclose(self) -> None:
        """End the pictures, let the agent go on. May be called twice."""
        self._has_ended = True
        for asked in self._asked.values():
            if not asked.decision.done():
                asked.decision.set_result(Decision(False, "the live page was closed"))
        await self.control.aclose()
        self.set_width(None)
        if self._showing is not None:
            await asyncio.wait([self._showing], timeout=10)


def person_acted(deeds: str) -> HumanRejected:
    """The error of a call that a person's own work on the page has overtaken."""
    error = HumanRejected(
        f"a person used the browser meanwhile: {deeds}",
        hint="Nothing of this call was done. Decide again by the page as it is now.",
    )
    error.can_retry = True
    return error


def _question_fields(question: Question) -> dict[str, str]:
    names = ("kind", "name", "action", "reason", "url")
    return {name: getattr(question, name) for name in names}
