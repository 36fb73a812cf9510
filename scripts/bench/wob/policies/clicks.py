"""Tasks of clicks: buttons, links, tabs, menus and sections that open."""

from __future__ import annotations

import asyncio
import itertools

from scripts.bench.wob.hands import Hand
from scripts.bench.wob.policies.policy import Policy, numbers, part, quoted, submit
from scripts.bench.wob.view import NotShown

#: Sections, menus and lists that slide open are read again this often.
_LOOKS = 20
_PAUSE = 0.1


async def ascending_numbers(_: str, hand: Hand) -> None:
    """The first click turns all cards over; they stay in their order."""
    await hand.click(hand.view.one(name="1"))
    for _n in range(2, 6):
        await hand.click(hand.view.hinted("rect")[0])


async def button(sentence: str, hand: Hand) -> None:
    await hand.click(hand.view.one("button", quoted(sentence)[0]))


async def only_button(_: str, hand: Hand) -> None:
    await hand.click(hand.view.one("button"))


async def first_button(_: str, hand: Hand) -> None:
    await hand.click(hand.view.one("button", "ONE"))


async def both_buttons(sentence: str, hand: Hand) -> None:
    await first_button(sentence, hand)
    if "wait" in sentence:
        await asyncio.sleep(numbers(sentence)[0] - 0.08)  # a click takes about as long
    await hand.click(hand.view.one("button", "TWO"))


async def dialog(sentence: str, hand: Hand) -> None:
    name = quoted(sentence)[0]
    await hand.click(hand.view.one("button", "Close" if name == "x" else name))


async def link(sentence: str, hand: Hand) -> None:
    await hand.click(hand.view.one(name=quoted(sentence)[0]))


async def tab(sentence: str, hand: Hand) -> None:
    await hand.click(hand.view.one("tab", part(r"on (Tab #\d+)", sentence)))


async def tab_with_link(sentence: str, hand: Hand) -> None:
    wanted = quoted(sentence)[0]
    for each in hand.view.all("tab"):
        if not each.has("selected"):
            await hand.click(each)
        if hand.view.has(name=wanted):
            await hand.click(hand.view.one(name=wanted))
            return
    raise NotShown(wanted)


async def section_with_link(sentence: str, hand: Hand) -> None:
    wanted = quoted(sentence)[0]
    for each in hand.view.all("tab"):
        await hand.click(each)
        if await appears(hand, wanted, looks=6):
            await hand.click(hand.view.one(name=wanted))
            return
    raise NotShown(wanted)


async def section_with_button(_: str, hand: Hand) -> None:
    await hand.click(hand.view.one("tab"))
    for _n in range(_LOOKS):
        if any(line.role == "button" and not line.has("hidden") for line in hand.view):
            break
        await hand.pause(_PAUSE)
    await submit(hand)


async def menu_path(sentence: str, hand: Hand) -> None:
    path = part(r"Select (.*)", sentence).split(">")
    for name, child in itertools.pairwise(path):
        await hand.hover(hand.view.one("menuitem", name))
        await appears(hand, child)
    await hand.click(hand.view.one("menuitem", path[-1]))


async def focus(_: str, hand: Hand) -> None:
    await hand.click(hand.view.one("textbox"))


async def focus_nth(sentence: str, hand: Hand) -> None:
    await hand.click(hand.view.all("textbox")[numbers(sentence)[0] - 1])


async def file_tree(sentence: str, hand: Hand) -> None:
    wanted = quoted(sentence)[0]
    opened: set[str] = set()
    for _n in range(_LOOKS):
        if hand.view.has(name=wanted):
            await hand.click(hand.view.one(name=wanted))
            return
        for line in hand.view:
            if line.role == "text" and line.name == wanted:
                inside = [
                    item for item in hand.view.all("listitem") if line in hand.view.below(item)
                ]
                await hand.click(inside[-1])
                return
        closed = [
            line
            for line in hand.view.all("generic", where=lambda one: bool(one.name))
            if line.name not in opened
        ]
        if not closed:
            break
        opened.add(closed[0].name)
        await hand.click(closed[0])
    raise NotShown(wanted)


async def contact(sentence: str, hand: Hand) -> None:
    name, kind = part(r"Find (\w+) in", sentence), part(r"on their (\w+)", sentence)
    for _n in range(6):
        if any(line.role == "heading" and line.name == name for line in hand.view):
            await hand.click(hand.view.after(f"{kind.capitalize()}:").all("link")[0])
            return
        await hand.click(hand.view.one(name=">"))
    raise NotShown(name)


async def appears(hand: Hand, name: str, looks: int = _LOOKS) -> bool:
    """Read the page again until something of this name can be acted on."""
    for _n in range(looks):
        if hand.view.has(name=name):
            return True
        await hand.pause(_PAUSE)
    return hand.view.has(name=name)


POLICIES: dict[str, Policy] = {
    "ascending-numbers": ascending_numbers,
    "button-delay": both_buttons,
    "click-button": button,
    "click-button-sequence": both_buttons,
    "click-collapsible": section_with_button,
    "click-collapsible-nodelay": section_with_button,
    "click-collapsible-2": section_with_link,
    "click-collapsible-2-nodelay": section_with_link,
    "click-dialog": dialog,
    "click-dialog-2": dialog,
    "click-link": link,
    "click-menu": menu_path,
    "click-tab": tab,
    "click-tab-2": tab_with_link,
    "click-tab-2-easy": tab_with_link,
    "click-tab-2-medium": tab_with_link,
    "click-tab-2-hard": tab_with_link,
    "click-test": only_button,
    "click-test-2": first_button,
    "click-test-transfer": first_button,
    "focus-text": focus,
    "focus-text-2": focus_nth,
    "navigate-tree": file_tree,
    "phone-book": contact,
    "unicode-test": button,
}
