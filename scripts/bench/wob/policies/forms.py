"""Tasks of text: fields that are filled from the sentence or from the page."""

from __future__ import annotations

import re

from scripts.bench.wob.hands import Hand
from scripts.bench.wob.policies.policy import Policy, numbers, part, quoted, submit


async def text(sentence: str, hand: Hand) -> None:
    words = quoted(sentence)[0]
    words = words.upper() if "upper case" in sentence else words
    words = words.lower() if "lower case" in sentence else words
    await hand.fill(hand.view.fields()[0], words)
    await submit(hand)


async def password(sentence: str, hand: Hand) -> None:
    for index in range(2):
        await hand.fill(hand.view.fields()[index], quoted(sentence)[0])
    await submit(hand)


async def login(sentence: str, hand: Hand) -> None:
    for index, words in enumerate(quoted(sentence)):
        await hand.fill(hand.view.fields()[index], words)
    await hand.click(hand.view.one("button", "Login"))


async def login_with_popup(sentence: str, hand: Hand) -> None:
    """A question may come with the focus of a field, and disables the fields until it is closed."""
    for index, words in enumerate(quoted(sentence)):
        await hand.click(hand.view.fields()[index])
        await _close_popup(hand)
        await hand.fill(hand.view.fields()[index], words)
    await _close_popup(hand)
    await hand.click(hand.view.one("button"))


async def _close_popup(hand: Hand) -> None:
    if hand.view.has("button", "Cancel"):
        await hand.click(hand.view.one("button", "Cancel"))


async def date(sentence: str, hand: Hand) -> None:
    month, day, year = part(r"(\d\d/\d\d/\d{4})", sentence).split("/")
    await hand.fill(hand.view.fields()[0], f"{year}-{month}-{day}")
    await submit(hand)


async def time(sentence: str, hand: Hand) -> None:
    hour, minute = numbers(part(r"Enter (\d+:\d+)", sentence))
    hour = hour % 12 + (12 if " PM" in sentence else 0)
    await hand.fill(hand.view.fields()[0], f"{hour:02}:{minute:02}")
    await submit(hand)


async def copied(sentence: str, hand: Hand) -> None:
    which = numbers(sentence)[0] - 1 if numbers(sentence) else 0
    sources = [field for field in hand.view.fields() if field.value]
    [target] = [field for field in hand.view.fields() if not field.value]
    await hand.fill(target, sources[which].value)
    await submit(hand)


async def nth_word(sentence: str, hand: Hand) -> None:
    words = max(hand.view.texts(), key=len).split()
    answer = re.sub(r"[.,]", "", words[numbers(sentence)[0] - 1])
    await hand.fill(hand.view.fields()[0], answer)
    await submit(hand)


async def last_word(_: str, hand: Hand) -> None:
    source, target = hand.view.fields()
    words = (await hand.read_all(source)).split()
    await hand.fill(target, words[-1].rstrip("."))
    await submit(hand)


async def scrolled(sentence: str, hand: Hand) -> None:
    await hand.scroll(hand.view.fields()[0], "top" if " top " in sentence else "bottom")
    await submit(hand)


async def agreement(sentence: str, hand: Hand) -> None:
    if "Scroll" not in sentence:
        await hand.click(hand.view.one("button", "Cancel"))
        return
    name, button = quoted(sentence)
    await hand.scroll(hand.view.fields()[0], "bottom")
    await hand.fill(hand.view.fields()[1], name)
    await hand.click(hand.view.one("button", button))


async def captcha(_: str, hand: Hand) -> None:
    letters = [line.name for line in hand.view if len(line.name) == 1 and line.role != "button"]
    end = letters.index("-") if "-" in letters else len(letters)
    await hand.fill(hand.view.fields()[0], "".join(letters[:end]))
    await submit(hand)


async def algebra(_: str, hand: Hand) -> None:
    equation = next(text for text in hand.view.texts() if re.search(r"x [-+] \d|\d [-+] x", text))
    left, sign, right, result = re.findall(r"x|-?\d+|(?<= )[-+](?= )", equation)
    if left == "x":
        answer = int(result) - int(right) if sign == "+" else int(result) + int(right)
    else:
        answer = int(result) - int(left) if sign == "+" else int(left) - int(result)
    await hand.fill(hand.view.fields()[0], str(answer))
    await submit(hand)


async def arithmetic(_: str, hand: Hand) -> None:
    problem = next(text for text in hand.view.texts() if re.search(r"\d+ [-+x] \d+ =", text))
    left, sign, right = part(r"(\d+ [-+x] \d+) =", problem).split()
    answer = {"+": int.__add__, "-": int.__sub__, "x": int.__mul__}[sign](int(left), int(right))
    await hand.fill(hand.view.fields()[0], str(answer))
    await submit(hand)


async def table_value(sentence: str, hand: Hand) -> None:
    await hand.fill(hand.view.fields()[0], _value_of(hand, part(r"value of (.*) into", sentence)))
    await submit(hand)


async def table_values(_: str, hand: Hand) -> None:
    labels = [text[:-1] for text in hand.view.texts() if re.fullmatch(r"[A-Z][\w ]*:", text)]
    for index, label in enumerate(labels[:2]):
        await hand.fill(hand.view.fields()[index], _value_of(hand, label))
    await submit(hand)


def _value_of(hand: Hand, label: str) -> str:
    cells = [line.name for line in hand.view if line.role in ("cell", "rowheader")]
    return cells[cells.index(label) + 1]


_FIELDS = ("textbox", "searchbox")
_LABEL = re.compile(r"(Movie )?Genre|Director|Year|Released")


async def movie(sentence: str, hand: Hand) -> None:
    asked = {
        "Genre": part(r"Search for (.*) movies", sentence),
        "Year|Released": part(r"year (\d+)", sentence),
        "Director": part(r"directed by (.*) from", sentence),
    }
    lines = [line for line in hand.view if line.role in _FIELDS or _LABEL.match(line.name)]
    is_above = lines[0].role in _FIELDS  # the label of a field may be above it or below
    for label, words in asked.items():
        index = [n for n, line in enumerate(lines) if re.search(label, line.name)][0]  # noqa: RUF015
        await hand.fill(lines[index - 1 if is_above else index + 1], words)
    names = ("Search", "Submit", "Go!")
    await hand.click(hand.view.one(where=lambda line: line.name in names))


async def terminal(sentence: str, hand: Hand) -> None:
    await hand.type(hand.view.fields()[0], "ls")
    await hand.press("Enter", hand.view.fields()[0])
    ending = re.search(r"ending with the extension (\S+)", sentence)
    names = next(
        text for text in hand.view.texts() if re.fullmatch(r"[\w.-]+( [\w.-]+)+", text)
    ).split()
    wanted = [name for name in names if (name.endswith(ending[1]) if ending else "." not in name)]
    await hand.type(hand.view.fields()[0], f"rm {wanted[0]}")
    await hand.press("Enter", hand.view.fields()[0])


POLICIES: dict[str, Policy] = {
    "copy-paste": copied,
    "copy-paste-2": copied,
    "enter-date": date,
    "enter-password": password,
    "enter-text": text,
    "enter-text-2": text,
    "enter-text-dynamic": text,
    "enter-time": time,
    "find-word": nth_word,
    "login-user": login,
    "login-user-popup": login_with_popup,
    "multi-layouts": movie,
    "multi-orderings": movie,
    "read-table": table_value,
    "read-table-2": table_values,
    "scroll-text": last_word,
    "scroll-text-2": scrolled,
    "sign-agreement": agreement,
    "simple-algebra": algebra,
    "simple-arithmetic": arithmetic,
    "terminal": terminal,
    "text-transform": captcha,
}
