"""The command line with a real Chromium: its output, and that nothing stays behind."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import pytest_asyncio

from cdp_agent.chromium import BrowserProcess, LaunchOptions, start_browser

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><meta charset=utf-8><title>Shop</title>
<p>Welcome</p><button>Buy</button><div style="height:3000px"></div><button>Below</button>"""


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


@pytest.fixture
def temporary(tmp_path: Path) -> Iterator[Path]:
    """The commands' temporary folder, empty again after each of them."""
    folder = Path(tempfile.mkdtemp(prefix="cli-"))
    yield folder
    left = os.listdir(folder)
    shutil.rmtree(folder)
    assert left == []


def command(*args: str | Path) -> list[str]:
    return [sys.executable, "-m", "cdp_agent.cli.main", *map(str, args)]


def cdp_agent(temporary: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*args),
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
        timeout=80,
    )


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def running() -> AsyncIterator[BrowserProcess]:
    """A browser that is somebody else's: what a command prints is the same, and it costs less."""
    browser = await start_browser(LaunchOptions(transport="websocket"))
    yield browser
    assert browser.returncode is None, "a command ended a browser that it had only connected to"
    await browser.aclose()


@pytest.fixture
def elsewhere(running: BrowserProcess) -> list[str]:
    return ["--connect", str(running.ws_url)]


def test_a_snapshot_is_printed_as_text_and_commands_of_the_protocol_beside_it(
    temporary: Path, page_file: Path
) -> None:
    ran = cdp_agent(temporary, "snapshot", page_file, "--debug")

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Page: Shop")
    assert 'button "Buy"' in ran.stdout
    assert 'button "Below"' in ran.stdout
    assert "Welcome" in ran.stdout
    assert "Page.navigate" in ran.stderr


def test_a_snapshot_can_be_limited_to_the_viewport_and_to_what_is_interactive(
    temporary: Path, page_file: Path, elsewhere: list[str]
) -> None:
    ran = cdp_agent(temporary, "snapshot", page_file, "--viewport", "--interactive", *elsewhere)

    assert 'button "Buy"' in ran.stdout
    assert "Below" not in ran.stdout
    assert "Welcome" not in ran.stdout


def test_a_snapshot_is_printed_as_data(
    temporary: Path, page_file: Path, elsewhere: list[str]
) -> None:
    ran = cdp_agent(temporary, "snapshot", page_file, "--json", *elsewhere)

    assert ran.returncode == 0, ran.stderr
    data = json.loads(ran.stdout)
    assert data["page"]["title"] == "Shop"
    assert [e["name"] for e in data["elements"] if e["role"] == "button"] == ["Buy", "Below"]


def test_a_page_that_cannot_be_reached_exits_1(temporary: Path) -> None:
    ran = cdp_agent(temporary, "snapshot", "http://127.0.0.1:1/")

    assert ran.returncode == 1
    assert ran.stderr.startswith("navigation_failed: ")
    assert "Traceback" not in ran.stderr


def test_a_page_that_never_answers_exits_1_at_the_timeout(
    temporary: Path, silent: str, elsewhere: list[str]
) -> None:
    ran = cdp_agent(temporary, "snapshot", silent, "--timeout", "1", "--json", *elsewhere)

    assert ran.returncode == 1
    assert json.loads(ran.stdout)["error"]["code"] in {"timeout", "navigation_failed"}


@pytest.mark.parametrize("tag", ["<script src={}></script>", "<link rel=stylesheet href={}>"])
def test_what_is_there_of_a_page_that_never_stops_loading_is_printed(
    temporary: Path, tmp_path: Path, silent: str, tag: str, elsewhere: list[str]
) -> None:
    path = tmp_path / "endless.html"
    path.write_text(f"<title>Shop</title><button>Buy</button>{tag.format(silent)}<script></script>")

    ran = cdp_agent(temporary, "snapshot", path, "--timeout", "1", *elsewhere)

    assert ran.returncode == 0, ran.stderr
    header, button, *_ = ran.stdout.split("\n")
    assert header.startswith("Page: Shop")
    assert header.endswith("loading")
    assert 'button "Buy"' in button
    assert ran.stderr.startswith("warning: ")
    assert "was not read to its end within 1 s" in ran.stderr
    assert "hint" not in ran.stderr


def _hears_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_exits_130_and_leaves_no_chromium(temporary: Path, silent: str) -> None:
    running = subprocess.Popen(
        command("snapshot", silent),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
        # What is started in the background of a script inherits deafness to Ctrl-C.
        preexec_fn=_hears_ctrl_c,
    )
    with running:
        assert _Silent.asked.wait(30)
        running.send_signal(signal.SIGINT)
        _, stderr = running.communicate(timeout=30)

    assert running.returncode == 130
    assert stderr == "interrupted\n"
    assert _processes_with(str(temporary)) == []


async def test_a_running_browser_is_used_and_left_running(
    temporary: Path, page_file: Path, running: BrowserProcess
) -> None:
    url = str(running.ws_url)
    port = url.split(":")[2].split("/")[0]
    for endpoint in (url, port):
        ran = await asyncio.to_thread(
            cdp_agent, temporary, "snapshot", page_file, "--connect", endpoint
        )
        assert 'button "Buy"' in ran.stdout, ran.stderr
    assert running.returncode is None


def test_the_doctor_finds_this_machine_in_order(temporary: Path) -> None:
    ran = cdp_agent(temporary, "doctor", "--json")

    report = json.loads(ran.stdout)
    failed = [line for line in report["checks"] if line["essential"] and not line["ok"]]
    assert failed == []
    assert ran.returncode == 0
    names = {line["name"] for line in report["checks"]}
    assert {"browser", "pipe", "websocket", "sandbox", "fonts", "frames"} <= names
    assert all(line["fix"] for line in report["checks"] if not line["ok"])


class _Silent(BaseHTTPRequestHandler):
    """Takes a request and never answers it."""

    asked = threading.Event()
    enough = threading.Event()

    def do_GET(self) -> None:
        self.asked.set()
        self.enough.wait(60)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def silent() -> Iterator[str]:
    _Silent.asked.clear()
    _Silent.enough.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Silent)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    _Silent.enough.set()
    server.shutdown()
    server.server_close()
    thread.join()


def _processes_with(word: str) -> list[str]:
    """Processes that name `word`, given a moment in which the last of them may end."""
    for _ in range(250):
        listed = subprocess.run(
            ["ps", "-axww", "-o", "pid=,stat=,command="], capture_output=True, text=True
        )
        rows = (line.split(maxsplit=2) for line in listed.stdout.splitlines())
        found = [" ".join(row) for row in rows if word in row[-1] and not row[1].startswith("Z")]
        if not found:
            break
        time.sleep(0.02)
    return found
