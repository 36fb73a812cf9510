"""Cookies of a context: listed, set and removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from cdp_agent.errors import BrowserError, InvalidParams, ProtocolError
from cdp_agent.snapshot.options import with_known_names

if TYPE_CHECKING:
    from cdp_use.cdp.network.types import CookieParam

    from cdp_agent.api.browser import Browser

_SECONDS = 10.0
FIELDS = ("name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite")
_SAME_SITE = {"strict": "Strict", "lax": "Lax", "none": "None"}
_MOST = 1_000

Urls = str | Iterable[str] | None


async def get_cookies(browser: Browser, context_id: str, urls: Urls) -> list[dict[str, Any]]:
    """The cookies of a context, or those that requests to any of `urls` would carry.

    Raises:
        InvalidParams: one of `urls` is not an address of a server.
    """
    cookies = await _all_cookies(browser, context_id)
    places = _places(urls)
    wanted = [c for c in cookies if places is None or any(_is_sent(c, at) for at in places)]
    return [{name: cookie[name] for name in FIELDS if name in cookie} for cookie in wanted]


async def set_cookies(
    browser: Browser, context_id: str, given: Sequence[Mapping[str, Any]], url: str = ""
) -> None:
    """Set cookies; those with neither `domain` nor `url` are for `url`.

    Raises:
        InvalidParams: one has another shape, or Chromium refuses it. None was set.
    """
    if isinstance(given, Mapping | str) or not isinstance(given, Iterable):
        raise InvalidParams("cookies are a list of mappings", hint=_EXAMPLE)
    cookies = [_cookie(one, url) for one in given]
    if len(cookies) > _MOST:
        raise InvalidParams(f"{len(cookies)} cookies are more than {_MOST}")
    if not cookies:
        return
    try:
        await _set(browser, context_id, cookies)
    except ProtocolError as error:
        raise InvalidParams(
            f"Chromium does not take the cookies: {error.reason}", hint=_EXAMPLE
        ) from None


async def clear_cookies(browser: Browser, context_id: str, urls: Urls) -> int:
    """Remove all cookies of a context, or those of `urls`; returns their number.

    Raises:
        InvalidParams: one of `urls` is not an address of a server.
        BrowserError: Chromium kept one.
    """
    places = _places(urls)
    cookies = await _all_cookies(browser, context_id)
    if places is None:
        root, named = browser.connection.root, await browser.named_context(context_id)
        await root.post("Storage.clearCookies", named, timeout=_SECONDS)
        return len(cookies)
    wanted = [cookie for cookie in cookies if any(_is_sent(cookie, at) for at in places)]
    expired = [_expired(cookie) for cookie in wanted]
    if expired:
        await _set(browser, context_id, expired)
    left = await _all_cookies(browser, context_id)
    stayed = [c["name"] for c in left if any(_is_sent(c, at) for at in places)]
    if stayed:
        raise BrowserError(f"Chromium keeps the cookie {stayed[0]!r}")
    return len(wanted)


_EXAMPLE = 'A cookie is {"name": …, "value": …, "url": …} or has a domain and a path.'


def _cookie(given: Any, url: str) -> CookieParam:
    known = (*FIELDS, "url")
    if not isinstance(given, Mapping):
        raise InvalidParams("a cookie is a mapping", hint=_EXAMPLE)
    named = with_known_names(given, known)
    cookie = {name: value for name, value in named.items() if value is not None}
    unknown = sorted(str(name) for name in cookie if name not in known)
    if unknown:
        raise InvalidParams(f"a cookie has no {unknown[0]!r}", hint=f"It has {', '.join(known)}.")
    for name in ("name", "value"):
        if not isinstance(cookie.get(name), str):
            raise InvalidParams(f"a cookie needs a {name}, a text", hint=_EXAMPLE)
    if cookie.get("expires") == -1:
        del cookie["expires"]  # until the browser is closed
    if "sameSite" in cookie:
        same_site = _SAME_SITE.get(str(cookie["sameSite"]).lower())
        if same_site is None:
            raise InvalidParams(f"sameSite is Strict, Lax or None, not {cookie['sameSite']!r}")
        cookie["sameSite"] = same_site
    if not cookie.get("domain") and not cookie.get("url"):
        if not url.startswith(("http://", "https://")):
            raise InvalidParams(f"the cookie {cookie['name']!r} is for no address", hint=_EXAMPLE)
        cookie["url"] = url
    return cast("CookieParam", cookie)


def _places(urls: Urls) -> list[tuple[str, str, str]] | None:
    """Scheme, host and path of each address; None: all."""
    if urls is None:
        return None
    places = []
    for url in [urls] if isinstance(urls, str) else list(urls):
        parts = urlsplit(url) if isinstance(url, str) else urlsplit("")
        if parts.scheme not in ("http", "https", "ws", "wss") or not parts.hostname:
            raise InvalidParams(f"{url!r} is not an address of a server", hint="https://shop.test/")
        places.append((parts.scheme, parts.hostname, parts.path or "/"))
    return places


def _is_sent(cookie: Mapping[str, Any], place: tuple[str, str, str]) -> bool:
    """Returns whether a request to a place carries the cookie (RFC 6265, section 5.4)."""
    scheme, host, path = place
    domain = cookie["domain"]
    fits = host in (domain, domain.removeprefix("."))
    if domain.startswith("."):
        fits = fits or host.endswith(domain)
    is_safe = scheme in ("https", "wss") or host in ("localhost", "127.0.0.1", "::1")
    return fits and _is_below(path, cookie["path"]) and (is_safe or not cookie.get("secure"))


def _is_below(path: str, top: str) -> bool:
    return path == top or path.startswith(top if top.endswith("/") else f"{top}/")


def _expired(cookie: Mapping[str, Any]) -> CookieParam:
    """The same cookie, over since 1970: the only way to remove one without a page."""
    names = ("name", "path", "secure", "httpOnly", "sameSite", "partitionKey", "sourceScheme")
    kept = {name: cookie[name] for name in (*names, "sourcePort") if name in cookie}
    if cookie["domain"].startswith("."):
        where = {"domain": cookie["domain"]}
    else:  # with a domain it would be another one, for subdomains as well
        scheme = "https" if cookie.get("secure") else "http"
        where = {"url": f"{scheme}://{cookie['domain']}{cookie['path']}"}
    return cast("CookieParam", {**kept, **where, "value": "", "expires": 1})


async def _all_cookies(browser: Browser, context_id: str) -> Sequence[Mapping[str, Any]]:
    root, named = browser.connection.root, await browser.named_context(context_id)
    return (await root.post("Storage.getCookies", named, timeout=_SECONDS))["cookies"]


async def _set(browser: Browser, context_id: str, cookies: list[CookieParam]) -> None:
    root, named = browser.connection.root, await browser.named_context(context_id)
    await root.post("Storage.setCookies", {"cookies": cookies, **named}, timeout=_SECONDS)
