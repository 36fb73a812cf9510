"""Permissions and credentials of pages."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from cdp_agent.api.tab import Tab
from cdp_agent.errors import InvalidParams, ProtocolError
from cdp_agent.protocol import Session
from cdp_agent.targets import PageTarget
from cdp_agent.targets.network.auth import Credentials, origin_of

if TYPE_CHECKING:
    from cdp_use.cdp.browser.commands import SetPermissionParameters
    from cdp_use.cdp.browser.types import PermissionSetting

SETTINGS = ("granted", "denied", "prompt")


def require_permissions(given: Mapping[str, str] | None) -> dict[str, PermissionSetting]:
    """Raises: InvalidParams."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidParams("permissions are a mapping", hint='{"geolocation": "granted"}')
    for name, setting in given.items():
        if not isinstance(name, str) or setting not in SETTINGS:
            raise InvalidParams(
                f"{name!r}: {setting!r} is not a permission", hint=f"One of {', '.join(SETTINGS)}."
            )
    return cast("dict[str, PermissionSetting]", dict(given))


def permission_commands(
    wanted: Mapping[str, PermissionSetting], context_id: str = "", origin: str = ""
) -> list[SetPermissionParameters]:
    """The parameters of `Browser.setPermission`, one command for each permission."""
    where: dict[str, Any] = {"browserContextId": context_id} if context_id else {}
    if origin:
        where["origin"] = origin
    return [
        {"permission": {"name": name}, "setting": setting, **where}  # type: ignore[typeddict-item]
        for name, setting in wanted.items()
    ]


async def set_permissions(
    root: Session, wanted: Mapping[str, PermissionSetting], context_id: str = "", origin: str = ""
) -> None:
    """Set permissions of a context, for one origin or for all.

    Raises:
        InvalidParams: Chromium knows no permission of that name.
    """
    for params in permission_commands(wanted, context_id, origin):
        try:
            await root.post("Browser.setPermission", params, timeout=10)
        except ProtocolError as error:
            name = params["permission"]["name"]
            raise InvalidParams(
                f"Chromium does not set the permission {name!r}: {error.reason}",
                hint="Names are those of the Permissions API: geolocation, notifications, camera,"
                " microphone, clipboard-read, midi …",
            ) from None


async def set_for_origin(tab: Tab, name: str, setting: str, origin: str | None) -> None:
    """Set a permission of an origin, by default the page's; see `Page`."""
    wanted = require_permissions({name: setting})
    where = origin or tab.target.url
    if not where.startswith(("http://", "https://")):
        raise InvalidParams(f"{where} has no origin", hint="Open the page first.")
    await tab.browser.set_permissions(wanted, tab.context_id, origin_of(where))


async def set_credentials(target: PageTarget, credentials: Any) -> None:
    """Set the passwords that servers are answered with; see `Page.set_credentials`."""
    target.auth.credentials = Credentials.of(credentials)
    await _post_to_all(target, target.auth.commands or [("Fetch.disable", {})])


async def _post_to_all(target: PageTarget, commands: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Send commands to the sessions of all frames."""
    await asyncio.gather(
        *(
            session.post_untyped(method, params, timeout=10)
            for session in target.sessions
            for method, params in commands
        )
    )
