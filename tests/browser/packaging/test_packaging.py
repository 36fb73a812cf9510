"""The package: few modules for the engine, a wheel that works by itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
#: The engine's two libraries, and what those import.
NEEDED = {"msgspec", "websockets", "typing_extensions"}
USE = """
import json, sys
started_with = set(sys.modules)
import asyncio, cdp_agent

async def main():
    async with cdp_agent.launch(headless=True) as browser:
        page = await browser.new_page("data:text/html,<button onclick=innerText=1>Go</button>")
        button = (await page.snapshot()).find("button", "Go")
        return (await page.click(button.id, observe=True)).diff.text

text = asyncio.run(main())
loaded = {name.partition(".")[0] for name in set(sys.modules) - started_with}
# Some builds of Python keep what they were configured with in a module of its own.
loaded = {name for name in loaded if not name.startswith("_sysconfigdata")}
print(json.dumps([text, sorted(loaded - sys.stdlib_module_names - {"cdp_agent"})]))
"""


@pytest.mark.browser
def test_launching_and_acting_load_only_the_engines_two_libraries() -> None:
    done = subprocess.run(
        [sys.executable, "-c", USE], cwd=ROOT, capture_output=True, text=True, timeout=80
    )

    assert done.returncode == 0, done.stderr
    text, loaded = json.loads(done.stdout)
    assert 'button "1"' in text
    assert {"msgspec", "websockets"} <= set(loaded) <= NEEDED


def test_the_version_is_the_changelogs() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    headings = [
        line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")
    ]
    assert next(line for line in headings if "Unreleased" not in line).startswith(f"## [{version}]")


@pytest.mark.browser
@pytest.mark.timeout(600)
def test_a_wheel_works_in_an_environment_of_its_own() -> None:
    done = subprocess.run(
        [ROOT / "scripts" / "wheel_smoke"],
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=580,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok: the demo left its page" in done.stdout
