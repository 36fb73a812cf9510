"""Columns of a document while nodes come and go. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from cdp_agent.snapshot.columns import Ints, NodeColumns, Numbers, RareBoolean, RareInteger


class Misfit(Exception):
    """What was told does not fit the facts: only a look at everything helps."""


@dataclass(slots=True)
class Splice:
    """The columns of a document while nodes come and go; parents and rows by backend id."""

    ids: Ints
    types: Ints
    names: Ints
    values: Ints
    attributes: list[Numbers]
    parents: Ints

    def find(self, backend: int) -> int:
        try:
            return self.ids.index(backend)
        except ValueError:
            raise Misfit from None

    def end(self, index: int) -> int:
        inside = {self.ids[index]}
        end = index + 1
        while end < len(self.ids) and self.parents[end] in inside:
            inside.add(self.ids[end])
            end += 1
        return end

    def all(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        return self.ids, self.types, self.names, self.values, self.parents

    def cut(self, start: int, end: int) -> list[int]:
        gone = self.ids[start:end].tolist()
        for column in self.all():
            del column[start:end]
        del self.attributes[start:end]
        return gone


def with_columns(nodes: NodeColumns, **columns: Ints | list[Numbers]) -> NodeColumns:
    return msgspec.structs.replace(nodes, **columns)


def renumbered(rare: RareInteger, ids: Ints, index: dict[int, int]) -> RareInteger:
    pairs = [
        (index[ids[node]], value)
        for node, value in zip(rare.index, rare.value, strict=True)
        if ids[node] in index
    ]
    return RareInteger(Ints(node for node, _ in pairs), Ints(value for _, value in pairs))


def marks(rare: RareBoolean, ids: Ints, index: dict[int, int]) -> RareBoolean:
    return RareBoolean(Ints(index[ids[node]] for node in rare.index if ids[node] in index))
