"""`python -m cdp_agent` is `cdp-agent`."""

from __future__ import annotations

import sys

from cdp_agent.cli.main import main

sys.exit(main())
