"""A browser: launched here and ended here, or found running and left running."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cdp_agent.api.access.permissions import require_permissions
from cdp_agent.api.access.storage import require_state, restore_state
from cdp_agent.api.browser_options import (
    BrowserOptions,
    GivenCredentials,
    ViewportSize,
    make_downloads_dir,
    temporary_folder,
)
from cdp_agent.api.context import BrowserContext
from cdp_agent.api.context_settings import ContextSettings
from cdp_agent.api.devtools.emulate import VIEWPORT
from cdp_agent.api.observation.picture_cover import Cover
from cdp_agent.api.open_tabs import OpenTabs, size_new_tab
from cdp_agent.api.page import Page
from cdp_agent.api.parameter_checks import require_size
from cdp_agent.api.reconnection import CALL_AGAIN, reconnect
from cdp_agent.chromium import BrowserProcess
from cdp_agent.errors import ConnectionLost
from cdp_agent.protocol import Connection, Session
from cdp_agent.targets import BrowserTargets, PageTarget
from cdp_agent.targets.logs.event_stream import EventHub, EventStream
from cdp_agent.targets.network.auth import Credentials
from cdp_agent.targets.network.gate import WireGate
from cdp_agent.targets.network.policy import NO_WEBRTC_SCRIPT, Policy

if TYPE_CHECKING:
    from cdp_use.cdp.browser.types import PermissionSetting
    from cdp_use.cdp.storage.commands import GetCookiesParameters
    from cdp_use.cdp.target.commands import CreateBrowserContextParameters

CLOSE_SECONDS = 5.0


class Browser:
    """Use it in `async with`, or `await` the launch and call `close` yourself."""

    def __init__(
        self,
        connection: Connection,
        process: BrowserProcess | None,
        policy: Policy | None = None,
    ) -> None:
        self._connection = connection
        connection.on_end(self._connection_lost)
        #: What may be reached, enforced on the wire; None without a policy.
        self.gate = WireGate(connection, policy) if policy is not None else None
        #: Hides secrets in pictures of all pages; None: pictures show what is there.
        self.picture_cover: Cover | None = None
        self._process = process
        self._targets = BrowserTargets(connection)
        #: The tabs there are, as pages.
        self.open_tabs = OpenTabs(self)
        #: The passwords, devices and permissions of each context.
        self.settings = ContextSettings()
        self._contexts: list[BrowserContext] = []
        #: For pages that no context is named for, where the profile itself cannot be held.
        self._default_context: BrowserContext | None = None
        self._viewport: ViewportSize | None = None
        #: Launched here, without a window that a person could use.
        self.is_headless = False
        self._closing = False
        #: None: what the pages of a browser that runs already send goes where it always goes.
        self._downloads_dir: Path | None = None
        #: Where contexts of ours in a headless browser that was found save files; ours to remove.
        self._context_downloads: Path | None = None
        #: The `ws://` address of a browser that was found, to connect to it again.
        self._address: str | None = None
        self._reconnecting = asyncio.Lock()
        self.version = ""
        self.user_agent = ""

    async def _start(self, options: BrowserOptions) -> None:
        self._viewport = options.viewport
        if options.downloads_dir is not None:
            self._downloads_dir = make_downloads_dir(options.downloads_dir)
        elif self._process is not None:
            self._downloads_dir = self._process.downloads_dir
        self.settings.credentials[""] = options.credentials
        self._watch(self._targets, self._connection.root)
        version = self._connection.root.post("Browser.getVersion")
        if self.gate is not None:
            await self.gate.start()  # before any tab of ours can ask for anything
        await self._targets.start()
        told = await version
        await self._targets.downloads.save_to(self._downloads_dir)
        await self.set_permissions(options.permissions)
        self.version, self.user_agent = told["product"], told["userAgent"]
        self.is_headless = self._process is not None and "Headless" in self.user_agent
        if self._process is not None:
            # The tab that Chromium starts with becomes the first page that is asked for.
            self.open_tabs.first = next(iter(self._targets.pages.values()), None)

    def _watch(self, targets: BrowserTargets, root: Session) -> None:
        def client_gone() -> None:
            # Chromium takes back what that client had set as well.
            targets.downloads.set_again()
            self.settings.set_shared_again(root)

        targets.on_page(self._introduce)
        targets.on_page_gone(self.open_tabs.forget)
        targets.on_client_gone(client_gone)

    def _introduce(self, target: PageTarget) -> None:
        self.settings.give(target)
        if self._is_held_by_contexts and any(c.id == target.context_id for c in self._contexts):
            target.page_scripts = (NO_WEBRTC_SCRIPT,)

    @property
    def user_data_dir(self) -> Path | None:
        """The profile folder of a browser launched here."""
        return self._process.user_data_dir if self._process is not None else None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def is_connected(self) -> bool:
        return self._connection.ended is None

    @property
    def connection(self) -> Connection:
        """For protocol commands that the library has no method for."""
        return self._connection

    @property
    def pages(self) -> list[Page]:
        """All tabs, the oldest first; the empty one that Chromium starts with is not counted."""
        pages = self.open_tabs.pages
        if self._is_held_by_contexts:
            ours = {context.id for context in self._contexts}
            pages = [page for page in pages if page._tab.target.context_id in ours]
        return pages

    def hold_downloads(self) -> None:
        """Before an action: the files that it begins go where this program wants them."""
        if self._targets.has_other_clients:
            self._targets.downloads.set_again()

    def context_of(self, target: PageTarget) -> BrowserContext | None:
        """The context of `new_context` that a tab belongs to; None: the browser's own."""
        found = next((c for c in self._contexts if c.id == target.context_id), None)
        return None if found is self._default_context else found

    async def new_page(
        self,
        url: str | None = None,
        *,
        viewport: ViewportSize | None = None,
        credentials: GivenCredentials = None,
    ) -> Page:
        """Open a tab, and `url` in it when given.

        `credentials` are for this tab and those it opens: see `Page.set_credentials`.
        """
        context_id = await self._default_context_id()
        return await self._open(url, viewport, context_id, Credentials.of(credentials))

    async def _default_context_id(self) -> str | None:
        """None: the browser's own profile, where flags hold the policy."""
        if not self._is_held_by_contexts:
            return None
        if self._default_context not in self._contexts:
            self._default_context = await self.new_context()
            self.settings.credentials[self._default_context.id] = self.settings.credentials[""]
        assert self._default_context is not None
        return self._default_context.id

    @property
    def _is_held_by_contexts(self) -> bool:
        """Returns whether the policy holds in contexts alone: a running browser takes no flags."""
        return self._process is None and self.gate is not None and self.gate.policy.needs_proxy

    async def new_context(
        self,
        *,
        downloads_dir: str | Path | None = None,
        credentials: GivenCredentials = None,
        permissions: Mapping[str, str] | None = None,
        storage_state: Mapping[str, Any] | None = None,
    ) -> BrowserContext:
        """A set of tabs with cookies and storage of its own.

        What its pages send is saved in `downloads_dir`, else where the browser's other downloads
        go; in a headless browser that was found, in a folder that `close` removes. `credentials`
        are as in `Page.set_credentials`, `permissions` as in `Page.set_permission` and for every
        origin, `storage_state` as `Page.storage_state` gave it.

        Raises:
            InvalidParams: one of them is not what it should be.
        """
        known = Credentials.of(credentials)
        wanted = require_permissions(permissions)
        state = require_state(storage_state) if storage_state is not None else None
        folder = self._downloads_dir
        if downloads_dir is not None:
            folder = make_downloads_dir(downloads_dir)
        elif folder is None and "Headless" in self.user_agent:
            # One that was found saves nothing in a context of ours unless it is told where.
            folder = self._context_downloads = self._context_downloads or temporary_folder()
        # Flags hold in a browser of ours; in a found one only a context can be told.
        policy = self.gate.policy if self.gate is not None and self._process is None else None
        params: CreateBrowserContextParameters = policy.context_params if policy is not None else {}
        reply = await self._connection.root.post("Target.createBrowserContext", params)
        context = BrowserContext(self, str(reply["browserContextId"]))
        self._contexts.append(context)
        self.settings.credentials[context.id] = known
        try:
            await self._targets.downloads.save_to(folder, context.id)
            await self.set_permissions(wanted, context.id)
            if state is not None:
                await restore_state(self, context.id, state)
        except BaseException:  # also when cancelled: no context is left behind
            await context.close()
            raise
        return context

    async def _open(
        self,
        url: str | None,
        viewport: ViewportSize | None,
        context_id: str | None,
        credentials: Credentials,
    ) -> Page:
        require_size(viewport)
        target = await self.open_tabs.open(context_id)
        page = self.open_tabs.page_of(target)
        has_size = VIEWPORT in target.emulation
        try:
            wanted = viewport or (None if has_size else self._viewport)
            await size_new_tab(target, wanted, self.is_headless)
            if credentials:
                await page.set_credentials(credentials)
            if url is not None:
                await page.goto(url)
                target.dialogs.report_again()
        except BaseException:  # also when cancelled: no tab is left behind
            await page.close()
            raise
        return page

    async def set_permissions(
        self, wanted: Mapping[str, PermissionSetting], context_id: str = "", origin: str = ""
    ) -> None:
        """Set permissions of a context, for one origin or for all, also on the next connection.

        Raises:
            InvalidParams: Chromium knows no permission of that name.
        """
        root = self._connection.root
        await self.settings.set_permissions(root, wanted, context_id, origin)

    def _connection_lost(self, reason: ConnectionLost) -> None:
        if self.can_reconnect:
            reason.can_retry = True
            reason.hint = CALL_AGAIN

    @property
    def can_reconnect(self) -> bool:
        """Returns whether `reconnect` may help: it was found running, and no policy has to hold."""
        return self._address is not None and self.gate is None and not self._closing

    async def reconnect(self) -> None:
        """Connect again to a browser that `connect` has found, after the connection broke.

        Pages that are still there go on; ids of documents that are still shown stay valid. A call
        that was under way has failed and may have been carried out. Does nothing while connected.
        With a policy it is refused: nothing has held it meanwhile.

        Raises:
            ConnectionLost: the browser is gone or cannot be reached, or was not found by `connect`.
        """
        async with self._reconnecting:
            if self.is_connected:
                return
            if not self.can_reconnect or self._address is None:
                raise self._connection.ended or ConnectionLost("the browser is closed")
            await reconnect(self, self._address)

    async def close(self) -> None:
        """End a browser launched here; leave a foreign one running. May be called twice."""
        if self._closing:
            return
        self._closing = True
        for context in list(self._contexts):
            if self._process is None:
                await context.close()
        try:
            if self._process is not None:
                await self._process.aclose(self._ask_to_close, timeout=CLOSE_SECONDS)
        finally:
            if self.gate is not None:
                await self.gate.aclose()
            await self._targets.aclose()
            await self._connection.aclose()
            if self._context_downloads is not None:
                shutil.rmtree(self._context_downloads, ignore_errors=True)

    async def _ask_to_close(self) -> None:
        with contextlib.suppress(ConnectionLost):
            await self._connection.root.post("Browser.close", timeout=CLOSE_SECONDS)

    def _forget(self, context: BrowserContext) -> None:
        self.settings.forget(context.id)
        if context in self._contexts:
            self._contexts.remove(context)

    async def named_context(self, context_id: str) -> GetCookiesParameters:
        """A context's name in commands; the browser's own has an id that they do not know."""
        made = (await self._connection.root.post("Target.getBrowserContexts"))["browserContextIds"]
        return {"browserContextId": context_id} if context_id in made else {}

    @property
    def event_hub(self) -> EventHub:
        return self._targets.events

    def events(self, *kinds: str) -> EventStream:
        """As `Page.events`, of all pages, those to come included. Ends with the browser."""
        return self.event_hub.open(kinds, lambda _: True)
