"""The scripts that a person runs to see whether the common actions work everywhere."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from scripts.regression.cases import CASES
from scripts.regression.frames import PLACES

ROOT = Path(__file__).parents[3]
SCRIPTS = {"actions": "action_regression", "iframes": "iframe_regression"}


def command_for(which: str) -> list[str]:
    """The script itself where it finds its environment; else what it would start."""
    if Path(sys.prefix) == ROOT / ".venv":
        return [str(ROOT / "scripts" / SCRIPTS[which])]
    return [sys.executable, str(ROOT / "scripts" / "regression" / "main.py"), which]


async def run(*command: str) -> tuple[int, list[str]]:
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode().splitlines()


@pytest.mark.parametrize("which", PLACES)
async def test_every_common_action_works_in_every_place(which: str) -> None:
    code, lines = await run(*command_for(which))

    assert [line for line in lines if line.startswith("FAILED")] == []
    assert code == 0
    total = len(CASES) * len(PLACES[which])
    assert lines[-1] == f"{total} of {total} passed"
    assert len([line for line in lines if line.startswith("ok")]) == total


async def test_a_failure_has_its_line_and_its_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from scripts.regression import main
    from scripts.regression.cases import Case

    broken = Case(CASES["click"].act, "did.includes('never')")
    monkeypatch.setitem(CASES, "click", broken)

    options = ["actions", "--only", "click,fill", "--pictures", str(tmp_path)]
    code = await asyncio.to_thread(main.main, options)

    said = capsys.readouterr().out
    assert code == 1
    assert "1 of 2 passed" in said
    assert "FAILED  click" in said
    assert (tmp_path / "click-page.png").read_bytes().startswith(b"\x89PNG")


async def test_a_case_that_does_not_exist_is_refused() -> None:
    code, lines = await run(*command_for("actions"), "--only", "juggle")

    assert code == 2
    assert "juggle" in lines[-1]


@pytest.mark.parametrize("which", SCRIPTS)
def test_the_scripts_can_be_started(which: str) -> None:
    script = ROOT / "scripts" / SCRIPTS[which]

    assert script.stat().st_mode & 0o111
    assert f'scripts/regression/main.py" {which}' in script.read_text()
