"""Keys in the open popup of a native list, whose events no document hears.

That it was open when the keys were sent, and that the browser has taken them, is the evidence; what
the popup points at is told by the accessibility tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import receipt_of
from cdp_agent.act.wait.settle import Settled
from cdp_agent.errors import CdpAgentError
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session

if TYPE_CHECKING:
    from cdp_use.cdp.accessibility.commands import GetPartialAXTreeParameters


def popup_receipt(element_id: ElementId | None, settled: Settled) -> Receipt:
    """The receipt for keys that the document may not have received."""
    seen = receipt_of(settled)
    events = tuple(seen["events"]) if seen is not None else ()
    return Receipt(True, element_id, True, False, events)


async def popup_state(session: Session, object_id: str) -> dict[str, Any]:
    """The option that the popup points at as `value`, and whether it is still open."""
    params: GetPartialAXTreeParameters = {"objectId": object_id, "fetchRelatives": False}
    try:
        reply = await session.post("Accessibility.getPartialAXTree", params, timeout=2)
    except CdpAgentError:
        return {}  # its document has gone because of the choice
    for node in reply["nodes"][:1]:
        facts = {fact["name"]: fact["value"].get("value") for fact in node.get("properties", ())}
        value = node.get("value", {}).get("value")
        return {"value": value, "expanded": bool(facts.get("expanded"))}
    return {}
