"""Texts of a turn: its result, its short form and the element acted on."""

from __future__ import annotations

import base64
from typing import Any

from cdp_agent.agent.models import prompt
from cdp_agent.agent.models.model_interface import ToolUse
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.trace.record import ActedOn, TurnRecord
from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError
from cdp_agent.snapshot import Snapshot
from cdp_agent.tools import ToolResult

_LONGEST_BRIEF = 160
#: No attributes: one may hold what was typed.
_RESOLVED = ("id", "session", "frame_id", "frame_index", "backend_node_id", "quads", "healed")


def acted_on(snapshot: Snapshot, ref: str, secrets: Secrets) -> ActedOn | None:
    """The record of an element by which it can be found again, or None."""
    element = next((one for one in snapshot.elements if str(one.id) == ref), None)
    if element is None:
        return None
    frame = snapshot.frame_map.get(element.frame_index)
    box = element.bounds
    return ActedOn(
        ref,
        element.role,
        secrets.mask(element.name),
        element.tag,
        snapshot.xpath_map[element.id],
        element.frame_index,
        secrets.mask(frame.url) if frame is not None else "",
        (box[0], box[1], box[2], box[3]) if box is not None else None,
    )


async def resolved_facts(page: Page, ref: str) -> dict[str, Any]:
    """Session, frame, node and quads of an element now; or why there are none."""
    try:
        facts = await page.describe(ref)
    except CdpAgentError as error:
        return {"problem": error.code}
    return {name: facts[name] for name in _RESOLVED}


def brief(record: TurnRecord) -> str:
    """A turn in a line: the call, its element and the first line of its result."""
    if not record.tool:
        return f"said: {record.said}"[:_LONGEST_BRIEF]
    what = record.tool
    if record.element is not None:
        what += f' {record.element.ref} {record.element.role} "{record.element.name[:40]}"'
    else:
        plain = {k: v for k, v in record.arguments.items() if isinstance(v, str | int | bool)}
        what += "".join(f" {k}={str(v)[:40]}" for k, v in plain.items())
    lines = record.result.split("\n")
    outcome = next((line for line in lines if line.startswith("navigated to ")), lines[0])
    return f"{what} -> {outcome}"[:_LONGEST_BRIEF]


def answer(use: ToolUse, result: ToolResult) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": result.text or "done"}]
    for image in result.images:
        data = base64.b64encode(image).decode()
        source = {"type": "base64", "media_type": "image/png", "data": data}
        content.append({"type": "image", "source": source})
    answer: dict[str, Any] = {"type": "tool_result", "tool_use_id": use.id, "content": content}
    if result.is_error:
        answer["is_error"] = True
    return answer


def refusal(use: ToolUse) -> dict[str, Any]:
    return {
        "type": "tool_result",
        "tool_use_id": use.id,
        "content": [{"type": "text", "text": prompt.ONE_AT_A_TIME}],
        "is_error": True,
    }
