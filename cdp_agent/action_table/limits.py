"""Limits on the parameters of actions, the same for every front."""

from __future__ import annotations

#: Longer waits are more likely milliseconds given for seconds than meant.
LONGEST = 600.0
#: No form field has a longer value than this.
MOST_TEXT = 1_000_000
#: More keys than these take longer than `LONGEST`: each is an event that the page answers.
MOST_TYPED = 50_000
MOST_CLICKS = 10
#: One key is pressed so often at most.
MOST_TIMES = 100
MOST_DELAY_MS = 1000
#: Chromium's own limit.
MOST_PIXELS = 10_000_000
MOST_FILES = 10_000
#: Options of a list, texts to wait for.
MOST_ITEMS = 1000
#: Chromium opens no longer address.
MOST_ADDRESS = 2_000_000
MOST_WORDS = 10_000
