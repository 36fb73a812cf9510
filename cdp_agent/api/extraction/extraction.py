"""Data of a page in the shape of a schema, each value with its element."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cdp_agent.api.tab import Tab
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import CdpAgentError, ConditionFailed, InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.resolve.harvest import FrameHarvest, harvest
from cdp_agent.snapshot import SnapshotOptions

if TYPE_CHECKING:
    from cdp_agent.api.extraction.matcher import Harvest, Source

#: Asked where the page's own structure does not answer: given the page's text, the JSON Schema and
#: the instruction, it answers the data, and the element id of each value by path.
AskModel = Callable[[str, Mapping[str, Any], str], Awaitable[tuple[Any, Mapping[str, str]]]]

_EXAMPLE = 'E.g. {"type": "object", "properties": {"total": {"type": "number"}}}'


@dataclass(frozen=True, slots=True)
class Extraction:
    """Validated `data`: plain for a JSON Schema, an instance for a model class."""

    data: Any
    #: By path (`orders.0.total`): the id of the element that the value was read from.
    sources: Mapping[str, str]
    method: Literal["structure", "model"]


async def extract_data(
    tab: Tab,
    schema: Any,
    root: str | None,
    instruction: str,
    ask_model: AskModel | None,
    timeout: float,
) -> Extraction:
    """Data in the shape of a schema, by structure or by a model; see `Page.extract`."""
    from cdp_agent.api.extraction.matcher import Matcher
    from cdp_agent.api.extraction.shape import Shape

    shape = Shape.of(schema)
    tab.require_ready()
    deadline = time.monotonic() + timeout
    read = await _read(tab, root, timeout)
    try:
        found = Matcher(shape.json_schema, _joined(read)).answer()
        data = shape.validated(found.value if found.is_there else shape.empty)
        return Extraction(data, await _ids_of(tab, read, found.sources, deadline), "structure")
    except ConditionFailed:
        if ask_model is None:
            raise
    finally:
        for frame in read:
            frame.release()
    snapshot = await tab.take(SnapshotOptions())
    answer, sources = await ask_model(snapshot.text, shape.json_schema, instruction)
    data = shape.validated(answer)
    known = {path: id for path, id in sources.items() if id in snapshot.backend_node_map}
    return Extraction(data, known, "model")


async def _read(tab: Tab, root: str | None, seconds: float) -> list[FrameHarvest]:
    """The data of each frame, or of an element. The caller releases it."""
    if root is not None:
        deadline = time.monotonic() + seconds
        at = await tab.resolver.locate(ElementId.parse(root), deadline=deadline)
        frame = tab.resolver.frame(at.frame_index)
        return [await harvest(tab.target, frame, at.backend_node_id, seconds)]
    read = []
    for frame in list(tab.target.frames):
        if frame.session is None:
            continue
        try:
            read.append(await harvest(tab.target, frame, None, seconds))
        except CdpAgentError:
            if frame.index == 0:
                raise  # a child frame may vanish at any moment
    return read


async def _ids_of(
    tab: Tab, read: list[FrameHarvest], sources: Mapping[str, Source], deadline: float
) -> dict[str, str]:
    """The element id of each value that was taken."""
    ids: dict[Source, str] = {}
    for frame_harvest in read:
        frame = frame_harvest.frame
        wanted = {s.number: s for s in sources.values() if s.frame_index == frame.index}
        seconds = seconds_until(deadline, 0.5)
        backends = await frame_harvest.backend_node_ids(list(wanted), seconds)
        for source, backend in zip(wanted.values(), backends, strict=True):
            element_id = ElementId(frame.index, backend, frame_harvest.loader_id)
            tab.book.note(element_id, frame.url, "element", "")
            ids[source] = str(element_id)
    return {path: ids[source] for path, source in sources.items()}


def _joined(read: Iterable[FrameHarvest]) -> Harvest:
    """The data of all frames together."""
    from cdp_agent.api.extraction.matcher import Cell, Group, Harvest, Source

    made = Harvest()
    for frame_harvest in read:
        index = frame_harvest.frame.index
        for kind, label, heads, rows in frame_harvest.groups:
            if kind == "table":
                cells = [
                    tuple(
                        Cell((head,), value, link, Source(index, node))
                        for head, (value, link, node) in zip(heads, row, strict=False)
                    )
                    for row in rows
                ]
            else:
                cells = [
                    tuple(
                        Cell((keys, *keys.split()), value, link, Source(index, node))
                        for keys, value, link, node in row
                    )
                    for row in rows
                ]
            made.groups.append(Group(kind, label, tuple(heads), tuple(cells)))
        made.pairs += [
            Cell((key,), value, link, Source(index, node), weight)
            for key, value, link, node, weight in frame_harvest.pairs
        ]
    return made


def require_schema(given: Any) -> Mapping[str, Any]:
    """Raises: InvalidParams: it describes neither an object nor a list."""
    if not isinstance(given, Mapping):
        raise InvalidParams("schema must be a pydantic model class or JSON Schema", hint=_EXAMPLE)
    if given.get("type") not in ("object", "array") and "properties" not in given:
        raise InvalidParams(
            'a schema needs "type": "object" with properties, or "array"', hint=_EXAMPLE
        )
    return given
