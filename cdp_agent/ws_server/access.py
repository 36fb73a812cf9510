"""Tokens, their scopes, and limits on the rate of calls. Pure but for the clock."""

from __future__ import annotations

import hmac
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cdp_agent.errors import BlockedByPolicy, InvalidParams

ALL_SCOPES = frozenset({"*"})

#: Every method of the protocol that has a scope, by its family. `bap.methods` has one for each.
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "browser": ("launch", "close"),
    "context": ("create", "list", "destroy"),
    "page": (
        *("create", "navigate", "reload", "goBack", "goForward"),
        *("close", "list", "activate"),
    ),
    "frame": ("list", "switch", "main"),
    "action": (
        *("click", "dblclick", "type", "fill", "clear", "press", "hover", "scroll", "select"),
        *("check", "uncheck", "upload", "drag"),
        *("focus", "replace", "wait", "scrollTo", "scrollIntoView"),  # of ours, beside BAP's
    ),
    "observe": (
        *("screenshot", "accessibility", "dom", "element", "content", "ariaSnapshot", "pdf"),
    ),
    "storage": ("getState", "setState", "getCookies", "setCookies", "clearCookies"),
    "emulate": ("setViewport", "setUserAgent", "setGeolocation", "setOffline"),
    "dialog": ("handle",),
    "trace": ("start", "stop"),
    "agent": ("act", "execute", "observe", "snapshot", "extract"),
    "approval": ("respond",),
}
METHODS = tuple(f"{family}/{name}" for family, names in FAMILIES.items() for name in names)
#: Methods whose parameters have `steps`.
COMPOSITES = frozenset({"agent/act", "agent/execute"})
#: Kinds of events; `events/KIND` has scopes like a method.
EVENT_KINDS = ("page", "console", "network", "dialog", "download")
#: Scopes that allow a method beside its own `family:name`, `family:*` and `*`.
_FURTHER: Mapping[str, tuple[str, ...]] = {
    "agent/act": ("agent:execute",),
    "agent/execute": ("agent:act",),
    "agent/observe": ("agent:snapshot", "observe:*"),
    "agent/snapshot": ("agent:observe", "observe:*"),
    "agent/extract": ("observe:*",),
    "page/reload": ("page:navigate",),
    "page/goBack": ("page:navigate",),
    "page/goForward": ("page:navigate",),
    "page/list": ("page:read", "observe:*"),
    "page/activate": ("page:read", "observe:*"),
    "frame/list": ("page:read", "observe:*"),
    "frame/switch": ("page:read", "observe:*"),
    "frame/main": ("page:read", "observe:*"),
    "context/list": ("page:read", "browser:*"),
    "context/create": ("browser:*",),
    "context/destroy": ("browser:*",),
    "action/dblclick": ("action:click",),
    "action/hover": ("action:click",),
    "action/focus": ("action:click",),
    "action/check": ("action:click",),
    "action/uncheck": ("action:click",),
    "action/clear": ("action:fill",),
    "action/replace": ("action:fill",),
    "action/press": ("action:type",),
    "action/scrollTo": ("action:scroll",),
    "action/scrollIntoView": ("action:scroll",),
    "action/wait": ("observe:*",),
    "dialog/handle": ("action:click", "action:*"),
    "observe/ariaSnapshot": ("observe:accessibility",),
    "storage/getState": ("storage:read",),
    "storage/getCookies": ("storage:read",),
    "storage/setState": ("storage:write",),
    "storage/setCookies": ("storage:write",),
    "storage/clearCookies": ("storage:write",),
    "emulate/setViewport": ("emulate:viewport",),
    "emulate/setUserAgent": ("emulate:viewport",),
    "emulate/setGeolocation": ("emulate:geolocation",),
    "emulate/setOffline": ("emulate:offline",),
    "events/page": ("observe:*",),
    "events/console": ("observe:*",),
    "events/network": ("observe:*",),
    "events/dialog": ("observe:*",),
    "events/download": ("observe:*",),
}
#: Methods that every token may call: they show nothing and change nothing of a page.
FREE_METHODS = frozenset(
    {"initialize", "shutdown", "notifications/initialized", "events/subscribe", "stream/cancel"}
)
#: Keys whose values never reach a log.
_WRITTEN = frozenset(
    {
        *("value", "text", "token", "paths", "url", "urls", "values", "files", "buffer"),
        *("promptText", "cookies", "state", "origins", "userAgent"),
    }
)


def scopes_for(method: str) -> tuple[str, ...]:
    """The scopes of which any one allows a method; none are needed where it is empty."""
    if method in FREE_METHODS:
        return ()
    family, _, name = method.partition("/")
    return f"{family}:{name}", *_FURTHER.get(method, ()), f"{family}:*", "*"


def allows(scopes: frozenset[str], method: str) -> bool:
    needed = scopes_for(method)
    return not needed or not scopes.isdisjoint(needed)


def require_scope(scopes: frozenset[str], method: str, where: str = "") -> None:
    """Raises: BlockedByPolicy: the token has none of the scopes that allow the method."""
    if not allows(scopes, method):
        needed = scopes_for(method)
        raise BlockedByPolicy(
            f"{where}this token has no scope for {method[:60]}",
            hint=f"One of these is needed: {', '.join(needed)}.",
            method=method[:60],
            scopes=list(needed),
        )


class RateLimit:
    """So many actions in a row, refilled at so many a second."""

    def __init__(self, burst: int = 100, per_second: float = 20.0) -> None:
        self._burst = float(burst)
        self._per_second = per_second
        self._left = float(burst)
        self._seen = time.monotonic()

    def take(self, count: int) -> None:
        """Raises: BlockedByPolicy: too many; says when to try again. Nothing was taken then."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._per_second)
        self._seen = now
        if count > self._left:
            wait = (count - self._left) / self._per_second
            raise BlockedByPolicy(
                "too many actions in too short a time",
                hint=f"Try again in {wait:.1f} s.",
                retry_after=round(wait, 2),
                resource="actions",
                limit=int(self._burst),
                current=int(self._burst - self._left) + count,
            )
        self._left -= count


@dataclass(frozen=True, slots=True)
class Access:
    """The tokens there are, each with its scopes, and the web origins that may connect."""

    tokens: Mapping[str, frozenset[str]]
    origins: frozenset[str] = field(default=frozenset())

    @classmethod
    def parse(cls, tokens: Iterable[str], origins: Iterable[str] = ()) -> Access:
        """Read `TOKEN` (all scopes) and `TOKEN=agent:execute,observe:*`.

        Raises:
            InvalidParams: a token is too short, or a scope is none.
        """
        made: dict[str, frozenset[str]] = {}
        for given in tokens:
            token, _, scopes = given.partition("=")
            if len(token) < 8:
                raise InvalidParams("a token has at least 8 characters")
            made[token] = frozenset(map(_scope, scopes.split(","))) if scopes else ALL_SCOPES
        return cls(made, frozenset(origins))

    def scopes_of(self, token: str) -> frozenset[str] | None:
        """The scopes of a token, or None for one that is not ours. Takes equally long for all."""
        found = None
        for known, scopes in self.tokens.items():
            if hmac.compare_digest(known.encode(), token.encode(errors="replace")):
                found = scopes
        return found


def _scope(given: str) -> str:
    """Raises: InvalidParams: there is no such scope."""
    scope = given.strip()
    events = [f"events/{kind}" for kind in EVENT_KINDS]
    if any(scope in scopes_for(method) for method in (*METHODS, *events)):
        return scope
    raise InvalidParams(
        f"there is no scope {scope[:40]!r}",
        hint=f"Scopes: *, FAMILY:*, FAMILY:NAME; families: {', '.join(FAMILIES)}.",
    )


def weight(method: str, params: Mapping[str, Any]) -> int:
    """Returns the number of actions that a call counts as: a composite as its steps."""
    steps = params.get("steps")
    if method in COMPOSITES and isinstance(steps, list):
        return max(len(steps), 1)
    return 0 if method in FREE_METHODS else 1


def redacted(value: Any) -> Any:
    """Parameters as a log may show them: what would be typed is not in it."""
    if isinstance(value, Mapping):
        return {k: "***" if k in _WRITTEN else redacted(v) for k, v in value.items()}
    if isinstance(value, list):
        return [redacted(part) for part in value]
    return value
