"""Tasks of widgets: calendars, sliders, spinners and lists that complete what is typed."""

from __future__ import annotations

import calendar
import itertools
import re

from scripts.bench.wob.hands import Hand
from scripts.bench.wob.policies.clicks import appears
from scripts.bench.wob.policies.policy import Policy, numbers, part, quoted, submit
from scripts.bench.wob.view import Line, NotShown

_MONTHS = [calendar.month_name[number] for number in range(1, 13)]


async def pick_date(hand: Hand, field: Line, date: str) -> None:
    """Choose a day (mm/dd/yyyy) in the calendar that a field opens."""
    month, day, year = map(int, date.split("/"))
    await hand.click(field)
    for _n in range(60):
        title = next(
            (
                match
                for text in hand.view.texts()
                if (match := re.fullmatch(r"(\w+) (\d{4})", text))
            ),
            None,
        )
        if title is None:
            await hand.pause(0.1)
            continue
        shown = int(title[2]) * 12 + _MONTHS.index(title[1]) + 1
        if shown == year * 12 + month:
            await hand.click(hand.view.one("link", str(day)))
            return
        await hand.click(hand.view.one(name="Prev" if shown > year * 12 + month else "Next"))
    raise NotShown(date)


async def date_field(sentence: str, hand: Hand) -> None:
    await pick_date(hand, hand.view.fields()[0], part(r"(\d\d/\d\d/\d{4})", sentence))
    await submit(hand)


async def completed(sentence: str, hand: Hand) -> None:
    start, *ends = quoted(sentence)
    await hand.type(hand.view.fields()[0], start)
    for _n in range(20):
        fits = hand.view.all(
            where=lambda line: (
                line.role not in ("textbox", "button")
                and line.name.startswith(start)
                and line.name.endswith(tuple(ends) or "")
            )
        )
        if fits:
            await hand.click(fits[0])
            break
        await hand.pause(0.1)
    await submit(hand)


async def _set_slider(hand: Hand, index: int, wanted: int) -> None:
    for _n in range(4):
        handles = _handles(hand)
        shown = int(hand.view.lines[hand.view.lines.index(handles[index]) + 1].name)
        if shown == wanted:
            return
        key = "ArrowRight" if wanted > shown else "ArrowLeft"
        await hand.press(key, handles[index], times=abs(wanted - shown))


def _handles(hand: Hand) -> list[Line]:
    """The handles of sliders: each is followed by its value."""
    lines = hand.view.lines
    return [
        line
        for line, after in itertools.pairwise(lines)
        if line.ref and line.role == "generic" and re.fullmatch(r"-?\d+", after.name)
    ]


async def slider(sentence: str, hand: Hand) -> None:
    await _set_slider(hand, 0, numbers(sentence)[0])
    await submit(hand)


async def sliders(sentence: str, hand: Hand) -> None:
    for index, wanted in enumerate(numbers(sentence)):
        await _set_slider(hand, index, wanted)
    await submit(hand)


async def slider_and_box(sentence: str, hand: Hand) -> None:
    wanted, nth = numbers(sentence)
    await _set_slider(hand, 0, wanted)
    await hand.check(hand.view.all("checkbox")[nth - 1])
    await submit(hand)


async def radio_and_field(sentence: str, hand: Hand) -> None:
    button, field = (int(number) for number in re.findall(r"(\d)(?:st|nd|rd)", sentence))
    await hand.check(hand.view.all("radio")[button - 1])
    await hand.fill(hand.view.all("textbox")[field - 1], quoted(sentence)[0])
    await submit(hand)


async def dropdown_and_button(sentence: str, hand: Hand) -> None:
    wanted = part(r"Choose (.*) from", sentence)
    await hand.choose(hand.view.one("combobox"), [wanted])
    for item in hand.view.all("listitem"):  # a list that has opened covers the buttons
        if wanted in (item.name, *(line.name for line in hand.view.below(item))):
            await hand.click(item)
            break
    await submit(hand, quoted(sentence)[0])


async def spinner(sentence: str, hand: Hand) -> None:
    await hand.fill(hand.view.one("spinbutton"), str(numbers(sentence)[0]))
    await submit(hand)


async def greatest_card(_: str, hand: Hand) -> None:
    values: list[int] = []
    for index in range(3):
        await hand.click(_cards(hand)[index])
        card = _cards(hand)[index]
        shown = [card, *hand.view.below(card)]
        values.append(next(int(line.name) for line in shown if re.fullmatch(r"\d+", line.name)))
    await hand.click(_cards(hand)[values.index(max(values))])
    await submit(hand)


def _cards(hand: Hand) -> list[Line]:
    end = hand.view.lines.index(hand.view.one("button"))
    return [line for line in hand.view.lines[:end] if line.ref and line.role == "generic"]


def _is_entry(line: Line, city: str) -> bool:
    """Returns whether it is an entry of the list that a field has opened."""
    return line.role not in ("textbox", "button") and city in line.name and "(" in line.name


async def flight(sentence: str, hand: Hand) -> None:
    cities = part(r"from: (.*) to:", sentence), part(r"to: (.*) on", sentence)
    for index, city in enumerate(cities):
        await hand.type(hand.view.fields()[index], city)
        for _n in range(20):
            fits = [line for line in hand.view.all() if _is_entry(line, city)]
            if fits:
                await hand.click(fits[-1])
                break
            await hand.pause(0.1)
    await pick_date(hand, hand.view.fields()[2], part(r"on (\d\d/\d\d/\d{4})", sentence))
    await submit(hand, "Search")
    await appears(hand, "Back")
    offers = hand.view.all("button", where=lambda line: "$" in line.name)
    texts = hand.view.texts()
    durations = [numbers(text) for text in texts if re.fullmatch(r"\d+h \d+m", text)]
    if "cheapest" in sentence:
        ranks = [numbers(offer.name)[0] for offer in offers]
    else:
        ranks = [60 * hours + minutes for hours, minutes in durations]
    await hand.click(offers[ranks.index(min(ranks))])


POLICIES: dict[str, Policy] = {
    "book-flight": flight,
    "book-flight-nodelay": flight,
    "choose-date": date_field,
    "choose-date-easy": date_field,
    "choose-date-medium": date_field,
    "choose-date-nodelay": date_field,
    "find-greatest": greatest_card,
    "form-sequence": slider_and_box,
    "form-sequence-2": radio_and_field,
    "form-sequence-3": dropdown_and_button,
    "use-autocomplete": completed,
    "use-autocomplete-nodelay": completed,
    "use-slider": slider,
    "use-slider-2": sliders,
    "use-spinner": spinner,
}
