"""Choosing several in a list without roles, behind which a native list holds what is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.act.text import text_entry

if TYPE_CHECKING:
    from cdp_agent.act.controls.listbox import WidgetChoice


async def choose_several(choice: WidgetChoice, keys: list[str | int]) -> list[str]:
    """Choose the keys, take back what was not asked for; the names of what is chosen now.

    Values with a button each are left to the caller.

    Raises:
        OptionNotFound, ElementDisabled: a key names none that can be chosen.
        ConditionFailed: something else stays chosen.
    """
    names = list(choice.wanted_of_kept)
    for key in keys:
        answer = await choice.find(key, by=choice.wanted.by)
        if not answer["picked"]:
            await choice.click_option(answer, wanted=True)
        names.append(str(answer["name"]))
    if choice.chips:
        return names
    shown = await _take_back(choice, set(names))
    for name in names:
        if name not in shown:
            await choice.click_option(await choice.find(name, by="label"), wanted=True)
    return names


async def _take_back(choice: WidgetChoice, wanted: set[str]) -> list[str]:
    """Press Backspace, which takes back the last one, until only wanted ones are left; those.

    Raises:
        ConditionFailed: others stay.
    """
    shown: list[str] = await choice.call("pickedNames")
    for _ in range(2 * len(shown)):  # the first press may only mark it
        if wanted.issuperset(shown):
            break
        await text_entry.press(choice.stage, "Backspace", choice.live.id)
        shown = await choice.call("pickedNames")
    if not wanted.issuperset(shown):
        raise choice.shows_others(shown)
    return shown
