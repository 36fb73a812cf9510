"""The settings of each context: passwords, devices and permissions of its pages.

Chromium forgets devices and passwords with the connection, and permissions of the default context
also when another client leaves that had set some. So they are recorded here and set again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cdp_agent.api.access.permissions import permission_commands, set_permissions
from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.targets import PageTarget
from cdp_agent.targets.emulation import Emulation
from cdp_agent.targets.network.auth import Credentials

if TYPE_CHECKING:
    from cdp_use.cdp.browser.types import PermissionSetting


class ContextSettings:
    """By the id of the context; that of the browser itself is ""."""

    def __init__(self) -> None:
        self.credentials: dict[str, Credentials] = {"": Credentials()}
        #: For the pages of a context, those to come included.
        self.emulations: dict[str, Emulation] = {}
        #: By context and origin; "" is every origin.
        self._permissions: dict[tuple[str, str], dict[str, PermissionSetting]] = {}

    def give(self, target: PageTarget) -> None:
        """Give a new tab the settings of its context, or of the tab that opened it."""
        opener = target.opened_by
        if opener is not None:
            target.auth.credentials = opener.auth.credentials
        else:
            of_browser = self.credentials[""]
            target.auth.credentials = self.credentials.get(target.context_id, of_browser)
        if target.context_id in self.emulations:
            target.emulation.adopt(self.emulations[target.context_id])
        if opener is not None:
            target.emulation.adopt(opener.emulation, viewport=False)

    async def set_permissions(
        self,
        root: Session,
        wanted: Mapping[str, PermissionSetting],
        context_id: str = "",
        origin: str = "",
    ) -> None:
        """Set permissions of a context, for one origin or for all, and record them.

        Raises:
            InvalidParams: Chromium knows no permission of that name.
        """
        await set_permissions(root, wanted, context_id, origin)
        if wanted:
            self._permissions.setdefault((context_id, origin), {}).update(wanted)

    def set_shared_again(self, root: Session) -> None:
        """Set the permissions of the default context again, which other clients share."""
        for (context_id, origin), wanted in self._permissions.items():
            if not context_id:
                for params in permission_commands(wanted, origin=origin):
                    root.send_only("Browser.setPermission", params)

    async def set_all_again(self, root: Session) -> None:
        """Set all permissions again, through a new connection."""
        for (context_id, origin), wanted in self._permissions.items():
            with contextlib.suppress(CdpAgentError):  # its context may be gone
                await set_permissions(root, wanted, context_id, origin)

    def forget(self, context_id: str) -> None:
        """Drop the settings of a context that is closed."""
        self.credentials.pop(context_id, None)
        self.emulations.pop(context_id, None)
        self._permissions = {
            place: wanted for place, wanted in self._permissions.items() if place[0] != context_id
        }
