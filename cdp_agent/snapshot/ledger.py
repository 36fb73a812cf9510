"""Asks a document what became different since the last look, instead of looking at all of it.

The document keeps a ledger (see `ledger.js`). What it cannot know is asked beside it: whether
styles or layout were worked out at all, and who listens for clicks. Whatever cannot be told for
sure is answered by None: then everything is captured, and the ledger begins anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.protocol.codec import decode
from cdp_agent.snapshot.collector import collector_paused
from cdp_agent.snapshot.deep import DEEP, heard
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.made import has_closed_roots, nodes_made
from cdp_agent.snapshot.renewal import Renewal, renewed
from cdp_agent.snapshot.told import Told
from cdp_agent.snapshot.unseen import ask_unseen
from cdp_agent.targets import Frame

Reply = asyncio.Future[dict[str, Any]]

OPEN = "cdpAgent.openLedger(); "
#: Walking over these takes less time than to ask first whether it is needed.
_FEW_ELEMENTS = 500
_CLICKS = frozenset({"click", "mousedown", "mouseup", "DOMActivate"})
#: They answer clicks by themselves; that a listener went from one of them changes nothing.
_ANSWER_BY_THEMSELVES = frozenset({"a", "area", "button", "input", "label", "summary", "object"})
#: Tags of which `ledger.js` measures no box unless asked: nobody wants to know where they are.
_PLAIN = frozenset(
    "html head body div span p li ul ol dl dt dd table thead tbody tfoot tr td th caption"  # noqa: SIM905
    " colgroup col section article header footer main nav aside h1 h2 h3 h4 h5 h6 b i em strong"
    " small u s sub sup code pre br hr script style meta link title figure figcaption blockquote"
    " center font template noscript".split()
)


@dataclass(frozen=True, slots=True)
class Counts:
    """How often styles and layout were worked out, and how many nodes there are."""

    styles: float
    layouts: float
    nodes: float

    def is_same_rendering(self, other: Counts) -> bool:
        return (self.styles, self.layouts) == (other.styles, other.layouts)


@dataclass(frozen=True, slots=True)
class Ledger:
    """What is needed to ask one document, from the last look on."""

    #: The document as a remote object, and whether the first walk was made.
    document: Reply
    walks: Reply
    #: Counted between the layout facts and the walk, and after it: equal, or the two do not agree.
    before: Reply
    after: Reply
    #: Who listens for clicks; None: not asked yet.
    listening: frozenset[int] | None = None
    #: Counted at the last look; None: there was only the first.
    counts: Counts | None = None
    look: int = 0
    #: Whether somebody wants to know where elements are that one cannot act on.
    every_box: bool = False

    @property
    def base(self) -> Counts:
        """Counted at the last look, or after the first."""
        if self.counts is not None:
            return self.counts
        before, after = _counts(self.before.result()), _counts(self.after.result())
        # Nodes that came in between would be taken for old ones.
        return replace(after, nodes=min(before.nodes, after.nodes))

    @property
    def last_look(self) -> int:
        return self.look or int(self.walks.result()["result"].get("value") or 0)


def begin(frame: Frame, dom: DomFacts, before: Reply | None, seconds: float) -> Ledger | None:
    """Have a document compare from now on. Nothing is waited for. None: it runs no scripts."""
    if frame.world is None or frame.session is None or before is None or dom.has_closed_roots:
        return None
    if frame.main_world is None or (dom.has_shadow_roots and dom.holds_documents):
        return None  # Chromium 156 crashes when it looks for listeners in both at once
    session, where = frame.session, frame.world.for_evaluate
    every_box = _needs_every_box(dom)
    call = f"cdpAgent.beginWalks({str(every_box).lower()})"
    walk = {"expression": call, "returnByValue": True, **where}
    # Listeners are found through an object of the world that added them.
    page = {"expression": "document", **frame.main_world.for_evaluate}
    document = session.post("Runtime.evaluate", page, timeout=seconds)
    walks = session.post("Runtime.evaluate", walk, timeout=seconds)
    after = _counted_after(walks, session, seconds)
    for reply in (document, walks, after, before):
        reply.add_done_callback(heard)
    return Ledger(document, walks, before, after, every_box=every_box)


def _counted_after(walks: Reply, session: Session, seconds: float) -> Reply:
    """What is counted once the walk is over.

    Chromium answers this command in the midst of a script that runs, so to send it later is not
    enough: a walk that works out a layout would be counted without it.
    """
    counted: Reply = asyncio.get_running_loop().create_future()

    def pass_on(reply: Reply) -> None:
        if counted.done() or reply.cancelled():
            counted.cancel()
        elif (error := reply.exception()) is not None:
            counted.set_exception(error)
        else:
            counted.set_result(reply.result())

    def count(walked: Reply) -> None:
        if walked.cancelled() or walked.exception() is not None:
            pass_on(walked)
            return
        try:
            metrics(session, seconds).add_done_callback(pass_on)
        except CdpAgentError as error:
            counted.set_exception(error)

    walks.add_done_callback(count)
    return counted


def metrics(session: Session, seconds: float) -> Reply:
    return session.post("Performance.getMetrics", timeout=seconds)


async def ask(
    session: Session,
    known: Iterable[tuple[Frame, Ledger, DomFacts]],
    seconds: float,
) -> dict[str, tuple[Renewal, Ledger]] | None:
    """What became of the documents of a session, by frame id. None: look at everything."""
    asked = list(known)
    try:
        for frame, ledger, _ in asked:
            if frame.world is None or not await _is_usable(ledger):
                return None
        counting = metrics(session, seconds)
        listeners = [_listeners(session, ledger, dom, seconds) for _, ledger, dom in asked]
        # Most documents can tell before it is known whether anything was rendered anew.
        few = _FEW_ELEMENTS // len(asked)
        telling = [_tell(frame, ledger, None, few, seconds) for frame, ledger, _ in asked]
        seeing = [ask_unseen(frame, seconds, few=few) for frame, _, _ in asked]
        waiting: list[asyncio.Future[Any]] = [counting, *listeners, *telling]
        for reply in waiting:
            reply.add_done_callback(heard)
        counts = _counts(await counting)
        found: dict[str, tuple[Renewal, Ledger]] = {}
        for n, (frame, ledger, dom) in enumerate(asked):
            listening = _listening(await listeners[n])
            if _listens_otherwise(dom, listening, ledger.listening):
                return None
            answer = await telling[n]
            if answer.is_unsure:
                # Counted anew: the first count may be older than the layout (see `_counted_after`).
                counts = _counts(await metrics(session, seconds))
                rendered = not counts.is_same_rendering(ledger.base)
                answer = await _tell(frame, ledger, rendered, 0, seconds)
            renewal = await _renewal(frame, dom, ledger, answer, counts, listening, seconds)
            if renewal is None:
                return None
            renewal[0].unseen = seeing[n]
            found[frame.id] = renewal
        return found
    except CdpAgentError:
        return None


async def _renewal(
    frame: Frame,
    dom: DomFacts,
    ledger: Ledger,
    answer: _Evaluated,
    counts: Counts,
    listening: frozenset[int],
    seconds: float,
) -> tuple[Renewal, Ledger] | None:
    """What a document told, worked in. None: it does not fit."""
    told = answer.told
    if told is None:
        return None
    made = await nodes_made(frame.require_session(), dom, *told, seconds)
    if made is None:
        return None
    # Where some were collected, what came instead cannot be counted.
    is_counted = ledger.base.nodes <= counts.nodes <= ledger.base.nodes + made
    if not is_counted and await has_closed_roots(frame, seconds):
        return None
    with collector_paused():
        renewal = renewed(dom, *told, listening)
    if renewal is None:
        return None
    same = counts.is_same_rendering(ledger.base)
    renewal.looks_the_same = same and renewal.changes.identical
    every_box = ledger.every_box if renewal.only_words else _needs_every_box(renewal.dom)
    return renewal, replace(
        ledger, listening=listening, counts=counts, look=told[0].look, every_box=every_box
    )


async def _is_usable(ledger: Ledger) -> bool:
    replies = (ledger.document, ledger.walks, ledger.before, ledger.after)
    if waiting := [reply for reply in replies if not reply.done()]:
        await asyncio.wait(waiting)
    return not any(reply.cancelled() for reply in replies) and _is_ready(ledger)


def _is_ready(ledger: Ledger) -> bool:
    before, after = _counts(ledger.before.result()), _counts(ledger.after.result())
    return ledger.last_look > 0 and (ledger.counts is not None or before.is_same_rendering(after))


def _listeners(
    session: Session, ledger: Ledger, dom: DomFacts, seconds: float
) -> asyncio.Future[_Listeners]:
    params = {
        "objectId": ledger.document.result()["result"]["objectId"],
        "depth": -1,
        "pierce": dom.has_shadow_roots,
    }
    return session.post("DOMDebugger.getEventListeners", params, into=_Listeners, timeout=seconds)


class _Listener(msgspec.Struct, gc=False):
    type: str
    backendNodeId: int = 0


class _Listeners(msgspec.Struct):
    listeners: list[_Listener] = []


def _listening(reply: _Listeners) -> frozenset[int]:
    return frozenset(one.backendNodeId for one in reply.listeners if one.type in _CLICKS)


def _listens_otherwise(dom: DomFacts, now: frozenset[int], before: frozenset[int] | None) -> bool:
    """Whether an element that was there at the last look began or ceased to listen."""
    if before is not None:
        return any(one in dom for one in now ^ before)
    clickable = dom.clickable_ids()
    if any(one in dom and dom.is_element(one) and one not in clickable for one in now):
        return True
    return any(one not in now and dom.tag(one) not in _ANSWER_BY_THEMSELVES for one in clickable)


def _tell(
    frame: Frame, ledger: Ledger, rendered: bool | None, few: int, seconds: float
) -> asyncio.Future[_Evaluated]:
    """Ask a document what changed; `rendered` and `few` as in `relook`."""
    look, every_box = ledger.last_look, ledger.every_box
    options = msgspec.json.encode(
        {"look": look, "rendered": rendered, "few": few, "everyBox": every_box}
    ).decode()
    params: dict[str, Any] = {
        "expression": f"cdpAgent.relook({options})",
        **DEEP,
        **(frame.world.for_evaluate if frame.world is not None else {}),
    }
    session = frame.require_session()
    reply = session.post("Runtime.evaluate", params, into=_Evaluated, timeout=seconds)
    reply.add_done_callback(lambda done: _release(session, done))
    return reply


def _release(session: Session, reply: asyncio.Future[_Evaluated]) -> None:
    """Whether or not somebody still wants to know: the page's nodes are not held."""
    if reply.cancelled() or reply.exception() is not None or session.ended is not None:
        return
    object_id = reply.result().result.objectId
    if object_id:
        session.send_only("Runtime.releaseObject", {"objectId": object_id})


class _Item(msgspec.Struct):
    value: Any = None


class _Items(msgspec.Struct):
    value: list[_Item] = []


class _Result(msgspec.Struct):
    objectId: str = ""
    deepSerializedValue: _Items = msgspec.field(default_factory=_Items)


class _Evaluated(msgspec.Struct):
    result: _Result

    @property
    def is_unsure(self) -> bool:
        """Whether anything was rendered anew has to be known first."""
        items = self.result.deepSerializedValue.value
        return bool(items) and items[0].value == "?"

    @property
    def told(self) -> tuple[Told, list[int]] | None:
        """What the document told, and the ids of the nodes in it."""
        items = self.result.deepSerializedValue.value
        if not items or not isinstance(items[0].value, str) or not items[0].value:
            return None
        nodes = [one.value for one in items[1:]]
        if not all(isinstance(node, dict) and "backendNodeId" in node for node in nodes):
            return None
        ids = [int(node["backendNodeId"]) for node in nodes if isinstance(node, dict)]
        return decode(items[0].value.encode(), Told), ids


def _needs_every_box(dom: DomFacts) -> bool:
    if dom.registers.scrollers:
        return True
    return any(
        dom.tag(one) in _PLAIN
        and not dom.attributes(one).keys() - {"class", "id"}
        and not dom.has_pointer(one)
        for one in dom.listening_boxes()
    )


def _counts(reply: dict[str, Any]) -> Counts:
    found = {one["name"]: one["value"] for one in reply["metrics"]}
    return Counts(
        found.get("RecalcStyleCount", -1), found.get("LayoutCount", -1), found.get("Nodes", 0)
    )
