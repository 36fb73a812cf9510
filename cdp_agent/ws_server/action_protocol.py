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
from cdp_agent.api.page import Page
from cdp_agent.errors import BlockedByPolicy, CdpAgentError, InvalidParams, RefInvalid
from cdp_agent.snapshot import Element, Snapshot
from cdp_agent.tools.host import Client
from cdp_agent.ws_server.access import RateLimit, redacted

_log = log.get("ws")

COMMANDS = ("navigate_to", "click_element", "type_text", "scroll_to")


class ActionConnection:
    """One client of the Action Protocol. It needs the scope `act`."""

    def __init__(self, client: Client, scopes: frozenset[str], rate: RateLimit) -> None:
        self._client = client
        self._scopes = scopes
        self._rate = rate
        self._refs: dict[int, str] = {}

    async def answers(self, text: str | bytes) -> list[str]:
        """An ActionResult, and where the page can be looked at, a Snapshot."""
        try:
            session = await self._client.session()
            _, page = await session.page_for(None)
            async with session.lock:
                return await self._carried_out(page, text)
        except CdpAgentError as error:
            return [_result(error)]

    async def _carried_out(self, page: Page, text: str | bytes) -> list[str]:
        try:
            outcome = await self._run(page, _parsed(text))
            made = [_result(None, outcome)]
        except CdpAgentError as error:
            made = [_result(error)]
        try:
            snapshot = await page.snapshot(viewport_only=True)
        except CdpAgentError:
            return made  # a dialog is open, or the page is gone: the result says so, or the next
        return [*made, self._tree(snapshot)]

    async def _run(self, page: Page, command: Mapping[str, Any]) -> Outcome:
        _log.debug("> action %s", log.short(redacted(command)))
        if "act" not in self._scopes:
            raise BlockedByPolicy("this token has no scope 'act'")
        self._rate.take(1)
        kind = command.get("type")
        if kind == "navigate_to":
            return await page.goto(_text(command, "url"))
        if kind == "click_element":
            return await page.click(self._id(command))
        if kind == "type_text":
            return await page.type(self._id(command), _text(command, "text"), timeout=30)
        if kind == "scroll_to":
            return await self._scroll(page, command)
        raise InvalidParams(
            f"there is no command {str(kind)[:40]!r}", hint=f"Commands: {', '.join(COMMANDS)}."
        )

    async def _scroll(self, page: Page, command: Mapping[str, Any]) -> Outcome:
        """To an element (`ref`), a share of the height (`percent`), or a place in pixels (`y`)."""
        if "ref" in command:
            return await page.scroll_into_view(self._id(command))
        if "percent" in command:
            return await page.scroll_to(_number(command, "percent"))
        view = (await page.snapshot(viewport_only=True)).viewport
        room = max(view.content_height - view.height, 1)
        return await page.scroll_to(min(max(_number(command, "y") / room, 0), 1) * 100)

    def _id(self, command: Mapping[str, Any]) -> str:
        ref = command.get("ref")
        if not isinstance(ref, int) or isinstance(ref, bool) or ref not in self._refs:
            known = f"1 to {len(self._refs)}" if self._refs else "none yet"
            raise RefInvalid(
                f"{str(ref)[:20]} is no ref of the last snapshot", hint=f"Refs: {known}."
            )
        return self._refs[ref]

    def _tree(self, snapshot: Snapshot) -> str:
        self._refs = {n: str(e.id) for n, e in enumerate(snapshot.elements, start=1)}
        tree = [_line(n, e) for n, e in enumerate(snapshot.elements, start=1)]
        return json.dumps({"type": "Snapshot", "data": {"tree": tree}}, ensure_ascii=False)


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


def _result(error: CdpAgentError | None, outcome: Outcome | None = None) -> str:
    data: dict[str, Any] = {}
    if error is not None:
        data = {"code": error.code, "hint": error.hint}
    elif outcome is not None:
        data = dict(outcome.data)
        if outcome.navigated:
            data["navigated"] = outcome.navigated
    body = {
        "success": error is None,
        "error": None if error is None else str(error),
        "data": data,
    }
    return json.dumps({"type": "ActionResult", "data": body}, ensure_ascii=False, default=str)
