"""A browser: launched here and ended here, or found running and left running."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cdp_agent.api.access import require_permissions, set_permissions
from cdp_agent.api.covered import Cover
from cdp_agent.api.given import require_size
from cdp_agent.api.page import Page
from cdp_agent.api.storage import require_state, restore_state, save_state
from cdp_agent.chromium import BrowserProcess
from cdp_agent.errors import BrowserError, CdpAgentError, ConnectionLost, InvalidParams
from cdp_agent.protocol import Connection
from cdp_agent.targets import BrowserTargets, PageTarget
from cdp_agent.targets.auth import Credentials
from cdp_agent.targets.gate import WireGate
from cdp_agent.targets.policy import NO_WEBRTC_SCRIPT, Policy

CLOSE_SECONDS = 5.0

ViewportSize = tuple[int, int]
GivenCredentials = tuple[str, str] | Mapping[str, tuple[str, str]] | None


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """What a browser gives to its pages, however it was opened."""

    viewport: ViewportSize | None = None
    downloads_dir: str | Path | None = None
    policy: Policy | None = None
    credentials: Credentials = field(default_factory=Credentials)
    permissions: Mapping[str, str] = field(default_factory=dict)


def make_downloads_dir(given: str | Path) -> Path:
    """Raises: InvalidParams."""
    folder = Path(given).expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidParams(f"downloads_dir {folder}: {error.strerror}") from error
    return folder


class Browser:
    """Use it in `async with`, or `await` the launch and call `close` yourself."""

    def __init__(
        self,
        connection: Connection,
        process: BrowserProcess | None,
        policy: Policy | None = None,
    ) -> None:
        self._connection = connection
        #: What may be reached, enforced on the wire; None without a policy.
        self.gate = WireGate(connection, policy) if policy is not None else None
        #: Hides secrets in pictures of all pages; None: pictures show what is there.
        self.picture_cover: Cover | None = None
        self._process = process
        self._targets = BrowserTargets(connection)
        self._pages: dict[str, Page] = {}
        self._contexts: list[BrowserContext] = []
        #: For pages that no context is named for, where the profile itself cannot be held.
        self._default_context: BrowserContext | None = None
        self._viewport: ViewportSize | None = None
        #: Launched here, without a window that a person could use.
        self.is_headless = False
        self._first_tab: PageTarget | None = None
        self._closing = False
        #: None: what the pages of a browser that runs already send goes where it always goes.
        self._downloads_dir: Path | None = None
        #: By context; that of the browser itself is "".
        self._credentials: dict[str, Credentials] = {}
        #: Tabs that we work in ourselves for a moment.
        self._own_tabs: set[str] = set()
        self.version = ""
        self.user_agent = ""

    async def _start(self, options: BrowserOptions) -> None:
        self._viewport = options.viewport
        if options.downloads_dir is not None:
            self._downloads_dir = make_downloads_dir(options.downloads_dir)
        elif self._process is not None:
            self._downloads_dir = self._process.downloads_dir
        self._credentials[""] = options.credentials
        self._targets.on_page(self._introduce)
        saving = self._targets.downloads.save_to(self._downloads_dir)
        version = self._connection.root.post("Browser.getVersion")
        if self.gate is not None:
            await self.gate.start()  # before any tab of ours can ask for anything
        await self._targets.start()
        told = await version
        await saving
        await set_permissions(self._connection.root, options.permissions)
        self.version, self.user_agent = told["product"], told["userAgent"]
        self.is_headless = self._process is not None and "Headless" in self.user_agent
        if self._process is not None:
            # The tab that Chromium starts with becomes the first page that is asked for.
            self._first_tab = next(iter(self._targets.pages.values()), None)

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
        hidden = {self._first_tab.target_id if self._first_tab else "", *self._own_tabs}
        targets = list(self._targets.pages.values())
        if self._is_held_by_contexts:
            ours = {context.id for context in self._contexts}
            targets = [target for target in targets if target.context_id in ours]
        return [self.page_of(target) for target in targets if target.target_id not in hidden]

    def _introduce(self, target: PageTarget) -> None:
        """A new tab is let in wherever its context or the tab that opened it is."""
        of_context = self._credentials.get(target.context_id, self._credentials[""])
        opener = target.opened_by
        target.auth.credentials = opener.auth.credentials if opener is not None else of_context
        if self._is_held_by_contexts and any(c.id == target.context_id for c in self._contexts):
            target.page_scripts = (NO_WEBRTC_SCRIPT,)

    def page_of(self, target: PageTarget) -> Page:
        """The page object of a tab; always the same one while we are attached to it."""
        page = self._pages.get(target.target_id)
        if page is None or page._target is not target:
            page = self._pages[target.target_id] = Page(self, target)
        return page

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
            self._credentials[self._default_context.id] = self._credentials[""]
        assert self._default_context is not None
        return self._default_context.id

    @property
    def _is_held_by_contexts(self) -> bool:
        """Whether the policy holds in contexts alone: no flag reaches a browser that runs."""
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
        go. `credentials` are as in `Page.set_credentials`, `permissions` as in
        `Page.set_permission` and for every origin, `storage_state` as `Page.storage_state` gave it.

        Raises:
            InvalidParams: one of them is not what it should be.
        """
        known = Credentials.of(credentials)
        wanted = require_permissions(permissions)
        state = require_state(storage_state) if storage_state is not None else None
        folder = self._downloads_dir
        if downloads_dir is not None:
            folder = make_downloads_dir(downloads_dir)
        # Flags hold in a browser of ours; in a found one only a context can be told.
        policy = self.gate.policy if self.gate is not None and self._process is None else None
        params = policy.context_params if policy is not None else {}
        reply = await self._connection.root.post("Target.createBrowserContext", params)
        context = BrowserContext(self, str(reply["browserContextId"]))
        self._contexts.append(context)
        self._credentials[context.id] = known
        try:
            await self._targets.downloads.save_to(folder, context.id)
            await set_permissions(self._connection.root, wanted, context.id)
            if state is not None:
                await restore_state(self, context.id, state)
        except BaseException:
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
        target = await self._new_target(context_id)
        page = self.page_of(target)
        page._viewport = viewport or self._viewport
        try:
            await _set_viewport(target, page._viewport)
            if credentials:
                await page.set_credentials(credentials)
            if url is not None:
                await page.goto(url)
                target.dialogs.report_again()
        except BaseException:
            await page.close()
            raise
        return page

    async def _new_target(self, context_id: str | None) -> PageTarget:
        if context_id is None and self._first_tab is not None:
            target, self._first_tab = self._first_tab, None
            if target.closed is None and not target.crashed:
                await target.wait_ready(10)
                return target
        # A window of its own where nobody sees it: a tab behind another gets no frames, so its
        # animations stand still and never come to rest.
        # A context's first tab needs one too: "Failed to open new tab - no browser is open".
        is_first = context_id is not None and not any(
            target.context_id == context_id for target in self._targets.pages.values()
        )
        params: dict[str, Any] = {"url": "about:blank", "newWindow": self.is_headless or is_first}
        if context_id is not None:
            params["browserContextId"] = context_id
        reply = await self._connection.root.post("Target.createTarget", params)
        found = self._targets.pages.get(reply["targetId"])
        if found is None:
            raise BrowserError("the browser opened a tab and did not attach to it")
        await found.wait_ready(10)
        return found

    async def replace_target(self, old: PageTarget) -> PageTarget:
        """An empty tab beside an old one, of the same size and storage.

        From now on it is the old one's page's; what becomes of `old` is for the caller to say.
        """
        page = self.page_of(old)
        target = await self._new_target(old.context_id or None)
        try:
            await _set_viewport(target, page._viewport)
        except BaseException:
            await self.close_target(target)
            raise
        self._pages.pop(old.target_id, None)
        self._pages[target.target_id] = page
        return target

    async def own_tab(self, context_id: str) -> PageTarget:
        """A tab for work of ours, listed nowhere. Whoever asks for it closes it."""
        named = any(context.id == context_id for context in self._contexts)
        params: dict[str, Any] = {"url": "about:blank", "background": True}
        if named:
            params["browserContextId"] = context_id
        reply = await self._connection.root.post("Target.createTarget", params)
        self._own_tabs.add(reply["targetId"])
        found = self._targets.pages.get(reply["targetId"])
        if found is None:
            raise BrowserError("the browser opened a tab and did not attach to it")
        found.auth.intercepts = False
        await found.wait_ready(10)
        return found

    async def close_target(self, target: PageTarget) -> None:
        """Close one tab and wait until it is gone."""
        self._pages.pop(target.target_id, None)
        with contextlib.suppress(CdpAgentError):
            await self._connection.root.post(
                "Target.closeTarget", {"targetId": target.target_id}, timeout=CLOSE_SECONDS
            )
            await target.until(lambda: target.closed is not None, CLOSE_SECONDS, alive=False)

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

    async def _ask_to_close(self) -> None:
        with contextlib.suppress(ConnectionLost):
            await self._connection.root.post("Browser.close", timeout=CLOSE_SECONDS)

    def _forget(self, context: BrowserContext) -> None:
        self._credentials.pop(context.id, None)
        if context in self._contexts:
            self._contexts.remove(context)


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
        return [page for page in self._browser.pages if page._target.context_id == self.id]

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

    async def close(self) -> None:
        """Close its tabs and forget its storage. May be called twice."""
        self._browser._forget(self)
        with contextlib.suppress(CdpAgentError):
            await self._browser.connection.root.post(
                "Target.disposeBrowserContext",
                {"browserContextId": self.id},
                timeout=CLOSE_SECONDS,
            )


async def _set_viewport(target: PageTarget, size: ViewportSize | None) -> None:
    if size is not None:
        width, height = size
        await target.session.post(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 0, "mobile": False},
        )
