"""`cdp-agent demo`, as a person runs it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from subprocess import run

COMMAND = [sys.executable, "-m", "cdp_agent.cli.main", "demo"]


def test_the_demo_cancels_the_subscription_and_leaves_a_trace(tmp_path: Path) -> None:
    done = run(
        [*COMMAND, "--trace", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=80,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "\x1b" not in done.stdout  # plain lines where there is no terminal
    assert "finish-cancellation: approved" in done.stdout
    assert "proof  the page says that the membership has been cancelled" in done.stdout
    assert str(tmp_path / "index.html") in done.stdout
    lines = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    assert lines[0]["goal"] == "Cancel my Lumen+ subscription"
    assert lines[-1]["status"] == "success"
    assert (tmp_path / "pictures" / "001.png").read_bytes().startswith(b"\x89PNG")

    again = run(
        [*COMMAND, "--replay", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=80,
        check=False,
    )
    assert again.returncode == 0, again.stdout + again.stderr
    assert "all 7 actions carried out" in again.stdout


def test_the_demo_without_approval_fails_and_cancels_nothing(tmp_path: Path) -> None:
    done = run(
        [*COMMAND, "--trace", str(tmp_path), "--approve", "deny", "--json"],
        capture_output=True,
        text=True,
        timeout=80,
        check=False,
    )

    result = json.loads(done.stdout)
    assert done.returncode == 1
    assert result["status"] == "failed"
    assert not result["url"].endswith("/cancelled")
