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
from scripts.bench.generated.server import PageServer
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

            told = _InOrder()

            async def case(number: int, place: str, url: str, name: str) -> bool:
                async with turn:
                    page = spare.pop() if spare else await browser.new_page()
                    passed, line = await _one(page, url, place, name, file, options.pictures)
                    told.tell(number, line)
                    if passed:
                        spare.append(page)
                    else:
                        await page.close()
                    return passed

            places = [(place, make(pages)) for place, make in PLACES[options.which].items()]
            cases = [(place, url, name) for place, url in places for name in options.only]
            passed = await asyncio.gather(*(case(n, *one) for n, one in enumerate(cases)))
    return passed.count(False), len(passed)


class _InOrder:
    """Prints lines by their numbers, whichever is done first, so that two runs can be compared."""

    def __init__(self) -> None:
        self._waiting: dict[int, str] = {}
        self._next = 0

    def tell(self, number: int, line: str) -> None:
        self._waiting[number] = line
        while self._next in self._waiting:
            print(self._waiting.pop(self._next), flush=True)
            self._next += 1


async def _one(
    page: Page, url: str, place: str, name: str, file: Path, pictures: Path
) -> tuple[bool, str]:
    """One case on a page that is loaded for it, and its line."""
    await page.goto(url)
    began = time.monotonic()
    problem = await _problem(page, CASES[name], file)
    seconds = time.monotonic() - began
    if not problem:
        return True, f"ok      {name:<17} {place:<14} {seconds:.2f} s"
    picture = await _picture(page, pictures / f"{name}-{place.replace(' ', '-')}.png")
    return False, f"FAILED  {name:<17} {place:<14} {problem}{picture}"


async def _problem(page: Page, case: Case, file: Path) -> str:
    """The problem, or an empty text."""
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
