"""Files that a page may be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.act.upload.upload_paths import Paths, UploadPaths
from cdp_agent.errors import BlockedByPolicy

if TYPE_CHECKING:
    from cdp_agent.api.browser import Browser


def require_uploads(browser: Browser, paths: Paths) -> UploadPaths:
    """The files at these paths, readable and allowed.

    Raises:
        InvalidParams: a path is missing or cannot be read.
        BlockedByPolicy: a file is not in the policy's folder.
    """
    files, gate = UploadPaths.of(paths), browser.gate
    outside = [p for p in files.paths if gate is not None and not gate.policy.allows_upload(p)]
    if outside:
        raise BlockedByPolicy(f"the policy allows no upload of {outside[0]}")
    return files
