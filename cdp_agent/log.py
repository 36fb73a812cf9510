"""Logging: one logger per layer under `cdp_agent`, silent unless asked.

`CDP_AGENT_LOG=debug` or `--debug` shows every protocol command in a line. What a user
typed and what a cookie holds never reaches a log: `masked` stands in for it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any

ROOT = "cdp_agent"
_LONGEST = 300
_SECRET_KEYS = frozenset(
    {
        "text",
        "unmodifiedText",
        "key",
        "code",
        "value",
        "cookies",
        "password",
        "promptText",
        "windowsVirtualKeyCode",
        "nativeVirtualKeyCode",
        "authChallengeResponse",
    }
)
_SECRET_METHODS = (
    "Input.",
    "Network.setCookie",
    "Storage.setCookies",
    "Fetch.continueWithAuth",
    "Page.handleJavaScriptDialog",
)


def get(name: str) -> logging.Logger:
    return logging.getLogger(f"{ROOT}.{name}")


def setup(debug: bool = False) -> None:
    """Write the package's log to stderr: with `debug`, else as CDP_AGENT_LOG says."""
    wanted = "debug" if debug else os.environ.get("CDP_AGENT_LOG", "")
    if not wanted:
        return
    level = logging.getLevelName(wanted.upper())
    logger = logging.getLogger(ROOT)
    logger.setLevel(level if isinstance(level, int) else logging.DEBUG)
    if not any(getattr(handler, "from_cdp_agent", False) for handler in logger.handlers):
        handler = logging.StreamHandler()
        handler.from_cdp_agent = True  # type: ignore[attr-defined]
        handler.setFormatter(logging.Formatter("%(asctime)s.%(msecs)03d %(message)s", "%H:%M:%S"))
        logger.addHandler(handler)
        logger.propagate = False


class Shown:
    """Parameters of a command for a log line, made only if it is shown."""

    __slots__ = ("_method", "_params")

    def __init__(self, method: str, params: Mapping[str, Any]) -> None:
        self._method = method
        self._params = params

    def __str__(self) -> str:
        params = self._params
        if self._method.startswith(_SECRET_METHODS):
            params = {k: "***" if k in _SECRET_KEYS else v for k, v in params.items()}
        elif self._method == "Runtime.callFunctionOn":
            params = {
                k: v for k, v in params.items() if k not in ("functionDeclaration", "arguments")
            }
        elif "source" in params:
            params = {k: v for k, v in params.items() if k != "source"}
        return short(params)


def short(value: object) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
