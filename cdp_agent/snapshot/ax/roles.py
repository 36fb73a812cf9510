"""Roles: Chromium's names, the names a model reads, and the actions of each."""

from __future__ import annotations

#: Boxes and marks that repeat what their parent says.
LEFT_OUT = frozenset({"InlineTextBox", "LineBreak", "ListMarker"})

#: Chromium's internal names, in words that a model knows.
NAMES = {
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
    "InputTime": "textbox",
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

#: Roles as ARIA calls them, where a snapshot has another word.
ARIA_NAMES = {"gridcell": "cell", "img": "image"}

#: One can act on these whatever else is known of them.
INTERACTIVE = frozenset(
    [
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
    ]
)

#: Their name is made of the text they hold, which need not be said again.
NAMED_BY_CONTENT = frozenset(
    {
        "button",
        "cell",
        "checkbox",
        "columnheader",
        "heading",
        "link",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "radio",
        "row",
        "rowheader",
        "switch",
        "tab",
        "term",
        "tooltip",
        "treeitem",
    }
)

#: Controls whose name usually stands beside them in a label.
LABELLED = frozenset(
    [
        "checkbox",
        "combobox",
        "listbox",
        "radio",
        "searchbox",
        "slider",
        "spinbutton",
        "switch",
        "textbox",
    ]
)

#: Their lines give a page its shape.
STRUCTURE = frozenset(
    [
        "heading",
        "list",
        "listitem",
        "table",
        "row",
        "columnheader",
        "rowheader",
        "cell",
        "grid",
        "treegrid",
        "tree",
        "menu",
        "menubar",
        "tablist",
        "tabpanel",
        "toolbar",
        "radiogroup",
        "dialog",
        "alertdialog",
        "alert",
        "status",
        "log",
        "banner",
        "main",
        "navigation",
        "contentinfo",
        "complementary",
        "region",
        "form",
        "search",
        "article",
        "blockquote",
        "progressbar",
        "meter",
        "term",
        "definition",
        "tooltip",
        "feed",
        "math",
        "object",
    ]
)

#: Shown when they have a name, and otherwise not at all.
NAMED_ONLY = frozenset(
    ["image", "group", "figure", "canvas", "video", "audio", "legend", "figcaption"]
)

#: An empty one keeps its column.
CELLS = frozenset(["cell", "columnheader", "rowheader"])

#: Worth a line even without a name and without content.
MEANINGFUL_EMPTY = frozenset(["progressbar", "meter", "dialog", "alertdialog"]) | CELLS

#: Their text is the browser's own editor, and already their value.
PLAIN_EDITORS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})

#: Chromium's roles of text inside a sentence: it stays part of the line of the sentence.
INSIDE_TEXT = frozenset(
    ["emphasis", "mark", "strong", "subscript", "superscript", "insertion", "deletion"]
)

#: Elements that are controls whatever role a page gives them.
NATIVE_TAGS = frozenset({"button", "input", "select", "textarea", "summary"})


def plain(ax_role: str) -> str:
    return NAMES.get(ax_role, ax_role)


def in_chromium(names: frozenset[str]) -> frozenset[str]:
    """Chromium's own names of these roles."""
    return names | {ax_role for ax_role, name in NAMES.items() if name in names}
