"""What pages may do, where they believe to be, and who they say that one is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from cdp_agent.api.core import PageCore
from cdp_agent.errors import InvalidParams, ProtocolError
from cdp_agent.protocol import Session
from cdp_agent.targets.auth import Credentials, origin_of

SETTINGS = ("granted", "denied", "prompt")


def require_permissions(given: Mapping[str, str] | None) -> dict[str, str]:
    """Raises: InvalidParams."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidParams("permissions are a mapping", hint='{"geolocation": "granted"}')
    for name, setting in given.items():
        if not isinstance(name, str) or setting not in SETTINGS:
            raise InvalidParams(
                f"{name!r}: {setting!r} is no permission", hint=f"One of {', '.join(SETTINGS)}."
            )
    return dict(given)


async def set_permissions(
    root: Session, wanted: Mapping[str, str], context_id: str = "", origin: str = ""
) -> None:
    """Set permissions of a context, for one origin or for all.

    Raises:
        InvalidParams: Chromium knows no permission of that name.
    """
    for name, setting in wanted.items():
        params: dict[str, Any] = {"permission": {"name": name}, "setting": setting}
        if context_id:
            params["browserContextId"] = context_id
        if origin:
            params["origin"] = origin
        try:
            await root.post("Browser.setPermission", params, timeout=10)
        except ProtocolError as error:
            raise InvalidParams(
                f"Chromium does not set the permission {name!r}: {error.reason}",
                hint="Names are those of the Permissions API: geolocation, notifications, camera,"
                " microphone, clipboard-read, midi …",
            ) from None


class Access(PageCore):
    """`set_permission`, `set_geolocation`, `set_credentials`."""

    async def set_permission(
        self, name: str, setting: str = "granted", *, origin: str | None = None
    ) -> None:
        """Grant or deny a permission, or have it asked for (`prompt`), to an origin.

        The origin is this page's unless another is named, and the answer holds in the whole
        context. What nobody has set is denied in a browser that was launched here, so that no page
        waits for a person. Names are those of the Permissions API.

        Raises:
            InvalidParams: there is no such permission or setting, or the page has no origin.
        """
        wanted = require_permissions({name: setting})
        where = origin or self.url
        if not where.startswith(("http://", "https://")):
            raise InvalidParams(f"{where} has no origin", hint="Open the page first.")
        root = self._browser.connection.root
        await set_permissions(root, wanted, self._context_id, origin_of(where))

    async def set_geolocation(
        self, latitude: float, longitude: float, *, accuracy: float = 10.0
    ) -> None:
        """Where this page believes to be. The permission `geolocation` is needed as well.

        Raises:
            InvalidParams: no such place.
        """
        if not -90 <= latitude <= 90 or not -180 <= longitude <= 180 or accuracy < 0:
            raise InvalidParams(f"there is no place {latitude!r}, {longitude!r}")
        place = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}
        await asyncio.gather(
            *(
                session.post("Emulation.setGeolocationOverride", place, timeout=10)
                for session in self._target.sessions
            )
        )

    async def set_credentials(self, credentials: Any) -> None:
        """Answer servers that ask this page, its frames or tabs it opens for a password.

        `("ada", "secret")` for whoever asks, `{"https://host": ("ada", "secret")}` for those
        origins alone, None for nobody: a page that asks then fails to load with
        `navigation_failed`. What the server does not take is not offered twice. A frame of another
        site than its page is never let in: Chromium shows it the server's refusal.

        Raises:
            InvalidParams: it is none of these.
        """
        target = self._target
        target.auth.credentials = Credentials.of(credentials)
        commands = target.auth.commands or [("Fetch.disable", {})]
        await asyncio.gather(
            *(
                session.post(method, params, timeout=10)
                for session in target.sessions
                for method, params in commands
            )
        )
