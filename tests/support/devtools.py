"""The address at which a browser that was launched for a test also serves DevTools."""

from __future__ import annotations

import time

from cdp_agent import Browser

_SECONDS = 10.0


def devtools_port_and_path(browser: Browser) -> tuple[int, str]:
    """Read the file that Chromium writes; it is there before its two lines are.

    The engine speaks through a pipe, so that it may be ready before this file is. A page that is
    being opened does not depend on this process: waiting here holds nothing up for long.
    """
    assert browser.user_data_dir is not None
    file = browser.user_data_dir / "DevToolsActivePort"
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        words = file.read_text().split() if file.exists() else []
        if len(words) == 2:
            return int(words[0]), words[1]
        time.sleep(0.01)
    raise AssertionError(f"{file.name} was not written")
