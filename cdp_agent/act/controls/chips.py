"""Values that a list shows as chips beside its field, each with a button to remove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.act.controls.select import AGREE_SECONDS
from cdp_agent.act.pointer.click import click
from cdp_agent.errors import ElementUnstable

if TYPE_CHECKING:
    from cdp_agent.act.controls.listbox import WidgetChoice

_TRIES = 3


async def keep_chips(choice: WidgetChoice, chosen: list[str]) -> list[str]:
    """Remove the chips that were not asked for; the names of those that stay.

    Raises:
        ConditionFailed: the widget shows others in the end.
    """
    wanted = set(chosen) | choice.wanted_of_kept
    for name in choice.chips:
        if name not in wanted:
            await _remove(choice, name)
    options = {"names": sorted(wanted), "waitMs": int(AGREE_SECONDS * 1000)}
    shown: list[str] = await choice.live.call("awaitChips", options, timeout=AGREE_SECONDS + 1)
    if set(shown) != wanted:
        raise choice.shows_others(shown)
    return shown


async def _remove(choice: WidgetChoice, name: str) -> None:
    """Click the chip's button; again where the press, which closes the list, has moved it."""
    for tries_left in reversed(range(_TRIES)):
        if not await choice.call("findChip", name):
            return
        remover = await choice.stage.resolver.adopt(
            choice.live, "cdpAgent.picked()", "button", name
        )
        if remover is None:
            return
        try:
            choice.clicked = await click(choice.stage, remover)
        except ElementUnstable:
            if tries_left == 0:
                raise
        else:
            choice.settled = choice.settled and choice.clicked.settled
            return
