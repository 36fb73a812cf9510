"""A snapshot as the protocol's trees: nested nodes, and the lines of an ARIA snapshot. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cdp_agent.snapshot import Box, Node, Snapshot

_STATES = ("disabled", "expanded", "focused", "selected", "required")


def tree_of(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The nodes of the top level, each with its children; all frames are in it."""
    boxes = {element.id: element.bounds for element in snapshot.elements}
    top: list[dict[str, Any]] = []
    open_nodes: list[tuple[int, dict[str, Any]]] = []
    for node in snapshot.nodes:
        made = _node(node, boxes.get(node.id) if node.id is not None else None)
        while open_nodes and open_nodes[-1][0] >= node.depth:
            open_nodes.pop()
        siblings = open_nodes[-1][1].setdefault("children", []) if open_nodes else top
        siblings.append(made)
        open_nodes.append((node.depth, made))
    return top


def _node(node: Node, box: Box | None) -> dict[str, Any]:
    state = node.state
    made: dict[str, Any] = {"role": node.role}
    if node.name:
        made["name"] = node.name
    if node.value is not None:
        made["value"] = node.value
    if "description" in state:
        made["description"] = str(state["description"])
    if "checked" in state:
        made["checked"] = "mixed" if state["checked"] == "mixed" else _is_on(state["checked"])
    made.update({name: _is_on(state[name]) for name in _STATES if name in state})
    if isinstance(state.get("level"), int):
        made["level"] = state["level"]
    if box is not None:
        made["boundingBox"] = box._asdict()
    if node.id is not None:
        made["ref"] = str(node.id)
    return made


def _is_on(value: Any) -> bool:
    return value not in (False, "false", None)


def aria_snapshot(snapshot: Snapshot) -> str:
    """The page as YAML: `- button "Save" [disabled] [ref=0-12]`, children indented below."""
    ends = snapshot.ends
    lines = []
    for index, node in enumerate(snapshot.nodes):
        has_children = ends[index] > index + 1
        lines.append(f"{'  ' * node.depth}- {_aria_line(node, has_children=has_children)}")
    return "\n".join(lines)


def _aria_line(node: Node, *, has_children: bool) -> str:
    if node.role == "text":
        return f"text: {json.dumps(node.name, ensure_ascii=False)}"
    words = [node.role]
    if node.name:
        words.append(json.dumps(node.name, ensure_ascii=False))
    words += _marks(node.state)
    if node.id is not None:
        words.append(f"[ref={node.id}]")
    line = " ".join(words)
    if node.value:
        return f"{line}: {json.dumps(node.value, ensure_ascii=False)}"
    return f"{line}:" if has_children else line


def _marks(state: Mapping[str, Any]) -> list[str]:
    marks = []
    for name in ("checked", *_STATES):
        if state.get(name) == "mixed":
            marks.append(f"[{name}=mixed]")
        elif _is_on(state.get(name)):
            marks.append(f"[{name}]")
    if isinstance(state.get("level"), int):
        marks.append(f"[level={state['level']}]")
    return marks
