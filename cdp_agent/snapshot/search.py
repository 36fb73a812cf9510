"""The lines of a page that words occur in, with what makes sense of them. Pure.

Lines with the words as they stand there are what is meant. Where there are none, rows and items
that have all of the words are, and where there are none of these either, those with the most of
them come first. A row or an item is shown whole, with its table's head and the nearest heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cdp_agent.snapshot.model import Node, ends_of

#: A line of one of these is of little use without the others in it.
_BELONG_TOGETHER = frozenset({"listitem", "row", "article", "treeitem"})
_MOST_TOGETHER = 20
_MOST_IN_A_ROW = 200
_TABLES = frozenset({"table", "grid", "treegrid"})
#: Rows and items that have only some of the words.
_MOST_VAGUE = 40
_COMMON = frozenset({"the", "and", "for", "with", "from"})
_WORD = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True)
class SearchWords:
    """Words to search for, without regard to case. A part in double quotes is one word."""

    phrase: str
    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> SearchWords:
        folded = " ".join(text.casefold().split())
        words = tuple(dict.fromkeys(quoted or bare for quoted, bare in _WORD.findall(folded)))
        # "of" and "the" are everywhere; they count only where there is nothing else to go by.
        telling = tuple(
            word
            for word in words
            if (len(word) > 2 and word not in _COMMON) or any(c.isdigit() for c in word)
        )
        return cls(folded.replace('"', ""), telling or words)

    def has_phrase(self, text: str) -> bool:
        return bool(self.phrase) and self.phrase in text

    def count(self, text: str) -> int:
        """How many of the words a text has, which is folded already."""
        return sum(word in text for word in self.words)


def searched(nodes: Sequence[Node], text: str) -> list[Node]:
    """The lines that are meant by the words, best first, with what they stand in."""
    return _Search(nodes, SearchWords.parse(text)).nodes()


class _Search:
    def __init__(self, nodes: Sequence[Node], words: SearchWords) -> None:
        self._nodes = nodes
        self._words = words
        self._ends = ends_of(nodes)
        self._texts = [f"{n.role} {n.name} {n.value or ''}".casefold() for n in nodes]

    def nodes(self) -> list[Node]:
        words = self._words
        phrase = self._groups(words.has_phrase)
        if phrase:
            return self._written(phrase)
        groups = self._groups(lambda text: words.count(text) > 0)
        by_count: dict[int, list[tuple[int, int]]] = {}
        for start, end in groups:
            count = words.count(" ".join(self._texts[start:end]))
            by_count.setdefault(count, []).append((start, end))
        if len(words.words) in by_count:
            return self._written(by_count[len(words.words)])
        written: list[Node] = []
        left = _MOST_VAGUE
        for count in sorted(by_count, reverse=True):
            best = by_count[count][:left]
            written += self._written(best) if best else []
            left -= len(best)
        return written

    def _groups(self, fits: Callable[[str], bool]) -> list[tuple[int, int]]:
        """Ranges of nodes: rows and items with a line that fits, and lines that are in none."""
        groups: dict[int, int] = {}
        path: list[int] = []
        for index, text in enumerate(self._texts):
            while path and self._ends[path[-1]] <= index:
                path.pop()
            if fits(text):
                start, end = self._whole(index, path)
                groups[start] = max(end, groups.get(start, 0))
            path.append(index)
        # A line of a group that was found by itself is part of that.
        made: list[tuple[int, int]] = []
        for start, end in sorted(groups.items()):
            if not made or start >= made[-1][1]:
                made.append((start, end))
        return made

    def _whole(self, index: int, path: list[int]) -> tuple[int, int]:
        for outer in (index, *reversed(path)):
            role, size = self._nodes[outer].role, self._ends[outer] - outer
            if role in _BELONG_TOGETHER:
                if size <= (_MOST_IN_A_ROW if role == "row" else _MOST_TOGETHER):
                    return outer, self._ends[outer]
                break
        return index, index + 1

    def _written(self, groups: list[tuple[int, int]]) -> list[Node]:
        """The groups in the page's order, with what they stand in, heads and headings."""
        keep: set[int] = set()
        path: list[int] = []
        heading: int | None = None
        starts = dict(groups)
        for index, node in enumerate(self._nodes):
            while path and self._ends[path[-1]] <= index:
                path.pop()
            if index in starts:
                keep.update(path)
                keep.update(range(index, starts[index]))
                keep.update(self._head(path))
                if heading is not None and self._is_same_frame(heading, index):
                    keep.add(heading)
            path.append(index)
            if node.role == "heading":
                heading = index
        return [self._nodes[index] for index in sorted(keep)]

    def _head(self, path: list[int]) -> range:
        """The row of column headers of the innermost table around."""
        table = next((i for i in reversed(path) if self._nodes[i].role in _TABLES), None)
        if table is None:
            return range(0)
        row = next(
            (i for i in range(table + 1, self._ends[table]) if self._nodes[i].role == "row"), None
        )
        if row is None:
            return range(0)
        inside = self._nodes[row + 1 : self._ends[row]]
        has_head = any(node.role == "columnheader" for node in inside)
        return range(row, self._ends[row]) if has_head else range(0)

    def _is_same_frame(self, one: int, other: int) -> bool:
        first, second = self._nodes[one].key, self._nodes[other].key
        return first.partition("-")[0] == second.partition("-")[0]
