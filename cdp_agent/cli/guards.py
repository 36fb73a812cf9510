"""What a front is told about secrets and places: `--secret` and `--allow-origin`, made real.

The same for MCP, the WebSocket server, the shell's session and steps from a file, so that a value
which one of them keeps to itself is kept by all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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


def guards_of(secrets: Sequence[str], origins: Sequence[str]) -> Guards:
    """From `name=ENV_VAR` words and origins.

    Raises:
        InvalidParams: a word is wrong, its variable is not set, or a secret has no place.
    """
    policy = Policy(tuple(origins)) if origins else None
    kept = Secrets.from_environment(secrets, origins=origins)
    if kept and policy is None:
        raise InvalidParams(
            "a secret needs a place", hint="--allow-origin ORIGIN says where it may be typed."
        )
    return Guards(kept, policy)
