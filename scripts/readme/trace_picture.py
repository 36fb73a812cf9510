"""The picture of a trace page that the README shows: `python scripts/readme/trace_picture.py`.

Runs the demo with a trace, opens the trace's page, and writes its first screen to
fixtures/trace_page.png, in few colours so that it stays small.
"""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

import cdp_agent

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "fixtures" / "trace_page.png"
SIZE = (1100, 900)
MOST_BYTES = 150_000


def run_demo(folder: Path) -> Path:
    """The page of the trace that the demo leaves in `folder`."""
    subprocess.run(
        [sys.executable, "-m", "cdp_agent", "demo", "--trace", str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        timeout=300,
        check=True,
    )
    return folder / "index.html"


async def photograph(trace_page: Path) -> bytes:
    """A picture of the first screen of the trace page."""
    async with cdp_agent.launch(headless=True, viewport=SIZE) as browser:
        page = await browser.new_page(trace_page.as_uri())
        return await page.screenshot()


def write_small(png: bytes) -> int:
    """Write the picture in 128 colours; its size in bytes."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.quantize(128).save(PICTURE, optimize=True)
    size = PICTURE.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{PICTURE.name} has {size} bytes, more than {MOST_BYTES}")
    return size


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        png = asyncio.run(photograph(run_demo(Path(folder) / "trace")))
    print(f"{PICTURE.relative_to(ROOT)}: {write_small(png)} bytes")
