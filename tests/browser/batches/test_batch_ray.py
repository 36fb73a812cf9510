"""A batch on Ray: the loss of a node, browsers that run elsewhere, and what stdout holds.

Ray has threads, signal handlers and files of its own: it runs in processes of its own here.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cdp_agent
from cdp_agent.demo import DemoSite
from tests.browser.batches.conftest import pause_task
from tests.support.devtools import devtools_port_and_path

pytest.importorskip("ray", reason="the extra ray is not installed")

ROOT = Path(__file__).parents[3]


@pytest.mark.timeout(300)
def test_every_result_is_there_once_after_a_node_was_killed() -> None:
    """The short form of `scripts/bench/batch_ray.py`."""
    script = ROOT / "scripts" / "bench" / "batch_ray.py"
    done = subprocess.run(
        [sys.executable, str(script), "--tasks", "12"],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        cwd=ROOT,
    )

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["results,", "each", "once", "12"] in rows
    assert ["success", "12"] in rows
    assert any(row[:6] == ["node", "killed", "at", "4", "results,", "with"] for row in rows)


@pytest.mark.timeout(180)
async def test_a_worker_of_ray_uses_a_browser_that_runs_and_stdout_is_for_results(
    demo_site: DemoSite, folder: Path
) -> None:
    tasks, out = folder / "tasks.jsonl", folder / "results.jsonl"
    lines = [json.dumps(pause_task(demo_site, number)) for number in range(3)]
    tasks.write_text("\n".join(lines))
    async with cdp_agent.launch(args=["--remote-debugging-port=0"]) as browser:
        assert browser.user_data_dir is not None
        port, _ = devtools_port_and_path(browser)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cdp_agent", "batch", str(tasks), "--out", str(out)),
            *("--engine", "ray", "--workers", "1", "--connect", str(port), "--json"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=ROOT,
            # No worker could launch a browser of its own.
            env={**os.environ, "CDP_AGENT_CHROME": str(folder / "none"), "RAY_ADDRESS": ""},
        )
        stdout, stderr = await asyncio.wait_for(process.communicate(), 150)
        assert browser.is_connected

    assert process.returncode == 0, stderr.decode()[-3000:]
    facts = json.loads(stdout)
    assert (facts["rows"][-1]["success"], facts["unfinished"]) == (3, 0)
    assert len(out.read_text().splitlines()) == 3
    assert demo_site.requests.count("POST 127.0.0.1/offer/pause") == 3
