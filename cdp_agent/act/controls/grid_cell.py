"""Filling a grid's cell: its editor is opened, filled, committed and read back."""

from __future__ import annotations

import contextlib

from cdp_agent.act.controls.select import AGREE_SECONDS
from cdp_agent.act.controls.slider import slide
from cdp_agent.act.pointer.click import click
from cdp_agent.act.stage import Performed, Stage
from cdp_agent.act.text import text_entry
from cdp_agent.act.text.field_value import is_kept
from cdp_agent.act.wait.mark import Mark
from cdp_agent.errors import CdpAgentError, ElementError, NotEditable, StaleRef
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement

#: A cell is given so long to open its editor after each way of asking.
_OPEN_MS = 500
#: How editors are opened. A cell with a link or button in it is not clicked.
_WAYS = ("double click", "Enter", "F2")


async def fill_or_edit(stage: Stage, element_id: ElementId, value: str) -> Performed:
    """Fill a field, a slider, or a grid's cell by the editor that the page opens."""
    try:
        return await text_entry.fill(stage, element_id, value)
    except NotEditable as error:
        live = await stage.resolve(element_id)
        try:
            slider = await live.call("sliderFacts", timeout=stage.reply_timeout)
            if slider is not None:
                return await slide(stage, live, slider, value)
            facts = await live.call("cellFacts", timeout=stage.reply_timeout)
            if facts is None or error.data.get("value") is not None:
                raise
            return await _edit(stage, live, facts, value)
        finally:
            live.release()


async def _edit(stage: Stage, live: LiveElement, facts: dict[str, object], value: str) -> Performed:
    """Raises: NotEditable: the cell opens no editor, or shows another text afterwards."""
    what = f"{live.id} ({live.ref.role} {live.ref.name[:60]!r})"
    if facts["drawn"]:
        raise NotEditable(
            f"{what} is drawn in a canvas: its cells take no input of their own",
            hint="Double-click its place in the canvas (click with position), type the text and "
            "press Enter.",
            element_id=str(live.id),
        )
    if facts["readonly"]:
        raise NotEditable(f"{what} is read-only", hint="", element_id=str(live.id))
    mark = Mark.set(stage.target, live.frame)
    editor = await _open(stage, live, ("Enter", "F2") if facts["holds"] else _WAYS)
    if editor is None:
        raise NotEditable(
            f"{what} opens no editor, neither by a double click nor by Enter or F2",
            hint="Take a snapshot to see what the page did, and fill the field there.",
            element_id=str(live.id),
        )
    filled = await text_entry.fill(stage, editor, value)
    if not await live.call("awaitCellEditor", 0, timeout=stage.reply_timeout):
        raise NotEditable(f"the editor of {what} has lost the focus", element_id=str(live.id))
    # Without an id: most pages take the editor away with the key, which is not a failure here.
    await text_entry.press(stage, "Enter", None)
    options = {"wanted": value, "waitMs": int(AGREE_SECONDS * 1000)}
    shown = await _shown(stage, live, options)
    exact = is_kept(value, shown, "") if value or shown else True
    if exact is None:
        raise NotEditable(
            f"{what} did not keep the text: it shows {shown[:80]!r}",
            hint="Look at what the cell accepts; it may be limited or changed by the page.",
            element_id=str(live.id),
            value=shown,
        )
    data = {"value": shown, "exact": exact, "cell": True}
    return Performed(live.id, mark, filled.settled, filled.receipt, live.healed, data)


async def _open(stage: Stage, live: LiveElement, ways: tuple[str, ...]) -> ElementId | None:
    """The field that the page answers one of the ways with."""
    for way in ways:
        with contextlib.suppress(ElementError):  # what it opened may take the second click
            if way == _WAYS[0]:
                await click(stage, live.id, count=2)
            else:
                await text_entry.press(stage, way, live.id)
        if await live.call("awaitCellEditor", _OPEN_MS, timeout=stage.reply_timeout + 1):
            return await stage.resolver.adopt(live, "cdpAgent.cellEditor()", "textbox", "")
    return None


async def _shown(stage: Stage, live: LiveElement, options: dict[str, object]) -> str:
    """The text of the cell in the end; of one that was drawn anew, that of its heir.

    Raises:
        StaleRef: no cell there is certain to be it.
    """
    shown = await live.call("awaitCellText", options, timeout=AGREE_SECONDS + 1)
    if shown["connected"]:
        return str(shown["text"])
    try:
        heir = await stage.resolver.heal(live.ref, stage.latest)
    except CdpAgentError:
        raise StaleRef(
            f"{live.id} was filled, and its cell was drawn anew: nothing shows what it holds",
            hint="Take a snapshot and look at the cell.",
            ref=str(live.id),
        ) from None
    try:
        shown = await heir.call("awaitCellText", options, timeout=AGREE_SECONDS + 1)
        return str(shown["text"])
    finally:
        heir.release()
