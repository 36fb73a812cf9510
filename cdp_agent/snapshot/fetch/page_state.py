"""A document's own report at the beginning of a capture: the answer of `page_state.js`."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.snapshot.fetch.script_nodes import NODE_LIST, items_of, release_when_done
from cdp_agent.targets import Frame, World

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateParameters, EvaluateReturns


class DocumentState(msgspec.Struct, frozen=True):
    #: All elements, those in shadow roots not counted.
    elements: int
    #: Characters inside `script` and `style`, which `captureSnapshot` serializes as well.
    code: int
    #: A number for the element with the focus; comparable with other reports of the same document.
    focus: str
    #: States that the accessibility tree shows and neither the DOM nor its layout does.
    states: str
    #: Levels that its elements nest; 0 where there are few of them.
    depth: int = 0
    #: Whether it may have listeners: it has scripts or handlers of its own.
    scripted: bool = True
    #: Listeners that our own scripts have added to it, ever.
    listeners: int = 0
    #: Equal in two reports where the document did not mutate and no element moved, came or went in
    #: between. 0: it mutated since the previous capture, or is too large to be measured.
    layout: int = 0
    #: Times that it mutated, ever.
    mutations: int = -1
    #: Whether its layout can be measured: it is not too large, and no animation goes on.
    measurable: bool = False
    #: Number of a field → digest of its value.
    values: dict[str, int] = {}

    @property
    def focus_number(self) -> int:
        return int(self.focus.rstrip("-"))

    def changed_fields(self, previous: DocumentState) -> list[int]:
        """Numbers of the fields that hold something else."""
        now, before = self.values, previous.values
        return [int(number) for number in now if now[number] != before.get(number)]


def ask_state(
    frame: Frame, seconds: float, mutations: int | None = None
) -> asyncio.Future[EvaluateReturns] | None:
    """Ask for it; None: the frame has no world of ours yet.

    `mutations`: the count at the previous capture. Where it is another now, the layout is not
    measured: the document is captured in any case.
    """
    if frame.world is None:
        return None
    call = f"cdpAgent.documentState({'' if mutations is None else mutations})"
    params: EvaluateParameters = {
        "expression": call,
        "returnByValue": True,
        **frame.world.for_evaluate,
    }
    return frame.require_session().post("Runtime.evaluate", params, timeout=seconds)


class _Measured(msgspec.Struct, frozen=True):
    layout: int
    mutations: int


@dataclass(slots=True)
class MeasuredLayout:
    """The layout of a document at a capture, measured right after it while the caller goes on."""

    #: The count at the beginning of the capture.
    mutations: int
    _reply: asyncio.Future[EvaluateReturns]

    @property
    def number(self) -> int:
        """Comparable with `DocumentState.layout`; 0: the document mutated during the capture."""
        if not self._reply.done() or self._reply.cancelled() or self._reply.exception() is not None:
            return 0
        value = self._reply.result().get("result", {}).get("value")
        if not isinstance(value, str):
            return 0
        measured = msgspec.json.decode(value, type=_Measured)
        return measured.layout if measured.mutations == self.mutations else 0


def measure_layout(frame: Frame, state: DocumentState, seconds: float) -> MeasuredLayout | None:
    """Measure the layout of a document that is captured now; None: it cannot be compared later."""
    if frame.world is None or not state.measurable:
        return None
    params: EvaluateParameters = {
        "expression": "cdpAgent.measuredLayout()",
        "returnByValue": True,
        **frame.world.for_evaluate,
    }
    reply = frame.require_session().post("Runtime.evaluate", params, timeout=seconds)
    return MeasuredLayout(state.mutations, reply)


async def document_state(
    reply: asyncio.Future[EvaluateReturns] | None,
) -> DocumentState | None:
    """None: the frame could not answer. Cancelling this cancels the question."""
    if reply is None:
        return None
    try:
        value = (await reply).get("result", {}).get("value")
        return msgspec.json.decode(value, type=DocumentState) if isinstance(value, str) else None
    except (CdpAgentError, msgspec.MsgspecError):
        return None


async def numbered_nodes(
    session: Session, world: World, numbers: set[int], seconds: float
) -> dict[int, int] | None:
    """Backend ids of nodes by their numbers in reports; None: one of them is gone."""
    wanted = sorted(numbers)  # each once: a node that occurs again is serialized without its id
    expression = f"cdpAgent.nodesNumbered({json.dumps(wanted)})"
    params: EvaluateParameters = {
        "expression": expression,
        "serializationOptions": NODE_LIST,
        **world.for_evaluate,
    }
    asked = session.post("Runtime.evaluate", params, timeout=seconds)
    release_when_done(session, asked)
    try:
        items = items_of(await asked)
    except CdpAgentError:
        return None
    if items is None:
        return None
    backends = [int(item["value"]["backendNodeId"]) for item in items]
    return dict(zip(wanted, backends, strict=True))
