"""Tests that are late now and then on a loaded machine: each is tried again, and says why.

Any other failure fails the run. A test leaves this list when its cause is found.
"""

from __future__ import annotations

import pytest

#: The beginning of a test's id → the reason.
FLAKY = {
    "tests/browser/settling/test_settling_": "needs timers of 50 to 150 ms to be in time",
    "tests/browser/conformance/pages/test_busy_pages.py": "a thousand frames beside two browsers",
    "tests/browser/conformance/frames/test_iframe_failures.py": "a thousand frames, likewise",
    "tests/browser/tools/test_read.py": "a frame of another process that is attached late",
    "tests/browser/browsers/test_tabs.py": "a popup that closes itself may be gone too early",
    "tests/browser/effects/test_lost_values.py": "a page that takes a value back by a timer",
    "tests/browser/conformance/fields/test_uploads.py": "Chromium's file chooser opens late",
    "tests/browser/devtools/test_tracing.py": "Chromium says that it records before a page does",
    "tests/browser/policy/test_policy_other_ways.py": "packets and lookups that come late",
    "tests/browser/differential/test_no_marks.py": "wheel events of a loaded compositor are merged",
}
TRIES = 2


def mark(items: list[pytest.Item]) -> None:
    """Have the tests of the list tried again."""
    for item in items:
        reason = next((why for start, why in FLAKY.items() if item.nodeid.startswith(start)), None)
        if reason is not None:
            item.add_marker(pytest.mark.flaky(reruns=TRIES))
