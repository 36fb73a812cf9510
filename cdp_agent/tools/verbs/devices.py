"""Tools of the shell alone: a page's device, place, language and network."""

from __future__ import annotations

from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.tool import Tool, ToolArgs, ToolCall


class ViewportArgs(ToolArgs):
    width: int
    height: int
    scale: float = 0
    mobile: bool = False
    touch: bool | None = None


async def viewport(call: ToolCall) -> ToolResult:
    args: ViewportArgs = call.args
    await call.page.set_viewport(
        args.width, args.height, scale=args.scale, mobile=args.mobile, touch=args.touch
    )
    return call.done(f"the viewport is {args.width}x{args.height}")


class UserAgentArgs(ToolArgs):
    user_agent: str | None = None
    platform: str | None = None


async def user_agent(call: ToolCall) -> ToolResult:
    args: UserAgentArgs = call.args
    await call.page.set_user_agent(args.user_agent, platform=args.platform)
    whose = "is the browser's own again" if args.user_agent is None else "is set"
    return call.done(f"the user agent {whose}; reload sends it for this page, too")


class GeolocationArgs(ToolArgs):
    latitude: float
    longitude: float
    accuracy: float = 10.0


async def geolocation(call: ToolCall) -> ToolResult:
    args: GeolocationArgs = call.args
    page = call.page
    await page.set_geolocation(args.latitude, args.longitude, accuracy=args.accuracy)
    said = f"the page is at {args.latitude:g}, {args.longitude:g}"
    if page.url.startswith(("http://", "https://")):
        await page.set_permission("geolocation")
        return call.done(f"{said}, and its site may ask for it")
    return call.done(f"{said}; a site may ask for it once this is said on its page")


class OfflineArgs(ToolArgs):
    offline: bool = True


async def offline(call: ToolCall) -> ToolResult:
    args: OfflineArgs = call.args
    await call.page.set_offline(args.offline)
    return call.done(f"the page is {'offline' if args.offline else 'online'}")


class LocaleArgs(ToolArgs):
    locale: str | None = None


async def locale(call: ToolCall) -> ToolResult:
    args: LocaleArgs = call.args
    await call.page.set_locale(args.locale)
    shown = "the browser's own again" if args.locale is None else args.locale
    return call.done(f"the language is {shown}; reload asks for this page in it, too")


class TimezoneArgs(ToolArgs):
    timezone: str | None = None


async def timezone(call: ToolCall) -> ToolResult:
    args: TimezoneArgs = call.args
    await call.page.set_timezone(args.timezone)
    shown = "the browser's own again" if args.timezone is None else args.timezone
    return call.done(f"the time zone is {shown}")


class MediaArgs(ToolArgs):
    media: str | None = None
    color_scheme: str | None = None
    reduced_motion: str | None = None
    forced_colors: str | None = None
    contrast: str | None = None


async def media(call: ToolCall) -> ToolResult:
    args: MediaArgs = call.args
    names = [name for name in MediaArgs.model_fields if name not in ToolArgs.model_fields]
    given = {name: getattr(args, name) for name in names}
    wanted = {name: value for name, value in given.items() if value is not None}
    await call.page.set_media(**wanted)
    said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in wanted.items())
    return call.done(said or "medium and preferences are the browser's own again")


DEVICES = {
    tool.name: tool
    for tool in (
        Tool("browser_viewport", "Set the page's size.", ViewportArgs, viewport),
        Tool("browser_user_agent", "Set the user agent.", UserAgentArgs, user_agent),
        Tool("browser_geolocation", "Set the page's place.", GeolocationArgs, geolocation),
        Tool("browser_locale", "Set the page's language.", LocaleArgs, locale),
        Tool("browser_timezone", "Set the page's time zone.", TimezoneArgs, timezone),
        Tool("browser_media", "Set what style sheets see.", MediaArgs, media),
        Tool("browser_offline", "Cut the page off the network.", OfflineArgs, offline),
    )
}
