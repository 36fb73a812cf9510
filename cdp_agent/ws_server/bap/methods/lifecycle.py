"""`initialize`, `shutdown`, `browser/*`, `context/*`, subscriptions, approvals and streams."""

from __future__ import annotations

import time
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, Literal

from pydantic import Field

from cdp_agent.api.context import BrowserContext
from cdp_agent.api.page import Page
from cdp_agent.errors import InvalidParams
from cdp_agent.tools.tool_session import ToolSession
from cdp_agent.ws_server.access import EVENT_KINDS, FAMILIES, allows
from cdp_agent.ws_server.bap.client_approvals import Decision
from cdp_agent.ws_server.bap.client_state import (
    DEFAULT_CONTEXT,
    ClientState,
    Method,
    OpenContext,
)
from cdp_agent.ws_server.bap.wire import (
    ALREADY_INITIALIZED,
    INVALID_REQUEST,
    RESOURCE_LIMIT_EXCEEDED,
    BapError,
    Wire,
    refused,
)

PROTOCOL_VERSION = "0.2.0"
MOST_CONTEXTS = 10
_MEDIA = ("color_scheme", "reduced_motion", "forced_colors")
_BY_SERVER = "The browser is started by whoever starts `cdp-agent serve`, with options of its own."


class ClientInfo(Wire):
    name: str
    version: str = ""


class InitializeParams(Wire):
    protocol_version: str
    client_info: ClientInfo
    capabilities: dict[str, Any] = Field(default_factory=dict)
    session_id: str | None = None


class SubscribeParams(Wire):
    events: list[str]


class ShutdownParams(Wire):
    save_state: bool = False
    close_pages: bool = True


class ViewportSize(Wire):
    width: int
    height: int


class DeviceOptions(Wire):
    """The device, place, language and network that the pages of a context see."""

    viewport: ViewportSize | None = None
    user_agent: str | None = None
    locale: str | None = None
    timezone_id: str | None = None
    geolocation: dict[str, float] | None = None
    color_scheme: str | None = None
    reduced_motion: str | None = None
    forced_colors: str | None = None
    offline: bool | None = None


class ContextOptions(DeviceOptions):
    permissions: list[str] | None = None
    storage_state: dict[str, Any] | None = None
    extra_http_headers: Annotated[None, refused("Headers would reach every other site too.")] = (
        Field(None, alias="extraHTTPHeaders")
    )
    ignore_https_errors: Annotated[None, refused("A wrong certificate stays an error.")] = Field(
        None, alias="ignoreHTTPSErrors"
    )
    proxy: Annotated[None, refused(_BY_SERVER)] = None


class LaunchParams(DeviceOptions):
    browser: Literal["chromium"] = "chromium"
    headless: bool | None = None
    channel: Annotated[None, refused(_BY_SERVER)] = None
    args: Annotated[None, refused(_BY_SERVER)] = None
    env: Annotated[None, refused(_BY_SERVER)] = None
    proxy: Annotated[None, refused(_BY_SERVER)] = None
    downloads_path: Annotated[None, refused(_BY_SERVER)] = None
    user_data_dir: Annotated[None, refused("`cdp-agent serve` has --profile.")] = None
    cdp_url: Annotated[None, refused("`cdp-agent serve` has --connect.")] = None


class CloseParams(Wire):
    browser_id: str | None = None


class ContextCreateParams(Wire):
    context_id: str | None = Field(None, min_length=1, max_length=100)
    options: ContextOptions = Field(default_factory=lambda: ContextOptions.model_validate({}))


class ContextDestroyParams(Wire):
    context_id: str


class RespondParams(Wire):
    request_id: str
    decision: Decision
    reason: str = ""


class CancelParams(Wire):
    stream_id: str


async def _initialize(state: ClientState, params: InitializeParams) -> dict[str, Any]:
    if state.initialized:
        raise BapError(ALREADY_INITIALIZED, "this client is initialized already")
    if params.protocol_version.partition(".")[0] != PROTOCOL_VERSION.partition(".")[0]:
        raise BapError(
            INVALID_REQUEST,
            f"protocol version {params.protocol_version[:20]!r} is not spoken here",
            hint=f"It is {PROTOCOL_VERSION}.",
        )
    state.initialized = True
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "serverInfo": {"name": "cdp-agent", "version": _version()},
        "capabilities": {
            "browsers": ["chromium"],
            "actions": list(FAMILIES["action"]),
            "observations": list(FAMILIES["observe"]),
            "events": list(EVENT_KINDS),
            "streaming": True,
            "compression": False,
        },
    }


def _version() -> str:
    try:
        return version("cdp-agent")
    except PackageNotFoundError:
        return "0"


async def _initialized(state: ClientState, params: Wire) -> dict[str, Any]:
    return {}


async def _shutdown(state: ClientState, params: ShutdownParams) -> dict[str, Any]:
    if params.save_state:
        raise InvalidParams(
            "the state of a client that is gone is not kept",
            hint="storage/getState gives its state.",
        )
    if params.close_pages:
        await state.close_browser()
    state.initialized = False
    return {}


async def _subscribe(state: ClientState, params: SubscribeParams) -> dict[str, Any]:
    """A token that may not see pages gets no events of them; the answer lists those it gets."""
    unknown = sorted(set(params.events) - set(EVENT_KINDS))
    if unknown:
        raise InvalidParams(
            f"there are no events {unknown[0][:40]!r}", hint=f"Events: {', '.join(EVENT_KINDS)}."
        )
    given = [kind for kind in params.events if allows(state.scopes, f"events/{kind}")]
    await state.events.subscribe(frozenset(given))
    return {"subscribed": given}


async def _launch(state: ClientState, params: LaunchParams) -> dict[str, Any]:
    """The server starts Chromium, with its own options; a client gets a context of its own."""
    state.is_closed = False
    session = await state.session()
    home, browser = session.home, session.browser
    headless = "Headless" in browser.user_agent
    if params.headless is False and headless:
        raise InvalidParams("this server has no window to show", hint="Start serve with --headed.")
    if isinstance(home, BrowserContext):
        await apply_device(home, params)
    elif any(getattr(params, name) is not None for name in DeviceOptions.model_fields):
        raise InvalidParams(
            "a shared browser keeps its device, language and network",
            hint="context/create has a context of your own.",
        )
    return {
        "browserId": state.browser_id,
        "browser": "chromium",
        "version": browser.version,
        "headless": headless,
    }


async def apply_device(owner: BrowserContext | Page, options: DeviceOptions) -> None:
    """Raises: InvalidParams: a device, place, language or preference is unknown."""
    if options.viewport is not None:
        await owner.set_viewport(options.viewport.width, options.viewport.height)
    if options.user_agent is not None:
        await owner.set_user_agent(options.user_agent)
    if options.locale is not None:
        await owner.set_locale(options.locale)
    if options.timezone_id is not None:
        await owner.set_timezone(options.timezone_id)
    if options.geolocation is not None:
        place = dict(options.geolocation)
        try:
            await owner.set_geolocation(place.pop("latitude"), place.pop("longitude"), **place)
        except (KeyError, TypeError):
            raise InvalidParams("geolocation has latitude, longitude and accuracy") from None
    media = {name: getattr(options, name) for name in _MEDIA}
    if any(media.values()):
        await owner.set_media(**media)
    if options.offline is not None:
        await owner.set_offline(options.offline)


async def _close(state: ClientState, params: CloseParams) -> dict[str, Any]:
    if params.browser_id not in (None, state.browser_id):
        raise InvalidParams(f"there is no browser {str(params.browser_id)[:40]!r}")
    await state.close_browser()
    return {}


async def _create(
    state: ClientState, session: ToolSession, params: ContextCreateParams
) -> dict[str, Any]:
    if len(state.contexts) >= MOST_CONTEXTS:
        raise BapError(
            RESOURCE_LIMIT_EXCEEDED,
            f"a client has at most {MOST_CONTEXTS} contexts",
            word="blocked_by_policy",
            hint="Destroy one.",
            resource="contexts",
            limit=MOST_CONTEXTS,
            current=len(state.contexts),
        )
    created = round(time.time() * 1000)
    name = params.context_id or f"ctx-{created:x}-{len(state.contexts) + 1}"
    if name in (DEFAULT_CONTEXT, *state.contexts):
        raise InvalidParams(f"there is a context {name[:40]!r} already")
    options = params.options
    context = await session.browser.new_context(
        permissions=dict.fromkeys(options.permissions or (), "granted"),
        storage_state=options.storage_state,
    )
    try:
        await apply_device(context, options)
    except BaseException:  # also when cancelled: no context is left behind
        await context.close()
        raise
    shown = options.model_dump(by_alias=True, exclude_none=True, exclude={"storage_state"})
    state.contexts[name] = OpenContext(context, created, shown)
    return {"contextId": name}


async def _list(state: ClientState, session: ToolSession, params: Wire) -> dict[str, Any]:
    others = {id(p) for entry in state.contexts.values() for p in entry.context.pages}
    own = [page for page in session.pages.values() if id(page) not in others]
    listed = [{"id": DEFAULT_CONTEXT, "pageCount": len(own), "created": 0}]
    for name, entry in state.contexts.items():
        about = {"id": name, "pageCount": len(entry.context.pages), "created": entry.created}
        listed.append({**about, "options": entry.options})
    limits = {"maxContexts": MOST_CONTEXTS, "currentCount": len(state.contexts)}
    return {"contexts": listed, "limits": limits}


async def _destroy(
    state: ClientState, session: ToolSession, params: ContextDestroyParams
) -> dict[str, Any]:
    entry = state.context(params.context_id)
    count = len(entry.context.pages)
    await entry.context.close()
    del state.contexts[params.context_id]
    return {"pagesDestroyed": count}


async def _respond(state: ClientState, params: RespondParams) -> dict[str, Any]:
    if not state.approvals.answer(params.request_id, params.decision, params.reason):
        raise InvalidParams(f"no approval {params.request_id[:40]!r} is asked for")
    return {"acknowledged": True}


async def _cancel(state: ClientState, params: CancelParams) -> dict[str, Any]:
    return {"cancelled": state.streams.cancel(params.stream_id)}


def _free(run: Any, params: type[Wire] = Wire) -> Method:
    return Method(run, params, "nothing", at_once=True)


METHODS = {
    "initialize": _free(_initialize, InitializeParams),
    "notifications/initialized": _free(_initialized),
    "events/subscribe": _free(_subscribe, SubscribeParams),
    "approval/respond": _free(_respond, RespondParams),
    "stream/cancel": _free(_cancel, CancelParams),
    "shutdown": Method(_shutdown, ShutdownParams, "nothing"),
    "browser/launch": Method(_launch, LaunchParams, "nothing"),
    "browser/close": Method(_close, CloseParams, "nothing"),
    "context/create": Method(_create, ContextCreateParams, "session"),
    "context/list": Method(_list, Wire, "session"),
    "context/destroy": Method(_destroy, ContextDestroyParams, "session"),
}
