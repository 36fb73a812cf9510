"""The options of a browser, launched or connected to."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cdp_agent.errors import InvalidParams
from cdp_agent.targets.network.auth import Credentials
from cdp_agent.targets.network.policy import Policy

if TYPE_CHECKING:
    from cdp_use.cdp.browser.types import PermissionSetting

ViewportSize = tuple[int, int]
GivenCredentials = tuple[str, str] | Mapping[str, tuple[str, str]] | None


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """The settings that a browser gives to its pages, however it was opened."""

    viewport: ViewportSize | None = None
    downloads_dir: str | Path | None = None
    policy: Policy | None = None
    credentials: Credentials = field(default_factory=Credentials)
    permissions: Mapping[str, PermissionSetting] = field(default_factory=dict)


def make_downloads_dir(given: str | Path) -> Path:
    """Raises: InvalidParams."""
    folder = Path(given).expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidParams(f"downloads_dir {folder}: {error.strerror}") from error
    return folder


def temporary_folder() -> Path:
    """The path of a folder that Chromium makes with the first file."""
    return Path(tempfile.gettempdir()) / f"cdp-agent-downloads-{secrets.token_hex(8)}"
