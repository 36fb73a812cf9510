"""The command line Chromium is started with, as a pure function of the options.

Every flag stands beside its reason. What the caller gives wins: a flag of theirs
replaces ours of the same name, and lists of features are joined, theirs deciding
where the two disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

TransportName = Literal["pipe", "websocket"]

_ALWAYS = (
    # Quiet on the network: without these Chromium calls home at every start.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-field-trial-config",
    "--disable-breakpad",
    "--metrics-recording-only",
    # Nothing that asks a person before the first page.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-search-engine-choice-screen",
    "--disable-prompt-on-repost",
    # No keychain or wallet: it would open a dialog of the system's.
    "--password-store=basic",
    "--use-mock-keychain",
    # A tab that is not in front works at full speed: agents drive several at once.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    # A page that hangs is ours to report, not Chromium's to ask about.
    "--disable-hang-monitor",
    # A popup that a page opens late, after its click, is reported and not swallowed.
    "--disable-popup-blocking",
    # A page that asks for the camera or a position gets no, and not a question in a window that
    # nobody looks at; what the caller has granted is granted.
    "--deny-permission-prompts",
    # Without it, input between a navigation's commit and its first frame is dropped.
    "--allow-pre-commit-input",
    # A picture's colours do not depend on the machine's screen.
    "--force-color-profile=srgb",
    # Every cross-site frame in a process of its own, on machines with little memory too:
    # one kind of frame to handle instead of two that change with the machine.
    "--site-per-process",
)
_HEADLESS = (
    "--headless=new",
    "--mute-audio",
    # The layout viewport is as wide as the window, as on systems with overlay scrollbars.
    "--hide-scrollbars",
    # Without it a screen has 800 by 600 pixels, and the page the styles that are for small ones.
    "--screen-info={1920x1080}",
)
# A machine without a mouse answers `(hover: none)`, and pages then hide their hover menus.
_BLINK_SETTINGS = (
    "primaryHoverType=2",
    "availableHoverTypes=2",
    "primaryPointerType=4",
    "availablePointerTypes=4",
)
_DISABLED_FEATURES = (
    "Translate",  # its bubble covers the page
    "MediaRouter",  # looks for devices on the local network; on macOS asks for permission
    "OptimizationHints",  # downloads hints at start
    "NetworkTimeServiceQuerying",  # asks a time server at start
    "PreconnectToSearch",  # connects to the search engine at start
    "AimEnabled",  # asks a search engine's server at start
    "InterestFeedContentSuggestions",  # downloads news for the new-tab page
    # The address bar's suggestions: two hidden pages and a renderer for every window.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "LensOverlay",  # adds interface over the page
    "HttpsUpgrades",  # http:// stays http://, which local servers need
    "HttpsFirstBalancedModeAutoEnable",
    "PaintHolding",  # shows the old page's picture after a navigation has committed
    "DestroyProfileOnBrowserClose",  # a context outlives its last tab
    # After each key or press it holds back the page's timers and messages until the next
    # frame is drawn: 5 to 16 ms in which nothing that the action began goes on.
    "DeferRendererTasksAfterInput",
)
_ENABLED_FEATURES = ("SkipListAccountsWithoutGaiaCookies",)  # else asks an account server

# name → the flag whose list must not contain what this one has.
_OPPOSITE = {
    "--enable-features": "--disable-features",
    "--disable-features": "--enable-features",
    "--enable-blink-features": "--disable-blink-features",
    "--disable-blink-features": "--enable-blink-features",
}
_LISTS = {*_OPPOSITE, "--blink-settings"}
# Whoever loads an extension wants extensions.
_WANTS_EXTENSIONS = {"--load-extension", "--disable-extensions-except"}


@dataclass(frozen=True)
class Machine:
    """Facts of this machine that the command line depends on."""

    is_root: bool = False
    small_shm: bool = False


def command_line(
    *,
    user_data_dir: Path,
    headless: bool,
    transport: TransportName,
    args: Sequence[str] = (),
    own_profile: bool = True,
    machine: Machine = Machine(),
) -> list[str]:
    """All arguments after the program's name."""
    flags = [*_ALWAYS, f"--user-data-dir={user_data_dir}"]
    flags.append("--remote-debugging-pipe" if transport == "pipe" else "--remote-debugging-port=0")
    if headless:
        flags += [*_HEADLESS, _joined("--blink-settings", _BLINK_SETTINGS)]
    if own_profile:
        # A profile of the person's keeps the extensions that they put there.
        flags += ["--disable-extensions", "--disable-component-extensions-with-background-pages"]
    if machine.is_root:
        flags.append("--no-sandbox")  # Chromium refuses to sandbox root
    if machine.small_shm:
        flags.append(
            "--disable-dev-shm-usage"
        )  # tabs crash when /dev/shm (64 MB in Docker) is full
    flags += [
        _joined("--disable-features", _DISABLED_FEATURES),
        _joined("--enable-features", _ENABLED_FEATURES),
    ]
    return merge(flags, args)


def merge(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Our flags, replaced by the caller's of the same names, which come last."""
    lists: dict[str, list[str]] = {}
    for flag in theirs:
        if flag_name(flag) in _LISTS:
            lists.setdefault(flag_name(flag), []).extend(_items(flag))
    replaced = {flag_name(flag) for flag in theirs} - _LISTS
    if _WANTS_EXTENSIONS & replaced:
        replaced.add("--disable-extensions")

    merged: list[str] = []
    for flag in ours:
        name = flag_name(flag)
        if name in _LISTS:
            refused = lists.get(_OPPOSITE.get(name, ""), [])
            mine = [item for item in _items(flag) if item not in refused]
            if items := [*mine, *lists.pop(name, [])]:
                merged.append(_joined(name, items))
        elif name not in replaced:
            merged.append(flag)
    merged += [_joined(name, items) for name, items in lists.items()]
    merged += [flag for flag in theirs if flag_name(flag) not in _LISTS]
    if all(flag.startswith("-") for flag in theirs):
        merged.append("about:blank")
    return merged


def flag_name(flag: str) -> str:
    """`--name` of `--name=value`."""
    return flag.partition("=")[0]


def flag_value(args: Iterable[str], name: str) -> str | None:
    """The value of the last `name=value`, which is the one that Chromium takes."""
    values = [flag.partition("=")[2] for flag in args if flag_name(flag) == name]
    return values[-1] if values else None


def _items(flag: str) -> list[str]:
    return [item for item in flag.partition("=")[2].split(",") if item]


def _joined(name: str, items: Iterable[str]) -> str:
    return f"{name}={','.join(dict.fromkeys(items))}"
