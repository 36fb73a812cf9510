"""The viewport, user agent, place, language, media and network that a page sees.

Each is checked here and becomes commands, which `Emulation` sends to every session of a page and
keeps for those to come.
"""

from __future__ import annotations

import json
import re
import zoneinfo
from collections.abc import Iterable
from typing import Any

from cdp_agent.action_table.limits import MOST_PIXELS
from cdp_agent.errors import InvalidParams, ProtocolError
from cdp_agent.protocol import Session
from cdp_agent.targets import PageTarget
from cdp_agent.targets.emulation import USER_AGENT, Emulation

Command = tuple[str, dict[str, Any]]

VIEWPORT = "Emulation.setDeviceMetricsOverride"
_LOCALE, _TIMEZONE = "Emulation.setLocaleOverride", "Emulation.setTimezoneOverride"
_MOST_SCALE = 10
_LONGEST_AGENT = 2_000
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,6}")
_TIMEZONE_ID = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,3}")
#: The media features that can be set, and the values of each.
MEDIA_FEATURES = {
    "color_scheme": ("light", "dark", "no-preference"),
    "reduced_motion": ("reduce", "no-preference"),
    "forced_colors": ("active", "none"),
    "contrast": ("more", "less", "custom", "no-preference"),
}
_FEATURE_NAMES = {"forced_colors": "forced-colors"}
MEDIA = ("screen", "print")
#: A process has one language and one time zone: whether it is the one that was asked for.
_IN_EFFECT = {
    _LOCALE: "Intl.DateTimeFormat().resolvedOptions().locale === "
    "Intl.DateTimeFormat({}).resolvedOptions().locale",
    _TIMEZONE: "Intl.DateTimeFormat().resolvedOptions().timeZone === "
    "Intl.DateTimeFormat('en', {{timeZone: {}}}).resolvedOptions().timeZone",
}
_SECONDS = 10.0


def viewport_commands(
    width: Any, height: Any, scale: float, mobile: bool, touch: bool | None
) -> list[Command]:
    """Raises: InvalidParams: no window has that size."""
    for side in (width, height):
        if type(side) is not int or not 1 <= side <= MOST_PIXELS:
            raise InvalidParams(
                f"a viewport has whole pixels from 1 to {MOST_PIXELS}, not {side!r}"
            )
    if isinstance(scale, bool) or not isinstance(scale, int | float) or not 0 <= scale <= 10:
        raise InvalidParams(f"scale is from 0 (the screen's own) to {_MOST_SCALE}, not {scale!r}")
    size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": bool(mobile)}
    has_touch = bool(mobile) if touch is None else bool(touch)
    touches: dict[str, Any] = {"enabled": has_touch}
    if has_touch:
        touches["maxTouchPoints"] = 5
    return [(VIEWPORT, size), ("Emulation.setTouchEmulationEnabled", touches)]


def user_agent_commands(user_agent: str | None, platform: str | None) -> list[Command]:
    """Raises: InvalidParams: not a text of one line."""
    given = "" if user_agent is None else user_agent
    for text in (given, platform or ""):
        is_text = isinstance(text, str) and len(text) <= _LONGEST_AGENT
        if not is_text or any(ord(character) < 32 or ord(character) == 127 for character in text):
            raise InvalidParams(
                f"a user agent is one line of at most {_LONGEST_AGENT} characters, not {text!r:.80}"
            )
    return [(USER_AGENT, {"userAgent": given, "platform": platform})]


def locale_commands(locale: str | None) -> list[Command]:
    """Raises: InvalidParams: the locale is not a language tag."""
    if locale is None:
        return [(_LOCALE, {}), (USER_AGENT, {"acceptLanguage": None})]
    if not isinstance(locale, str) or not _LANGUAGE_TAG.fullmatch(locale):
        raise InvalidParams(f"{locale!r:.80} is not a language", hint="A tag such as de-DE or fr.")
    tag = locale.replace("_", "-")
    return [(_LOCALE, {"locale": tag}), (USER_AGENT, {"acceptLanguage": tag})]


def timezone_commands(timezone: str | None) -> list[Command]:
    """Raises: InvalidParams: Chromium does not know the time zone."""
    if timezone is None:
        return [(_TIMEZONE, {"timezoneId": ""})]
    is_name = isinstance(timezone, str) and _TIMEZONE_ID.fullmatch(timezone) is not None
    # Chromium takes any name where one is set already. No list: this machine has no zone files.
    listed = zoneinfo.available_timezones()
    if not is_name or (listed and timezone not in listed):
        raise InvalidParams(
            f"there is no time zone {timezone!r:.80}", hint="A name such as Europe/Berlin or UTC."
        )
    return [(_TIMEZONE, {"timezoneId": timezone})]


def media_commands(media: str | None, **features: str | None) -> list[Command]:
    """Raises: InvalidParams: a medium, or the value of a feature, is unknown."""
    if media is not None and media not in MEDIA:
        raise InvalidParams(f"media is not {media!r:.40}", hint=f"One of {', '.join(MEDIA)}.")
    wanted = []
    for name, value in features.items():
        if value is None:
            continue
        if value not in MEDIA_FEATURES[name]:
            hint = f"One of {', '.join(MEDIA_FEATURES[name])}."
            raise InvalidParams(f"{name} is not {value!r:.40}", hint=hint)
        css_name = _FEATURE_NAMES.get(name, f"prefers-{name.replace('_', '-')}")
        wanted.append({"name": css_name, "value": value})
    return [("Emulation.setEmulatedMedia", {"media": media or "", "features": wanted})]


def geolocation_commands(latitude: Any, longitude: Any, accuracy: Any) -> list[Command]:
    """Raises: InvalidParams: a number is out of range."""
    numbers = (latitude, longitude, accuracy)
    are_numbers = all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers)
    if not are_numbers or not -90 <= latitude <= 90 or not -180 <= longitude <= 180 or accuracy < 0:
        raise InvalidParams(f"there is no place {latitude!r}, {longitude!r}")
    place = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}
    return [("Emulation.setGeolocationOverride", place)]


def offline_commands(offline: Any) -> list[Command]:
    """Raises: InvalidParams: it is neither True nor False."""
    if not isinstance(offline, bool):
        raise InvalidParams(f"offline is True or False, not {offline!r}")
    rates = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    return [("Network.emulateNetworkConditions", {"offline": offline, **rates})]


async def emulate(target: PageTarget, commands: Iterable[Command]) -> None:
    """Send commands to every session of a page, and keep them for its frames to come.

    Raises:
        InvalidParams: Chromium refuses one; it and those after it are not kept.
    """
    for command in commands:
        before = target.emulation.copy()
        try:
            await _require_in_effect(await _sent(target, command), command)
        except InvalidParams:
            target.emulation = before
            raise


async def emulate_everywhere(
    kept: Emulation, targets: list[PageTarget], commands: Iterable[Command]
) -> None:
    """Send commands to the pages of a context, and keep them for those to come.

    Raises:
        InvalidParams: Chromium refuses one; it and those after it are not kept.
    """
    for command in commands:
        contested: list[Session] = []
        for target in targets:
            if target.closed is None and not target.crashed:
                contested += await _sent(target, command)
        await _require_in_effect(contested, command)
        kept.add(*command)


async def _sent(target: PageTarget, command: Command) -> list[Session]:
    """Send a command to a page; returns the sessions that another page has set.

    Raises:
        InvalidParams: Chromium refuses it for another reason.
    """
    method, params = command
    target.emulation.add(method, params)
    try:
        return await target.emulation.send(target.sessions, target.session, method)
    except ProtocolError as error:
        raise InvalidParams(f"Chromium does not take it: {error.reason}") from None


async def _require_in_effect(sessions: list[Session], command: Command) -> None:
    """Raises: InvalidParams: another page of the process has set another value."""
    method, params = command
    value = params.get("locale") or params.get("timezoneId")
    if method not in _IN_EFFECT or not value:
        return
    expression = _IN_EFFECT[method].format(json.dumps(value))
    for session in sessions:
        reply = await session.post("Runtime.evaluate", {"expression": expression}, timeout=_SECONDS)
        if reply["result"].get("value") is not True:
            raise InvalidParams(
                f"another page of the same process keeps it from being {value}",
                hint="Set it on the context, which sets it for all of its pages.",
            )
