"""The first line of a result: one sentence about what an action came to."""

from __future__ import annotations

from cdp_agent.api.outcome import Outcome
from cdp_agent.text import one_line, quoted
from cdp_agent.tools.tool import ToolCall


def typed(call: ToolCall, outcome: Outcome) -> str:
    if call.args.enter and outcome.data.get("value", "") is None:
        where = f"[{outcome.data['id']}]" if call.args.ref is None else call.named(call.args.ref)
        return f"typed into {where} and pressed Enter; the field is gone"
    if call.args.ref is not None:
        return f"{call.named(call.args.ref)} {holds(outcome)}"
    focus = f"{outcome.data['id']} {one_line(outcome.data['focus'], 120)}, which has the focus,"
    if call.is_step and call.page.role_and_name(outcome.data["id"])[0]:
        focus = f"[{outcome.data['id']}]"
    if "value" in outcome.data:
        return f"{focus} {holds(outcome)}"
    return f"{focus} was sent {outcome.data['typed']} characters"


def filled(call: ToolCall, outcome: Outcome) -> str:
    """The sentence for a filled field; a step names the value only if it is not the given one."""
    args = call.args
    if call.is_step and args.old is None and outcome.data.get("value") == args.value:
        return f"filled {call.named(args.ref)}"
    return f"{call.named(args.ref)} {holds(outcome)}"


def pressed(call: ToolCall, outcome: Outcome) -> str:
    args = call.args
    said = f"pressed {one_line(args.key, 40)}"
    if args.times == 1:
        return said
    count = outcome.data["pressed"]
    return (
        f"{said} {count} times" if count == args.times else f"{said} {count} of {args.times} times"
    )


def position(outcome: Outcome) -> str:
    """The position of a box at rest: a reader wants to know whether there is more."""
    at = outcome.data
    if "found" in at:
        steps = f" after {at['steps']} steps" if at["steps"] else ""
        return f"{at['found_id']} has it{steps}: {quoted(one_line(at['found'], 200))}"
    where = f"scrolled to {at['x']:g},{at['y']:g} of {at['max_x']:g},{at['max_y']:g}"
    moved = "" if at["moved_x"] or at["moved_y"] else ", did not move"
    box = "" if at["box"] == "the document" else f" in {one_line(at['box'], 120)}"
    return where + moved + (", at the end" if at["at_end"] else "") + box


def in_view(outcome: Outcome) -> str:
    """The position of the page after an element was brought into view."""
    at = outcome.data
    return f"is in view; its page is scrolled to {at['scroll_x']:g},{at['scroll_y']:g}"


def dragged(call: ToolCall, outcome: Outcome) -> str:
    args = call.args
    source = call.named(args.ref) if args.ref is not None else ""
    what = source or one_line(outcome.data["source"], 120)
    at = f" at {args.at[0]:g},{args.at[1]:g}" if args.at is not None else ""
    if args.to is not None:
        said = f"dragged {what}{at} to {call.named(args.to)}"
    elif args.by is not None:
        said = f"dragged {what}{at} by {args.by[0]:g},{args.by[1]:g}"
    else:
        said = f"dragged {what}{at}"
    unseen = "; the page shows no change" if outcome.data.get("changed") is False else ""
    return said + unseen


def waited(call: ToolCall, outcome: Outcome) -> str:
    args = call.args
    said = [f"the text is shown: {quoted(one_line(line, 210))}" for line in outcome.data["lines"]]
    gone = args.text_gone or ()
    said.extend(
        f"{quoted(one_line(text, 100))} is gone"
        for text in ([gone] if isinstance(gone, str) else gone)
    )
    if args.ref is not None:
        said.append(f"{call.named(args.ref)} is {args.state}")
    if args.url:
        said.append(f"the page is at {one_line(call.page.url, 200)}")
    if args.quiet:
        said.append("the page is at rest")
    return "; ".join(said)


_TAKEN_AWAY = "the page took it away since, and {} is not known"


def checked(outcome: Outcome, wanted: bool) -> str:
    """The state after checking or unchecking."""
    if outcome.data.get("removed"):
        return f"was clicked; {_TAKEN_AWAY.format('its state')}"
    return "is checked" if wanted else "is unchecked"


def chosen(outcome: Outcome) -> str:
    if outcome.data.get("removed") and "label" not in outcome.data:
        return f"was set; {_TAKEN_AWAY.format('its choice')}"
    label = outcome.data.get("label")
    labels = label if isinstance(label, list | tuple) else [label]
    names = ", ".join(quoted(one_line(str(one), 100)) for one in labels)
    chose = ", ".join(
        f"chose {quoted(one_line(whole, 100))} for {quoted(one_line(part, 100))}"
        for part, whole in outcome.data.get("chose", {}).items()
    )
    if chose and len(labels) == 1:
        return chose
    said = f"has {names} chosen" if labels else "has nothing chosen"
    return f"{said}: {chose}" if chose else said


def holds(outcome: Outcome) -> str:
    """The value after typing. A password's is never known here."""
    value = outcome.data.get("value")
    return "was filled" if value is None else f"holds {quoted(one_line(str(value), 200))}"
