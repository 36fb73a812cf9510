"""Finding a browser, and saying how to get one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_agent.chromium import find
from cdp_agent.chromium.find import ENV_VARIABLE, find_browser, install_command, is_snap
from cdp_agent.errors import BrowserNotFound

DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n'
MINT = "ID=linuxmint\nID_LIKE='ubuntu debian'\n"


@pytest.fixture(autouse=True)
def empty_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No browser on PATH, none downloaded, none named; the usual places stay as they are."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv(ENV_VARIABLE, raising=False)


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_argument_wins_over_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = program(tmp_path / "mine")
    monkeypatch.setenv(ENV_VARIABLE, str(program(tmp_path / "other")))

    assert find_browser(mine) == mine


def test_the_environment_wins_over_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin" / "chromium")
    mine = program(tmp_path / "mine")
    monkeypatch.setenv(ENV_VARIABLE, str(mine))

    assert find_browser() == mine


def test_a_bare_name_is_looked_up_on_path(tmp_path: Path) -> None:
    mine = program(tmp_path / "bin" / "my-chrome")

    assert find_browser("my-chrome") == mine


def test_chrome_on_path_is_taken_before_chromium(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "chromium")
    chrome = program(tmp_path / "bin" / "google-chrome")

    assert find_browser() == chrome


def test_a_link_is_kept_because_a_snap_goes_by_the_name_it_is_called_with(tmp_path: Path) -> None:
    link = tmp_path / "bin" / "chromium"
    link.symlink_to(program(tmp_path / "snap"))

    assert find_browser() == link


def test_a_missing_path_is_an_error_although_another_browser_is_there(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "chromium")

    with pytest.raises(BrowserNotFound, match=r"executable=/nowhere/chrome does not exist"):
        find_browser("/nowhere/chrome")


def test_a_wrong_environment_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENV_VARIABLE, "/nowhere/chrome")

    with pytest.raises(BrowserNotFound, match=r"CDP_AGENT_CHROME=/nowhere/chrome does not exist"):
        find_browser()


def test_a_file_that_is_not_executable_is_said_to_be_so(tmp_path: Path) -> None:
    path = program(tmp_path / "chrome")
    path.chmod(0o644)

    with pytest.raises(BrowserNotFound, match="is not executable"):
        find_browser(path)


def test_a_mac_application_is_an_error_that_tells_where_the_program_is(tmp_path: Path) -> None:
    application = tmp_path / "Google Chrome.app"
    application.mkdir()

    with pytest.raises(BrowserNotFound, match="Contents/MacOS"):
        find_browser(application)


def test_a_name_that_is_not_on_path_is_an_error() -> None:
    with pytest.raises(BrowserNotFound, match="no such command on PATH"):
        find_browser("no-such-chrome")


INSTALL = {
    "debian as root": (DEBIAN, True, "apt-get update && apt-get install -y chromium"),
    "debian": (DEBIAN, False, "sudo apt-get update && sudo apt-get install -y chromium"),
    "ubuntu": ("ID=ubuntu\nID_LIKE=debian\n", True, "chromium-browser"),
    "mint goes by what it is like": (MINT, True, "chromium-browser"),
    "fedora": ("ID=fedora\n", False, "sudo dnf install -y chromium"),
    "rocky": ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', True, "epel-release"),
    "arch": ("ID=arch\n", True, "pacman -S --noconfirm chromium"),
    "alpine": ("ID=alpine\n", True, "apk add chromium"),
    "suse": ('ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', True, "zypper install -y chromium"),
}


@pytest.mark.parametrize(("os_release", "is_root", "command"), INSTALL.values(), ids=INSTALL.keys())
def test_the_install_command_is_that_of_the_system(
    os_release: str, is_root: bool, command: str
) -> None:
    found = install_command("linux", os_release, is_root=is_root)

    assert found is not None
    assert found.endswith(command) or command in found.split()
    assert ("sudo" in found) is not is_root


def test_the_install_command_of_macos_is_brew() -> None:
    assert install_command("darwin", "", is_root=False) == "brew install --cask google-chrome"


def test_an_unknown_system_has_no_install_command() -> None:
    assert install_command("linux", "ID=unheard-of\n", is_root=True) is None


def test_the_script_that_starts_a_snap_is_taken_for_one(tmp_path: Path) -> None:
    script = program(tmp_path / "chromium-browser")
    assert not is_snap(script)

    script.write_text('#!/bin/sh\nexec /snap/bin/chromium "$@"\n')
    assert is_snap(script)
    assert is_snap(Path("/snap/bin/chromium"))


def test_no_browser_at_all_is_an_error_with_the_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(find, "_LINUX_PLACES", ())
    monkeypatch.setattr(find, "_MAC_APPLICATIONS", ())

    with pytest.raises(BrowserNotFound) as caught:
        find_browser()

    assert caught.value.hint.startswith("Install")
    assert "set CDP_AGENT_CHROME" in caught.value.hint


def test_a_browser_that_another_tool_downloaded_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(find, "_LINUX_PLACES", ())
    monkeypatch.setattr(find, "_MAC_APPLICATIONS", ())
    monkeypatch.setattr("sys.platform", "linux")
    downloads = tmp_path / "home" / ".cache" / "ms-playwright"
    downloaded = program(downloads / "chromium-1200" / "chrome-linux" / "chrome")

    assert find_browser() == downloaded
