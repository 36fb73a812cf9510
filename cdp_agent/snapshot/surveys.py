"""What of each frame nobody could see at the last look, and whether that still holds.

To ask costs a walk over all of a document. A frame in which nothing happened is not asked again: it
says so with its vitals (see `isAsSurveyed` in `words.js`), which goes by what can be the cause of
another look; and its layout facts, fetched afresh, have to agree that nothing differs.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.ledger import Reply
from cdp_agent.snapshot.unseen import ask_unseen
from cdp_agent.targets import Frame

#: Never used twice: an answer that was lost on its way must not pass for the last one.
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class _Survey:
    loader_id: str
    reply: Reply
    #: 0: the document does not know whether it holds.
    number: int


@dataclass(slots=True)
class Surveys:
    """Per page, by frame id."""

    _kept: dict[str, _Survey] = field(default_factory=dict)
    #: Under which number the answer of the look that is under way will be known.
    _asked: dict[str, int] = field(default_factory=dict)

    def ask(self, frame: Frame, seconds: float) -> Reply | None:
        """None: the frame runs no scripts, or has gone."""
        number = self._asked[frame.id] = next(_numbers)
        return ask_unseen(frame, seconds, number=number)

    def number(self, frame: Frame) -> int:
        """By which the document is asked whether its last answer holds; 0: not at all."""
        kept = self._of(frame)
        return kept.number if kept is not None else 0

    def last(self, frame: Frame) -> Reply | None:
        kept = self._of(frame)
        return kept.reply if kept is not None else None

    def use_last(self, frame: Frame) -> Reply | None:
        """The last answer is the answer of this look too."""
        self._asked[frame.id] = self.number(frame)
        return self.last(frame)

    def keep(self, frame: Frame, reply: Reply | None, dom: DomFacts | None) -> None:
        number = self._asked.pop(frame.id, 0)
        if reply is None or not reply.done() or reply.cancelled():
            self._kept.pop(frame.id, None)
            return
        if dom is None or dom.has_closed_roots:
            number = 0  # what happens in there nobody hears of
        self._kept[frame.id] = _Survey(frame.loader_id, reply, number)

    def keep_only(self, frame_ids: set[str]) -> None:
        """The look is over; these are the frames there are."""
        self._asked.clear()
        for gone in self._kept.keys() - frame_ids:
            del self._kept[gone]

    def _of(self, frame: Frame) -> _Survey | None:
        kept = self._kept.get(frame.id)
        return kept if kept is not None and kept.loader_id == frame.loader_id else None
