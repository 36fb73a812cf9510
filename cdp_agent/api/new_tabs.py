"""New tabs, and the size that they get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.api.browser_options import ViewportSize
from cdp_agent.api.devtools.emulate import VIEWPORT
from cdp_agent.errors import BrowserError
from cdp_agent.protocol import Connection
from cdp_agent.targets import BrowserTargets, PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.emulation.commands import SetDeviceMetricsOverrideParameters
    from cdp_use.cdp.target.commands import CreateTargetParameters


async def create_target(
    connection: Connection, targets: BrowserTargets, params: CreateTargetParameters
) -> PageTarget:
    """Open a tab. It is attached to when this returns, and may not be ready yet.

    Raises:
        BrowserError: Chromium opened it and did not attach to it.
    """
    reply = await connection.root.post("Target.createTarget", params)
    target = targets.pages.get(reply["targetId"])
    if target is None:
        raise BrowserError("the browser opened a tab and did not attach to it")
    return target


async def set_viewport(target: PageTarget, size: ViewportSize | None) -> None:
    """Give a tab a size, which it keeps; None leaves it as it is."""
    if size is not None:
        width, height = size
        params: SetDeviceMetricsOverrideParameters = {
            "width": width,
            "height": height,
            "deviceScaleFactor": 0,
            "mobile": False,
        }
        target.emulation.add(VIEWPORT, params)
        await target.session.post("Emulation.setDeviceMetricsOverride", params)
