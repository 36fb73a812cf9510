"""Replaces the selectors in a call's arguments by element ids.

So hooks, which may refuse a call, see the element that is meant, and the answer can say which it
was, by the name that it had before the action.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.api.selectors.selector import Selector
from cdp_agent.errors import ElementNotFound
from cdp_agent.ids import ElementId
from cdp_agent.tools.text.reader_view import DEFAULT_OPTIONS
from cdp_agent.tools.tool import ToolCall

#: The purpose of a tool's element, where only some elements suit.
_PURPOSES = {entry.tool: entry.purpose for entry in ACTION_TABLE.values() if entry.purpose}


async def find_targets(call: ToolCall) -> None:
    """Replace selectors in the arguments by the ids of what they mean.

    Raises:
        ElementNotFound: none fits in time, or several do.
    """
    found: dict[str, Any] = {}
    ids: list[str] = []
    wanted: dict[str, str] = {}
    for name in type(call.args).model_fields:
        value = getattr(call.args, name)
        if isinstance(value, Selector):
            selector = replace(value, purpose=_PURPOSES.get(call.name))
            found[name] = value = await _find(call, selector)
            if selector.kind in ("css", "xpath"):
                call.named_by_structure.update(call.several or (value,))
            wanted[value] = (selector.name if selector.kind == "role" else selector.value) or ""
        if isinstance(value, ElementId):
            ids.append(value)
    if found:
        call.args = call.args.model_copy(update=found)
    if ids and not found and call.view.seen is None and call.page.dialog is None:
        # An id before any snapshot: it is looked up in the page as it is now, and used only if
        # it is there. The reader gets the whole page with the result.
        await call.page.capture(DEFAULT_OPTIONS)
    call.element_names = {element_id: call.page.name_of(element_id) for element_id in ids}
    call.element_facts = {element_id: call.page.role_and_name(element_id) for element_id in ids}
    call.known_elements = {
        element_id
        for element_id in ids
        if wanted.get(element_id, call.element_facts[element_id][1])
        == call.element_facts[element_id][1]
    }


async def _find(call: ToolCall, selector: Selector) -> str:
    """The one element; for a tool that takes several, the first of `call.several`."""
    try:
        return await call.page.find_soon(selector)
    except ElementNotFound as error:
        matches = error.data.get("matches", ())
        if not call.tool.takes_several or selector.nth is not None or len(matches) < 2:
            raise
        call.several = tuple(ElementId.parse(match) for match in matches)
        return call.several[0]
