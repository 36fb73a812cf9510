"""The lines that a page showed at a moment, so that a later wait knows which are new."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cdp_agent.errors import CdpAgentError
from cdp_agent.ids import LoaderId
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets import Frame, PageTarget


@dataclass(frozen=True, slots=True)
class LinesBefore:
    """For each frame its document, and for each text the lines that had it."""

    documents: dict[Frame, LoaderId]
    lines: dict[Frame, dict[str, Counter[str]]]

    def of(self, texts: Sequence[str]) -> dict[Frame, list[Counter[str]]]:
        """For each frame the lines with these texts, in this order."""
        return {
            frame: [lines.get(text, Counter()) for text in texts]
            for frame, lines in self.lines.items()
        }


async def lines_with(target: PageTarget, texts: Sequence[str], seconds: float) -> LinesBefore:
    """The lines with these texts now. A frame that does not answer has none."""
    options = {"texts": list(texts), "quietMs": None, "last": None, "timeoutMs": 0}
    expression = f"cdpAgent.watchFrame({json.dumps(options)})"
    frames = [frame for frame in target.frames if frame.session is not None]
    documents = {frame: frame.loader_id for frame in frames}

    async def lines_in(frame: Frame) -> dict[str, Counter[str]] | None:
        try:
            facts = await evaluate_in_frame(target, frame, expression, seconds)
        except CdpAgentError:
            return None
        counts: dict[str, Counter[str]] = {}
        for text, lines in zip(texts, facts["lines"], strict=True):
            counts[text] = Counter(lines)
        return counts

    found = await asyncio.gather(*map(lines_in, frames))
    lines = {frame: counts for frame, counts in zip(frames, found, strict=True) if counts}
    return LinesBefore(documents, lines)
