"""The command line: what is always there, and that the caller's flags win."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cdp_agent.chromium.flags import Machine, command_line, merge

PROFILE = Path("/profiles/one")


def line(*args: str, **options: Any) -> list[str]:
    given: dict[str, Any] = {"headless": True, "transport": "pipe", **options}
    return command_line(user_data_dir=PROFILE, args=args, **given)


@pytest.mark.parametrize("headless", [True, False])
@pytest.mark.parametrize("transport", ["pipe", "websocket"])
def test_every_start_is_quiet_on_the_network_and_has_its_own_profile(
    headless: bool, transport: str
) -> None:
    flags = line(headless=headless, transport=transport)

    assert {
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--no-default-browser-check",
        "--site-per-process",
        "--user-data-dir=/profiles/one",
    } <= set(flags)
    assert flags[-1] == "about:blank"


def test_the_transport_chooses_between_pipe_and_port() -> None:
    assert "--remote-debugging-pipe" in line(transport="pipe")
    assert not any(flag.startswith("--remote-debugging-port") for flag in line(transport="pipe"))
    assert "--remote-debugging-port=0" in line(transport="websocket")
    assert "--remote-debugging-pipe" not in line(transport="websocket")


def test_a_port_may_be_had_beside_the_pipe() -> None:
    flags = line("--remote-debugging-port=0", transport="pipe")

    assert {"--remote-debugging-pipe", "--remote-debugging-port=0"} <= set(flags)


def test_a_port_of_the_callers_replaces_ours() -> None:
    flags = line("--remote-debugging-port=9333", transport="websocket")

    assert [flag for flag in flags if "port" in flag] == ["--remote-debugging-port=9333"]


def test_headless_only_when_asked() -> None:
    assert "--headless=new" in line(headless=True)
    assert not any("headless" in flag for flag in line(headless=False))


def test_the_sandbox_is_off_for_root_alone() -> None:
    assert "--no-sandbox" in line(machine=Machine(is_root=True))
    assert "--no-sandbox" not in line(machine=Machine(is_root=False))


def test_small_shared_memory_is_not_used() -> None:
    assert "--disable-dev-shm-usage" in line(machine=Machine(small_shm=True))
    assert "--disable-dev-shm-usage" not in line(machine=Machine())


def test_extensions_stay_on_for_a_profile_of_the_callers_or_an_extension_of_theirs() -> None:
    assert "--disable-extensions" in line()
    assert "--disable-extensions" not in line(own_profile=False)
    assert "--disable-extensions" not in line("--load-extension=/x")


MERGES = {
    "another flag is added": (["--a"], ["--b"], ["--a", "--b", "about:blank"]),
    "the same flag is replaced": (["--a=1", "--b"], ["--a=2"], ["--b", "--a=2", "about:blank"]),
    "features are joined": (
        ["--disable-features=A,B"],
        ["--disable-features=B,C"],
        ["--disable-features=A,B,C", "about:blank"],
    ),
    "features given twice are joined": (
        ["--enable-features=A"],
        ["--enable-features=B", "--enable-features=C"],
        ["--enable-features=A,B,C", "about:blank"],
    ),
    "a feature the caller enables is not disabled": (
        ["--disable-features=A,B"],
        ["--enable-features=A"],
        ["--disable-features=B", "--enable-features=A", "about:blank"],
    ),
    "a feature the caller disables is not enabled": (
        ["--enable-blink-features=A"],
        ["--disable-blink-features=A"],
        ["--disable-blink-features=A", "about:blank"],
    ),
    "settings are joined": (
        ["--blink-settings=a=1"],
        ["--blink-settings=b=2"],
        ["--blink-settings=a=1,b=2", "about:blank"],
    ),
    "an address replaces the blank page": (["--a"], ["http://x/"], ["--a", "http://x/"]),
}


@pytest.mark.parametrize(("ours", "theirs", "merged"), MERGES.values(), ids=MERGES.keys())
def test_the_callers_flags_are_laid_over_ours(
    ours: list[str], theirs: list[str], merged: list[str]
) -> None:
    assert merge(ours, theirs) == merged
