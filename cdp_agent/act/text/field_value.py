"""The value of a field: what it can hold, and whether it was kept. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cdp_agent.action_table.limits import MOST_DELAY_MS, MOST_TEXT, MOST_TYPED
from cdp_agent.errors import InvalidParams, NotEditable
from cdp_agent.text import MASKED_PASSWORD

if TYPE_CHECKING:
    from cdp_agent.act.text.editing import Editing
    from cdp_agent.act.wait.settle import Settled
    from cdp_agent.resolve import LiveElement

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")

FORMATS = {
    "date": "Write it as 2027-03-17.",
    "time": "Write it as 14:30.",
    "datetime-local": "Write it as 2027-03-17T14:30.",
    "month": "Write it as 2027-03.",
    "week": "Write it as 2027-W11.",
    "color": "Write it as #aabbcc.",
    "range": "Write a number between its minimum and maximum, on one of its steps.",
}
#: Kinds with parts that take keys one by one: day, month, year, hour.
KEYED_TYPES = frozenset({"date", "time", "datetime-local", "month", "week"})


def require_text(value: Any) -> None:
    """Raises: InvalidParams: it is not text that can be entered."""
    if not isinstance(value, str):
        raise InvalidParams(f"the text must be a string, not {type(value).__name__}")
    if any("\ud800" <= one <= "\udfff" for one in value):
        raise InvalidParams("the text holds half a character (a lone surrogate)")
    if len(value) > MOST_TEXT:
        raise InvalidParams(f"{len(value)} characters are too many; at most {MOST_TEXT}")


def require_keys(value: Any, delay_ms: Any) -> None:
    """Raises: InvalidParams: it is not text that can be typed key by key."""
    require_text(value)
    if len(value) > MOST_TYPED:
        raise InvalidParams(
            f"{len(value)} keys are too many; at most {MOST_TYPED}", hint="Use fill."
        )
    if not isinstance(delay_ms, int | float) or not 0 <= delay_ms <= MOST_DELAY_MS:
        raise InvalidParams(f"delay_ms must be from 0 to {MOST_DELAY_MS}, not {delay_ms!r}")


def require_fitting(prepared: dict[str, Any], value: str, live: LiveElement) -> None:
    """Raises: InvalidParams: the field cannot hold it; nothing was touched."""
    if prepared["type"] == "number" and value and not _NUMBER.match(value.strip()):
        raise InvalidParams(
            f"{value!r} is not a number, and {live.id} takes only numbers",
            hint="Write digits, with a point for decimals: 12.5.",
            element_id=str(live.id),
        )
    most, given = prepared["most"], len(value.replace("\r\n", "\n").encode("utf-16-le")) // 2
    if 0 <= most < given:
        raise InvalidParams(
            f"{live.id} takes at most {most} characters, and {given} were given",
            hint=f"Shorten the text to {most} characters.",
            element_id=str(live.id),
            most=most,
        )


def is_kept(wanted: str, after: str, before: str) -> bool | None:
    """Returns whether a field holds a text exactly; None where it holds another one.

    False: the page has formatted it (1,234,567 or $5.00) or added to it. What was there before is
    no such addition.
    """
    if after.strip() == wanted.strip():
        return True
    if is_same_number(after, wanted):
        return False
    given, held, old = _bare(wanted), _bare(after), _bare(before)
    if not given:
        return None
    if held == given:
        return False
    added = held.replace(given, "", 1)
    if old and old != given and old in added:
        return None
    return False if given in held or _is_masked(given, held) else None


def is_kept_by_editor(wanted: str, shown: str) -> bool | None:
    """As `is_kept`, for an editor's visible text. False: it is a part of the text."""
    given, held = "".join(wanted.split()), "".join(shown.split())
    if given == held:
        return True
    return False if held and held in given else None


def not_kept(live: LiveElement, after: str, *, secret: bool) -> NotEditable:
    holds = "something else" if secret else repr(after[:80])
    return NotEditable(
        f"{live.id} did not keep the text: it holds {holds}",
        hint="Look at what the field accepts; it may be limited or changed by the page.",
        element_id=str(live.id),
        value=MASKED_PASSWORD if secret else after,
    )


def require_a_trace(editing: Editing, settled: Settled, text: str, after: str | None) -> None:
    """A field that holds what it held before: no key had an effect.

    An empty one may have been emptied by a page that took the text, as fields for tags do: then
    something else has changed. A date shows nothing before its last part is there.

    Raises:
        NotEditable: the page refused every key, or took out what they entered.
    """
    report, before, live = settled.report, editing.prepared["value"], editing.live
    if report is None or after is None or after != before or report["receipt"]["elsewhere"]:
        return
    seen = report["receipt"]
    is_replaced = after == text and "input" in seen["events"]  # it was selected
    is_taken = report["changed"] and not before
    is_vague = editing.prepared["standIn"] or editing.prepared["how"] == "set" or not text.strip()
    if seen["refused"] or not (is_replaced or is_taken or is_vague):
        raise NotEditable(
            f"{live.id} took no text: it holds what it held before",
            hint="The page refuses these keys. Look at what the field accepts.",
            element_id=str(live.id),
        )


def is_same_number(after: str, wanted: str) -> bool:
    """Returns whether both are one number, however it is written."""
    try:
        return float(re.sub(r"[^\d.eE+-]", "", after)) == float(wanted)
    except ValueError:
        return False


def _bare(text: str) -> str:
    """Its letters and digits alone."""
    return "".join(c for c in text.casefold() if c.isalnum())


def _is_masked(given: str, held: str) -> bool:
    """Returns whether a mask has put some characters between those that were given."""
    characters = iter(held)
    return len(held) <= 2 * len(given) and all(c in characters for c in given)
