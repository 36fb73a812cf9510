"""Who may call what, and how often. Pure but for the clock."""

from __future__ import annotations

import hmac
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from cdp_agent.api.actions import ACTIONS
from cdp_agent.errors import BlockedByPolicy, InvalidParams

#: look: sees pages. act: changes them. pages: opens, chooses and closes them.
SCOPES = frozenset({"look", "act", "pages"})

METHOD_SCOPES: Mapping[str, str] = MappingProxyType(
    {
        "agent/act": "act",
        "agent/execute": "act",
        "agent/observe": "look",
        "agent/snapshot": "look",
        "agent/extract": "look",
        "page/list": "look",
        "page/screenshot": "look",
        "page/new": "pages",
        "page/select": "pages",
        "page/close": "pages",
        "page/goto": "act",
        "page/reload": "act",
        "page/back": "act",
        "page/forward": "act",
        "page/dialog": "act",
        **{f"action/{name}": "act" for name in ACTIONS},
    }
)
#: Keys whose values never reach a log.
_WRITTEN = frozenset({"value", "text", "token", "paths", "url"})


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
            )
        self._left -= count


@dataclass(frozen=True, slots=True)
class Access:
    """The tokens there are, each with its scopes, and the web origins that may connect."""

    tokens: Mapping[str, frozenset[str]]
    origins: frozenset[str] = field(default=frozenset())

    @classmethod
    def parse(cls, tokens: Iterable[str], origins: Iterable[str] = ()) -> Access:
        """Read `TOKEN` (all scopes) and `TOKEN=look,act`.

        Raises:
            InvalidParams: a token is too short, or a scope is none.
        """
        made: dict[str, frozenset[str]] = {}
        for given in tokens:
            token, _, scopes = given.partition("=")
            wanted = frozenset(scopes.split(",")) if scopes else SCOPES
            if len(token) < 8:
                raise InvalidParams("a token has at least 8 characters")
            if not wanted <= SCOPES:
                unknown = sorted(wanted - SCOPES)[0]
                raise InvalidParams(
                    f"there is no scope {unknown[:40]!r}",
                    hint=f"Scopes: {', '.join(sorted(SCOPES))}.",
                )
            made[token] = wanted
        return cls(made, frozenset(origins))

    def scopes_of(self, token: str) -> frozenset[str] | None:
        """The scopes of a token, or None for one that is not ours. Takes equally long for all."""
        found = None
        for known, scopes in self.tokens.items():
            if hmac.compare_digest(known.encode(), token.encode(errors="replace")):
                found = scopes
        return found


def weight(method: str, params: Mapping[str, Any]) -> int:
    """How many actions a call counts as: a composite as its steps."""
    steps = params.get("steps")
    is_composite = method in ("agent/act", "agent/execute") and isinstance(steps, list)
    return max(len(steps), 1) if is_composite and isinstance(steps, list) else 1


def redacted(value: Any) -> Any:
    """Parameters as a log may show them: what would be typed is not in it."""
    if isinstance(value, Mapping):
        return {k: "***" if k in _WRITTEN else redacted(v) for k, v in value.items()}
    if isinstance(value, list):
        return [redacted(part) for part in value]
    return value
