"""Finds the values that a JSON Schema asks for in the content of a page. Pure.

The reading (`js/read/harvest.js`) gives tables, groups of repeated items, and pairs of a key and a
value. Here the best of them is chosen for each part of the schema; nothing is made up: what the
page does not say is left out, and the validation then says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cdp_agent.api.extraction.coerce import NO_VALUE, coerce, likeness

#: Below this likeness a key is another key.
_ENOUGH = 0.55
#: The likeness of what has no key that says what it is, and is taken by where it stands.
_BY_PLACE = 0.5
_LINK_NAMES = frozenset({"url", "link", "href", "uri"})


class Source(NamedTuple):
    """The origin of a value: the number of a node in the data of a frame."""

    frame_index: int
    number: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One text with the keys that stand for it, and where it is from."""

    keys: tuple[str, ...]
    value: Any
    link: str
    source: Source
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Group:
    """Records that look alike: the rows of a table, the items of a list."""

    kind: str
    label: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(slots=True)
class Harvest:
    groups: list[Group] = field(default_factory=list)
    pairs: list[Cell] = field(default_factory=list)


@dataclass(slots=True)
class MatchedValue:
    """A value and where its parts come from, by path (`orders.0.total`)."""

    value: Any = NO_VALUE
    sources: dict[str, Source] = field(default_factory=dict)

    @property
    def is_there(self) -> bool:
        return self.value is not NO_VALUE


class _Field(NamedTuple):
    """The value of a record for one name, and how well the cell's key fits that."""

    value: Any
    cell: Cell
    likeness: float


class Matcher:
    """One schema against one harvest."""

    def __init__(self, schema: Mapping[str, Any], harvest: Harvest) -> None:
        self._definitions = schema.get("$defs", schema.get("definitions", {}))
        self._schema = schema
        self._harvest = harvest

    def answer(self) -> MatchedValue:
        return self._any(self._schema, "", "")

    def _any(self, schema: Mapping[str, Any], name: str, path: str) -> MatchedValue:
        schema = self._resolved(schema)
        kind = schema.get("type")
        if kind == "object" or "properties" in schema:
            return self._object(schema, path)
        if kind == "array":
            items = self._resolved(schema.get("items", {}))
            if "properties" in items:
                return self._records(items, name, path)
            return self._list(items, name, path)
        return self._scalar(schema, name, path)

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        for _ in range(20):
            if "$ref" in schema:
                target = self._definitions.get(str(schema["$ref"]).rpartition("/")[2], {})
                schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
                continue
            options = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
            real = [o for o in options or () if o.get("type") != "null"]
            if not real:
                return schema
            rest = {k: v for k, v in schema.items() if k not in ("anyOf", "oneOf", "allOf")}
            schema = {**real[0], **rest}
        return schema

    # -- one value, one object ----------------------------------------------------------------

    def _object(self, schema: Mapping[str, Any], path: str) -> MatchedValue:
        answer = MatchedValue({})
        for name, part in schema.get("properties", {}).items():
            found = self._any(part, name, f"{path}{name}")
            if found.is_there:
                answer.value[name] = found.value
                answer.sources.update(found.sources)
        return answer if answer.value or not path else MatchedValue()

    def _scalar(self, schema: Mapping[str, Any], name: str, path: str) -> MatchedValue:
        best = _best_cell(self._harvest.pairs, name, schema)
        if best is None:
            return MatchedValue()
        cell, value = best
        return MatchedValue(value, {path.rstrip("."): cell.source})

    # -- many ---------------------------------------------------------------------------------

    def _records(self, items: Mapping[str, Any], name: str, path: str) -> MatchedValue:
        wanted = {k: self._resolved(v) for k, v in items.get("properties", {}).items()}
        required = set(items.get("required", ()))
        best: tuple[float, MatchedValue] = (0.0, MatchedValue())
        for group in self._harvest.groups:
            rows = [_record(group, row, wanted) for row in group.rows]
            full = [row for row in rows if required <= set(row) and row]
            if not full or 2 * len(full) < len(rows):
                continue
            fit = sum(one.likeness for row in full for one in row.values())
            share = fit / (len(full) * max(len(wanted), 1))
            score = share + (0.2 if group.kind == "table" else 0.0) + 0.001 * min(len(full), 100)
            score += 0.3 * max(likeness(name, group.label), 0.0) if name else 0.0
            if score > best[0]:
                best = (score, _as_answer(full, path))
        return best[1]

    def _list(self, items: Mapping[str, Any], name: str, path: str) -> MatchedValue:
        best: tuple[float, MatchedValue] = (0.0, MatchedValue())
        for cells, likely in self._columns(name):
            values = [(coerce(_wanted_of(cell, name, items), items), cell) for cell in cells]
            good = [(value, cell) for value, cell in values if value is not NO_VALUE]
            if not good or len(good) < len(values):
                continue
            score = likely + 0.001 * min(len(good), 100)
            if score > best[0]:
                sources = {f"{path}.{n}".lstrip("."): c.source for n, (_, c) in enumerate(good)}
                best = (score, MatchedValue([value for value, _ in good], sources))
        return best[1]

    def _columns(self, name: str) -> Iterable[tuple[list[Cell], float]]:
        for group in self._harvest.groups:
            if group.kind == "table":
                for number, head in enumerate(group.heads):
                    column = [row[number] for row in group.rows if number < len(row)]
                    if likeness(name, head) >= _ENOUGH:
                        yield column, likeness(name, head)
            else:
                yield [row[0] for row in group.rows], 0.3 + likeness(name, group.label)
        said = [cell for cell in self._harvest.pairs if _likeness(name, cell) >= _ENOUGH]
        if said:
            yield said, 0.4


def _record(
    group: Group, row: tuple[Cell, ...], wanted: Mapping[str, Mapping[str, Any]]
) -> dict[str, _Field]:
    """The cell of a row for each wanted name; two names share one by an equal key."""
    record: dict[str, _Field] = {}
    used: set[int] = set()
    offers = []
    for name, schema in wanted.items():
        for number, cell in enumerate(row):
            like = _likeness(name, cell)
            value = coerce(_wanted_of(cell, name, schema), schema) if like >= _ENOUGH else NO_VALUE
            if value is not NO_VALUE:
                offers.append((-like, number, name, _Field(value, cell, like)))
    for _, number, name, offered in sorted(offers, key=lambda offer: offer[:2]):
        if name not in record and number not in used:
            record[name] = offered
            if not _is_link(name, wanted[name]):
                used.add(number)
    if group.kind != "table":
        _fill_gaps(row, wanted, record, used)
    return record


def _fill_gaps(
    row: tuple[Cell, ...],
    wanted: Mapping[str, Mapping[str, Any]],
    record: dict[str, _Field],
    used: set[int],
) -> None:
    """A link is the item's link; what an item is called is what it says first."""
    for name, schema in wanted.items():
        if name in record:
            continue
        if _is_link(name, schema):
            linked = next((cell for cell in row if cell.link), None)
            if linked is not None:
                record[name] = _Field(linked.link, linked, _BY_PLACE)
        elif likeness(name, "name") >= _ENOUGH:
            for number, cell in enumerate(row[1:] or row, start=1 if row[1:] else 0):
                value = coerce(cell.value, schema)
                if number not in used and value is not NO_VALUE:
                    record[name] = _Field(value, cell, _BY_PLACE)
                    used.add(number)
                    break


def _as_answer(rows: list[dict[str, _Field]], path: str) -> MatchedValue:
    start = f"{path}." if path else ""
    return MatchedValue(
        [{name: one.value for name, one in row.items()} for row in rows],
        {
            f"{start}{number}.{name}": one.cell.source
            for number, row in enumerate(rows)
            for name, one in row.items()
        },
    )


def _best_cell(
    cells: Iterable[Cell], name: str, schema: Mapping[str, Any]
) -> tuple[Cell, Any] | None:
    best: tuple[float, Cell, Any] | None = None
    for cell in cells:
        like = max(_likeness(name, cell), _likeness(str(schema.get("title", "")), cell))
        if like < _ENOUGH:
            continue
        value = coerce(_wanted_of(cell, name, schema), schema)
        score = like + 0.1 * cell.weight
        if value is not NO_VALUE and (best is None or score > best[0]):
            best = (score, cell, value)
    return None if best is None else (best[1], best[2])


def _likeness(name: str, cell: Cell) -> float:
    return max((likeness(name, key) for key in cell.keys), default=0.0)


def _wanted_of(cell: Cell, name: str, schema: Mapping[str, Any]) -> Any:
    return cell.link if _is_link(name, schema) and cell.link else cell.value


def _is_link(name: str, schema: Mapping[str, Any]) -> bool:
    return schema.get("format") in ("uri", "url") or name.lower() in _LINK_NAMES
