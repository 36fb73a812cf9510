"""JSON-RPC 2.0 on one connection: the methods, and what went wrong as the protocol has it."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from cdp_agent import log
from cdp_agent.act import Outcome
from cdp_agent.api.actions import ACTIONS, check_params, find_ids
from cdp_agent.api.page import Page
from cdp_agent.errors import BlockedByPolicy, CdpAgentError, DialogOpen, InvalidParams
from cdp_agent.tools.hooks import (
    StepArgs,
    after_hooks,
    before_hooks,
    before_step,
    call_of,
    under_hooks,
)
from cdp_agent.tools.host import Client
from cdp_agent.tools.report import with_dialogs
from cdp_agent.tools.result import ToolResult, failure
from cdp_agent.tools.session import ToolSession
from cdp_agent.tools.tool import ToolCall
from cdp_agent.ws_server.access import METHOD_SCOPES, RateLimit, redacted, weight
from cdp_agent.ws_server.messages import writable
from cdp_agent.ws_server.params import (
    CompositeParams,
    DialogParams,
    ExtractParams,
    MethodParams,
    NewParams,
    ObserveParams,
    ScreenshotParams,
    checked,
    page_of,
)

_log = log.get("ws")

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603
#: What the page or the browser said no to; `data` has the error with its code and hint.
ACTION_FAILED, FORBIDDEN = -32000, -32001

#: As many as a composite has steps.
_LARGEST_BATCH = 50

Params = Mapping[str, Any]
Handler = Callable[[ToolSession, str, Page, dict[str, Any]], Awaitable[Any]]


class RpcError(Exception):
    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class RpcConnection:
    """One client: its scopes, its rate, its pages."""

    def __init__(self, client: Client, scopes: frozenset[str], rate: RateLimit) -> None:
        self._client = client
        self._scopes = scopes
        self._rate = rate

    async def answer(self, text: str | bytes) -> str | None:
        """The response to a message: a request, a notification (None), or a batch of both.

        The requests of a batch are carried out one after another, in its order.
        """
        try:
            message = _parsed(text)
        except RpcError as error:
            return _written(_response(None, "error", _body(error)))
        if not isinstance(message, list):
            response = await self._response(message)
            return None if response is None else _written(response)
        responses = [await self._response(one) for one in message]
        told = [one for one in responses if one is not None]
        return _written(told) if told else None

    async def _response(self, message: Any) -> dict[str, Any] | None:
        """Nobody is answered who did not ask: a notification that fails is only logged."""
        request_id: Any = None
        asked = True
        try:
            request = _request(message)
            asked, request_id = "id" in request, request.get("id")
            params = request.get("params")
            result = await self._call(request["method"], {} if params is None else params)
        except RpcError as error:
            made = _response(request_id, "error", _body(error))
            _log.debug("= refused: %s", error.message)
        except asyncio.CancelledError:
            raise
        except Exception:  # noqa: BLE001 (a bug of ours is told and logged; the connection lives)
            _log.exception("= a request failed")
            body = {"code": INTERNAL_ERROR, "message": "our fault"}
            made = _response(request_id, "error", body)
        else:
            made = _response(request_id, "result", result)
        return made if asked else None

    async def _call(self, method: str, params: Any) -> Any:
        scope = METHOD_SCOPES.get(method)
        if scope is None:
            raise RpcError(METHOD_NOT_FOUND, f"there is no method {method[:60]!r}")
        if not isinstance(params, Mapping):
            raise RpcError(INVALID_PARAMS, "params must be an object")
        _log.debug("> %s %s", method, log.short(redacted(params)))
        try:
            if scope not in self._scopes:
                raise BlockedByPolicy(f"this token has no scope {scope!r}", scope=scope)
            self._rate.take(weight(method, params))
            session = await self._client.session()
            async with session.lock:
                arguments = dict(params)
                page_id, page = await session.page_for(page_of(arguments))
                about = _about(session, page_id, page, method, arguments)
                try:
                    if method in _TOOLS:  # the others are actions, each with hooks of its own
                        await before_hooks(about)
                    made = await _handler(method)(session, page_id, page, arguments)
                except CdpAgentError as error:
                    if isinstance(error, DialogOpen):
                        error.hint = "Answer it with page/dialog."  # there is no page object here
                    failed = with_dialogs(failure(error), page.report_dialogs())
                    told = dict((await after_hooks(about, failed)).data)
                    raise RpcError(_code(error), str(told["message"]), told) from None
                return await _as_told(about, _with_dialogs(made, page))
        except CdpAgentError as error:
            raise RpcError(_code(error), error.message, error.to_dict()) from None


def _with_dialogs(made: dict[str, Any], page: Page) -> dict[str, Any]:
    """An answer, with dialogs of the page that nothing in it has reported."""
    more = [dialog.to_dict() for dialog in page.report_dialogs()]
    return {**made, "dialogs": [*more, *made.get("dialogs", ())]} if more else made


def _parsed(text: str | bytes) -> Any:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise RpcError(PARSE_ERROR, "this is no JSON") from None
    if isinstance(message, list) and not 1 <= len(message) <= _LARGEST_BATCH:
        raise RpcError(INVALID_REQUEST, f"a batch has 1 to {_LARGEST_BATCH} requests")
    return message


def _request(message: Any) -> dict[str, Any]:
    is_request = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
    if not is_request or not isinstance(message.get("method"), str):
        raise RpcError(INVALID_REQUEST, 'a request has "jsonrpc": "2.0" and a method')
    given = message.get("id")
    if isinstance(given, bool) or not isinstance(given, str | int | float | None):
        raise RpcError(INVALID_REQUEST, "an id is a text or a number")
    return dict(message)


def _body(error: RpcError) -> dict[str, Any]:
    told = {} if error.data is None else {"data": error.data}
    return {"code": error.code, "message": error.message, **told}


def _response(request_id: Any, kind: str, body: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, kind: body}


def _written(message: Any) -> str:
    return writable(json.dumps(message, ensure_ascii=False, default=str))


async def _as_told(about: ToolCall, made: dict[str, Any]) -> dict[str, Any]:
    """What a method answers, as the session's hooks let it out; pictures in base64.

    Raises:
        BlockedByPolicy: a picture may not be shown.
    """
    pictures = {name: value for name, value in made.items() if isinstance(value, bytes)}
    rest = {name: value for name, value in made.items() if name not in pictures}
    result = ToolResult("", images=tuple(pictures.values()), data=rest)
    result = await after_hooks(about, result)
    if len(result.images) < len(pictures):
        raise BlockedByPolicy(result.text.strip(" ()\n") or "the picture is withheld")
    shown = zip(pictures, result.images, strict=True)
    return {**result.data, **{name: base64.b64encode(one).decode() for name, one in shown}}


def _code(error: CdpAgentError) -> int:
    if isinstance(error, BlockedByPolicy):
        return FORBIDDEN
    return INVALID_PARAMS if isinstance(error, InvalidParams) else ACTION_FAILED


# -- methods ----------------------------------------------------------------------------------


def _acting(name: str) -> Handler:
    async def act(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
        action = ACTIONS[name]
        params = check_params(action, given)
        ids = await find_ids(page, params)
        params = await under_hooks(session, page_id, page, action, params, ids)
        return facts(session, page, await action.run(page, params, ids))

    return act


def _handler(method: str) -> Handler:
    """Of a method that there is."""
    return _METHODS.get(method) or _acting(method.removeprefix("action/"))


async def _composite(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
    params = checked(CompositeParams, given)
    hook = before_step(session, page_id, page)
    return (await page.act(**dict(params), before_step=hook)).to_dict()


async def _observe(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
    seen = await page.observe(**dict(checked(ObserveParams, given)))
    picture = {"picture": seen.picture} if seen.picture is not None else {}
    return {"page": page_id, **seen.to_dict(), **picture}


async def _extract(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
    params = checked(ExtractParams, given)
    found = await page.extract(
        params.json_schema,
        root=params.root,
        instruction=params.instruction,
        ask_model=session.ask_model,
    )
    return {"data": found.data, "sources": dict(found.sources), "method": found.method}


async def _list(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
    checked(MethodParams, given)
    current = session.current
    return {
        "pages": [
            {"id": name, "url": one.url, "title": one.title, "current": name == current}
            for name, one in session.pages.items()
        ]
    }


async def _new(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
    made, new_page = await session.new_page(checked(NewParams, given).url)
    return {"page": made, "url": new_page.url}


async def _select(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
    checked(MethodParams, given)
    session.select(page_id)
    return {"page": page_id}


async def _close(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
    checked(MethodParams, given)
    await page.close()
    return {"closed": page_id}


async def _screenshot(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
    picture = await page.screenshot(full_page=checked(ScreenshotParams, given).full_page)
    return {"mime_type": "image/png", "data": picture}


async def _dialog(session: ToolSession, page_id: str, page: Page, given: dict[str, Any]) -> Any:
    params = checked(DialogParams, given)
    outcome = await page.answer_dialog(accept=params.accept, text=params.text)
    answered, effects = outcome.data["answered"], facts(session, page, outcome)
    told = {"type": answered["type"], "message": answered["message"]}
    if answered["left"] is not None:
        told["left"] = answered["left"]
    return {**told, **{key: effects[key] for key in ("dialogs", "new_pages") if effects[key]}}


_METHODS: Mapping[str, Handler] = {
    "agent/act": _composite,
    "agent/execute": _composite,
    "agent/observe": _observe,
    "agent/snapshot": _observe,
    "agent/extract": _extract,
    "page/list": _list,
    "page/new": _new,
    "page/select": _select,
    "page/close": _close,
    "page/screenshot": _screenshot,
    "page/dialog": _dialog,
    "page/goto": _acting("navigate"),
    "page/reload": _acting("reload"),
    "page/back": _acting("back"),
    "page/forward": _acting("forward"),
}


#: What hooks, which know tools, are told that a method is.
_TOOLS = {
    "agent/act": "browser_execute",
    "agent/execute": "browser_execute",
    "agent/observe": "browser_snapshot",
    "agent/snapshot": "browser_snapshot",
    "agent/extract": "browser_extract",
    "page/list": "browser_tabs",
    "page/new": "browser_tabs",
    "page/select": "browser_tabs",
    "page/close": "browser_tabs",
    "page/screenshot": "browser_screenshot",
    "page/dialog": "browser_dialog",
}


def _about(
    session: ToolSession, page_id: str, page: Page, method: str, given: dict[str, Any]
) -> ToolCall:
    """A method's call for hooks, with its parameters as they were sent."""
    known = {name: value for name, value in given.items() if name not in ("page", "ref", "to")}
    args = StepArgs.model_construct(page=None, ref=None, to=None, **known)
    return call_of(session, page_id, page, _TOOLS.get(method, method), args)


def facts(session: ToolSession, page: Page, outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data."""
    return {
        "success": outcome.success,
        "healed": outcome.healed,
        "settled": outcome.settled,
        "navigated": outcome.navigated,
        "url": page.url,
        "dialogs": [dialog.to_dict() for dialog in outcome.dialogs],
        "new_pages": [session.adopt(p) for p in outcome.new_pages if not p.is_closed],
        "data": dict(outcome.data),
    }
