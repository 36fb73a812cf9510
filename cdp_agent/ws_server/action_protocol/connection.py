"""One client of the Action Protocol: a snapshot first, then a result and a snapshot per command.

A client may wait for two messages after each command, whatever came of it: where the page cannot be
captured the snapshot's tree is empty, and `dialog` or `error` says why.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cdp_agent import log
from cdp_agent.api.composite.step_actions import ACTIONS, check_params
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.page import Page
from cdp_agent.errors import BlockedByPolicy, BrowserError, CdpAgentError, DialogOpen
from cdp_agent.snapshot import Snapshot
from cdp_agent.tools.hooks import StepArgs, after_hooks, before_hooks, call_of, under_hooks
from cdp_agent.tools.host import ToolClient
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.tool_session import ToolSession
from cdp_agent.ws_server.access import RateLimit, redacted
from cdp_agent.ws_server.action_protocol.action_commands import (
    engine_action,
    read_command,
    require_answer,
    require_text,
)
from cdp_agent.ws_server.action_protocol.action_refs import Refs
from cdp_agent.ws_server.wire_text import writable

_log = log.get("ws")

_ANSWER_HINT = 'Answer it with {"type": "answer_dialog", "accept": true}.'


class ActionConnection:
    """Commands need the scope `act`; snapshots need `act` or `look`."""

    def __init__(self, client: ToolClient, scopes: frozenset[str], rate: RateLimit) -> None:
        self._client = client
        self._scopes = scopes
        self._rate = rate
        self._refs = Refs()

    async def greeting(self) -> list[str]:
        """The snapshot that a client is sent before it has asked for anything."""
        if not self._scopes & {"act", "look"}:
            return []
        try:
            session = await self._client.session()
            async with session.lock:
                return [await self._snapshot(session)]
        except CdpAgentError as error:
            return [_message("Snapshot", {"tree": [], "error": str(error)})]

    async def answers(self, text: str | bytes) -> list[str]:
        """An ActionResult and, where this token may look, a Snapshot."""
        try:
            session = await self._client.session()
            async with session.lock:
                result = await self._result(session, text)
                if not self._scopes & {"act", "look"}:
                    return [result]
                return [result, await self._snapshot(session)]
        except CdpAgentError as error:
            return [_message("ActionResult", self._failure(error))]
        except Exception:  # noqa: BLE001 (a bug of ours is logged; the connection lives)
            _log.exception("= a command failed")
            ours = BrowserError("an internal error; the server's log has more")
            return [_message("ActionResult", self._failure(ours))]

    # -- results --------------------------------------------------------------------------------

    async def _result(self, session: ToolSession, text: str | bytes) -> str:
        page_id, page = await session.page_for(None)
        try:
            outcome = await self._carried_out(session, page_id, page, read_command(text))
            result = {"success": True, "error": None, "data": self._facts(session, outcome)}
        except CdpAgentError as error:
            if isinstance(error, DialogOpen):
                error.hint = _ANSWER_HINT
            result = self._failure(error)
        return await _message_after_hooks(session, page_id, page, "ActionResult", result)

    async def _carried_out(
        self, session: ToolSession, page_id: str, page: Page, command: Mapping[str, Any]
    ) -> Outcome:
        _log.debug("> action %s", log.short(redacted(command)))
        kind = command["type"]
        if "act" not in self._scopes and (kind != "take_snapshot" or "look" not in self._scopes):
            raise BlockedByPolicy("this token has no scope for it")
        self._rate.take(1)
        if kind == "take_snapshot":
            return Outcome(success=True)
        if kind == "switch_tab":
            session.select(require_text(command, "tab"))
            return Outcome(success=True)
        if kind == "answer_dialog":
            accept, words = require_answer(command)
            args = StepArgs.model_construct(page=None, ref=None, to=None, accept=accept, text=words)
            call = call_of(session, page_id, page, "browser_dialog", args)
            await before_hooks(call)
            return await page.answer_dialog(accept=accept, text=call.args.text)
        if page.dialog is not None:
            raise DialogOpen(f"{page.dialog.info().line}")
        wanted = engine_action(command, self._refs)
        action, ids = ACTIONS[wanted.name], wanted.ids
        # The selector is only there to be checked: a ref is an id already.
        given = {**wanted.params, "id": ids.element} if ids.element else wanted.params
        params = check_params(action, given)
        params = await under_hooks(session, page_id, page, action, params, ids)
        return await action.run(page, params, ids)

    def _facts(self, session: ToolSession, outcome: Outcome) -> dict[str, Any]:
        """Returns what an action caused: its own data, and what is not as always."""
        data = dict(self._refs.data(outcome.data))
        if outcome.navigated:
            data["navigated"] = outcome.navigated
        if outcome.dialogs:
            data["dialogs"] = [dialog.to_dict() for dialog in outcome.dialogs]
        tabs = [page for page in outcome.new_pages if not page.is_closed]
        if tabs:
            data["new_tabs"] = [_tab(session.adopt(page), page) for page in tabs]
        return data

    def _failure(self, error: CdpAgentError) -> dict[str, Any]:
        speak = self._refs.text
        data = {"code": error.code, "hint": speak(error.hint)}
        return {"success": False, "error": speak(str(error)), "data": data}

    # -- snapshots ------------------------------------------------------------------------------

    async def _snapshot(self, session: ToolSession) -> str:
        """The page that is the current one now, which a command may have changed."""
        page_id, page = await session.page_for(None)
        data: dict[str, Any] = {"tree": [], "tab": page_id}
        try:
            data |= self._snapshot_data(await page.snapshot(viewport_only=True))
        except CdpAgentError as error:
            if page.dialog is not None:
                data["dialog"] = {**page.dialog.info().to_dict(), "hint": _ANSWER_HINT}
            else:
                data["error"] = str(error)
        data |= {"url": page.url, "title": page.title}
        pages = session.pages
        if len(pages) > 1:
            data["tabs"] = [_tab(name, one) for name, one in pages.items()]
        return await _message_after_hooks(session, page_id, page, "Snapshot", data)

    def _snapshot_data(self, snapshot: Snapshot) -> dict[str, Any]:
        """The tree, and dialogs and lost values that no result has reported yet."""
        data: dict[str, Any] = {"tree": self._refs.assign(snapshot)}
        if snapshot.dialogs:
            data["dialogs"] = [dialog.to_dict() for dialog in snapshot.dialogs]
        if snapshot.lost_values:
            data["lost_values"] = self._refs.data([v.to_dict() for v in snapshot.lost_values])
        return data


def _tab(page_id: str, page: Page) -> dict[str, str]:
    return {"tab": page_id, "url": page.url, "title": page.title}


async def _message_after_hooks(
    session: ToolSession, page_id: str, page: Page, kind: str, data: dict[str, Any]
) -> str:
    """A message with the data that the session's hooks have made of it."""
    call = call_of(session, page_id, page, "action")
    return _message(kind, (await after_hooks(call, ToolResult("", data=data))).data)


def _message(kind: str, data: Mapping[str, Any]) -> str:
    return writable(json.dumps({"type": kind, "data": data}, ensure_ascii=False, default=str))
