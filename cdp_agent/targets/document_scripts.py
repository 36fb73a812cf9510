"""Scripts that every document of a tab runs while an action is under way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from cdp_agent.config import WORLD_NAME
from cdp_agent.protocol import Session

if TYPE_CHECKING:
    from cdp_use.cdp.page.commands import (
        AddScriptToEvaluateOnNewDocumentParameters,
        AddScriptToEvaluateOnNewDocumentReturns,
        RemoveScriptToEvaluateOnNewDocumentParameters,
    )

_SECONDS = 5.0

ScriptReply: TypeAlias = "asyncio.Future[AddScriptToEvaluateOnNewDocumentReturns]"


class DocumentScripts:
    """Keeps a script in all sessions of a tab, also new ones, until it is removed."""

    def __init__(self) -> None:
        self._sources: dict[int, str] = {}
        self._replies: dict[int, list[tuple[Session, ScriptReply]]] = {}

    def add(self, token: int, source: str, sessions: Iterable[Session]) -> list[ScriptReply]:
        """Run a script in our world of every document, also new ones; the replies."""
        self._sources[token] = source
        return [self._post(token, source, session) for session in sessions]

    def session_attached(self, session: Session) -> None:
        for token, source in self._sources.items():
            self._post(token, source, session)

    def remove(self, token: int) -> None:
        """Documents that are loaded from now on do not run it. May be called twice."""
        self._sources.pop(token, None)
        for session, reply in self._replies.pop(token, ()):
            reply.add_done_callback(partial(_forget, session))

    def _post(self, token: int, source: str, session: Session) -> ScriptReply:
        params: AddScriptToEvaluateOnNewDocumentParameters = {
            "source": source,
            "worldName": WORLD_NAME,
            "runImmediately": True,
        }
        reply = session.post("Page.addScriptToEvaluateOnNewDocument", params, timeout=_SECONDS)
        self._replies.setdefault(token, []).append((session, reply))
        return reply


def _forget(session: Session, reply: ScriptReply) -> None:
    if reply.cancelled() or reply.exception() is not None or session.ended is not None:
        return
    params: RemoveScriptToEvaluateOnNewDocumentParameters = {
        "identifier": reply.result()["identifier"]
    }
    session.send_only("Page.removeScriptToEvaluateOnNewDocument", params)
