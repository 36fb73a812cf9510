"""Ctrl-C in the middle of a run: a result, a whole trace, no browser left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.messages_api import MessagesApi, Stall
from tests.support.site import Site


def test_an_interrupt_ends_the_run_with_a_result(site: Site, tmp_path: Path) -> None:
    url = site.page("<button>Wait</button>", host="127.0.0.1")
    with MessagesApi([Stall()]) as api:
        process = subprocess.Popen(
            [sys.executable, "-m", "cdp_agent.cli.main", "run", "Wait", "--url", url,
             "--trace", str(tmp_path), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "k"},
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while not api.requests and time.monotonic() < deadline:
            time.sleep(0.05)  # until the model is being asked
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

    assert process.returncode == 130, err
    assert json.loads(out)["status"] == "interrupted"
    lines = (tmp_path / "trace.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["status"] == "interrupted"
    assert "interrupted" in (tmp_path / "index.html").read_text()
