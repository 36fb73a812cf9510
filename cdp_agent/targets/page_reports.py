"""Reports that documents send by themselves, through the binding of our world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cdp_agent.config import RECEIPT_BINDING
from cdp_agent.js.shared_lists import SHOWN_SCHEMES
from cdp_agent.protocol import Session
from cdp_agent.protocol.codec import decode
from cdp_agent.text import one_line, quoted

if TYPE_CHECKING:
    from cdp_agent.targets.page_target import PageTarget


def is_elsewhere(url: str) -> bool:
    """Returns whether an absolute address is for another program than a browser."""
    scheme, colon, _ = url.strip().partition(":")
    return bool(colon) and scheme.lower() not in SHOWN_SCHEMES


@dataclass(frozen=True, slots=True)
class LostValue:
    """A value that an action gave an element and that the page has changed since."""

    #: Of the element.
    id: str
    #: None, as `now`, where the field is a password's.
    held: str | None
    now: str | None
    #: Whether both are states, such as `checked`.
    state: bool = False

    @property
    def line(self) -> str:
        """One line about it for a reader."""
        if self.held is None or self.now is None:
            return f"{self.id} no longer holds what it was given: the page changed it"
        if self.state:
            return f"{self.id} is no longer {self.held}: the page changed it to {self.now}"
        held, now = quoted(one_line(self.held, 80)), quoted(one_line(self.now, 80))
        return f"{self.id} no longer holds {held}: the page changed it to {now}"

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.id, "held": self.held, "now": self.now, "state": self.state}


def take_report(page: PageTarget, session: Session, params: dict[str, Any]) -> None:
    if params["name"] != RECEIPT_BINDING:
        return
    note: dict[str, Any] = decode(params["payload"].encode(), dict)
    kind = note["kind"]
    if kind == "message":
        page.messages.heard(session.id, params["executionContextId"])
    elif kind == "title":
        page.say_title(str(note["title"]))
    elif kind == "lost_value":
        lost = LostValue(note["id"], note.get("held"), note.get("now"), bool(note["state"]))
        page.lost_values.append(lost)
    elif kind == "elsewhere":
        page.elsewhere.append(str(note["url"]))
        context_id = params["executionContextId"]
        for frame in page.frames:
            if frame.session is session and frame.world and frame.world.context_id == context_id:
                frame.navigation_requested = False  # nothing will come of it
    elif (notes := page.receipts.get(note["token"])) is not None:
        notes.append(note)
