"""Cookies and local storage of a browser, saved and put back.

The shape is the one that other tools have for it, so that states can be exchanged with them. Local
storage belongs to its origin: it is reached in a tab of ours that shows an empty document of that
origin. No server is asked for it.
"""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from cdp_agent.errors import BrowserError, InvalidParams, ProtocolError
from cdp_agent.resolve.live import script_value
from cdp_agent.snapshot.options import with_known_names
from cdp_agent.targets import PageTarget
from cdp_agent.targets.network.auth import origin_of

if TYPE_CHECKING:
    from cdp_use.cdp.fetch.types import HeaderEntry
    from cdp_use.cdp.network.types import CookieParam
    from cdp_use.cdp.runtime.commands import EvaluateParameters

    from cdp_agent.api.browser import Browser

T = TypeVar("T")

_SECONDS = 10.0
_COOKIE_FIELDS = ("name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite")
_COOKIE_KEYS = (*_COOKIE_FIELDS, "url")
_ORIGIN_KEYS = ("origin", "localStorage")
_READ = "Object.entries(localStorage).map(([name, value]) => ({name, value}))"
_WRITE = "for (const {{name, value}} of {items}) localStorage.setItem(name, value)"


def require_state(given: Any) -> Mapping[str, Any]:
    """A state in the shape that `storage_state` gives.

    Raises:
        InvalidParams: it has another shape.
    """
    try:
        given = _checked("a storage state", given, ("cookies", "origins"))
        cookies = [_checked("a cookie", c, _COOKIE_KEYS) for c in given.get("cookies", [])]
        origins = [_checked("an origin", o, _ORIGIN_KEYS) for o in given.get("origins", [])]
        for cookie in cookies:
            _ = cookie["name"], cookie["value"], cookie.get("domain") or cookie["url"]
        for origin in origins:
            if origin_of(origin["origin"]) in ("", "://"):
                raise ValueError(origin["origin"])
            for item in origin.get("localStorage", []):
                _ = item["name"] + item["value"]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidParams(
            f"that is not a storage state ({error!r})", hint="Use what storage_state() gave."
        ) from None
    return {"cookies": cookies, "origins": origins}


def _checked(what: str, given: Any, known: tuple[str, ...]) -> dict[str, Any]:
    """The fields by their known names; an unknown field with a value is an error."""
    named = with_known_names(given, known)
    unknown = sorted(str(name) for name, value in named.items() if name not in known and value)
    if unknown:
        hint = f"It has {', '.join(known)}."
        raise InvalidParams(f"{unknown[0]!r} of {what} cannot be put back", hint=hint)
    return {name: value for name, value in named.items() if name in known}


async def save_state(browser: Browser, context_id: str) -> dict[str, Any]:
    """Cookies of a context, and the local storage of the origins of its tabs."""
    root, named = browser.connection.root, await browser.named_context(context_id)
    reply = await root.post("Storage.getCookies", named, timeout=_SECONDS)
    cookies: Sequence[Mapping[str, Any]] = reply["cookies"]
    origins = dict(browser._targets.origins.get(context_id, {}))
    for target in browser._targets.pages.values():
        if target.context_id == context_id:
            origins.update(target.origins)
    saved = []
    if origins:
        async with _tab_of_ours(browser, context_id) as tab:
            for origin in origins:
                items = await _at(tab, origin, _READ)
                if items:
                    saved.append({"origin": origin, "localStorage": items})
    return {
        "cookies": [{k: c[k] for k in _COOKIE_FIELDS if k in c} for c in cookies],
        "origins": saved,
    }


async def restore_state(browser: Browser, context_id: str, state: Mapping[str, Any]) -> None:
    """Put back what `save_state` gave, beside what is there."""
    cookies = [
        cast("CookieParam", {name: value for name, value in cookie.items() if value != -1})
        for cookie in state["cookies"]
    ]
    root = browser.connection.root
    if cookies:
        named = await browser.named_context(context_id)
        try:
            await root.post("Storage.setCookies", {"cookies": cookies, **named}, timeout=_SECONDS)
        except ProtocolError as error:
            raise InvalidParams(f"Chromium does not take the cookies: {error.reason}") from None
    origins = [origin for origin in state["origins"] if origin.get("localStorage")]
    if origins:
        async with _tab_of_ours(browser, context_id) as tab:
            for origin in origins:
                items = json.dumps(origin["localStorage"])
                await _at(tab, origin["origin"], _WRITE.format(items=items))


@contextlib.asynccontextmanager
async def _tab_of_ours(browser: Browser, context_id: str) -> AsyncIterator[PageTarget]:
    """A tab that asks no server for anything, and is in no list."""
    async with browser.open_tabs.hidden(context_id) as tab:
        await tab.session.post("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        yield tab


async def _at(tab: PageTarget, origin: str, script: str) -> Any:
    """Run a script in an empty document of an origin."""
    body = base64.b64encode(b"<!doctype html><title>storage</title>").decode()
    headers: list[HeaderEntry] = [{"name": "Content-Type", "value": "text/html"}]
    with tab.session.events("Fetch.requestPaused") as asked:
        shown = tab.session.post("Page.navigate", {"url": f"{origin}/"}, timeout=_SECONDS)
        shown.add_done_callback(lambda _: asked.close())
        request = await asked.get()
        tab.session.send_only(
            "Fetch.fulfillRequest",
            {
                "requestId": request.params["requestId"],
                "responseCode": 200,
                "responseHeaders": headers,
                "body": body,
            },
        )
        reply = await shown
    if reply.get("errorText"):
        raise BrowserError(f"the storage of {origin} cannot be reached: {reply['errorText']}")
    main = tab.frames.main
    await tab.until(lambda: main.loader_id == reply["loaderId"] and main.dom_ready, _SECONDS)
    params: EvaluateParameters = {"expression": script, "returnByValue": True}
    return script_value(await tab.session.post("Runtime.evaluate", params, timeout=_SECONDS))
