"""Limits on this machine's files for tools that a model calls; closed by default.

A page may talk a model into opening a local file, uploading one or writing one. A hook of a
session, so that it holds for tools, for steps and for single actions of remote callers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cdp_agent.api.navigation.navigate import require_url
from cdp_agent.errors import BlockedByPolicy
from cdp_agent.tools.tool import ToolCall

_REMOTE = ("http:", "https:", "about:", "data:", "blob:")
_OPENS = frozenset({"browser_navigate", "browser_tabs"})


@dataclass(frozen=True)
class FileLimits:
    """`allow_local`: addresses of this machine (`file:`, `chrome:`) may be opened.

    `upload_folder` and `write_folder`: the only folders that files are uploaded from and pictures
    are written to. None: nothing is.
    """

    allow_local: bool = False
    upload_folder: Path | None = None
    write_folder: Path | None = None

    async def before_call(self, call: ToolCall) -> None:
        """Raises: BlockedByPolicy: the call is for something that is closed."""
        url = getattr(call.args, "url", None)
        opens = call.name in _OPENS and isinstance(url, str) and not self.allow_local
        if opens and not require_url(url).casefold().startswith(_REMOTE):
            raise BlockedByPolicy(
                f"addresses of this machine are closed: {str(url)[:200]}",
                hint="Open web pages; --allow-local opens file: and chrome: addresses.",
            )
        for path in getattr(call.args, "paths", None) or ():
            _require_inside(str(path), self.upload_folder, "uploaded from", "--upload-folder")
        written = getattr(call.args, "path", None)
        if isinstance(written, str):
            _require_inside(written, self.write_folder, "written to", "--write-folder")


def _require_inside(path: str, folder: Path | None, what: str, option: str) -> None:
    if folder is None:
        raise BlockedByPolicy(
            f"no file is {what} {path[:200]}", hint=f"{option} DIR opens one folder for it."
        )
    try:
        inside = Path(path).expanduser().resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        inside = False
    if not inside:
        raise BlockedByPolicy(f"no file is {what} {path[:200]}", hint=f"Only {folder} is open.")
