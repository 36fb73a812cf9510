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


class AxNode(msgspec.Struct, gc=False):
    nodeId: str
    parentId: str = ""
    ignored: bool = False
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


#: The role, of ours, of a node that stands for siblings which were not fetched.
FOLDED = "Folded"

#: Properties shown as states, with the value that says nothing.
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


#: Properties that are looked at besides.
_LOOKED_AT = frozenset({"level", "focusable", "editable"})
#: The lines a text breaks into are of no interest.
_CLOSED = frozenset({"StaticText", "ListMarker"})


def is_told(name: str) -> bool:
    """Whether a property of this name has any effect on a snapshot."""
    return name in STATES or name in _LOOKED_AT


def children_of(node: AxNode) -> list[str]:
    """The nodes in it that may say something."""
    return [] if node.role_name in _CLOSED else node.childIds


def says_the_same(one: AxNode, other: AxNode) -> bool:
    """Whether two states of a node differ in nothing that a snapshot shows."""
    if one == other:
        return True
    return _sayings(one) == _sayings(other)


def _sayings(node: AxNode) -> tuple[object, ...]:
    told = [(p.name, p.value.value) for p in node.properties if is_told(p.name)]
    value = node.value.value if node.value is not None else None
    said = (node.role_name, node.text, value, told)
    return (node.parentId, node.ignored, children_of(node), said if not node.ignored else ())


def states_of(node: AxNode) -> dict[str, Any]:
    """The states worth showing: `{"checked": True, "level": 2}`."""
    found: dict[str, Any] = {}
    for prop in node.properties:
        name, value = prop.name, prop.value.value
        if name == "level":
            found["level"] = value
            continue
        silent = STATES.get(name)
        if silent is None or value in silent:
            continue
        found[name] = _BOOLEANS.get(value, value) if isinstance(value, str) else value
    return found


_BOOLEANS: dict[str, bool | str] = {"true": True, "false": False}
