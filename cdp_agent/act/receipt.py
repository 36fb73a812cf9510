"""Evidence that an action's input arrived."""

from __future__ import annotations

from dataclasses import dataclass

from cdp_agent.ids import ElementId


@dataclass(frozen=True, slots=True)
class Receipt:
    """Evidence that input arrived: its events, their element, and whether prevented."""

    delivered: bool
    target: ElementId | None
    trusted: bool
    default_prevented: bool
    events: tuple[str, ...] = ()
    #: A listener of the page stopped the click above the element: what listens there heard nothing.
    stopped: bool = False
    #: The press arrived and the page acted on it; the release went elsewhere, as these words say.
    release: str = ""
