"""The session's commands as a shell sees them, on the run's Chromium."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import stat
import time
from pathlib import Path

from tests.browser.fronts.conftest import Shell, ref
from tests.support.oracle import Oracle
from tests.support.site import Site


def pid_of(listed: str) -> int:
    found = re.search(r"pid (\d+)", listed)
    assert found is not None, listed
    return int(found[1])


def _ends(pid: int) -> bool:
    """Returns whether a process that is nobody's child is gone within twenty seconds."""
    deadline = time.monotonic() + 20
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
        time.sleep(0.05)
    return not os.path.exists(f"/proc/{pid}")


PAGE = """<title>Form</title><label>Name <input></label>
<button onclick="p.textContent = 'Hello ' + document.querySelector('input').value">Send</button>
<p id=p></p><ul>{rows}</ul>""".replace("{rows}", "<li>row</li>" * 30)


async def test_a_task_by_single_commands(shell: Shell, site: Site, endpoint: str) -> None:
    opened = await shell("open", site.page(PAGE), "--connect", endpoint)
    assert opened.code == 0, opened.err
    await shell("fill", ref(opened.out, "textbox"), "Ada")
    sent = await shell("click", ref(opened.out, "button"))
    assert (sent.code, sent.err) == (0, "")
    assert "Hello Ada" in sent.out
    assert "row" not in sent.out

    part = await shell("snapshot", "--interactive")
    assert "row" not in part.out
    assert (await shell("press", "Tab", "--json")).out.startswith('{"text": "pressed Tab')

    folder = stat.S_IMODE(os.stat(shell.folder).st_mode)
    assert folder == 0o700
    assert stat.S_IMODE(os.stat(shell.folder / "default.sock").st_mode) == 0o600

    picture = shell.folder / "a.png"
    assert (await shell("screenshot", str(picture))).code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert (await shell("close")).out == "closed\n"
    assert (await shell("sessions")).out == "no session runs\n"


async def test_sessions_are_apart_and_a_killed_one_is_replaced(
    shell: Shell, site: Site, endpoint: str
) -> None:
    one, two = site.page("<h1>One</h1>"), site.page("<h1>Two</h1>")
    await asyncio.gather(
        shell("open", one, "--session", "one", "--connect", endpoint),
        shell("open", two, "--session", "two", "--connect", endpoint),
    )
    listed = (await shell("sessions")).out
    assert len(listed.splitlines()) == 2
    other = await shell("click", "0-70000", "--session", "two")
    assert (other.code, other.err[:11], "Two" in other.err) == (1, "ref_invalid", True)
    assert "One" in (await shell("snapshot", "--session", "one")).out
    os.kill(pid_of(listed.splitlines()[0]), signal.SIGKILL)
    again = await shell("open", one, "--session", "one", "--connect", endpoint)
    assert "One" in again.out
    assert "Two" in (await shell("snapshot", "--session", "two")).out


async def test_an_idle_session_ends_by_itself(shell: Shell, site: Site, endpoint: str) -> None:
    url = site.page("<h1>Idle</h1>")
    opened = await shell("open", url, "--connect", endpoint, "--idle", "0.3")
    assert opened.code == 0, opened.err
    async with asyncio.timeout(20):
        while (shell.folder / "default.sock").exists():  # noqa: ASYNC110 (a file says nothing)
            await asyncio.sleep(0.05)
    assert (await shell("sessions")).out == "no session runs\n"


async def test_bad_input_is_told_and_the_session_goes_on(
    shell: Shell, site: Site, endpoint: str
) -> None:
    await shell("open", site.page("<button>Go</button>"), "--connect", endpoint)
    wrong = await shell("click", "button")
    assert (wrong.code, wrong.err[:11]) == (1, "ref_invalid")
    assert "hint: " in wrong.err
    assert (await shell("click")).code == 2
    assert (await shell("fly")).code == 2
    assert (await shell("click", "0-1", "--session", "../x")).code == 2
    yaml = await shell("act", "-", given="steps: [{action: click, params: {")
    assert (yaml.code, "is not valid YAML" in yaml.err) == (2, True)
    forbidden = await shell("act", "-", given='[{"action": "evaluate"}]')
    assert (forbidden.code, "there is no action" in forbidden.err) == (2, True)
    with socket.socket(socket.AF_UNIX) as wire:
        wire.connect(str(shell.folder / "default.sock"))
        wire.sendall(b"\xff not json\n")
        wire.settimeout(10)
        answer = await asyncio.to_thread(wire.recv, 10_000)
    assert json.loads(answer)["code"] == "invalid_params"
    assert "Go" in (await shell("snapshot")).out


async def test_steps_of_a_file_run_in_the_session_or_alone(
    shell: Shell, site: Site, endpoint: str, tmp_path: Path, browser_oracle: Oracle
) -> None:
    url = site.page(PAGE)
    steps = tmp_path / "steps.yaml"
    steps.write_text(
        "steps:\n"
        "  - {action: fill, params: {selector: {label: Name}, value: Ada}}\n"
        "  - {action: click, params: {selector: {role: button, name: Send}}}\n"
    )
    await shell("open", url, "--connect", endpoint)
    done = await shell("act", str(steps))
    assert done.code == 0, done.err
    assert "2 of 2 steps done" in done.out
    assert "Hello Ada" in done.out
    alone = await shell("act", str(steps), "--url", url, "--connect", endpoint, "--json")
    assert json.loads(alone.out)["data"]["completed"] == 2
    (tmp_path / "bad.json").write_text(
        '[{"action": "click", "params": {"selector": {"css": "#no"}, "timeout": 0.2}}]'
    )
    failed = await shell("act", str(tmp_path / "bad.json"))
    assert (failed.code, "failed at step 1" in failed.err) == (1, True)


async def test_a_folder_that_others_may_enter_is_refused(shell: Shell) -> None:
    shell.folder.chmod(0o755)
    refused = await shell("snapshot")
    assert refused.code == 2
    assert "chmod 700" in refused.err
    shell.folder.chmod(0o700)


async def test_a_session_with_a_browser_of_its_own(shell: Shell, site: Site) -> None:
    url = site.page("<h1>Own</h1>").replace("a.test", "127.0.0.1")
    assert "Own" in (await shell("open", url)).out
    listed = (await shell("sessions")).out
    assert (await shell("close")).out == "closed\n"
    # It answers before the browser has ended; the run's leak check sees that it does.
    assert await asyncio.to_thread(_ends, pid_of(listed))
