"""Data out of a page, in the shape that a schema says, each value with where it is from."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cdp_agent.api.core import PageCore
from cdp_agent.errors import CdpAgentError, ConditionFailed, InvalidParams
from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.resolve.search import harvest
from cdp_agent.targets import Frame

if TYPE_CHECKING:
    from cdp_agent.api.harvested import Harvest

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
        found = Matcher(shape.json_schema, await self._harvest(root, timeout)).answer()
        try:
            data = shape.validated(found.value if found.is_there else shape.empty)
        except ConditionFailed:
            if ask_model is None:
                raise
        else:
            return Extraction(data, found.sources, "structure")
        snapshot = await self._look()
        answer, sources = await ask_model(snapshot.text, shape.json_schema, instruction)
        data = shape.validated(answer)
        known = {path: id for path, id in sources.items() if id in snapshot.backend_node_map}
        return Extraction(data, known, "model")

    async def _harvest(self, root: str | None, seconds: float) -> Harvest:
        from cdp_agent.api.harvested import Harvest

        made = Harvest()
        if root is not None:
            deadline = time.monotonic() + seconds
            at = await self._resolver.locate(ElementId.parse(root), deadline=deadline)
            frame = self._resolver.frame(at.frame_index)
            await self._harvest_frame(made, frame, at.backend_node_id, seconds)
            return made
        for frame in list(self._target.frames):
            if frame.session is None:
                continue
            try:
                await self._harvest_frame(made, frame, None, seconds)
            except CdpAgentError:
                if frame.index == 0:
                    raise  # a child frame may vanish at any moment
        return made

    async def _harvest_frame(
        self, made: Harvest, frame: Frame, top: int | None, seconds: float
    ) -> None:
        from cdp_agent.api.harvested import Cell, Group

        groups, pairs = await harvest(self._target, frame, top, seconds)

        def cell(keys: tuple[str, ...], value: Any, link: str, node: int, weight: int = 1) -> Cell:
            source = ElementId(frame.index, node, LoaderId(frame.loader_id))
            self._book.note(source, frame.url, "element", str(value)[:60])
            return Cell(keys, value, link, source, weight)

        for kind, label, heads, rows in groups:
            if kind == "table":
                cells = [
                    tuple(cell((head,), *one) for head, one in zip(heads, row, strict=False))
                    for row in rows
                ]
            else:
                cells = [
                    tuple(cell((keys, *keys.split()), *one) for keys, *one in row) for row in rows
                ]
            made.groups.append(Group(kind, label, tuple(heads), tuple(cells)))
        for key, value, link, node, weight in pairs:
            made.pairs.append(cell((key,), value, link, node, weight))


def require_schema(given: Any) -> Mapping[str, Any]:
    """Raises: InvalidParams: it describes neither an object nor a list."""
    if not isinstance(given, Mapping):
        raise InvalidParams("schema must be a pydantic model class or JSON Schema", hint=_EXAMPLE)
    if given.get("type") not in ("object", "array") and "properties" not in given:
        raise InvalidParams(
            'a schema needs "type": "object" with properties, or "array"', hint=_EXAMPLE
        )
    return given
