"""Data out of a page, in the shape that a schema says, each value with where it is from."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cdp_agent.api.core import PageCore
from cdp_agent.errors import CdpAgentError, ConditionFailed, InvalidParams
from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.resolve.harvest import FrameHarvest, harvest

if TYPE_CHECKING:
    from cdp_agent.api.harvested import Harvest, Source

#: Asked where the page's own structure does not answer: given the page's text, the JSON Schema and
#: the instruction, it answers the data, and the element id of each value by path.
AskModel = Callable[[str, Mapping[str, Any], str], Awaitable[tuple[Any, Mapping[str, str]]]]

_EXAMPLE = 'E.g. {"type": "object", "properties": {"total": {"type": "number"}}}'


@dataclass(frozen=True, slots=True)
class Extraction:
    """`data` has been validated: plain data for a JSON Schema, an instance for a model class."""

    data: Any
    #: By path (`orders.0.total`): the id of the element that the value was read from.
    sources: Mapping[str, str]
    method: Literal["structure", "model"]


class Extracting(PageCore):
    """`extract`."""

    async def extract(
        self,
        schema: Any,
        *,
        root: str | None = None,
        instruction: str = "",
        ask_model: AskModel | None = None,
        timeout: float = 10,
    ) -> Extraction:
        """Read data off the page: tables, lists of cards, definition lists, forms, `key: value`.

        `schema` is a pydantic model class or a JSON Schema (an object, or an array). Names are
        compared with what the page calls things (`unitPrice` is found under "Unit price"), texts
        become numbers and truth values where the schema wants them. Nothing is guessed: what the
        page's structure does not give is asked of `ask_model` where there is one. `root`, an
        element's id, limits the search to what is inside it.

        Raises:
            InvalidParams: it is no schema.
            ConditionFailed: the page does not give what the schema requires; it says what.
        """
        from cdp_agent.api.harvested import Matcher
        from cdp_agent.api.validation import Shape

        shape = Shape.of(schema)
        self._require_ready()
        deadline = time.monotonic() + timeout
        read = await self._read(root, timeout)
        try:
            found = Matcher(shape.json_schema, _joined(read)).answer()
            data = shape.validated(found.value if found.is_there else shape.empty)
            return Extraction(data, await self._ids_of(read, found.sources, deadline), "structure")
        except ConditionFailed:
            if ask_model is None:
                raise
        finally:
            for frame in read:
                frame.release()
        snapshot = await self._look()
        answer, sources = await ask_model(snapshot.text, shape.json_schema, instruction)
        data = shape.validated(answer)
        known = {path: id for path, id in sources.items() if id in snapshot.backend_node_map}
        return Extraction(data, known, "model")

    async def _read(self, root: str | None, seconds: float) -> list[FrameHarvest]:
        """The data of each frame, or of an element. The caller releases it."""
        if root is not None:
            deadline = time.monotonic() + seconds
            at = await self._resolver.locate(ElementId.parse(root), deadline=deadline)
            frame = self._resolver.frame(at.frame_index)
            return [await harvest(self._target, frame, at.backend_node_id, seconds)]
        read = []
        for frame in list(self._target.frames):
            if frame.session is None:
                continue
            try:
                read.append(await harvest(self._target, frame, None, seconds))
            except CdpAgentError:
                if frame.index == 0:
                    raise  # a child frame may vanish at any moment
        return read

    async def _ids_of(
        self, read: list[FrameHarvest], sources: Mapping[str, Source], deadline: float
    ) -> dict[str, str]:
        """The element id of each value that was taken."""
        ids: dict[Source, str] = {}
        for one in read:
            frame = one.frame
            wanted = {s.number: s for s in sources.values() if s.frame_index == frame.index}
            seconds = max(deadline - time.monotonic(), 0.5)
            backends = await one.backend_node_ids(list(wanted), seconds)
            for source, backend in zip(wanted.values(), backends, strict=True):
                element_id = ElementId(frame.index, backend, LoaderId(frame.loader_id))
                self._book.note(element_id, frame.url, "element", "")
                ids[source] = str(element_id)
        return {path: ids[source] for path, source in sources.items()}


def _joined(read: Iterable[FrameHarvest]) -> Harvest:
    """The data of all frames together."""
    from cdp_agent.api.harvested import Cell, Group, Harvest, Source

    made = Harvest()
    for one in read:
        index = one.frame.index
        for kind, label, heads, rows in one.groups:
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
            for key, value, link, node, weight in one.pairs
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
