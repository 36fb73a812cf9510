"""The accessibility tree of one frame as Chromium sends it, decoded into what is needed of it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec


class AxValue(msgspec.Struct, gc=False):
    value: Any = None


class AxProperty(msgspec.Struct, gc=False):
    name: str
    value: AxValue


class AxReason(msgspec.Struct, gc=False):
    name: str


class AxNode(msgspec.Struct, gc=False):
    nodeId: str
    parentId: str = ""
    ignored: bool = False
    ignoredReasons: list[AxReason] = []
    role: AxValue | None = None
    name: AxValue | None = None
    value: AxValue | None = None
    properties: list[AxProperty] = []
    childIds: list[str] = []
    backendDOMNodeId: int = 0

    @property
    def role_name(self) -> str:
        return str(self.role.value) if self.role is not None and self.role.value else ""

    @property
    def text(self) -> str:
        return str(self.name.value) if self.name is not None and self.name.value else ""


class AxTree(msgspec.Struct, dict=True):
    nodes: list[AxNode]

    @cached_property
    def by_id(self) -> dict[str, AxNode]:
        return {node.nodeId: node for node in self.nodes}


#: Our role of a node that stands for siblings that were not fetched.
FOLDED = "Folded"

#: Properties shown as states, with the values that are not shown.
STATES: dict[str, tuple[Any, ...]] = {
    "checked": (),
    "pressed": (),
    "expanded": (),
    "selected": (False,),
    "disabled": (False,),
    "required": (False,),
    "readonly": (False,),
    "focused": (False,),
    "invalid": ("false", False),
    "modal": (False,),
    "busy": (False, 0),
    "hasPopup": ("false", ""),
    "multiselectable": (False,),
}


#: Further properties that a snapshot depends on.
_ALSO_USED = frozenset({"level", "focusable", "editable", "valuemin", "valuemax"})
#: The lines that a text breaks into are not used.
_LEAVES = frozenset({"StaticText", "ListMarker"})


def is_used(name: str) -> bool:
    """Returns whether a property of this name has any effect on a snapshot."""
    return name in STATES or name in _ALSO_USED


def children_of(node: AxNode) -> list[str]:
    """Ids of its children that a snapshot may use."""
    return [] if node.role_name in _LEAVES else node.childIds


def equal_in_snapshot(before: AxNode, after: AxNode) -> bool:
    """Returns whether two states of a node differ in nothing that a snapshot shows."""
    return before == after or _used(before) == _used(after)


def _used(node: AxNode) -> tuple[object, ...]:
    properties = [(p.name, p.value.value) for p in node.properties if is_used(p.name)]
    value = node.value.value if node.value is not None else None
    content = (node.role_name, node.text, value, properties)
    return (node.parentId, node.ignored, children_of(node), content if not node.ignored else ())


def states_of(node: AxNode) -> dict[str, Any]:
    """The states worth showing: `{"checked": True, "level": 2}`."""
    states: dict[str, Any] = {}
    for prop in node.properties:
        name, value = prop.name, prop.value.value
        if name == "level":
            states["level"] = value
            continue
        not_shown = STATES.get(name)
        if not_shown is None or value in not_shown:
            continue
        states[name] = _BOOLEANS.get(value, value) if isinstance(value, str) else value
    return states


_BOOLEANS: dict[str, bool | str] = {"true": True, "false": False}
