"""The differences that a page can see between the two engines, and why ours is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.browser.differential.situations import PRESSED

Seen = tuple[bool, list[str]]


@dataclass(frozen=True)
class Difference:
    """`apply` turns what Playwright causes into what we cause; anything else is a failure."""

    reason: str
    apply: Callable[[Seen], Seen]


def _without_shift_key(seen: Seen) -> Seen:
    return seen[0], [line for line in seen[1] if "ShiftLeft" not in line]


def _small_letter(seen: Seen) -> Seen:
    return seen[0], [line.replace(" A KeyA", " a KeyA") for line in seen[1]]


def _focus_first(seen: Seen) -> Seen:
    return seen[0], ["focusin target", *seen[1]]


def _key_let_go(seen: Seen) -> Seen:
    where = next(line.split()[1] for line in seen[1] if line.startswith("input "))
    return seen[0], [*seen[1], f"keyup {where} w KeyW"]


_FILL = Difference(
    "A person's last key is let go: date pickers and lists that read a field only then take the"
    " text with us, and ignore what Playwright fills in.",
    _key_let_go,
)
_SELECT = Difference(
    "A person who chooses from a list has focused it: handlers that validate on focus and blur run"
    " with us, and are skipped by Playwright.",
    _focus_first,
)

DIFFERENCES: Mapping[str, Difference] = {
    "shift click": Difference(
        "Playwright presses the Shift key beside the click. Its keydown goes to whatever has the"
        " focus, often in another frame than the one that is clicked, and may trigger a shortcut"
        " there. With us a modifier is a property of the click, and nothing else is touched.",
        _without_shift_key,
    ),
    "a shortcut": Difference(
        "Control and the A key, without Shift, is `a` on every keyboard; Playwright takes the"
        " letter as it was written and reports `A` with shiftKey false, which no person can cause.",
        _small_letter,
    ),
    "fill a field": _FILL,
    "fill a text area": _FILL,
    "fill, read-only for a moment": _FILL,
    "fill, disabled for a moment": _FILL,
    "fill, drawn anew": _FILL,
    "fill, in an open shadow": _FILL,
    "select": _SELECT,
    "select, option comes late": _SELECT,
    "click half under a cover": Difference(
        "Playwright tries the middle alone and gives up. A person clicks the half that can be"
        " seen, and so do we: every point that we try is tested to be the element's own.",
        lambda _: (True, PRESSED),
    ),
    "click, gone for a moment": Difference(
        "Playwright looks for whatever fits its locator until its time is up. An id means the"
        " element that was seen: when it is gone and has no certain heir, waiting for one to be"
        " drawn would take the first of several that come one after another. We say `stale_ref` at"
        " once, and a new snapshot costs less than a wrong click.",
        lambda _: (False, []),
    ),
}


def difference_in(name: str) -> Difference | None:
    """The one that is known for a situation, by the first part of its name."""
    return DIFFERENCES.get(name.rpartition(", ")[0])
