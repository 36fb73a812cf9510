"""A snapshot's text within a number of tokens: the best lines, the rest as stubs. Pure.

What a person would look at first stays: an open dialog, the focus, what is in the viewport; there,
what one can act on before what one can only read. Everything else is folded where it stands into a
stub such as `+37 listitem [expand 0-812]`, whose id opens it from that line on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.snapshot.text.layout import Line
from cdp_agent.snapshot.text.line import stub
from cdp_agent.snapshot.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from cdp_agent.snapshot.model import Snapshot

_DIALOGS = frozenset({"dialog", "alertdialog"})
#: What a stub costs, its line break included.
_STUB = 14
#: How often the choice is made again with less, until the stubs fit in as well.
_TRIES = 12


def fit(snapshot: Snapshot, lines: list[Line], tokens: int) -> list[str]:
    """The lines that fit, and stubs for the others."""
    costs = [estimate_tokens(f"{' ' * line.depth}{line.text}\n") for line in lines]
    if sum(costs) <= tokens:
        return [line.indented for line in lines]
    parents = _parents(lines)
    ranks = _ranks(snapshot, lines, parents)
    order = sorted(range(len(lines)), key=lambda line: (ranks[line], line))
    spend = tokens
    written: list[str] = []
    for _ in range(_TRIES):
        written, cost = _with_stubs(snapshot, lines, costs, _choose(order, costs, parents, spend))
        if cost <= tokens:
            break
        # Stubs cost too; how much is known only when it is known what they stand for.
        spend -= max(cost - tokens, tokens // 20)
    return written


def _parents(lines: list[Line]) -> list[int]:
    parents = []
    open_lines: list[int] = []
    for index, line in enumerate(lines):
        while open_lines and lines[open_lines[-1]].depth >= line.depth:
            open_lines.pop()
        parents.append(open_lines[-1] if open_lines else -1)
        open_lines.append(index)
    return parents


def _ranks(snapshot: Snapshot, lines: list[Line], parents: list[int]) -> list[int]:
    """How much each line is worth looking at; the lower the better."""
    in_view = _nodes_in_view(snapshot)
    ranks = []
    in_dialog = [False] * len(lines)
    for index, line in enumerate(lines):
        node = snapshot.nodes[line.node]
        parent = parents[index]
        in_dialog[index] = node.role in _DIALOGS or (parent >= 0 and in_dialog[parent])
        if node.state.get("focused"):
            rank = 0
        elif node.state.get("hidden"):
            rank = 7
        elif node.id is not None:
            rank = 2 if line.node in in_view else 5
        elif node.role in ("heading", "alert", "status"):
            rank = 1 if line.node in in_view else 4
        else:
            rank = 3 if line.node in in_view else 6
        ranks.append(rank - 10 if in_dialog[index] else rank)
    return ranks


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
    """Where a node of the main frame stands in the viewport."""
    frame, _, number = key.partition("-")
    facts = snapshot.document(0)
    if frame != "0" or facts is None or not number.isdigit():
        return None
    box = facts.bounds(int(number))
    if box is None:
        return None
    scroll_x, scroll_y = facts.scroll
    return box.x - scroll_x, box.y - scroll_y, box.width, box.height


def _choose(order: list[int], costs: list[int], parents: list[int], tokens: int) -> set[int]:
    """The best lines that fit together with everything they stand in."""
    kept: set[int] = set()
    left = tokens
    for index in order:
        path = []
        line = index
        while line >= 0 and line not in kept:
            path.append(line)
            line = parents[line]
        price = sum(costs[line] for line in path)
        if price > left:
            break  # what comes after is worth less, and its place among the rest tells nothing
        kept.update(path)
        left -= price
    return kept


def _with_stubs(
    snapshot: Snapshot, lines: list[Line], costs: list[int], kept: set[int]
) -> tuple[list[str], int]:
    """The text, and what it costs."""
    written: list[str] = []
    run: list[int] = []
    cost = 0

    def close_run() -> None:
        nonlocal cost
        if not run:
            return
        if sum(costs[index] for index in run) <= _STUB:
            written.extend(lines[index].indented for index in run)
            cost += sum(costs[index] for index in run)
        else:
            written.append(_stub(snapshot, lines, run))
            cost += _STUB
        run.clear()

    for index, line in enumerate(lines):
        if index not in kept:
            if run and line.depth < lines[run[0]].depth:
                close_run()
            run.append(index)
            continue
        close_run()
        written.append(line.indented)
        cost += costs[index]
    close_run()
    return written, cost


def _stub(snapshot: Snapshot, lines: list[Line], run: list[int]) -> str:
    top = lines[run[0]]
    siblings = [lines[index] for index in run if lines[index].depth == top.depth]
    kinds = {_kind(snapshot, line) for line in siblings}
    kind = kinds.pop() if len(kinds) == 1 else "lines"
    count = sum(snapshot.nodes[line.top].folded or 1 for line in siblings)
    return f"{' ' * top.depth}{stub(count, kind, snapshot.nodes[top.top].key)}"


def _kind(snapshot: Snapshot, line: Line) -> str:
    return snapshot.nodes[line.top].role
