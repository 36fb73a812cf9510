"""The action table itself."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from cdp_agent.action_table.entry import (
    REQUIRED,
    ActionEntry,
    Amount,
    Button,
    Coordinates,
    Direction,
    ElementParameter,
    Modifier,
    Parameter,
    Percent,
    State,
)
from cdp_agent.action_table.limits import (
    LONGEST,
    MOST_ADDRESS,
    MOST_CLICKS,
    MOST_DELAY_MS,
    MOST_FILES,
    MOST_PIXELS,
    MOST_TEXT,
    MOST_TIMES,
    MOST_TYPED,
    MOST_WORDS,
)
from cdp_agent.config import ACTION_TIMEOUT, NAVIGATION_TIMEOUT, WAIT_TIMEOUT


def _timeout(default: float | None = ACTION_TIMEOUT) -> Parameter:
    return Parameter(
        "timeout", float, default, "Seconds", {"gt": 0, "le": LONGEST}, offered="steps"
    )


def _text(name: str, most: int = MOST_TEXT, description: str = "", **more: Any) -> Parameter:
    return Parameter(name, str, REQUIRED, description, {"max_length": most}, **more)


_REF = Parameter(
    "selector",
    ElementParameter,
    description="Id (0-12) or selector (text=Save)",
    shell_help="id of an element, e.g. 0-12, or what it is: text=Save, label=Email, "
    "role=link[name=Home]",
    tool_name="ref",
    page_name="id",
    aliases=("ref", "id"),
)


def _optional_ref(description: str = "", shell_help: str = "", page_name: str = "id") -> Parameter:
    return _REF._replace(
        default=None, description=description, shell_help=shell_help, page_name=page_name
    )


def _position(offered: Literal["tools", "steps", "page"] = "tools") -> Parameter:
    described = "Pixels from its top left corner, e.g. in a canvas"
    return Parameter("position", Coordinates, None, described, offered=offered)


_GOING = (_timeout(NAVIGATION_TIMEOUT),)
_ON_ELEMENT = (_timeout(), _REF)
_NUMBER = MappingProxyType({"gt": 0, "le": MOST_PIXELS})
_WORDS = MappingProxyType({"max_length": MOST_WORDS})
_SHORT = MappingProxyType({"max_length": MOST_ADDRESS})
_ENTRIES = (
    ActionEntry(
        "navigate",
        "Open an address",
        (
            *_GOING,
            Parameter("url", str, limits=_SHORT),
            Parameter("referer", str, None, limits=_SHORT, offered="steps"),
        ),
        page_method="goto",
        wire_method="page/navigate",
    ),
    ActionEntry(
        "reload", "Load again", _GOING, tool_name="browser_navigate", wire_method="page/reload"
    ),
    ActionEntry("back", "Go back", _GOING, tool_name="browser_navigate", wire_method="page/goBack"),
    ActionEntry(
        "forward", "Go forward", _GOING, tool_name="browser_navigate", wire_method="page/goForward"
    ),
    ActionEntry(
        "click",
        "Click an element",
        (
            *_ON_ELEMENT,
            Parameter("button", Button, "left"),
            Parameter("count", int, 1, "2: double click", {"ge": 1, "le": MOST_CLICKS}),
            Parameter("modifiers", tuple[Modifier, ...], ()),
            _position(),
            Parameter("trial", bool, False, offered="page"),
        ),
    ),
    ActionEntry(
        "double_click",
        "Double-click an element",
        _ON_ELEMENT,
        tool_name="browser_click",
        wire_method="action/dblclick",
    ),
    ActionEntry(
        "hover",
        "Put the pointer on an element",
        (
            *_ON_ELEMENT,
            Parameter("modifiers", tuple[Modifier, ...], (), offered="page"),
            _position("steps"),
        ),
    ),
    ActionEntry(
        "fill",
        "Replace the text of a field",
        (
            *_ON_ELEMENT,
            _text("value", description="Replaces the text; empty clears", aliases=("text",)),
        ),
        purpose="text",
    ),
    ActionEntry(
        "replace",
        "Replace a piece of a field's text",
        (
            *_ON_ELEMENT,
            _text(
                "old",
                description="Replaces only this piece",
                shell_help="what is there exactly once",
            ),
            _text("value", page_name="new", aliases=("new", "text")),
        ),
        tool_name="browser_fill",
        purpose="text",
    ),
    ActionEntry(
        "clear",
        "Remove the text of a field",
        _ON_ELEMENT,
        tool_name="browser_fill",
        purpose="text",
    ),
    ActionEntry(
        "type",
        "Type key by key at the end of a field",
        (
            _timeout(None),
            _optional_ref("Default: where the focus is", f"{_REF.shell_help}; default: the focus"),
            _text("text", MOST_TYPED, aliases=("value",)),
            Parameter(
                "commit_enter",
                bool,
                False,
                "Press Enter afterwards",
                tool_name="enter",
                aliases=("enter",),
            ),
            Parameter("delay_ms", float, 0, "Between keys", {"ge": 0, "le": MOST_DELAY_MS}),
        ),
        purpose="text",
    ),
    ActionEntry(
        "press",
        "Press a key or chord",
        (
            _timeout(None),
            _text("key", 100, "Enter, Escape, Control+A …", shell_help="e.g. Enter, Control+A"),
            _optional_ref("Element to focus first"),
            Parameter("times", int, 1, limits={"ge": 1, "le": MOST_TIMES}, shell_help="so often"),
        ),
    ),
    ActionEntry(
        "select",
        "Choose in a list or combobox",
        (
            *_ON_ELEMENT,
            Parameter(
                "label", str | list[str], None, "Visible text of the option(s)", limits=_WORDS
            ),
            Parameter("value", str | list[str], None, limits=_WORDS, shell_help="by value instead"),
            Parameter(
                "index",
                int | list[int],
                None,
                "From 0",
                shell_help="by number from 0 instead",
            ),
        ),
        purpose="choice",
    ),
    ActionEntry("check", "Check a box", _ON_ELEMENT, purpose="check"),
    ActionEntry(
        "uncheck", "Uncheck a box", _ON_ELEMENT, tool_name="browser_check", purpose="check"
    ),
    ActionEntry("focus", "Give an element the focus", _ON_ELEMENT),
    ActionEntry(
        "drag",
        "Drag an element onto another, or a point",
        (
            _timeout(),
            _optional_ref("", _REF.shell_help, "source_id"),
            Parameter(
                "target",
                ElementParameter,
                None,
                "Element to drop on",
                tool_name="to",
                page_name="target_id",
                aliases=("to",),
                shell_help="id of the element to drop it on",
            ),
            Parameter(
                "at",
                Coordinates,
                None,
                "Start [x, y] in ref, else in the viewport",
                shell_help="where to press: in the element, else the viewport",
            ),
            Parameter(
                "by", Coordinates, None, "Instead of to", shell_help="how far, instead of TO"
            ),
            Parameter("path", list[Coordinates], None, offered="page"),
            Parameter("source_position", Coordinates, None, offered="page"),
            Parameter("target_position", Coordinates, None, offered="page"),
            Parameter("steps", int, 8, offered="page"),
            Parameter("cancel", bool, False, offered="page"),
        ),
    ),
    ActionEntry(
        "wait",
        "Wait for a text, element, address or rest",
        (
            Parameter("text", str | list[str], None, "Until this is shown", _WORDS),
            Parameter(
                "text_gone",
                str | list[str],
                None,
                limits=_WORDS,
                shell_help="until this is no longer shown",
            ),
            _optional_ref("Until this element is in state", "until this element is in --state"),
            Parameter("state", State, "visible"),
            Parameter(
                "url",
                str,
                None,
                "Part of the address, or with *",
                _WORDS,
                shell_help="until the address has this part",
            ),
            Parameter("quiet", bool, False, "Until nothing changes or loads"),
            Parameter(
                "new",
                bool,
                False,
                "Not what text finds already",
                shell_help="only a TEXT that is not shown already",
            ),
            _timeout(WAIT_TIMEOUT)._replace(offered="tools"),
        ),
        page_method="wait_for",
    ),
    ActionEntry(
        "upload",
        "Give files to a file input or upload button",
        (
            *_ON_ELEMENT,
            Parameter("paths", list[str], limits={"min_length": 1, "max_length": MOST_FILES}),
        ),
    ),
    ActionEntry(
        "scroll",
        "Scroll; answers the position",
        (
            _timeout(None),
            Parameter("direction", Direction, None, shell_help="default: down"),
            Parameter("amount", Amount, "page", "Or pixels", _NUMBER),
            Parameter("pixels", float, None, limits=_NUMBER, is_listed=False),
            _optional_ref(
                "Scroll in this; alone: bring it into view",
                "scroll in it; without more, bring it into view",
            ),
            Parameter(
                "until",
                str,
                None,
                "Text to scroll on to",
                _WORDS,
                shell_help="scroll on until this is there",
            ),
        ),
    ),
    ActionEntry(
        "scroll_to",
        "Scroll to a share of the whole height",
        (_timeout(), Parameter("percent", Percent, limits={"ge": 0, "le": 100}), _optional_ref()),
        tool_name="browser_scroll",
        wire_method="action/scrollTo",
    ),
    ActionEntry(
        "scroll_to_position",
        "Scroll the page to a position in pixels",
        (_timeout(), Parameter("x", float, None), Parameter("y", float, None)),
        tool_name="browser_scroll",
        wire_method="action/scrollToPosition",
    ),
    ActionEntry(
        "scroll_into_view",
        "Scroll until an element is in the viewport",
        _ON_ELEMENT,
        tool_name="browser_scroll",
        wire_method="action/scrollIntoView",
    ),
)
ACTION_TABLE: Mapping[str, ActionEntry] = MappingProxyType({e.name: e for e in _ENTRIES})
