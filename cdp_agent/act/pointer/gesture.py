"""A gesture of the pointer: the input to send, and the events that prove its arrival."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from cdp_agent.act.input.inputs import Replies
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.frame_point import Point

#: Events that prove a gesture, by verb and button.
PROOF = {
    "left": frozenset({"click"}),
    "middle": frozenset({"auxclick"}),
    "right": frozenset({"contextmenu", "auxclick"}),
    "hover": frozenset({"pointermove", "mousemove"}),
}


@dataclass(slots=True)
class Gesture:
    """The input to send at a point, and the events that prove its arrival."""

    verb: str
    send: Callable[[LiveElement, Point], Replies]
    proof: frozenset[str]
    needs_enabled: bool = True
    position: tuple[float, float] | None = None
    #: A gesture that presses a button is stopped when it would land elsewhere.
    presses: bool = True
    #: How many presses it has; each must arrive.
    count: int = 1
    #: What the element holds afterwards is asked for.
    answers: bool = False
    #: Nothing is sent once the element is ready.
    is_trial: bool = False

    @property
    def guards(self) -> Literal["press"] | None:
        """The input that other frames must not get."""
        return "press" if self.presses else None
