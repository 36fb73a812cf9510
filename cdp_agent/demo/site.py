"""The demo's web server: the account on `127.0.0.1`, billing on `localhost`.

To Chromium these are two sites whatever the port, so the confirmation frame is rendered by another
process, as a real payment provider's would be. All state is in memory and belongs to one instance.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from http.cookies import SimpleCookie
from typing import Literal, Self
from urllib.parse import parse_qs, urlsplit

from cdp_agent.demo import documents
from cdp_agent.demo.loopback import LoopbackServer, PageHandler

#: `shuffled`: the same service after a redesign (other order, other classes, other ids).
#: `no-cancel`: the way to the confirmation was taken off the offers page.
Variant = Literal["plain", "shuffled", "no-cancel"]

SubscriptionStatus = Literal["active", "paused", "cancelled"]

EMAIL = "ada@lumen.test"
_LONGEST_BODY = 10_000


class DemoSite:
    """A site to use in `with`; with `password` the account asks for a sign-in."""

    def __init__(self, *, variant: Variant = "plain", password: str = "", port: int = 0) -> None:
        self.variant: Variant = variant
        self.password = password
        self.status: SubscriptionStatus = "active"
        #: Every request in order, as `POST localhost/billing/cancel`.
        self.requests: list[str] = []
        self._signed_in: set[str] = set()
        self._tickets: set[str] = set()
        self._lock = threading.Lock()
        self._server = _SiteServer(("127.0.0.1", port), _SiteHandler)
        self._server.site = self
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.05},
            name="demo-site",
            daemon=True,  # a program that dies is not held up by its demo
        )
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def account_origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def billing_origin(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def account_url(self) -> str:
        return f"{self.account_origin}/account"

    # -- what it answers ------------------------------------------------------------------------

    def answer(
        self, method: str, host: str, target: str, cookie: str, body: str
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and body of one request."""
        parts = urlsplit(target)
        with self._lock:
            self.requests.append(f"{method} {host}{parts.path}")
            form = {name: values[0] for name, values in parse_qs(body).items()}
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            if parts.path.startswith("/billing/"):
                return self._billing(method, parts.path, query, form)
            return self._account(method, parts.path, cookie, form)

    def _account(
        self, method: str, path: str, cookie: str, form: Mapping[str, str]
    ) -> tuple[int, dict[str, str], str]:
        if path == "/login":
            return self._login(method, form)
        if path not in _PATHS and path != "/":
            return 404, {}, documents.message("Not found", "There is no such page here.")
        if self.password and _session(cookie) not in self._signed_in:
            return _to("/login")
        if path == "/":
            return _to("/account")
        if method == "POST":
            if path == "/offer/pause":
                self.status = "paused"
            return _to("/account")
        return self._page(path)

    def _page(self, path: str) -> tuple[int, dict[str, str], str]:
        if path == "/cancelled":
            if self.status != "cancelled":
                return _to("/account")
            return 200, {}, documents.cancelled(self.variant)
        if path == "/cancel/offers":
            return 200, {}, documents.offers(self.variant)
        if path == "/cancel/confirm":
            ticket = secrets.token_urlsafe(8)
            self._tickets.add(ticket)
            frame = f"{self.billing_origin}/billing/confirm?ticket={ticket}"
            return 200, {}, documents.confirm(self.variant, frame, self.billing_origin)
        return 200, {}, documents.account(self.variant, self.status, EMAIL)

    def _login(self, method: str, form: Mapping[str, str]) -> tuple[int, dict[str, str], str]:
        if method != "POST":
            return 200, {}, documents.login(self.variant, "")
        known = form.get("email") == EMAIL and secrets.compare_digest(
            form.get("password", ""), self.password
        )
        if not known:
            return 200, {}, documents.login(self.variant, "Wrong e-mail address or password.")
        session = secrets.token_urlsafe(16)
        self._signed_in.add(session)
        status, headers, page = _to("/account")
        cookie = f"session={session}; HttpOnly; SameSite=Lax; Path=/"
        return status, {**headers, "Set-Cookie": cookie}, page

    def _billing(
        self, method: str, path: str, query: Mapping[str, str], form: Mapping[str, str]
    ) -> tuple[int, dict[str, str], str]:
        if path == "/billing/confirm":
            return 200, {}, documents.billing(self.variant, query.get("ticket", ""))
        if path == "/billing/cancel" and method == "POST":
            ticket = form.get("ticket", "")
            if ticket not in self._tickets:
                return 409, {}, "this confirmation was used already or never issued"
            self._tickets.discard(ticket)
            self.status = "cancelled"
            return 200, {}, "cancelled"
        return 404, {}, "no such page"


_PATHS = frozenset(
    {"/account", "/cancel/offers", "/cancel/confirm", "/cancelled", "/offer/half", "/offer/pause"}
)


def _to(path: str) -> tuple[int, dict[str, str], str]:
    return 303, {"Location": path}, ""


def _session(cookie: str) -> str:
    morsel = SimpleCookie(cookie).get("session")
    return morsel.value if morsel is not None else ""


class _SiteServer(LoopbackServer):
    site: DemoSite


class _SiteHandler(PageHandler):
    server: _SiteServer

    def _answer(self) -> None:
        length = min(int(self.headers.get("Content-Length") or 0), _LONGEST_BODY)
        status, headers, page = self.server.site.answer(
            self.command,
            self.headers.get("Host", "").partition(":")[0],
            self.path,
            self.headers.get("Cookie", ""),
            self.rfile.read(length).decode("utf-8", "replace"),
        )
        self.send_page(status, page, headers)

    do_GET = do_POST = _answer
