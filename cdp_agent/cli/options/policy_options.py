"""The rules of a front, from `--secret`, `--allow-origin`, `--upload-folder`.

The same for MCP, the WebSocket server, the shell's session and steps from a file, so that a value
which one of them keeps to itself is kept by all.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.errors import InvalidParams
from cdp_agent.targets.network.policy import Policy
from cdp_agent.tools.file_limits import FileLimits


@dataclass(frozen=True)
class Guards:
    """`policy` is for the browser, `hooks` for tool calls, `secrets` for the logs."""

    secrets: Secrets
    policy: Policy | None
    #: None where a person types the commands, who has the same rights.
    limits: FileLimits | None = None

    @property
    def hooks(self) -> dict[str, Any]:
        """The hooks for `ToolClient` and `ToolSession`."""
        limits = (self.limits.before_call,) if self.limits is not None else ()
        if not self.secrets:
            return {"before_call": limits} if limits else {}
        return {
            "before_call": (*limits, self.secrets.before_call),
            "after_call": (self.secrets.after_call,),
        }


def guards_of(args: argparse.Namespace) -> Guards:
    """The guards of a command line that has the options of `add_guard_options`.

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
    return Guards(kept, policy, limits_of(args))


def limits_of(args: argparse.Namespace) -> FileLimits | None:
    """The limits of a command that a model works with; None for all others.

    Raises:
        InvalidParams: a folder is not there.
    """
    if not hasattr(args, "allow_local"):
        return None
    return FileLimits(
        args.allow_local,
        require_folder(args.upload_folder) if args.upload_folder else None,
        require_folder(args.write_folder) if args.write_folder else None,
    )


def require_folder(given: str) -> Path:
    """Raises: InvalidParams: there is none; everything would be refused."""
    folder = Path(given).expanduser().absolute()
    if not folder.is_dir():
        raise InvalidParams(f"there is no folder {given}", hint="It is what files come from.")
    return folder
