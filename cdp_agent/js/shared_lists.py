"""Lists that Python and the scripts share, put before the scripts as constants."""

from __future__ import annotations

import json

#: Schemes of addresses that Chromium shows or refuses by itself. All others are for another
#: program, and have Chromium ask a person (input/elsewhere.js). `ftp` is one of those by now.
SHOWN_SCHEMES = (
    *("http", "https", "about", "blob", "data", "file", "filesystem", "javascript", "ws", "wss"),
    *("view-source", "chrome", "chrome-error", "chrome-extension", "chrome-native"),
    *("chrome-search", "chrome-untrusted", "devtools", "isolated-app", "brave", "edge"),
    *("opera", "vivaldi"),
)
#: Attributes whose value names other elements by their ids.
REFERRING = (
    *("aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant"),
    *("aria-details", "aria-errormessage", "aria-flowto", "popovertarget", "commandfor"),
    *("interestfor", "list"),
)
#: Attributes that pages name elements by for their own tests.
TEST_ID_ATTRIBUTES = ("data-testid", "data-test-id", "data-test", "data-cy", "data-qa")


def declarations() -> str:
    """Returns a line of JavaScript for each list."""
    lists = {
        "SHOWN_SCHEMES": SHOWN_SCHEMES,
        "REFERRING": REFERRING,
        "TEST_ID_ATTRIBUTES": TEST_ID_ATTRIBUTES,
    }
    return "\n".join(f"const {name} = {json.dumps(words)};" for name, words in lists.items())
