"""`storage/*`, `emulate/*` and `trace/*`."""

from __future__ import annotations

import contextlib
from typing import Any

from cdp_agent.api.browser import Browser
from cdp_agent.api.context import BrowserContext
from cdp_agent.errors import InvalidParams
from cdp_agent.ws_server.bap.client_state import Method, PageCall
from cdp_agent.ws_server.bap.wire import PageParams


class StateParams(PageParams):
    state: dict[str, Any]


class UrlsParams(PageParams):
    urls: list[str] | None = None


class CookiesParams(PageParams):
    cookies: list[dict[str, Any]]


class ViewportParams(PageParams):
    width: int
    height: int
    device_scale_factor: float = 0
    is_mobile: bool = False
    has_touch: bool | None = None


class UserAgentParams(PageParams):
    user_agent: str
    platform: str | None = None
    accept_language: str | None = None


class GeolocationParams(PageParams):
    latitude: float
    longitude: float
    accuracy: float = 10.0


class OfflineParams(PageParams):
    offline: bool


class TraceParams(PageParams):
    name: str | None = None
    categories: list[str] | None = None
    screenshots: bool = False


async def _get_state(call: PageCall, params: PageParams) -> dict[str, Any]:
    return await call.page.storage_state()


async def _set_state(call: PageCall, params: StateParams) -> dict[str, Any]:
    state = dict(params.state)
    kept = [o for o in state.get("origins") or () if isinstance(o, dict)]
    if any(origin.get("sessionStorage") for origin in kept):
        raise InvalidParams(
            "session storage belongs to a tab and cannot be put back",
            hint="Cookies and local storage can.",
        )
    await call.page.set_storage_state(state)
    return {}


async def _get_cookies(call: PageCall, params: UrlsParams) -> dict[str, Any]:
    return {"cookies": await call.page.cookies(params.urls)}


async def _set_cookies(call: PageCall, params: CookiesParams) -> dict[str, Any]:
    await call.page.set_cookies(params.cookies)
    return {}


async def _clear_cookies(call: PageCall, params: UrlsParams) -> dict[str, Any]:
    return {"cleared": await call.page.clear_cookies(params.urls)}


async def _viewport(call: PageCall, params: ViewportParams) -> dict[str, Any]:
    await call.page.set_viewport(
        params.width,
        params.height,
        scale=params.device_scale_factor,
        mobile=params.is_mobile,
        touch=params.has_touch,
    )
    return {}


async def _user_agent(call: PageCall, params: UserAgentParams) -> dict[str, Any]:
    await call.page.set_user_agent(params.user_agent, platform=params.platform)
    if params.accept_language is not None:
        await call.page.set_locale(params.accept_language)
    return {}


async def _geolocation(call: PageCall, params: GeolocationParams) -> dict[str, Any]:
    """Sets the place of a page, and grants the permission to read it in the client's context."""
    page = call.page
    await page.set_geolocation(params.latitude, params.longitude, accuracy=params.accuracy)
    if isinstance(page.context, BrowserContext) and page.url.startswith("http"):
        with contextlib.suppress(InvalidParams):  # an insecure origin is told no place at all
            await page.set_permission("geolocation")
    return {}


async def _offline(call: PageCall, params: OfflineParams) -> dict[str, Any]:
    await call.page.set_offline(params.offline)
    return {}


async def _trace_start(call: PageCall, params: TraceParams) -> dict[str, Any]:
    """Chromium records whole processes: where a browser is shared, that is others' as well."""
    if isinstance(call.session.home, Browser):
        raise InvalidParams("a shared browser is not recorded")
    await call.page.start_tracing(params.categories, screenshots=params.screenshots)
    call.state.traced = call.page
    return {}


async def _trace_stop(call: PageCall, params: PageParams) -> dict[str, Any]:
    page = call.state.traced
    if page is None:
        raise InvalidParams("no trace was started", hint="Call trace/start first.")
    call.state.traced = None
    return {"data": await page.stop_tracing(), "format": "json"}


METHODS = {
    "storage/getState": Method(_get_state, tool="storage_get"),
    "storage/setState": Method(_set_state, StateParams, tool="storage_set"),
    "storage/getCookies": Method(_get_cookies, UrlsParams, tool="storage_get"),
    "storage/setCookies": Method(_set_cookies, CookiesParams, tool="storage_set"),
    "storage/clearCookies": Method(_clear_cookies, UrlsParams, tool="storage_set"),
    "emulate/setViewport": Method(_viewport, ViewportParams, tool="emulate"),
    "emulate/setUserAgent": Method(_user_agent, UserAgentParams, tool="emulate"),
    "emulate/setGeolocation": Method(_geolocation, GeolocationParams, tool="emulate"),
    "emulate/setOffline": Method(_offline, OfflineParams, tool="emulate"),
    "trace/start": Method(_trace_start, TraceParams, tool="trace"),
    "trace/stop": Method(_trace_stop, tool="trace"),
}
