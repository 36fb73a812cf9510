"""The lines of a page that words occur in, with what makes sense of them. Pure.

Lines with the words as they stand there are what is meant, first those where a number ends as it
does in the words ("Trial 3" is not "Trial 31"). Where there are none, rows and items
that have all of the words are, then nameless elements whose hint has them, and where there are none
of these either, those with the most of them come first. A row or an item is shown whole, with its
table's head and the nearest heading, and a short text with the text behind it: its value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from cdp_agent.snapshot.model import Node, ends_of

#: A line of one of these is of little use without the others in it.
_BELONG_TOGETHER = frozenset({"listitem", "row", "article", "treeitem"})
_MOST_TOGETHER = 20
_MOST_IN_A_ROW = 200
_TABLES = frozenset({"table", "grid", "treegrid"})
#: Rows and items that have only some of the words.
_MOST_VAGUE = 40
#: Nameless elements whose hints are compared.
_MOST_HINTS = 2000
#: A text that may be the name of the one behind it.
_LABELS = frozenset({"text", "term", "definition", "generic"})
_LONGEST_LABEL = 40
_COMMON = frozenset({"the", "and", "for", "with", "from"})
_WORD = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True)
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
        return bool(self.phrase) and _has(text, self.phrase)

    def has_whole_phrase(self, text: str) -> bool:
        """Returns whether a text has the words as they stand, and their numbers end there."""
        return self.has_phrase(text) and bool(self._whole.search(text))

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        phrase = self.phrase
        before = r"(?<!\d)" if phrase[:1].isdigit() else ""
        after = r"(?!\d)" if phrase[-1:].isdigit() else ""
        return re.compile(f"{before}{re.escape(phrase)}{after}")

    def count(self, text: str) -> int:
        """The number of words that a text has, which is folded already."""
        return sum(_has(text, word) for word in self.words)


def _has(text: str, word: str) -> bool:
    """Returns whether a text has a word; one of two letters has to stand alone."""
    if len(word) > 2 or word not in text:
        return word in text
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def searched(nodes: Sequence[Node], text: str, hint_of: Callable[[Node], str]) -> list[Node]:
    """The lines that are meant by the words, best first, with what they stand in."""
    return _Search(nodes, SearchWords.parse(text), hint_of).nodes()


class _Search:
    def __init__(
        self, nodes: Sequence[Node], words: SearchWords, hint_of: Callable[[Node], str]
    ) -> None:
        self._nodes = nodes
        self._words = words
        self._hint_of = hint_of
        self._ends = ends_of(nodes)
        self._texts = [f"{n.role} {n.name} {n.value or ''}".casefold() for n in nodes]

    def nodes(self) -> list[Node]:
        words = self._words
        phrase = self._groups(words.has_whole_phrase) or self._groups(words.has_phrase)
        if phrase:
            return self._written(phrase)
        if not self._groups(lambda text: words.count(text) == len(words.words)):
            self._add_hints()
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

    def _add_hints(self) -> None:
        """Let nameless elements be found by what stands for their names."""
        nameless = (
            index for index, node in enumerate(self._nodes) if node.id is not None and not node.name
        )
        for index in islice(nameless, _MOST_HINTS):
            self._texts[index] += f" {self._hint_of(self._nodes[index])}".casefold()

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
        return index, self._value_end(index)

    def _value_end(self, index: int) -> int:
        """The end of a line; that of a short text with the text behind it, which is its value."""
        node, after = self._nodes[index], self._ends[index]
        is_label = node.role in _LABELS and len(node.name) <= _LONGEST_LABEL
        is_label = is_label and not node.name[-1:].isdigit()
        if not is_label or after != index + 1 or after >= len(self._nodes):
            return index + 1
        value = self._nodes[after]
        is_value = value.role in _LABELS and value.depth == node.depth and value.id is None
        return after + 1 if is_value and self._ends[after] == after + 1 else index + 1

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
