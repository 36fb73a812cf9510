"""Files that a page is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.act import Outcome
from cdp_agent.act import upload as uploads
from cdp_agent.act.upload_paths import Paths, Wanted
from cdp_agent.api.core import Observe, PageCore
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.errors import BlockedByPolicy
from cdp_agent.ids import ElementId

if TYPE_CHECKING:
    from cdp_agent.api.browser import Browser


def require_uploads(browser: Browser, wanted: Wanted) -> None:
    """Raises: BlockedByPolicy: a file is not in the policy's folder."""
    gate = browser.gate
    outside = [p for p in wanted.paths if gate is not None and not gate.policy.allows_upload(p)]
    if outside:
        raise BlockedByPolicy(f"the policy allows no upload of {outside[0]}")


class Files(PageCore):
    """`upload`."""

    async def upload(
        self, id: str, paths: Paths, *, observe: Observe = False, timeout: float = ACTION_TIMEOUT
    ) -> Outcome:
        """Put files into a file input, or into the file chooser that an element opens on a click.

        `paths` are of the machine that the browser runs on: one file, several for an input that
        takes several, or one folder for an input that takes a folder. An input is given them
        directly, so it may be hidden or covered; anything else is clicked like `click` does. The
        page gets one `input` and one `change` event, and `data["files"]` is what it was given in
        them, with names and sizes. Files that the input's `accept` does not name are uploaded all
        the same, as by a person who chooses from "All files", and listed in
        `data["not_accepted"]`. Files that the input holds already are no change: the page is sent
        `cancel`, as Chromium does for a person, and `data["changed"]` is False. `data["kept"]`
        says whether the input holds files afterwards: a page that has taken them may empty it, and
        so may one that refuses them.

        Raises:
            InvalidParams: a path is missing, or the input does not take that many, or takes files
                or a folder and was given the other. Nothing was uploaded.
            NotEditable: it is no file input and opens no file chooser.
            ElementDisabled, ElementError: why it cannot be used.
        """
        element_id = ElementId.parse(id)
        wanted = Wanted.of(paths)
        require_uploads(self._browser, wanted)
        return await self._act(
            lambda stage: uploads.upload(stage, element_id, wanted), observe, timeout
        )
