"""What a front is told to keep to: `--secret`, `--allow-origin`, `--upload-folder`, made real.

The same for MCP, the WebSocket server, the shell's session and steps from a file, so that a value
which one of them keeps to itself is kept by all.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cdp_agent.agent.secrets import Secrets
from cdp_agent.errors import InvalidParams
from cdp_agent.targets.policy import Policy


@dataclass(frozen=True)
class Guards:
    """`policy` goes to the browser, `hooks` to whoever calls tools, `secrets` over the logs."""

    secrets: Secrets
    policy: Policy | None

    @property
    def hooks(self) -> dict[str, Any]:
        """For `Client` and `ToolSession`."""
        if not self.secrets:
            return {}
        return {
            "before_call": (self.secrets.before_call,),
            "after_call": (self.secrets.after_call,),
        }


def guards_of(args: argparse.Namespace) -> Guards:
    """Of a command line that has the options of `add_guard_options`.

    Raises:
        InvalidParams: a word is wrong, its variable is not set, or a secret has no place.
    """
    origins: list[str] = args.allow_origin
    folder = require_folder(args.upload_folder) if args.upload_folder else None
    policy = Policy(tuple(origins), upload_folder=folder) if origins or folder else None
    kept = Secrets.from_environment(args.secret, origins=origins)
    if kept and not origins:
        raise InvalidParams(
            "a secret needs a place", hint="--allow-origin ORIGIN says where it may be typed."
        )
    return Guards(kept, policy)


def require_folder(given: str) -> Path:
    """Raises: InvalidParams: there is none; everything would be refused."""
    folder = Path(given).expanduser().absolute()
    if not folder.is_dir():
        raise InvalidParams(f"there is no folder {given}", hint="It is what files come from.")
    return folder
