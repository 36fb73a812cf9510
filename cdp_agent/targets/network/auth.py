"""User names and passwords that servers ask for (HTTP authentication).

Without credentials Chromium is never asked to tell us of such a question: it answers the request
with an error by itself, and nothing hangs. With them, requests to the origins they are for pass
through us, which is the only way to be asked.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cdp_agent.errors import InvalidParams
from cdp_agent.protocol import Session

if TYPE_CHECKING:
    from cdp_use.cdp.fetch.commands import ContinueWithAuthParameters
    from cdp_use.cdp.fetch.types import AuthChallengeResponse

_REMEMBERED = 500
ANYWHERE = "*"


@dataclass(frozen=True, slots=True)
class Credentials:
    """User name and password, by origin; `*` is for every origin. Never shown."""

    by_origin: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, given: Any) -> Credentials:
        """Read `("ada", "secret")` for every origin, or a mapping of origins to pairs.

        Raises:
            InvalidParams: it is neither.
        """
        if given is None:
            return cls()
        if isinstance(given, cls):
            return given
        pairs = given if isinstance(given, Mapping) else {ANYWHERE: given}
        found = {}
        for origin, pair in pairs.items():
            is_pair = isinstance(pair, tuple | list) and len(pair) == 2
            if not is_pair or not all(isinstance(word, str) for word in pair):
                raise InvalidParams(
                    "credentials must be a user name and a password",
                    hint='("ada", "secret"), or {"https://host": ("ada", "secret")}.',
                )
            found[origin if origin == ANYWHERE else _require_origin(origin)] = (pair[0], pair[1])
        return cls(found)

    def __bool__(self) -> bool:
        return bool(self.by_origin)

    def find(self, origin: str) -> tuple[str, str] | None:
        return self.by_origin.get(origin) or self.by_origin.get(ANYWHERE)

    @property
    def patterns(self) -> list[dict[str, str]]:
        """Patterns of the requests that have to pass through us."""
        if ANYWHERE in self.by_origin:
            return [{"urlPattern": "*"}]
        return [{"urlPattern": f"{origin}/*"} for origin in self.by_origin]


def without_password(url: str) -> str:
    """An address as it may be shown: `https://ada:secret@host/` is `https://host/`."""
    scheme, mark, rest = url.partition("://")
    if not mark or "@" not in rest:
        return url
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    user, at, _ = authority.rpartition("@")
    return f"{scheme}://{rest[len(user) + 1 :]}" if at else url


def origin_of(url: str) -> str:
    """Scheme, host and port, the port only where it is not the scheme's own."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port
    if port is None or port == {"http": 80, "https": 443}.get(parts.scheme):
        return f"{parts.scheme}://{host}"
    return f"{parts.scheme}://{host}:{port}"


def _require_origin(given: Any) -> str:
    try:
        if isinstance(given, str) and urlsplit(given).scheme in ("http", "https"):
            return origin_of(given)
    except ValueError:
        pass
    raise InvalidParams(f"{given!r} is not an origin", hint="Write it as https://host or *.")


class Authentication:
    """Answers a page's authentication requests; a second question is a no."""

    def __init__(self) -> None:
        self.credentials = Credentials()
        #: How often what we have was refused.
        self.refused = 0
        #: Off where somebody else answers the requests that pass.
        self.intercepts = True
        self._answered: OrderedDict[str, None] = OrderedDict()

    @property
    def commands(self) -> list[tuple[str, dict[str, Any]]]:
        """The commands that a session needs for it."""
        if not self.credentials:
            return []
        patterns = self.credentials.patterns
        return [("Fetch.enable", {"handleAuthRequests": True, "patterns": patterns})]

    def paused(self, session: Session, params: dict[str, Any]) -> None:
        """A request passes through; it is none of our business."""
        if self.intercepts:
            session.send_only("Fetch.continueRequest", {"requestId": params["requestId"]})

    def required(self, session: Session, params: dict[str, Any]) -> None:
        """A server or proxy asks who it is."""
        request_id = params["requestId"]
        found = self.credentials.find(origin_of(params["authChallenge"]["origin"]))
        answer: AuthChallengeResponse = {"response": "Default"}
        if found is not None and request_id not in self._answered:
            self._answered[request_id] = None
            if len(self._answered) > _REMEMBERED:
                self._answered.popitem(last=False)
            answer = {
                "response": "ProvideCredentials",
                "username": found[0],
                "password": found[1],
            }
        elif found is not None:
            self.refused += 1
            answer = {"response": "CancelAuth"}
        decision: ContinueWithAuthParameters = {
            "requestId": request_id,
            "authChallengeResponse": answer,
        }
        session.send_only("Fetch.continueWithAuth", decision)
