"""The policy of a browser: what it may reach. Pure; `gate` enforces it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cdp_agent.errors import InvalidParams

if TYPE_CHECKING:
    from cdp_use.cdp.target.commands import CreateBrowserContextParameters

#: Requests that change nothing on a server; all others are writes.
READS = frozenset({"GET", "HEAD", "OPTIONS"})
#: Documents that have no server: their content came from a page that was allowed.
_LOCAL = frozenset({"about", "blob", "data"})
_WEB = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
_USUAL = {"http": 80, "https": 443}
_SAME = {"http": ("http", "ws"), "https": ("https", "wss")}
#: Nothing listens there; a connection to it is refused at once.
_NOWHERE = "http://127.0.0.1:1"
#: WebRTC speaks to any address over UDP, which no proxy and no event sees.
NO_WEBRTC = "--webrtc-ip-handling-policy=disable_non_proxied_udp"
#: The same in a browser that runs already, where no flag can be given.
NO_WEBRTC_SCRIPT = (
    "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete globalThis[name]"
)


@dataclass(frozen=True, slots=True)
class HeldRequest:
    """A request that waits for a decision. `summary` tells its body in a line."""

    method: str
    url: str
    host: str
    summary: str
    #: The body itself, as far as the browser tells it.
    body: str = field(default="", repr=False)


Hold = Callable[[HeldRequest], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Policy:
    """`launch(policy=Policy(...))`: enforced for every tab, frame, popup and worker.

    `allow_origins`: `https://shop.test`, `https://*.shop.test` (and shop.test itself),
    `http://localhost:*`; empty allows every http and https address. WebSockets count as the http
    addresses they begin as. `file:`, `chrome:`, `devtools:` and the like are always closed.
    `hold`: asked before a request that writes (all but GET, HEAD and OPTIONS) leaves the browser.
    Messages of WebSockets and WebRTC cannot be asked about one by one: with `hold` these stay
    closed. With `allow_origins` WebRTC stays closed, which has no origin.
    `upload_folder`: the only place that files are uploaded from. (Where downloads go is said by
    `launch(downloads_dir=…)`.)
    """

    allow_origins: tuple[str, ...] = ()
    hold: Hold | None = None
    upload_folder: Path | None = None

    def __post_init__(self) -> None:
        given = self.allow_origins
        if isinstance(given, str) or not all(isinstance(one, str) for one in given):
            raise InvalidParams("allow_origins is a list of origins")
        object.__setattr__(self, "allow_origins", tuple(_checked(one) for one in given))

    def allows(self, url: str) -> bool:
        """Returns whether an address may be shown or asked."""
        scheme = url.partition(":")[0].casefold()
        if scheme in _LOCAL:
            return True
        if scheme not in _WEB:
            return False
        if not self.allow_origins:
            return True
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            return False
        plain = _WEB[scheme]
        return any(
            _fits(allowed, plain, (parts.hostname or "").rstrip("."), port or _USUAL[plain])
            for allowed in self.allow_origins
        )

    def allows_upload(self, path: str | Path) -> bool:
        if self.upload_folder is None:
            return True
        return Path(path).resolve().is_relative_to(self.upload_folder.resolve())

    @property
    def needs_proxy(self) -> bool:
        """Returns whether connections have to be stopped that `Fetch` does not see."""
        return bool(self.allow_origins) or self.hold is not None

    @property
    def launch_args(self) -> tuple[str, ...]:
        """Flags that send what is not allowed to a proxy that is not there.

        Whatever opens a connection obeys them, WebSockets included, which nothing in the protocol
        can stop: neither `Fetch` nor `Network.setBlockedURLs` sees one.
        """
        if not self.needs_proxy:
            return ()
        return f"--proxy-server={_NOWHERE}", f"--proxy-bypass-list={self._bypass}"

    @property
    def context_params(self) -> CreateBrowserContextParameters:
        """The same for a context in a browser that somebody else launched."""
        if not self.needs_proxy:
            return {}
        return {"proxyServer": _NOWHERE, "proxyBypassList": self._bypass}

    @property
    def _bypass(self) -> str:
        """The places that are reached without the proxy."""
        direct = ["<-loopback>"]  # which would be left alone otherwise
        if not self.allow_origins:
            direct += ["http://*", "https://*"]
        for origin in self.allow_origins:
            scheme, _, rest = origin.partition("://")
            rest = rest.removesuffix(":*") if rest.endswith(":*") else _with_port(scheme, rest)
            hosts = (rest, rest[2:]) if rest.startswith("*.") else (rest,)
            schemes = _SAME[scheme] if self.hold is None else (scheme,)
            direct.extend(f"{one}://{host}" for one in schemes for host in hosts)
        return ";".join(direct)


def _with_port(scheme: str, rest: str) -> str:
    has_port = urlsplit(f"{scheme}://{rest.removeprefix('*.')}").port is not None
    return rest if has_port else f"{rest}:{_USUAL[scheme]}"


def _checked(origin: str) -> str:
    """Raises: InvalidParams: not an origin."""
    given = origin.strip().removesuffix("/").casefold()
    if "://" not in origin:
        given = f"https://{given}"
    scheme, _, rest = given.partition("://")
    host = rest.removesuffix(":*")
    try:
        parts = urlsplit(f"{scheme}://{host.removeprefix('*.')}")
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    wrong = scheme not in _USUAL or not parts.hostname or parts.path or parts.query
    if wrong or any(letter in host.removeprefix("*.") for letter in "*;, '\"@"):
        raise InvalidParams(
            f"{origin!r} is not an origin",
            hint="Write https://shop.test, https://*.shop.test or http://localhost:8000.",
        )
    return given


def _fits(allowed: str, scheme: str, host: str, port: int) -> bool:
    wanted_scheme, _, rest = allowed.partition("://")
    if wanted_scheme != scheme:
        return False
    any_port = rest.endswith(":*")
    rest = rest.removesuffix(":*")
    tail = rest.startswith("*.")
    parts = urlsplit(f"{scheme}://{rest.removeprefix('*.')}")
    if not any_port and (parts.port or _USUAL[scheme]) != port:
        return False
    wanted = parts.hostname or ""
    return host == wanted or (tail and host.endswith(f".{wanted}"))
