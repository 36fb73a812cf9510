"""Every error the package raises on purpose, each with a stable code and a hint.

    CdpAgentError
    ├── ConnectionLost              connection_lost
    ├── CommandTimeout              timeout
    ├── BrowserNotFound             browser_not_found
    ├── BrowserError                browser_error
    ├── InvalidParams               invalid_params
    ├── BlockedByPolicy             blocked_by_policy
    ├── HumanRejected               human_rejected
    ├── ConditionFailed             condition_failed
    ├── ModelError                  model_error
    ├── NavigationFailed            navigation_failed
    ├── ActionTimeout               timeout
    ├── DialogOpen                  dialog_open
    ├── TargetError
    │   ├── TargetClosed            target_closed
    │   ├── TargetCrashed           target_crashed
    │   └── FrameDetached           frame_detached
    └── ElementError
        ├── RefInvalid              ref_invalid
        ├── StaleRef                stale_ref
        ├── ElementNotFound         element_not_found
        ├── ElementNotVisible       element_not_visible
        ├── ElementDisabled         element_disabled
        ├── ElementObscured         element_obscured
        ├── ElementUnstable         element_unstable
        ├── NotEditable             not_editable
        └── OptionNotFound          option_not_found

A program reads `code` and `data`; a model reads `message` and `hint`.
"""

from __future__ import annotations

from typing import Any, ClassVar


class CdpAgentError(Exception):
    """Base of all errors. `data` holds the facts (ids, covers, seconds) for programs."""

    code: ClassVar[str] = "browser_error"
    hint: str = ""
    can_retry: bool = False

    def __init__(self, message: str, *, hint: str | None = None, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data = data
        if hint is not None:
            self.hint = hint

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """The error as plain data, the same shape for every front."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "can_retry": self.can_retry,
            "data": self.data,
        }


class ConnectionLost(CdpAgentError):
    code = "connection_lost"
    hint = "The browser is gone or unreachable: launch or connect again. All ids are stale."


class CommandTimeout(CdpAgentError):
    """One protocol command got no answer. The renderer may be busy or hung."""

    code = "timeout"
    hint = "The page does not answer. Retry with a longer timeout, or call page.recover()."
    can_retry = True


class ActionTimeout(CdpAgentError):
    """An action or wait ran out of time before it could be carried out."""

    code = "timeout"
    hint = "Take a new snapshot to see what the page is doing, or retry with a longer timeout."
    can_retry = True


class BrowserNotFound(CdpAgentError):
    code = "browser_not_found"
    hint = "Install Chromium (Debian, Ubuntu: apt-get install chromium) or set CDP_AGENT_CHROME."


class BrowserError(CdpAgentError):
    code = "browser_error"


class ProtocolError(BrowserError):
    """Chromium refused a command. `method` and `reason` say which and why."""

    def __init__(self, method: str, reason: str, number: int = 0) -> None:
        super().__init__(f"{method}: {reason}", method=method, reason=reason)
        self.method = method
        self.reason = reason
        self.number = number


class InvalidParams(CdpAgentError):
    code = "invalid_params"


class BlockedByPolicy(CdpAgentError):
    code = "blocked_by_policy"


class HumanRejected(CdpAgentError):
    code = "human_rejected"


class ConditionFailed(CdpAgentError):
    code = "condition_failed"


class ModelError(CdpAgentError):
    """The language model cannot be asked, or does not answer.

    The agent's alone, beside the codes that the engine has: the browser is well and nothing about
    the page has to change, so none of those says what to do.
    """

    code = "model_error"
    hint = "Check the model's name, the key and the network, then run again."


class NavigationFailed(CdpAgentError):
    code = "navigation_failed"
    hint = "Check the address and that the server answers, then navigate again."
    can_retry = True


class DialogOpen(CdpAgentError):
    code = "dialog_open"
    hint = "Answer the dialog first: page.dialog.accept(text) or page.dialog.dismiss()."


class TargetError(CdpAgentError):
    """The tab or frame itself is in trouble, whatever the element."""


class TargetClosed(TargetError):
    code = "target_closed"
    hint = "The tab was closed. Use another page of browser.pages or open a new one."


class TargetCrashed(TargetError):
    code = "target_crashed"
    hint = "The tab crashed. Navigate it again (page.goto or page.recover) to revive it."


class FrameDetached(TargetError):
    code = "frame_detached"
    hint = "The frame left the page. Take a new snapshot."
    can_retry = True


class ElementError(CdpAgentError):
    """The element cannot be acted on as asked."""


class RefInvalid(ElementError):
    code = "ref_invalid"
    hint = "Use an id exactly as the latest snapshot shows it, e.g. 0-41."


class StaleRef(ElementError):
    code = "stale_ref"
    hint = "The element this id named is gone. Take a new snapshot and use its ids."


class ElementNotFound(ElementError):
    code = "element_not_found"
    hint = "Take a new snapshot and look for the element there."


class ElementNotVisible(ElementError):
    code = "element_not_visible"
    hint = "It is hidden, empty or outside what can be scrolled to. Make it visible first."
    can_retry = True


class ElementDisabled(ElementError):
    code = "element_disabled"
    hint = "It is disabled. Fill in or choose what the page requires first."
    can_retry = True


class ElementObscured(ElementError):
    code = "element_obscured"
    hint = "Close or scroll away what covers it, then retry."
    can_retry = True


class ElementUnstable(ElementError):
    code = "element_unstable"
    hint = "It keeps moving. Wait until the animation ends, then retry."
    can_retry = True


class NotEditable(ElementError):
    code = "not_editable"
    hint = "Choose an element that takes text, such as a textbox."


class OptionNotFound(ElementError):
    code = "option_not_found"
    hint = "Choose one of the options that the message lists."
