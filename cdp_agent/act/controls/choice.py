"""The kind of list that an element is, and so the way to choose from it."""

from __future__ import annotations

from cdp_agent.act.controls.listbox import select_in_widget
from cdp_agent.act.controls.select import WantedOptions, select_native, select_suggestion
from cdp_agent.act.stage import Performed, Stage
from cdp_agent.ids import ElementId


async def select(stage: Stage, element_id: ElementId, wanted: WantedOptions) -> Performed:
    """Choose in a native list, in a field's suggestions, or in an ARIA widget."""
    live = await stage.resolve(element_id)
    kind = await live.call("choiceKind", timeout=stage.reply_timeout)
    if kind == "select":
        return await select_native(stage, live, wanted)
    if kind == "datalist":
        return await select_suggestion(stage, live, wanted)
    return await select_in_widget(stage, live, wanted)
