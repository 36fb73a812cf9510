"""The accessibility tree of one frame as Chromium sends it, decoded into what is needed of it."""

from __future__ import annotations

from typing import Any

import msgspec


class AxValue(msgspec.Struct, gc=False):
    value: Any = None


class AxProperty(msgspec.Struct, gc=False):
    name: str
    value: AxValue


class AxNode(msgspec.Struct):
    nodeId: str  # noqa: N815
    ignored: bool = False
    role: AxValue | None = None
    name: AxValue | None = None
    value: AxValue | None = None
    description: AxValue | None = None
    properties: list[AxProperty] = []
    childIds: list[str] = []  # noqa: N815
    backendDOMNodeId: int = 0  # noqa: N815

    @property
    def role_name(self) -> str:
        return str(self.role.value) if self.role is not None and self.role.value else ""

    @property
    def text(self) -> str:
        return str(self.name.value) if self.name is not None and self.name.value else ""


class AxTree(msgspec.Struct):
    nodes: list[AxNode]


#: Boxes and marks that repeat what their parent says.
LEFT_OUT_ROLES = frozenset({"InlineTextBox", "LineBreak", "ListMarker"})
TEXT_ROLES = frozenset({"StaticText"})

#: Chromium's internal names, in words that a model knows.
ROLE_NAMES = {
    "StaticText": "text",
    "RootWebArea": "document",
    "DisclosureTriangle": "button",
    "DisclosureTriangleGrouped": "button",
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "MenuListPopup": "listbox",
    "PopUpButton": "combobox",
    "ComboBoxSelect": "combobox",
    "ComboBoxMenuButton": "combobox",
    "TextFieldWithComboBox": "combobox",
    "InputTime": "time",
    "Date": "textbox",
    "DateTime": "textbox",
    "ColorWell": "textbox",
    "SvgRoot": "image",
    "Canvas": "canvas",
    "Video": "video",
    "Audio": "audio",
    "LabelText": "label",
    "Legend": "legend",
    "Details": "group",
    "Figcaption": "figcaption",
    "PluginObject": "object",
    "EmbeddedObject": "object",
    "DescriptionList": "list",
    "DescriptionListTerm": "term",
    "DescriptionListDetail": "definition",
    "Abbr": "abbr",
    "Pre": "code",
    "LayoutTable": "table",
    "LayoutTableRow": "row",
    "LayoutTableCell": "cell",
    "gridcell": "cell",
}

INTERACTIVE_ROLES = frozenset(
    {
        "button",
        "checkbox",
        "combobox",
        "link",
        "listbox",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "radio",
        "scrollbar",
        "searchbox",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "textbox",
        "treeitem",
        "time",
    }
)

#: Roles that say nothing by themselves: only their content is shown.
TRANSPARENT_ROLES = frozenset({"", "none", "generic", "presentation", "document", "paragraph"})

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


def plain_role(ax_role: str) -> str:
    return ROLE_NAMES.get(ax_role, ax_role)


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
