"""Starting a browser or finding one that runs."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from cdp_agent.api.access.permissions import require_permissions
from cdp_agent.api.browser import CLOSE_SECONDS, Browser
from cdp_agent.api.browser_options import BrowserOptions, GivenCredentials, ViewportSize
from cdp_agent.api.parameter_checks import require_size
from cdp_agent.chromium import BrowserProcess, LaunchOptions, start_browser
from cdp_agent.errors import BrowserError, InvalidParams
from cdp_agent.protocol import Connection
from cdp_agent.targets.network.auth import Credentials
from cdp_agent.targets.network.policy import NO_WEBRTC, Policy
from cdp_agent.transport import (
    PipeTransport,
    Transport,
    WebSocketTransport,
    browser_websocket_url,
)

_DEFAULT_VIEWPORT = (1280, 720)
_OPENING_FLAGS = ("--proxy-", "--no-proxy-server", "--webrtc-ip-handling-policy")


class Opening:
    """A browser to be: `async with` opens and closes it, `await` only opens it."""

    def __init__(self, start: LaunchOptions | str, options: BrowserOptions) -> None:
        self._how = start
        self._options = options
        self._browser: Browser | None = None

    def __await__(self) -> Generator[Any, None, Browser]:
        return self._open().__await__()

    async def __aenter__(self) -> Browser:
        self._browser = await self._open()
        return self._browser

    async def __aexit__(self, *_: object) -> None:
        if self._browser is not None:
            await asyncio.shield(asyncio.ensure_future(self._browser.close()))

    async def _open(self) -> Browser:
        process: BrowserProcess | None = None
        connection: Connection | None = None
        address: str | None = None
        try:
            if isinstance(self._how, str):
                address = await browser_websocket_url(self._how)
                wire: Transport = await WebSocketTransport.open(address)
            else:
                process = await start_browser(self._how)
                wire = await _wire_to(process)
            connection = Connection(wire)
            browser = Browser(connection, process, self._options.policy)
            browser._address = address
            await browser._start(self._options)
        except BaseException:  # also when cancelled: no browser is left behind
            if connection is not None:
                await connection.aclose()
            if process is not None:
                await process.aclose(timeout=CLOSE_SECONDS)
            raise
        return browser


async def _wire_to(process: BrowserProcess) -> Transport:
    if process.pipe is not None:
        return await PipeTransport.open(*process.take_pipe())
    if process.ws_url is None:
        raise BrowserError("the browser opened neither a pipe nor a port")
    return await WebSocketTransport.open(process.ws_url)


def launch(
    executable: str | Path | None = None,
    *,
    headless: bool = True,
    args: Sequence[str] = (),
    transport: Literal["pipe", "websocket"] = "pipe",
    user_data_dir: str | Path | None = None,
    viewport: ViewportSize | None = None,
    downloads_dir: str | Path | None = None,
    credentials: GivenCredentials = None,
    permissions: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    policy: Policy | None = None,
    timeout: float = 30.0,
) -> Opening:
    """Start Chrome or Chromium. It does not outlive this program.

    What pages send is saved in `downloads_dir` and stays there; without one, in a folder that is
    removed when the browser closes. `policy` says what the browser may reach; it holds for every
    tab, popup and worker. `credentials` and `permissions` are as in `new_context`; what is not
    granted is denied without a question.

    Raises (when entered or awaited):
        BrowserNotFound: there is none; the hint has the install command for this system.
        BrowserError: it did not start; the message has its last words.
    """
    require_size(viewport)
    options = LaunchOptions(
        executable=executable,
        headless=headless,
        args=(*_policy_args(policy, args), *args),
        transport=transport,
        user_data_dir=user_data_dir,
        env=env,
        timeout=timeout,
    )
    size = viewport or (_DEFAULT_VIEWPORT if headless else None)
    given = BrowserOptions(
        size, downloads_dir, policy, Credentials.of(credentials), require_permissions(permissions)
    )
    return Opening(options, given)


def _policy_args(policy: Policy | None, args: Sequence[str]) -> tuple[str, ...]:
    """Raises: InvalidParams: a flag of the caller's would open what the policy closes."""
    if policy is None or not policy.needs_proxy:
        return ()
    opening = [arg for arg in args if arg.startswith(_OPENING_FLAGS)]
    if opening:
        raise InvalidParams(
            f"{opening[0].partition('=')[0]} and a policy do not go together",
            hint="The policy stops connections by flags of the same kind: leave yours out.",
        )
    return *policy.launch_args, NO_WEBRTC


def connect(
    url: str,
    *,
    viewport: ViewportSize | None = None,
    downloads_dir: str | Path | None = None,
    policy: Policy | None = None,
    credentials: GivenCredentials = None,
) -> Opening:
    """Use a running browser at `http://host:port` or `ws://…`. It is left running.

    Where the connection breaks, `Browser.reconnect` makes it again and pages go on.

    What pages send goes where that browser saves it, unless `downloads_dir` says otherwise. Where
    several programs with a folder use one browser, the one that acts gets the file. A
    `policy` holds for the whole browser, other people's tabs included, while we are connected.
    With allowed origins or held writes `new_page` opens a context of its own, without the
    browser's cookies, and `pages` lists only pages of such contexts: in the browser's own profile
    nothing can stop WebSockets and WebRTC.
    """
    given = BrowserOptions(viewport, downloads_dir, policy, Credentials.of(credentials))
    return Opening(url, given)
