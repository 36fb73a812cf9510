"""Numbers that several layers share. Seconds, unless the name says `_ms`."""

from __future__ import annotations

#: Name of the isolated world our scripts live in, in every frame of every page.
WORLD_NAME = "cdp_agent"

#: The function by which our scripts report an input event the moment it arrives: a click that
#: navigates takes its document, and what the document knew, away.
RECEIPT_BINDING = "cdpAgentReceipt"

#: How long a single protocol command may take when its caller names no deadline of its own.
COMMAND_TIMEOUT = 30.0

#: How long an action may take from resolving its element to the end of the input.
ACTION_TIMEOUT = 5.0

#: How long `wait_for` waits when its caller names no time.
WAIT_TIMEOUT = 10.0

#: How long a navigation may take until DOMContentLoaded.
NAVIGATION_TIMEOUT = 30.0

#: How long `recover` may work on a page, all its steps together.
RECOVERY_TIMEOUT = 20.0

#: How many events a queue holds before the oldest are dropped.
EVENT_QUEUE_LIMIT = 10_000

#: A difference longer than this share of the whole text is not worth reading.
DIFF_THRESHOLD = 0.6
#: The variable that sets another one, for every front.
DIFF_THRESHOLD_VARIABLE = "CDP_AGENT_DIFF_THRESHOLD"

#: Attribute by which a page's overlay of ours would be kept out of snapshots and hit tests.
OWN_UI_ATTRIBUTE = "data-browser-agent-ui"
