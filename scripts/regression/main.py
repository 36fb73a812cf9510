"""Runs the common actions and says for each whether the page shows what it must.

Started by scripts/action_regression and scripts/iframe_regression, which set up what it needs.

Exit code 0: all passed. 1: some failed; their pictures are in the folder that is named. 2: it could
not be run.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from cdp_agent import CdpAgentError, Page
from scripts.bench.server import PageServer
from scripts.regression.cases import CASES, Case, Given
from scripts.regression.frames import FRAME_NAME, HOST_RULES, PLACES

VIEWPORT = (900, 700)
AT_ONCE = 3
#: What the expressions of the cases name.
NAMED = ("name", "note", "day", "size", "gift", "news", "letter", "list")


def main(argv: Sequence[str] | None = None) -> int:
    options = _parse(argv)
    try:
        failed, total = asyncio.run(_run(options))
    except CdpAgentError as error:
        print(f"{error}\n{error.hint}".rstrip(), file=sys.stderr)
        return 2
    print(f"{total - failed} of {total} passed")
    return 1 if failed else 0


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("which", choices=sorted(PLACES))
    parser.add_argument("--only", default=",".join(CASES), help="cases, with commas between")
    parser.add_argument("--pictures", type=Path, default=Path(".regression"), metavar="FOLDER")
    parser.add_argument("--headed", action="store_true", help="in a window that one can watch")
    options = parser.parse_args(argv)
    options.only = [name.strip() for name in options.only.split(",") if name.strip()]
    unknown = [name for name in options.only if name not in CASES]
    if unknown or not options.only:
        parser.error(f"no case {', '.join(unknown) or 'named'}; there are: {', '.join(CASES)}")
    return options


async def _run(options: argparse.Namespace) -> tuple[int, int]:
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cdp-agent-regression-"))
        pages = stack.enter_context(PageServer())
        file = Path(folder) / "letter.txt"
        file.write_text("Dear all\n")
        args = [HOST_RULES, "--site-per-process"]
        # A person who watches wants to see one thing at a time.
        turn = asyncio.Semaphore(1 if options.headed else AT_ONCE)
        launch = cdp_agent.launch(headless=not options.headed, args=args, viewport=VIEWPORT)
        async with launch as browser:
            # A tab whose case passed is fit for another; to open one takes longer than most cases.
            spare: list[Page] = []

            async def case(place: str, url: str, name: str) -> bool:
                async with turn:
                    page = spare.pop() if spare else await browser.new_page()
                    passed = await _one(page, url, place, name, file, options.pictures)
                    if passed:
                        spare.append(page)
                    else:
                        await page.close()
                    return passed

            passed = await asyncio.gather(
                *(
                    case(place, url, name)
                    for place, url in [(p, m(pages)) for p, m in PLACES[options.which].items()]
                    for name in options.only
                )
            )
    return passed.count(False), len(passed)


async def _one(page: Page, url: str, place: str, name: str, file: Path, pictures: Path) -> bool:
    """One case on a page that is loaded for it, and its line."""
    await page.goto(url)
    began = time.monotonic()
    problem = await _problem(page, CASES[name], file)
    seconds = time.monotonic() - began
    if not problem:
        print(f"ok      {name:<17} {place:<14} {seconds:.2f} s", flush=True)
        return True
    picture = await _picture(page, pictures / f"{name}-{place.replace(' ', '-')}.png")
    print(f"FAILED  {name:<17} {place:<14} {problem}{picture}", flush=True)
    return False


async def _problem(page: Page, case: Case, file: Path) -> str:
    """What is wrong, or nothing."""
    try:
        snapshot = await page.snapshot()
        indices = [frame.index for frame in snapshot.frames if frame.name == FRAME_NAME]
        index = indices[0] if indices else 0
        await case.act(Given(page, snapshot, index, file))
        # By their ids: a document's own `name` or `list` would be another thing.
        values = ", ".join(f"document.getElementById('{one}')" for one in NAMED)
        shown = await page.evaluate(f"(({', '.join(NAMED)}) => {case.shows})({values})", index)
    except CdpAgentError as error:
        return f"{error}"
    return "" if shown else f"the page does not show it: {case.shows}"


async def _picture(page: Page, path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        await page.screenshot(path, timeout=5)
    except CdpAgentError as error:
        return f" (no picture: {error})"
    return f" (see {path})"


if __name__ == "__main__":
    sys.exit(main())
