"""A batch on the screen: a bar on a terminal, a line for each event elsewhere."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from typing import TextIO

from cdp_agent.batches import BatchResult, BatchTask, BatchWatcher
from cdp_agent.text import one_line

_WIDTH = 24
_LONGEST = 160
_LONGEST_ID = 40


class BatchProgress(BatchWatcher):
    """Prints failures and retries; on a terminal successes only move a bar."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._live = out.isatty() and os.environ.get("TERM") != "dumb"
        self._total = self._done = self._failed = self._earlier = 0
        self._began = time.monotonic()

    def resumed(self, results: Sequence[BatchResult], total: int) -> None:
        self._total, self._done = total, len(results)
        self._earlier = self._done
        self._failed = sum(not result.success for result in results)
        if results:
            self._line(f"{len(results)} of {total} tasks were finished by an earlier run")
        self._bar()

    def retried(self, task: BatchTask, reason: str) -> None:
        self._line(f"retry     {_clean(task.key, _LONGEST_ID)}: {_clean(reason)}")
        self._bar()

    def finished(self, result: BatchResult) -> None:
        self._done += 1
        self._failed += not result.success
        if not result.success or not self._live:
            name = _clean(str(result.id), _LONGEST_ID)
            word = "ok" if result.success else result.status
            said = "" if result.success else f": {_clean(result.last.reason)}"
            count = f"{self._done}/{self._total}"
            self._line(f"{count:>9} {word:9} {name} {result.last.seconds:.2f} s{said}")
        self._bar()

    def stopping(self, seconds: float) -> None:
        """A signal came: what runs has so long to end."""
        ending = f"finishing what runs, up to {seconds:g} s; another Ctrl-C stops at once"
        self._line(ending if seconds else "stopping at once")
        self._bar()

    def close(self) -> None:
        """Take the bar away."""
        if self._live:
            self._out.write("\r\x1b[K")
            self._out.flush()

    def _line(self, text: str) -> None:
        clear = "\r\x1b[K" if self._live else ""
        self._out.write(f"{clear}{text}\n")
        self._out.flush()

    def _bar(self) -> None:
        if not self._live or not self._total:
            return
        filled = _WIDTH * self._done // self._total
        bar = "#" * filled + "-" * (_WIDTH - filled)
        failed = f", {self._failed} failed" if self._failed else ""
        text = f"[{bar}] {self._done}/{self._total}{failed}{self._rate()}"
        # A bar that wraps could not be taken away.
        self._out.write(f"\r\x1b[K{text[: shutil.get_terminal_size().columns - 1]}")
        self._out.flush()

    def _rate(self) -> str:
        here = self._done - self._earlier
        seconds = time.monotonic() - self._began
        if not here or not seconds:
            return ""
        left = (self._total - self._done) * seconds / here
        return f", {here / seconds:.1f} a second, {left // 60:.0f}:{left % 60:02.0f} left"


def _clean(text: str, limit: int = _LONGEST) -> str:
    """Returns a text that cannot steer the terminal, of one that a page or file wrote."""
    return one_line(text, limit)
