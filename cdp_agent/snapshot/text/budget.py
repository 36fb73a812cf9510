"""A snapshot's text within a number of tokens: the best lines, the rest as stubs. Pure.

What a person would look at first stays: an open dialog, the focus, what is in the viewport; there,
what one can act on before what one can only read, the content before the regions around it, and
the first rows and items of a long table or list before the others. Everything else is folded where
it stands into a stub such as `+37 listitem [expand 0-812]`, whose id opens it. A table folds by
whole rows, and a row that is shown has the table's head above it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cdp_agent.snapshot.text.choices import choices_text, is_closed_list
from cdp_agent.snapshot.text.layout import Line
from cdp_agent.snapshot.text.line import stub
from cdp_agent.snapshot.text.tokens import estimate_tokens
from cdp_agent.text import one_line, quoted

if TYPE_CHECKING:
    from cdp_agent.snapshot.model import Snapshot

_DIALOGS = frozenset({"dialog", "alertdialog"})
#: Regions around the content; most pages of a site have the same.
_SURROUNDINGS = frozenset({"banner", "navigation", "complementary", "contentinfo"})
#: So many siblings of one role that are in view tell what the others are like.
_FIRST_ROWS = 10
_FIRST_ITEMS = 20
#: Choices of a closed list that are written where not all lines fit.
_FEW_CHOICES = 4
#: Roles that are known by a name, which a stub for one alone says.
_NAMED_IN_STUBS = _SURROUNDINGS | {"region", "form", "table", "grid", "group", "tabpanel"}
#: Ranks of lines: what repeats others, and what nobody sees.
_REPEATED, _HIDDEN = 7, 8
#: What a stub costs, its line break included.
_STUB = 14
#: How often the choice is made again with less, until the stubs fit in as well.
_TRIES = 12
#: A row of more lines than this holds a part of the page; it may be folded inside.
_LONGEST_ROW = 40


def fit(
    snapshot: Snapshot, lines: Sequence[Line], tokens: int, known: Container[str] = ()
) -> list[str]:
    """The lines that fit, and stubs for the others: first of all for those of `known` nodes."""
    costs = [estimate_tokens(f"{' ' * line.depth}{line.text}\n") for line in lines]
    if sum(costs) <= tokens:
        return [line.indented for line in lines]
    lines = [_with_few_choices(snapshot, line) for line in lines]
    costs = [estimate_tokens(f"{' ' * line.depth}{line.text}\n") for line in lines]
    parents = _parents(lines)
    ranks = _ranks(snapshot, lines, parents)
    order = sorted(range(len(lines)), key=lambda line: (ranks[line], line))
    news = [line for line in order if snapshot.nodes[lines[line].node].key not in known]
    order = news or order
    together = _rows(snapshot, lines, parents)
    spend = tokens
    text = _Folded(snapshot, lines, costs)
    for _ in range(_TRIES):
        text = _Folded(snapshot, lines, costs)
        text.write(_choose(order, costs, parents, together, spend))
        if text.cost <= tokens:
            break
        # Stubs cost too; how much is known only when it is known what they stand for.
        spend -= max(text.cost - tokens, tokens // 20)
    snapshot.stubs.update(text.stubs)
    return text.written


def _with_few_choices(snapshot: Snapshot, line: Line) -> Line:
    """A closed list with the first of its choices: a row of the content is worth more."""
    node, inside = snapshot.nodes[line.node], snapshot.nodes[line.node + 1 : line.end]
    whole = choices_text(node, inside) if is_closed_list(node) else ""
    if not whole or not line.text.endswith(whole):
        return line
    few = choices_text(node, inside, _FEW_CHOICES)
    return replace(line, text=line.text.removesuffix(whole) + few)


def _parents(lines: Sequence[Line]) -> list[int]:
    parents = []
    open_lines: list[int] = []
    for index, line in enumerate(lines):
        while open_lines and lines[open_lines[-1]].depth >= line.depth:
            open_lines.pop()
        parents.append(open_lines[-1] if open_lines else -1)
        open_lines.append(index)
    return parents


def _ranks(snapshot: Snapshot, lines: Sequence[Line], parents: list[int]) -> list[int]:
    """The rank of each line; the lower, the more it is worth looking at."""
    in_view = _nodes_in_view(snapshot)
    repeated = _repeated(snapshot, lines, parents, in_view)
    ranks = []
    in_dialog = [False] * len(lines)
    around = [False] * len(lines)
    for index, line in enumerate(lines):
        node, parent = snapshot.nodes[line.node], parents[index]
        is_seen = line.node in in_view
        in_dialog[index] = node.role in _DIALOGS or (parent >= 0 and in_dialog[parent])
        # One inside the main part belongs to the content: the filters of a list.
        outside = node.role in _SURROUNDINGS and (parent < 0 or around[parent])
        around[index] = parent >= 0 and around[parent] and node.role != "main"
        around[index] = around[index] or outside
        if node.state.get("focused"):
            rank = 0
        elif node.state.get("hidden"):
            rank = _HIDDEN
        elif index in repeated:
            rank = _REPEATED
        elif node.id is not None:
            rank = 2 if is_seen else 5
        elif node.role in ("heading", "alert", "status"):
            rank = 1 if is_seen else 4
        else:
            rank = 3 if is_seen else 6
        if around[index] and 0 < rank < _REPEATED:
            rank = 4 if is_seen else 6
        ranks.append(rank - 10 if in_dialog[index] else rank)
    return ranks


def _repeated(
    snapshot: Snapshot, lines: Sequence[Line], parents: list[int], in_view: set[int]
) -> set[int]:
    """Lines of long tables and lists after the first in view, with all that is in them."""
    siblings: dict[tuple[int, str], list[int]] = {}
    for index, line in enumerate(lines):
        siblings.setdefault((parents[index], snapshot.nodes[line.top].role), []).append(index)
    repeated: set[int] = set()
    for (_, role), members in siblings.items():
        most = _FIRST_ROWS if role == "row" else _FIRST_ITEMS
        if len(members) > most:
            seen = [index for index in members if lines[index].node in in_view]
            repeated.update(set(members) - set((seen or members)[:most]))
    for index, parent in enumerate(parents):
        if parent in repeated:
            repeated.add(index)
    return repeated


def _nodes_in_view(snapshot: Snapshot) -> set[int]:
    """Nodes in the viewport; one without a box counts with the next one that has one."""
    view = snapshot.viewport
    boxes = {str(e.id): e for e in snapshot.elements}
    seen: set[int] = set()
    waiting: list[int] = []
    last = True
    for index, node in enumerate(snapshot.nodes):
        element = boxes.get(node.key)
        box = element.bounds if element is not None else _box(snapshot, node.key)
        if box is None:
            waiting.append(index)
            continue
        x, y, width, height = box
        last = x < view.width and y < view.height and x + width > 0 and y + height > 0
        if last:
            seen.update(waiting)
            seen.add(index)
        waiting.clear()
    if last:
        seen.update(waiting)
    return seen


def _box(snapshot: Snapshot, key: str) -> tuple[float, float, float, float] | None:
    """The place of a node of the main frame in the viewport."""
    frame, _, number = key.partition("-")
    facts = snapshot.document(0)
    if frame != "0" or facts is None or not number.isdigit():
        return None
    box = facts.bounds(int(number))
    if box is None:
        return None
    scroll_x, scroll_y = facts.scroll
    return box.x - scroll_x, box.y - scroll_y, box.width, box.height


def _rows(snapshot: Snapshot, lines: Sequence[Line], parents: list[int]) -> dict[int, list[int]]:
    """For each line of a row: the other lines of that row, and the head of its table."""
    together: dict[int, list[int]] = {}
    heads: dict[int, int] = {}
    index = 0
    while index < len(lines):
        line = lines[index]
        if snapshot.nodes[line.node].role != "row":
            index += 1
            continue
        end = index + 1
        while end < len(lines) and lines[end].depth > line.depth:
            end += 1
        if snapshot.nodes[line.node + 1 : line.node + 2]:
            is_head = snapshot.nodes[line.node + 1].role == "columnheader"
            heads.setdefault(parents[index], index if is_head else -1)
        head = heads.get(parents[index], -1)
        whole = [*range(index, end)] if end - index <= _LONGEST_ROW else [index]
        members = [*whole, head] if head not in (-1, index) else whole
        if len(members) > 1:
            together.update((member, members) for member in whole)
        index += len(whole)
    return together


def _choose(
    order: list[int],
    costs: list[int],
    parents: list[int],
    together: dict[int, list[int]],
    tokens: int,
) -> set[int]:
    """The best lines that fit together with everything they stand in."""
    kept: set[int] = set()
    left = tokens
    for index in order:
        path: list[int] = []
        for line in together.get(index, (index,)):
            while line >= 0 and line not in kept and line not in path:
                path.append(line)
                line = parents[line]
        price = sum(costs[line] for line in path)
        if price > left:
            break  # what comes after is worth less, and its place among the rest tells nothing
        kept.update(path)
        left -= price
    return kept


class _Folded:
    """The text with stubs, and what it costs."""

    def __init__(self, snapshot: Snapshot, lines: Sequence[Line], costs: list[int]) -> None:
        self._nodes = snapshot.nodes
        self._lines = lines
        self._costs = costs
        self.written: list[str] = []
        self.cost = 0
        #: The id in each stub → the key of the first node after what it stands for.
        self.stubs: dict[str, str] = {}

    def write(self, kept: set[int]) -> None:
        lines = self._lines
        run: list[int] = []
        for index, line in enumerate(lines):
            if index not in kept:
                if run and line.depth < lines[run[0]].depth:
                    self._close(run)
                    run = []
                run.append(index)
                continue
            self._close(run)
            run = []
            self.written.append(line.indented)
            self.cost += self._costs[index]
        self._close(run)

    def _close(self, run: list[int]) -> None:
        """Write lines that were not kept: as they are, if a stub would be no shorter."""
        cost = sum(self._costs[index] for index in run)
        if cost > _STUB:
            self.written.append(self._stub(run))
            self.cost += max(_STUB, estimate_tokens(self.written[-1]) + 1)
        else:
            self.written.extend(self._lines[index].indented for index in run)
            self.cost += cost

    def _stub(self, run: list[int]) -> str:
        nodes, lines = self._nodes, self._lines
        top = lines[run[0]]
        siblings = [lines[index] for index in run if lines[index].depth == top.depth]
        kinds = {nodes[line.top].role for line in siblings}
        kind = kinds.pop() if len(kinds) == 1 else "lines"
        count = sum(nodes[line.top].folded or 1 for line in siblings)
        name = nodes[top.node].name if len(siblings) == 1 and kind in _NAMED_IN_STUBS else ""
        kind += f" {quoted(one_line(name, 40))}" if name else ""
        inner = [lines[index] for index in run if lines[index].depth > top.depth]
        rows = sum(nodes[line.node].role == "row" for line in inner)
        kind += f" with {rows} rows" if rows > 1 else ""
        after = run[-1] + 1
        key = nodes[top.top].key
        self.stubs[key] = nodes[lines[after].top].key if after < len(lines) else ""
        return f"{' ' * top.depth}{stub(count, kind, key)}"
