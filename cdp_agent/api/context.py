"""A context of a browser: tabs with cookies, storage and devices of their own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cdp_agent.api.access.storage import require_state, restore_state, save_state
from cdp_agent.api.devtools.cookies import Urls, clear_cookies, get_cookies, set_cookies
from cdp_agent.api.devtools.emulate import (
    Command,
    emulate_everywhere,
    geolocation_commands,
    locale_commands,
    media_commands,
    offline_commands,
    timezone_commands,
    user_agent_commands,
    viewport_commands,
)
from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError
from cdp_agent.targets.emulation import Emulation
from cdp_agent.targets.logs.event_stream import EventStream
from cdp_agent.targets.network.auth import Credentials

CLOSE_SECONDS = 5.0


if TYPE_CHECKING:
    from cdp_agent.api.browser import Browser
    from cdp_agent.api.browser_options import GivenCredentials, ViewportSize


class BrowserContext:
    """Tabs that share cookies and storage with each other and with nobody else."""

    def __init__(self, browser: Browser, context_id: str) -> None:
        self._browser = browser
        self.id = context_id

    async def __aenter__(self) -> BrowserContext:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def browser(self) -> Browser:
        return self._browser

    @property
    def pages(self) -> list[Page]:
        return [page for page in self._browser.pages if page._tab.target.context_id == self.id]

    async def new_page(
        self,
        url: str | None = None,
        *,
        viewport: ViewportSize | None = None,
        credentials: GivenCredentials = None,
    ) -> Page:
        """As `Browser.new_page`, in this context."""
        return await self._browser._open(url, viewport, self.id, Credentials.of(credentials))

    async def storage_state(self) -> dict[str, Any]:
        """As `Page.storage_state`."""
        return await save_state(self._browser, self.id)

    async def set_storage_state(self, state: Mapping[str, Any]) -> None:
        """As `Page.set_storage_state`."""
        await restore_state(self._browser, self.id, require_state(state))

    async def cookies(self, urls: Urls = None) -> list[dict[str, Any]]:
        """As `Page.cookies`."""
        return await get_cookies(self._browser, self.id, urls)

    async def set_cookies(self, cookies: Sequence[Mapping[str, Any]]) -> None:
        """As `Page.set_cookies`; each needs a `url` or a `domain`."""
        await set_cookies(self._browser, self.id, cookies)

    async def clear_cookies(self, urls: Urls = None) -> int:
        """As `Page.clear_cookies`."""
        return await clear_cookies(self._browser, self.id, urls)

    async def set_viewport(
        self,
        width: int,
        height: int,
        *,
        scale: float = 0,
        mobile: bool = False,
        touch: bool | None = None,
    ) -> None:
        """As `Page.set_viewport`, for all pages of the context, those to come included."""
        await self._emulate(viewport_commands(width, height, scale, mobile, touch))

    async def set_user_agent(self, user_agent: str | None, *, platform: str | None = None) -> None:
        """As `Page.set_user_agent`, for all pages of the context, those to come included."""
        await self._emulate(user_agent_commands(user_agent, platform))

    async def set_geolocation(
        self, latitude: float, longitude: float, *, accuracy: float = 10.0
    ) -> None:
        """As `Page.set_geolocation`, for all pages of the context, those to come included."""
        await self._emulate(geolocation_commands(latitude, longitude, accuracy))

    async def set_locale(self, locale: str | None) -> None:
        """As `Page.set_locale`, for all pages of the context, those to come included."""
        await self._emulate(locale_commands(locale))

    async def set_timezone(self, timezone: str | None) -> None:
        """As `Page.set_timezone`, for all pages of the context, those to come included."""
        await self._emulate(timezone_commands(timezone))

    async def set_media(
        self,
        media: str | None = None,
        *,
        color_scheme: str | None = None,
        reduced_motion: str | None = None,
        forced_colors: str | None = None,
        contrast: str | None = None,
    ) -> None:
        """As `Page.set_media`, for all pages of the context, those to come included."""
        commands = media_commands(
            media,
            color_scheme=color_scheme,
            reduced_motion=reduced_motion,
            forced_colors=forced_colors,
            contrast=contrast,
        )
        await self._emulate(commands)

    async def set_offline(self, offline: bool = True) -> None:
        """As `Page.set_offline`, for all pages of the context, those to come included."""
        await self._emulate(offline_commands(offline))

    async def _emulate(self, commands: Iterable[Command]) -> None:
        kept = self._browser.settings.emulations.setdefault(self.id, Emulation())
        await emulate_everywhere(kept, [page._tab.target for page in self.pages], commands)

    def events(self, *kinds: str) -> EventStream:
        """As `Page.events`, of all pages of the context, those to come included."""
        return self._browser.event_hub.open(kinds, lambda target: target.context_id == self.id)

    async def close(self) -> None:
        """Close its tabs and forget its storage. May be called twice."""
        self._browser._forget(self)
        targets = self._browser._targets
        tabs = [tab for tab in targets.pages.values() if tab.context_id == self.id]
        with contextlib.suppress(CdpAgentError):
            await self._browser.connection.root.post(
                "Target.disposeBrowserContext",
                {"browserContextId": self.id},
                timeout=CLOSE_SECONDS,
            )
            await asyncio.gather(*(tab.wait_closed(CLOSE_SECONDS) for tab in tabs))
        targets.forget_context(self.id)
