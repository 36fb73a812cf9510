"""Starting a browser process, with small scripts in Chromium's place."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from cdp_agent.chromium import LaunchOptions, start_browser
from cdp_agent.errors import BrowserError, BrowserNotFound, InvalidParams
from tests.unit.chromium.started import (
    ANSWER,
    RUN_UNTIL_TERM,
    Fake,
    running_commands,
    started,
    until,
)


async def test_a_browser_that_ends_at_start_is_an_error_with_its_last_words(
    fake: Fake, temporary_folder: Path
) -> None:
    with pytest.raises(BrowserError) as caught:
        await start_browser(LaunchOptions(executable=fake("echo no luck today >&2; exit 7")))

    assert "exited with code 7" in caught.value.message
    assert "no luck today" in caught.value.message
    assert caught.value.data["returncode"] == 7
    assert caught.value.data["stderr"] == "no luck today"
    assert os.listdir(temporary_folder) == []


async def test_what_a_launcher_writes_on_stdout_is_among_its_last_words(fake: Fake) -> None:
    with pytest.raises(BrowserError, match="told on stdout"):
        await start_browser(LaunchOptions(executable=fake("echo told on stdout; exit 1")))


async def test_a_browser_ended_by_a_signal_is_said_to_be_so(fake: Fake) -> None:
    with pytest.raises(BrowserError, match="was ended by SIGSEGV"):
        await start_browser(LaunchOptions(executable=fake("kill -s SEGV $$")))


CAUSES = {
    "missing library": (
        "chrome: error while loading shared libraries: libnss3.so: cannot open shared object file",
        "libnss3.so is missing",
    ),
    "sandbox": ("FATAL:zygote_host_impl_linux.cc(127)] No usable sandbox!", "--no-sandbox"),
    "locked profile": (
        "The profile appears to be in use by another Chromium process (4711)",
        "Another Chromium uses this profile",
    ),
    "running profile": ("Opening in existing browser session.", "Another Chromium uses"),
    "no display": ("ERROR:ozone_platform_x11.cc(240)] Missing X server or $DISPLAY", "headless"),
}


@pytest.mark.parametrize(("words", "advice"), CAUSES.values(), ids=CAUSES.keys())
async def test_a_known_cause_has_a_hint(fake: Fake, words: str, advice: str) -> None:
    with pytest.raises(BrowserError) as caught:
        await start_browser(LaunchOptions(executable=fake(f"echo '{words}' >&2; exit 1")))

    assert advice in caught.value.hint


async def test_a_browser_that_says_nothing_is_an_error_and_ended(
    fake: Fake, temporary_folder: Path
) -> None:
    silent = fake("while :; do sleep 300; done")

    with pytest.raises(BrowserError, match=r"did not answer within 0\.5 s"):
        await start_browser(LaunchOptions(executable=silent, timeout=0.5))

    assert str(silent) not in running_commands()
    assert os.listdir(temporary_folder) == []


async def test_a_file_the_system_cannot_run_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "chrome"
    path.write_bytes(b"\x7fELF but not really")
    path.chmod(0o755)

    with pytest.raises(BrowserError, match="exited with code"):
        await start_browser(LaunchOptions(executable=path))


async def test_a_missing_executable_is_not_found(temporary_folder: Path) -> None:
    with pytest.raises(BrowserNotFound):
        await start_browser(LaunchOptions(executable="/nowhere/chrome"))

    assert os.listdir(temporary_folder) == []


async def test_the_pipe_is_on_3_and_4_whatever_our_own_numbers(fake: Fake) -> None:
    taken = [os.open(os.devnull, os.O_RDONLY) for _ in range(20)]
    try:
        # The question is read before it is answered: an echo of it could come with the answer.
        question = len(b'{"id":0,"method":"Browser.getVersion"}\0')
        asked = f"dd bs=1 count={question} <&3 >/dev/null 2>&1"
        async with started(fake(f"{asked}; {ANSWER}; exec cat <&3 >&4")) as browser:
            read_fd, write_fd = browser.take_pipe()
            os.set_blocking(read_fd, True)
            os.write(write_fd, b"hello")
            os.close(write_fd)
            echo = os.fdopen(read_fd, "rb")
            with echo:
                assert await asyncio.to_thread(echo.read) == b"hello"
    finally:
        for fd in taken:
            os.close(fd)


async def test_a_taken_pipe_is_not_given_twice(fake: Fake) -> None:
    async with started(fake(f"{ANSWER}; {RUN_UNTIL_TERM}")) as browser:
        for fd in browser.take_pipe():
            os.close(fd)

        assert browser.pipe is None
        with pytest.raises(InvalidParams):
            browser.take_pipe()


async def test_a_browser_that_writes_without_end_is_not_held_up(fake: Fake) -> None:
    noise = "i=0; while [ $i -lt 20000 ]; do echo line number $i >&2; i=$((i+1)); done"
    async with started(fake(f"{noise}; printf 'without newline' >&2; {ANSWER}")) as browser:
        await browser.wait_closed()
        await until(lambda: "without newline" in browser.stderr_tail())

        tail = browser.stderr_tail().splitlines()
        assert len(tail) == 20
        assert tail[-2:] == ["line number 19999", "without newline"]


@pytest_asyncio.fixture
async def port() -> AsyncIterator[int]:
    """Answers like a debugging port that is asked for its version."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def test_the_address_of_the_port_is_read_from_stderr(fake: Fake, port: int) -> None:
    says = f"echo 'DevTools listening on ws://127.0.0.1:{port}/devtools/browser/x' >&2"
    async with started(fake(f"{says}; {RUN_UNTIL_TERM}"), transport="websocket") as browser:
        assert browser.ws_url == f"ws://127.0.0.1:{port}/devtools/browser/x"
        assert browser.pipe is None


async def test_the_address_of_the_port_is_read_from_the_profile_where_stderr_is_swallowed(
    fake: Fake, tmp_path: Path, port: int
) -> None:
    profile = tmp_path / "mine"
    writes = f"printf '{port}\\n/devtools/browser/y' >{profile}/DevToolsActivePort"
    executable = fake(f"{writes}; {RUN_UNTIL_TERM}")
    async with started(executable, transport="websocket", user_data_dir=profile) as browser:
        assert browser.ws_url == f"ws://127.0.0.1:{port}/devtools/browser/y"


async def test_a_port_left_in_the_profile_by_an_earlier_start_is_not_used(
    fake: Fake, tmp_path: Path, port: int
) -> None:
    (tmp_path / "DevToolsActivePort").write_text(f"{port}\n/devtools/browser/old")
    options = LaunchOptions(
        executable=fake(RUN_UNTIL_TERM),
        transport="websocket",
        user_data_dir=tmp_path,
        timeout=0.5,
    )

    with pytest.raises(BrowserError, match="did not answer"):
        await start_browser(options)


async def test_a_browser_that_opens_its_port_and_ends_has_not_started(fake: Fake) -> None:
    says = "echo 'DevTools listening on ws://127.0.0.1:1/devtools/browser/x' >&2"

    with pytest.raises(BrowserError, match="exited with code 21"):
        await start_browser(
            LaunchOptions(executable=fake(f"{says}; exit 21"), transport="websocket")
        )


@pytest.mark.parametrize("as_flag", [False, True])
async def test_a_profile_of_the_callers_stays(
    fake: Fake, tmp_path: Path, temporary_folder: Path, as_flag: bool
) -> None:
    mine = tmp_path / "mine"
    options: dict[str, Any] = (
        {"args": [f"--user-data-dir={mine}"]} if as_flag else {"user_data_dir": mine}
    )
    async with started(fake(f"{ANSWER}; {RUN_UNTIL_TERM}"), **options) as browser:
        assert browser.user_data_dir == mine
        (mine / "Cookies").write_text("mine")

    assert (mine / "Cookies").read_text() == "mine"
    assert os.listdir(temporary_folder) == []


async def test_temporary_files_of_the_browser_go_with_its_profile(
    fake: Fake, temporary_folder: Path
) -> None:
    async with started(fake(f'{ANSWER}; echo x >"$TMPDIR/socket"; {RUN_UNTIL_TERM}')) as browser:
        ours = browser.user_data_dir.parent
        await until((ours / "tmp" / "socket").exists)

    assert os.listdir(temporary_folder) == []


async def test_a_temporary_folder_whose_name_is_too_long_for_a_socket_is_not_used(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / "very-long-name" / "very-long-name" / "very-long-name"
    monkeypatch.setattr("tempfile.tempdir", str(long))
    async with started(fake(f'echo "$TMPDIR" >&2; {ANSWER}; {RUN_UNTIL_TERM}')) as browser:
        await until(lambda: browser.stderr_tail() != "")

        socket = f"{browser.stderr_tail()}/org.chromium.Chromium.XXXXXX/SingletonSocket"
        assert len(socket) <= 107


async def test_the_callers_environment_is_added_to_ours(fake: Fake, tmp_path: Path) -> None:
    executable = fake(f'echo "$WORD $HOME" >{tmp_path}/env; {ANSWER}; {RUN_UNTIL_TERM}')
    async with started(executable, env={"WORD": "spoken"}):
        assert (tmp_path / "env").read_text() == f"spoken {os.environ['HOME']}\n"


BAD_OPTIONS: dict[str, dict[str, Any]] = {
    "unknown transport": {"transport": "pigeon"},
    "one string of flags": {"args": "--mute-audio"},
}


@pytest.mark.parametrize("options", BAD_OPTIONS.values(), ids=BAD_OPTIONS.keys())
def test_options_that_cannot_be_meant_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidParams):
        LaunchOptions(**options)


async def test_a_profile_that_cannot_be_made_is_refused(fake: Fake, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(InvalidParams, match="user_data_dir"):
        await start_browser(
            LaunchOptions(executable=fake(ANSWER), user_data_dir=tmp_path / "file" / "profile")
        )
