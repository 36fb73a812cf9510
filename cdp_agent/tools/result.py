"""The result of a tool call, the same for every front."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cdp_agent.api.outcome import Outcome
from cdp_agent.errors import CdpAgentError
from cdp_agent.snapshot import Snapshot
from cdp_agent.snapshot.text.line import header
from cdp_agent.text import one_line

_LONGEST_MESSAGE = 4000


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a call: a model reads `text`, programs the rest.

    The text is the words, the page and the notes. The words of an error are `code: message` and a
    line `hint: …`; its page is there where it has to be looked at again.
    """

    #: The action and its effects.
    words: str = ""
    #: The page as its reader is shown it: all of it, a part, or what changed.
    page_text: str = ""
    #: Lines after the page: dialogs that opened meanwhile, advice.
    notes: str = ""
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

    @property
    def text(self) -> str:
        return "\n".join(part for part in (self.words, self.page_text, self.notes) if part)

    @property
    def page_line(self) -> str:
        """The line with the page's title and address, where the page in the text has it."""
        line = header(self.snapshot) if self.snapshot is not None else ""
        return line if line in self.page_text.split("\n") else ""

    def with_texts(self, change: Callable[[str], str]) -> ToolResult:
        """The result with each part of its text changed."""
        return replace(
            self,
            words=change(self.words),
            page_text=change(self.page_text),
            notes=change(self.notes),
        )

    def with_words_before(self, words: str) -> ToolResult:
        return replace(self, words="\n".join(part for part in (words, self.words) if part))

    def with_notes(self, lines: Iterable[str]) -> ToolResult:
        """The result with further lines at its end."""
        return replace(self, notes="\n".join([*([self.notes] if self.notes else []), *lines]))


def failure(error: CdpAgentError, snapshot: Snapshot | None = None, page: str = "") -> ToolResult:
    """An error as a result; `page` is what the reader has to see now."""
    # A message may quote the page, which must not write lines of its own.
    lines = [f"{error.code}: {one_line(error.message, _LONGEST_MESSAGE)}"]
    if error.hint:
        lines.append(f"hint: {error.hint}")
    return ToolResult(
        "\n".join(lines),
        page,
        is_error=True,
        code=error.code,
        snapshot=snapshot,
        data=error.to_dict(),
    )
