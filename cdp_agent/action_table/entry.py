"""The shape of the action table: an action, its parameters, and their types."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

Button = Literal["left", "middle", "right"]
Modifier = Literal["Alt", "Control", "Meta", "Shift"]
Direction = Literal["up", "down", "left", "right", "top", "bottom"]
#: A word, or CSS pixels.
Amount = Literal["page", "half"] | float
#: The states that an element can be waited for.
State = Literal[
    "visible",
    "hidden",
    "enabled",
    "disabled",
    "editable",
    "checked",
    "unchecked",
    "expanded",
    "collapsed",
    "selected",
    "unselected",
    "focused",
    "attached",
    "gone",
]
#: The purpose that an element has to suit, where only some do.
Purpose = Literal["text", "choice", "check"]
Coordinates = tuple[float, float]


class ElementParameter:
    """The type of a parameter that names an element, by its id or by a selector."""


class Percent:
    """The type of a parameter from 0 to 100, which may be written `50%`."""


class _Required:
    """The default of a parameter that has none."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Final = _Required()


class Parameter(NamedTuple):
    """One parameter. A default of None makes it optional."""

    #: In steps and on the wire.
    name: str
    type: Any
    default: Any = REQUIRED
    #: For models, who pay for each word.
    description: str = ""
    #: `gt`, `ge`, `le`, `min_length`, `max_length`: of numbers, of texts, of lists.
    limits: Mapping[str, float] = MappingProxyType({})
    #: For people in a shell; empty: as for models.
    shell_help: str = ""
    #: In tools, where that is another name.
    tool_name: str = ""
    #: In the method of `Page`, where that is another name.
    page_name: str = ""
    #: Further names that steps take.
    aliases: tuple[str, ...] = ()
    #: The fronts that have it: `page` is the library alone, `steps` also steps and servers.
    offered: Literal["tools", "steps", "page"] = "tools"
    #: Whether tools list it; one that is not listed is taken all the same.
    is_listed: bool = True

    @property
    def in_tools(self) -> str:
        return self.tool_name or self.name

    @property
    def in_page(self) -> str:
        return self.page_name or self.name


class ActionEntry(NamedTuple):
    """One action."""

    name: str
    #: A sentence without its full stop, for people and models.
    description: str
    parameters: tuple[Parameter, ...]
    #: The method of `Page`; empty: of the same name.
    page_method: str = ""
    #: The tool that stands for it, by which hooks know it; empty: `browser_` and its name.
    tool_name: str = ""
    #: Its method in the Browser Agent Protocol; empty: `action/` and its name.
    wire_method: str = ""
    purpose: Purpose | None = None

    @property
    def method(self) -> str:
        return self.page_method or self.name

    @property
    def tool(self) -> str:
        return self.tool_name or f"browser_{self.name}"

    @property
    def wire(self) -> str:
        return self.wire_method or f"action/{self.name}"

    def parameter(self, name: str) -> Parameter:
        """The parameter that tools or steps call so."""
        return next(p for p in self.parameters if name in (p.in_tools, p.name))
