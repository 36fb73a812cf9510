"""Layout facts of all documents of one session, by `DOMSnapshot.captureSnapshot`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cdp_agent.protocol import Session
from cdp_agent.snapshot.dom.columns import COMPUTED_STYLES, DomCapture

if TYPE_CHECKING:
    from cdp_use.cdp.domsnapshot.commands import CaptureSnapshotParameters


def capture_dom(session: Session, seconds: float) -> asyncio.Future[DomCapture]:
    params: CaptureSnapshotParameters = {
        "computedStyles": list(COMPUTED_STYLES),
        "includePaintOrder": False,
    }
    return session.post("DOMSnapshot.captureSnapshot", params, into=DomCapture, timeout=seconds)
