"""The transcript that the README shows is what the commands answer today."""

from __future__ import annotations

import asyncio
import re
import sys

from tests.browser.fronts.conftest import ROOT, environment

KEPT = ROOT / "fixtures" / "session_transcript.txt"


def without_numbers(text: str) -> str:
    """Ids and sizes differ from one Chromium to the next."""
    return re.sub(r"\d+-\d+", "N-N", re.sub(r"\d+x\d+, scrolled \d+ of \d+", "SIZE", text))


async def test_the_transcript_is_what_the_commands_answer() -> None:
    script = ROOT / "scripts" / "readme" / "transcript.py"
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), env=environment(), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await asyncio.wait_for(process.communicate(), 80)
    assert process.returncode == 0
    assert without_numbers(out.decode()) == without_numbers(KEPT.read_text("utf-8"))


def test_the_readme_shows_the_transcript() -> None:
    assert KEPT.read_text("utf-8") in (ROOT / "README.md").read_text("utf-8")
