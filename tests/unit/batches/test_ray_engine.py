"""The engine ray where it cannot be used: typed errors, soon."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import cdp_agent
from cdp_agent import InvalidParams

TASK = {
    "id": 1,
    "url": "http://127.0.0.1:1/",
    "steps": [{"action": "press", "params": {"key": "Enter"}}],
}


def test_without_the_package_the_hint_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(InvalidParams, match="needs the package ray") as raised:
        cdp_agent.batch([TASK], engine="ray")

    assert "cdp-agent[ray]" in raised.value.hint


def test_an_address_is_for_the_engine_ray() -> None:
    with pytest.raises(InvalidParams, match="address is for the engine ray"):
        cdp_agent.batch([TASK], address="127.0.0.1:6379")


def test_a_cluster_that_does_not_answer_is_an_error_and_no_result(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    # In a process of its own: Ray stays in the one that imports it.
    code = f"""
import asyncio, cdp_agent
async def main():
    run = cdp_agent.batch([{TASK!r}], out={str(tmp_path / "r.jsonl")!r}, engine="ray",
                          address="127.0.0.1:1")
    async with run:
        return [result async for result in run]
try:
    asyncio.run(main())
except cdp_agent.BrowserError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=80, check=False
    )

    assert done.stdout.startswith("browser_error: no Ray cluster at 127.0.0.1:1: "), done.stderr
    assert (tmp_path / "r.jsonl").read_text() == ""
