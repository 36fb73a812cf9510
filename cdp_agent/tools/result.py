"""What a tool call came to, the same for every front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cdp_agent.act import Outcome
from cdp_agent.errors import CdpAgentError
from cdp_agent.snapshot import Snapshot
from cdp_agent.text import one_line

_LONGEST_MESSAGE = 4000


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`text` is all that a model reads; the rest is for programs.

    An error's text is `code: message`, a line `hint: …`, and where the page has to be looked at
    again, the page.
    """

    text: str
    is_error: bool = False
    #: The code of the error, or None.
    code: str | None = None
    #: PNG pictures.
    images: tuple[bytes, ...] = ()
    #: What the engine says of the action, where there was one.
    outcome: Outcome | None = None
    #: The page as it was afterwards, where it was looked at.
    snapshot: Snapshot | None = None
    #: Facts for programs: values, positions, rows; of an error, the whole of it.
    data: Mapping[str, Any] = field(default_factory=dict)
    #: How long the action itself took, in seconds, without the way to it and back.
    seconds: float = 0.0


def failure(error: CdpAgentError, snapshot: Snapshot | None = None, page: str = "") -> ToolResult:
    """An error as a result; `page` is what the reader has to see now."""
    # A message may quote the page, which must not write lines of its own.
    lines = [f"{error.code}: {one_line(error.message, _LONGEST_MESSAGE)}"]
    if error.hint:
        lines.append(f"hint: {error.hint}")
    if page:
        lines.append(page)
    return ToolResult(
        "\n".join(lines),
        is_error=True,
        code=error.code,
        snapshot=snapshot,
        data=error.to_dict(),
    )
