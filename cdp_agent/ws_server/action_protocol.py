"""The Action Protocol: four commands, integer refs, a snapshot after each.

Refs count the interactive elements in the viewport from 1, in the order of the page. They are
those of the last snapshot that this connection was sent, and mean the same elements until the
next one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cdp_agent import log
from cdp_agent.act import Outcome
from cdp_agent.api.actions import ACTIONS, Ids, check_params
from cdp_agent.api.page import Page
from cdp_agent.errors import BlockedByPolicy, BrowserError, CdpAgentError, InvalidParams, RefInvalid
from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Element, Snapshot
from cdp_agent.tools.hooks import after_hooks, call_of, under_hooks
from cdp_agent.tools.host import Client
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.tool import ToolCall
from cdp_agent.ws_server.access import RateLimit, redacted
from cdp_agent.ws_server.messages import writable

_log = log.get("ws")

#: What each command takes, beside `type`; `scroll_to` takes one of these.
_FIELDS = {
    "navigate_to": ("url",),
    "click_element": ("ref",),
    "type_text": ("ref", "text"),
    "scroll_to": ("ref", "percent", "y"),
}


class ActionConnection:
    """One client of the Action Protocol. It needs the scope `act`."""

    def __init__(self, client: Client, scopes: frozenset[str], rate: RateLimit) -> None:
        self._client = client
        self._scopes = scopes
        self._rate = rate
        self._refs: dict[int, ElementId] = {}

    async def answers(self, text: str | bytes) -> list[str]:
        """An ActionResult, and where the page can be looked at, a Snapshot."""
        try:
            session = await self._client.session()
            page_id, page = await session.page_for(None)
            async with session.lock:
                about = call_of(session, page_id, page, "action")
                return await self._carried_out(about, text)
        except CdpAgentError as error:
            return [_message("ActionResult", _result(error))]
        except Exception:  # noqa: BLE001 (a bug of ours is told and logged; the connection lives)
            _log.exception("= a command failed")
            return [_message("ActionResult", _result(BrowserError("our fault")))]

    async def _carried_out(self, about: ToolCall, text: str | bytes) -> list[str]:
        try:
            result = _result(None, await self._run(about, _parsed(text)))
        except CdpAgentError as error:
            result = _result(error)
        made = [await _told(about, "ActionResult", result)]
        try:
            snapshot = await about.page.snapshot(viewport_only=True)
        except CdpAgentError:
            return made  # a dialog is open, or the page is gone: the result says so, or the next
        return [*made, await _told(about, "Snapshot", self._data(snapshot))]

    async def _run(self, about: ToolCall, command: Mapping[str, Any]) -> Outcome:
        _log.debug("> action %s", log.short(redacted(command)))
        if "act" not in self._scopes:
            raise BlockedByPolicy("this token has no scope 'act'")
        self._rate.take(1)
        page = about.page
        name, given, ids = await self._meant(page, command)
        action = ACTIONS[name]
        # The selector is only there to be checked: a ref is an id already.
        params = check_params(action, {**given, "id": ids.element} if ids.element else given)
        params = await under_hooks(about.session, about.page_id, page, action, params, ids)
        return await action.run(page, params, ids)

    async def _meant(
        self, page: Page, command: Mapping[str, Any]
    ) -> tuple[str, dict[str, Any], Ids]:
        """The action that a command stands for, its parameters, and the element.

        Raises:
            InvalidParams: there is no such command, or what it needs is not there.
            RefInvalid: the ref is none of the last snapshot.
        """
        kind = command.get("type")
        unknown = sorted(set(command) - {"type", *_FIELDS.get(str(kind), command)})
        if unknown:
            taken = ", ".join(_FIELDS[str(kind)])
            raise InvalidParams(f"{kind} has no {unknown[0][:40]!r}", hint=f"It takes {taken}.")
        if kind == "navigate_to":
            return "navigate", {"url": _text(command, "url")}, Ids()
        if kind == "click_element":
            return "click", {}, self._ids(command)
        if kind == "type_text":
            return "type", {"text": _text(command, "text")}, self._ids(command)
        if kind == "scroll_to":
            if len(command) > 2:
                raise InvalidParams("scroll_to takes one of ref, percent and y")
            # To an element, a share of the height, or a place in pixels.
            if "ref" in command:
                return "scroll_into_view", {}, self._ids(command)
            if "percent" in command:
                return "scroll_to", {"percent": _number(command, "percent")}, Ids()
            view = (await page.capture(viewport_only=True)).viewport
            room = max(view.content_height - view.height, 1)
            share = min(max(_number(command, "y") / room, 0), 1)
            return "scroll_to", {"percent": share * 100}, Ids()
        raise InvalidParams(
            f"there is no command {str(kind)[:40]!r}", hint=f"Commands: {', '.join(_FIELDS)}."
        )

    def _ids(self, command: Mapping[str, Any]) -> Ids:
        ref = command.get("ref")
        if not isinstance(ref, int) or isinstance(ref, bool) or ref not in self._refs:
            known = f"1 to {len(self._refs)}" if self._refs else "none yet"
            raise RefInvalid(
                f"{str(ref)[:20]} is no ref of the last snapshot", hint=f"Refs: {known}."
            )
        return Ids(self._refs[ref])

    def _data(self, snapshot: Snapshot) -> dict[str, Any]:
        """The tree, and dialogs and lost values that no result has reported yet."""
        news = {
            "dialogs": [dialog.to_dict() for dialog in snapshot.dialogs],
            "lost_values": [value.to_dict() for value in snapshot.lost_values],
        }
        return {"tree": self._tree(snapshot), **{key: told for key, told in news.items() if told}}

    def _tree(self, snapshot: Snapshot) -> list[dict[str, Any]]:
        self._refs = {n: e.id for n, e in enumerate(snapshot.elements, start=1)}
        return [_line(n, e) for n, e in enumerate(snapshot.elements, start=1)]


async def _told(about: ToolCall, kind: str, data: dict[str, Any]) -> str:
    """A message as the session's hooks let it out."""
    return _message(kind, (await after_hooks(about, ToolResult("", data=data))).data)


def _message(kind: str, data: Mapping[str, Any]) -> str:
    return writable(json.dumps({"type": kind, "data": data}, ensure_ascii=False, default=str))


def _line(number: int, element: Element) -> dict[str, Any]:
    box = element.bounds
    bounds = None
    if box is not None:
        bounds = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    return {
        "id": number,
        "role": element.role,
        "name": element.name,
        "tag": element.tag,
        "bounds": bounds,
    }


def _parsed(text: str | bytes) -> Mapping[str, Any]:
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidParams("this is no JSON") from None
    data = envelope.get("data") if isinstance(envelope, dict) else None
    if not isinstance(data, dict) or envelope.get("type") != "ActionCommand":
        raise InvalidParams('a command is {"type": "ActionCommand", "data": {"type": …}}')
    return data


def _text(command: Mapping[str, Any], name: str) -> str:
    value = command.get(name)
    if not isinstance(value, str):
        raise InvalidParams(f"{name} must be a text")
    return value


def _number(command: Mapping[str, Any], name: str) -> float:
    value = command.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InvalidParams(f"{name} must be a number")
    return float(value)


def _result(error: CdpAgentError | None, outcome: Outcome | None = None) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if error is not None:
        data = {"code": error.code, "hint": error.hint}
    elif outcome is not None:
        data = dict(outcome.data)
        if outcome.navigated:
            data["navigated"] = outcome.navigated
        if outcome.dialogs:
            data["dialogs"] = [dialog.to_dict() for dialog in outcome.dialogs]
    return {
        "success": error is None,
        "error": None if error is None else str(error),
        "data": data,
    }
