"""One client of the Browser Agent Protocol: JSON-RPC 2.0, the methods, and notifications."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping
from typing import Any

from cdp_agent import log
from cdp_agent.api.composite.step_actions import find_ids
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.page import Page
from cdp_agent.errors import BlockedByPolicy, CdpAgentError
from cdp_agent.tools.hooks import StepArgs, after_hooks, before_hooks, call_of, under_hooks
from cdp_agent.tools.host import ToolClient
from cdp_agent.tools.result import ToolResult, failure
from cdp_agent.tools.text.report import with_dialogs
from cdp_agent.tools.tool_session import ToolSession
from cdp_agent.ws_server.access import (
    METHODS as METHOD_NAMES,
    RateLimit,
    redacted,
    require_scope,
    weight,
)
from cdp_agent.ws_server.bap.client_approvals import context_of
from cdp_agent.ws_server.bap.client_state import ClientState, Method, PageCall
from cdp_agent.ws_server.bap.methods import agent, environment, lifecycle, observations, pages
from cdp_agent.ws_server.bap.methods.actions import (
    STEP_METHODS,
    require_step_method,
    translated,
)
from cdp_agent.ws_server.bap.wire import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    NOT_INITIALIZED,
    PARSE_ERROR,
    BapError,
    Notify,
    camel,
    checked,
    error_body,
)
from cdp_agent.ws_server.wire_text import writable

_log = log.get("ws")

#: As many as a composite has steps.
_LARGEST_BATCH = 50
_BEFORE_INITIALIZE = frozenset({"initialize", "notifications/initialized"})


class BapConnection:
    """Answers one client's messages. `aclose` ends what it has opened."""

    def __init__(
        self,
        client: ToolClient,
        scopes: frozenset[str],
        rate: RateLimit,
        notify: Notify,
        approve: frozenset[str] = frozenset(),
    ) -> None:
        self._state = ClientState(client, scopes, notify, approve)
        self._rate = rate

    async def answer(self, text: str | bytes) -> str | None:
        """The response to a message: a request, a notification (None), or a batch of both.

        The requests of a batch are carried out one after another, in its order.
        """
        try:
            message = _parsed(text)
        except BapError as error:
            return _written(_response(None, "error", error.body()))
        if not isinstance(message, list):
            response = await self._response(message)
            return None if response is None else _written(response)
        responses = [await self._response(one) for one in message]
        given = [one for one in responses if one is not None]
        return _written(given) if given else None

    def answered(self) -> None:
        """The response has gone out: streams that it names may begin."""
        self._state.streams.begin()

    async def aclose(self) -> None:
        """Close the client's pages and contexts, and delete its files. May be called twice."""
        await self._state.aclose()

    async def _response(self, message: Any) -> dict[str, Any] | None:
        """Nobody is answered who did not ask: a notification that fails is only logged."""
        request_id: Any = None
        asked = True
        try:
            request = _request(message)
            asked, request_id = "id" in request, request.get("id")
            params = request.get("params")
            result = await self._call(request["method"], {} if params is None else params)
        except BapError as error:
            made = _response(request_id, "error", error.body())
            _log.debug("= refused: %s", error.message)
        except CdpAgentError as error:
            made = _response(request_id, "error", error_body(error.to_dict()))
            _log.debug("= refused: %s", error.message)
        except asyncio.CancelledError:
            raise
        except Exception:  # noqa: BLE001 (a bug of ours is logged; the connection lives)
            _log.exception("= a request failed")
            message = "an internal error; the server's log has more"
            body = {"code": INTERNAL_ERROR, "message": message, "data": {"retryable": False}}
            made = _response(request_id, "error", body)
        else:
            made = _response(request_id, "result", result)
        return made if asked else None

    async def _call(self, name: str, params: Any) -> Any:
        method = METHODS.get(name)
        if method is None:
            raise BapError(METHOD_NOT_FOUND, name[:60], hint=f"Methods: {', '.join(METHODS)}.")
        if not isinstance(params, Mapping):
            raise BapError(INVALID_PARAMS, "params must be an object")
        state = self._state
        if not state.initialized and name not in _BEFORE_INITIALIZE:
            raise BapError(NOT_INITIALIZED, "call initialize first")
        _log.debug("> %s %s", name, log.short(redacted(params)))
        require_scope(state.scopes, name)
        self._require_step_scopes(params)
        self._rate.take(weight(name, params))
        if method.at_once:
            assert method.params is not None
            return await method.run(state, checked(method.params, params))
        if method.needs == "nothing":
            assert method.params is not None
            async with state.lock:
                return await method.run(state, checked(method.params, params))
        async with state.lock:
            session = await state.session()
            if method.needs == "session":
                return await self._call_session(session, name, method, params)
            return await self._call_page(session, name, method, dict(params))

    def _require_step_scopes(self, params: Mapping[str, Any]) -> None:
        """Every step's own scope, before the first of them runs."""
        steps = params.get("steps")
        for number, step in enumerate(steps if isinstance(steps, list) else (), start=1):
            if isinstance(step, Mapping):
                where = f"step {number}: "
                action = require_step_method(step.get("action"), where)
                require_scope(self._state.scopes, action, where)

    async def _call_session(
        self, session: ToolSession, name: str, method: Method, params: Mapping[str, Any]
    ) -> Any:
        assert method.params is not None
        checked_params = checked(method.params, params)
        current = session.current
        if self._state.approvals.needs(name):
            shown = await context_of(session.pages[current]) if current else _NO_PAGE
            await self._state.approvals.require(name, params, shown)
        made = await method.run(self._state, session, checked_params)
        current = session.current
        if current is None or not session.after_call:
            return made
        about = call_of(session, current, session.pages[current], name)
        return dict((await after_hooks(about, ToolResult("", data=made))).data)

    async def _call_page(
        self, session: ToolSession, name: str, method: Method, params: dict[str, Any]
    ) -> Any:
        state = self._state
        page_id = params.get("pageId")
        if page_id is not None and not isinstance(page_id, str):
            raise BapError(INVALID_PARAMS, "pageId must be a text", hint="page/list has them.")
        page_id, page = await state.page(session, page_id)
        call = PageCall(state, session, page_id, page)
        args = StepArgs.model_construct(page=None, ref=None, to=None, **_shown(params))
        about = call_of(session, page_id, page, method.tool or name, args)
        try:
            if state.approvals.needs(name):
                await state.approvals.require(name, params, await context_of(page))
            if method.params is None:
                made = await _run_action(call, name, params)
            else:
                checked_params = checked(method.params, params)
                await before_hooks(about)  # actions have hooks of their own
                made = await method.run(call, checked_params)
        except CdpAgentError as error:
            error.data = {**_call_facts(name, params), **error.data}
            failed = with_dialogs(failure(error), page.report_dialogs())
            shown = dict((await after_hooks(about, failed)).data)
            raise _MaskedError(error_body(shown)) from None
        made = _with_dialogs(made, page)
        pictures: list[bytes] = []
        plain = _without_bytes(made, pictures)
        result = ToolResult("", images=tuple(pictures), data=plain)
        result = await after_hooks(about, result)
        if len(result.images) < len(pictures):
            raise BlockedByPolicy(result.text.strip(" ()\n") or "the picture is withheld")
        return _with_bytes(dict(result.data), iter(result.images))


class _MaskedError(BapError):
    """An error with the body that the session's hooks have made of it."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__(body["code"], body["message"])
        self._body = body

    def body(self) -> dict[str, Any]:
        return self._body


_NO_PAGE = {"pageUrl": "", "pageTitle": ""}
#: Stands for bytes while hooks read the rest of a result.
_BYTES = "\0bytes"


def _call_facts(name: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The action and the selector of a call that failed: all that some clients show of it."""
    selector = params.get("selector", params.get("source"))
    return {"action": name} if selector is None else {"action": name, "selector": selector}


def _shown(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters for hooks, which know elements as `ref` and `to` and get those from actions."""
    return {name: value for name, value in params.items() if name not in ("page", "ref", "to")}


def _without_bytes(value: Any, found: list[bytes]) -> Any:
    if isinstance(value, bytes):
        found.append(value)
        return _BYTES
    if isinstance(value, dict):
        return {name: _without_bytes(part, found) for name, part in value.items()}
    return value


def _with_bytes(value: Any, images: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_bytes(part, images) for name, part in value.items()}
    return base64.b64encode(next(images)).decode() if value == _BYTES else value


async def _run_action(call: PageCall, name: str, params: dict[str, Any]) -> dict[str, Any]:
    """One action of the engine, under the session's hooks."""
    session, page_id, page = call.session, call.page_id, call.page
    given = {key: value for key, value in params.items() if key != "pageId"}
    action, checked_params = translated(name, given, call.frame, call.state.files)
    ids = await find_ids(page, checked_params)
    checked_params = await under_hooks(session, page_id, page, action, checked_params, ids)
    before = max((request.number for request in page.requests()), default=0)
    made = _facts(session, page, await action.run(page, checked_params, ids))
    if name.startswith("page/"):
        made["status"] = _document_status(page, before)
    return made


def _document_status(page: Page, since: int) -> int | None:
    """The HTTP status of the page's own document, of the requests after a number."""
    main = page.frames[0].frame_id
    statuses = [
        request.status
        for request in page.requests(since=since)
        if request.kind == "document" and request.frame_id == main and request.status
    ]
    return statuses[-1] if statuses else None


def _facts(session: ToolSession, page: Page, outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data."""
    facts = {
        "success": outcome.success,
        "healed": outcome.healed,
        "settled": outcome.settled,
        "navigated": outcome.navigated,
        "url": page.url,
        "dialogs": [dialog.to_dict() for dialog in outcome.dialogs],
        "new_pages": [session.adopt(p) for p in outcome.new_pages if not p.is_closed],
        "downloads": [download.name for download in outcome.downloads],
        "data": dict(outcome.data),
    }
    return camel(facts)  # type: ignore[no-any-return]


def _with_dialogs(made: dict[str, Any], page: Page) -> dict[str, Any]:
    """An answer, with dialogs of the page that nothing in it has reported."""
    more = [dialog.to_dict() for dialog in page.report_dialogs()]
    return {**made, "dialogs": [*more, *made.get("dialogs", ())]} if more else made


def _parsed(text: str | bytes) -> Any:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BapError(PARSE_ERROR, "this is not JSON") from None
    if isinstance(message, list) and not 1 <= len(message) <= _LARGEST_BATCH:
        raise BapError(INVALID_REQUEST, f"a batch has 1 to {_LARGEST_BATCH} requests")
    return message


def _request(message: Any) -> dict[str, Any]:
    is_request = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
    if not is_request or not isinstance(message.get("method"), str):
        raise BapError(INVALID_REQUEST, 'a request has "jsonrpc": "2.0" and a method')
    given = message.get("id")
    if isinstance(given, bool) or not isinstance(given, str | int | float | None):
        raise BapError(INVALID_REQUEST, "an id is a text or a number")
    return dict(message)


def _response(request_id: Any, kind: str, body: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, kind: body}


def _written(message: Any) -> str:
    return writable(json.dumps(message, ensure_ascii=False, default=str))


METHODS: Mapping[str, Method] = {
    **lifecycle.METHODS,
    **pages.METHODS,
    **{name: Method(_run_action, None) for name in METHOD_NAMES if name in STEP_METHODS},
    **observations.METHODS,
    **environment.METHODS,
    **agent.METHODS,
}
