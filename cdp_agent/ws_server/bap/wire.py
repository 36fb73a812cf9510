"""The form of every message: camelCase names, milliseconds, numbers for errors.

The engine's own models say what is allowed and how much; this layer only renames. A wire model
exists where the engine has no model of its own, and repeats no limit.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from cdp_agent.api.checked_model import problems
from cdp_agent.errors import InvalidParams

#: Sends a notification: its method and parameters.
Notify = Callable[[str, dict[str, Any]], Awaitable[None]]

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, SERVER_ERROR = -32602, -32603, -32000
NOT_INITIALIZED, ALREADY_INITIALIZED = -32001, -32002
BROWSER_NOT_LAUNCHED, PAGE_NOT_FOUND = -32010, -32011
ELEMENT_NOT_FOUND, ELEMENT_NOT_VISIBLE, ELEMENT_NOT_ENABLED = -32012, -32013, -32014
NAVIGATION_FAILED, TIMEOUT, TARGET_CLOSED = -32015, -32016, -32017
SELECTOR_AMBIGUOUS, ACTION_FAILED = -32020, -32021
CONTEXT_NOT_FOUND, RESOURCE_LIMIT_EXCEEDED = -32023, -32024
APPROVAL_DENIED, APPROVAL_TIMEOUT = -32030, -32031
FRAME_NOT_FOUND, DOMAIN_NOT_ALLOWED = -32040, -32041

#: Our words for errors, as numbers of the protocol. `error_body` knows the finer cases.
NUMBERS: Mapping[str, int] = {
    "invalid_params": INVALID_PARAMS,
    "ref_invalid": ELEMENT_NOT_FOUND,
    "stale_ref": ELEMENT_NOT_FOUND,
    "element_not_found": ELEMENT_NOT_FOUND,
    "element_not_visible": ELEMENT_NOT_VISIBLE,
    "element_disabled": ELEMENT_NOT_ENABLED,
    "element_obscured": ACTION_FAILED,
    "element_unstable": ACTION_FAILED,
    "not_editable": ACTION_FAILED,
    "option_not_found": ACTION_FAILED,
    "condition_failed": ACTION_FAILED,
    "dialog_open": ACTION_FAILED,
    "navigation_failed": NAVIGATION_FAILED,
    "timeout": TIMEOUT,
    "target_closed": TARGET_CLOSED,
    "target_crashed": TARGET_CLOSED,
    "connection_lost": TARGET_CLOSED,
    "frame_detached": FRAME_NOT_FOUND,
    "browser_not_found": BROWSER_NOT_LAUNCHED,
    "human_rejected": APPROVAL_DENIED,
    "blocked_by_policy": SERVER_ERROR,
    "browser_error": SERVER_ERROR,
    "model_error": SERVER_ERROR,
}

#: Hints that are others here, by the word of their error.
_HINTS = {
    "dialog_open": "Answer it with dialog/handle.",
    "target_crashed": "The tab crashed. page/navigate revives it.",
}
#: A way out that only Python has, and the one that clients of the protocol have instead.
_PYTHON_WAY = re.compile(r"(?:call )?page\.recover\(\)")
_WIRE_WAY = "page/close and page/create"


class BapError(Exception):
    """An error that only the protocol has: a page, context or frame that is not there."""

    def __init__(
        self,
        number: int,
        message: str,
        *,
        word: str = "invalid_params",
        hint: str = "",
        **data: Any,
    ) -> None:
        super().__init__(message)
        self.number, self.message, self.word, self.hint, self.data = (
            number,
            message,
            word,
            hint,
            data,
        )

    def body(self) -> dict[str, Any]:
        return _body(self.number, self.message, self.word, self.hint, False, self.data)


def error_body(error: Mapping[str, Any]) -> dict[str, Any]:
    """An error of ours (`CdpAgentError.to_dict()`) as the protocol has it."""
    word, data = str(error["code"]), dict(error.get("data") or {})
    number = NUMBERS.get(word, SERVER_ERROR)
    retry_after: float | None = data.pop("retry_after", None)
    if word == "element_not_found" and len(data.get("matches", ())) > 1:
        number = SELECTOR_AMBIGUOUS
        data["count"] = len(data["matches"])
    elif word == "blocked_by_policy" and retry_after is not None:
        number = RESOURCE_LIMIT_EXCEEDED
    elif word == "blocked_by_policy" and "url" in data:
        number = DOMAIN_NOT_ALLOWED
        data["domain"] = re.sub(r"^[a-z]+://([^/?#]*).*", r"\1", str(data["url"]), flags=re.S)
    elif word in ("target_closed", "target_crashed", "connection_lost"):
        data.setdefault("target", "browser" if word == "connection_lost" else "page")
    body = _body(
        number,
        str(error["message"]),
        word,
        _HINTS.get(word) or _PYTHON_WAY.sub(_WIRE_WAY, str(error.get("hint") or "")),
        bool(error.get("can_retry")) or retry_after is not None,
        data,
    )
    if retry_after is not None:
        body["data"]["retryAfterMs"] = round(retry_after * 1000)
    if "dialogs" in error:
        body["data"]["dialogs"] = error["dialogs"]
    return body


def _body(
    number: int, message: str, word: str, hint: str, retryable: bool, data: dict[str, Any]
) -> dict[str, Any]:
    facts = {"code": word, "hint": hint, "retryable": retryable, "details": camel(data)}
    return {"code": number, "message": message, "data": facts}


def camel(value: Any) -> Any:
    """Facts of the engine with their names in camelCase, all the way down."""
    if isinstance(value, Mapping):
        return {to_camel(str(name)): camel(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [camel(part) for part in value]
    return value


def seconds(value: Any) -> Any:
    """Milliseconds of the wire as seconds; the model refuses anything but a number."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value / 1000 if is_number else value


def milliseconds(value: float) -> int:
    return round(value * 1000)


Milliseconds = Annotated[float, AfterValidator(seconds)]


def without_none(**values: Any) -> dict[str, Any]:
    """The options that were given; the engine's defaults hold for the others."""
    return {name: value for name, value in values.items() if value is not None}


class Wire(BaseModel):
    """Something that a client sends: unknown names are errors."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


def refused(reason: str) -> BeforeValidator:
    """Refuses an option of the protocol's clients; the error says why."""

    def refuse(value: Any) -> None:
        raise ValueError(f"is not taken: {reason}")

    return BeforeValidator(refuse)


class PageParams(Wire):
    """Parameters of a method about a page: `pageId` names it, without it the active one."""

    page_id: str | None = None


M = TypeVar("M", bound=BaseModel)


def checked(kind: type[M], given: Mapping[str, Any]) -> M:
    """Returns parameters of that kind; a name with the value null counts as not given.

    Raises:
        InvalidParams: says what is wrong, and which names there are.
    """
    try:
        return kind.model_validate({k: v for k, v in given.items() if v is not None})
    except ValidationError as error:
        names = ", ".join(field.alias or name for name, field in kind.model_fields.items())
        raise InvalidParams(problems(error), hint=f"Parameters: {names}.") from None


def flattened(given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with those of `options` beside the others; null counts as not given.

    Raises:
        InvalidParams: `options` is not an object, or repeats a name.
    """
    options = given.get("options") or {}
    if not isinstance(options, Mapping):
        raise InvalidParams("options must be an object")
    repeated = sorted(set(options) & set(given))
    if repeated:
        raise InvalidParams(f"{repeated[0][:40]} is given twice, also in options")
    merged = {**given, **options}
    return {k: v for k, v in merged.items() if v is not None and k != "options"}
