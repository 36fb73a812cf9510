"""Where each node of a document stands in its columns, by backend node id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cdp_agent.snapshot.columns import Ints

#: With fewer nodes a dict is quicker and small enough.
_MANY = 30_000
#: Chromium counts nodes on; of a document that was changed a lot most numbers are of nodes that are
#: gone. A table is made as long as it is so many times smaller than a dict.
_SPARSE = 12


def places_of(ids: Ints) -> Mapping[int, int]:
    """Backend node id → index in the columns."""
    if len(ids) < _MANY or max(ids) - min(ids) > _SPARSE * len(ids):
        return dict(zip(ids, range(len(ids)), strict=True))
    return _Table(ids)


class _Table(Mapping[int, int]):
    """Four bytes for each number from the least to the greatest, where a dict takes a hundred."""

    __slots__ = ("_count", "_least", "_places")

    def __init__(self, ids: Ints) -> None:
        self._least, self._count = min(ids), len(ids)
        places = self._places = Ints([-1] * (max(ids) - self._least + 1))
        for index, backend in enumerate(ids):
            places[backend - self._least] = index

    def __getitem__(self, backend: int) -> int:
        index = self._find(backend)
        if index < 0:
            raise KeyError(backend)
        return index

    def _find(self, backend: int) -> int:
        number = backend - self._least
        return self._places[number] if 0 <= number < len(self._places) else -1

    def get(self, backend: int, default: Any = None) -> Any:
        index = self._find(backend)
        return index if index >= 0 else default

    def __contains__(self, backend: object) -> bool:
        return isinstance(backend, int) and self._find(backend) >= 0

    def __iter__(self) -> Iterator[int]:
        return (n + self._least for n, index in enumerate(self._places) if index >= 0)

    def __len__(self) -> int:
        return self._count
