"""Flows in single-page applications: nested payment frames, a chat, widgets, a notebook."""

from __future__ import annotations

import re

from scripts.bench.walks.flow import (
    AGENT_BROWSER,
    OURS,
    PLAYWRIGHT,
    READ_SNAPSHOT,
    Facts,
    Flow,
    shown,
)
from scripts.bench.walks.web import delete_tiddler, get_tiddler


def _is_paid(facts: Facts, printed: str) -> str:
    return "" if re.search(r"Payment reference HB[0-9A-F]{8}", printed) else "no reference shown"


PAYMENT = Flow(
    "payment in frames",
    "pay",
    "Pay at {base} with Card number 4000123412341234, Expiry date 1129, Security code 321, Name "
    "on card 'Ada {word}', and Approve it with the Code 739251. What is the reference?",
    {
        OURS: (
            (
                "do",
                "open {base}",
                "fill 'label=Card number' 4000123412341234",
                "fill 'label=Expiry date (MM / YY)' 1129",
                "fill 'label=Security code' 321",
                "fill 'label=Name on card' 'Ada {word}'",
                "click 'text=Pay 48.00 EUR'",
                "fill label=Code 739251",
                "click text=Approve",
                "wait 'Payment reference'",
                "--quiet",
            ),
        ),
        AGENT_BROWSER: (
            ("batch", "open {base}", "snapshot -i"),
            (
                "batch",
                "--bail",
                "fill {ref:Card number[^\\n]*ref=(e\\d+)} 4000123412341234",
                "fill {ref:Expiry[^\\n]*ref=(e\\d+)} 1129",
                "fill {ref:Security[^\\n]*ref=(e\\d+)} 321",
                "fill {ref:Name on card[^\\n]*ref=(e\\d+)} 'Ada {word}'",
                "click {ref:Pay 48[^\\n]*ref=(e\\d+)}",
                "wait 2000",
                "snapshot -i",
            ),
            (
                "batch",
                "--bail",
                # It does not look into the bank's frame, inside the other; the keyboard gets there.
                "focus {ref:partner offer[^\\n]*ref=(e\\d+)}",
                "press Tab",
                "press Tab",
                "keyboard type 739251",
                "press Enter",
                "wait --text 'Payment reference'",
                "get text #done",
            ),
        ),
        PLAYWRIGHT: (
            ("open", "{base}"),
            READ_SNAPSHOT,
            ("fill", "{ref:Card number[^\\n]*ref=(\\w+)}", "4000123412341234"),
            ("fill", "{ref:Expiry[^\\n]*ref=(\\w+)}", "1129"),
            ("fill", "{ref:Security[^\\n]*ref=(\\w+)}", "321"),
            ("fill", "{ref:Name on card[^\\n]*ref=(\\w+)}", "Ada {word}"),
            ("click", "{ref:Pay 48[^\\n]*ref=(\\w+)}"),
            ("find", "--regex", "Code|Approve"),
            ("fill", '{ref:"Code"[^\\n]*ref=(\\w+)}', "739251"),
            ("click", "{ref:Approve[^\\n]*ref=(\\w+)}"),
            ("find", "Payment reference"),
        ),
    },
    _is_paid,
)

CHAT = Flow(
    "gradio chat",
    "gradio",
    "On the tab Chat of {base}, ask 'Where is PX-4471?' in the field 'Type a message...' and read "
    "the answer.",
    {
        OURS: (
            (
                "do",
                "open {base}",
                "click role=tab[name=Chat]",
                "fill role=textbox 'Where is PX-4471?'",
                "press Enter",
                "wait PX-4471:",
                "--quiet",
            ),
        ),
        AGENT_BROWSER: (
            (
                "batch",
                "--bail",
                "open {base}",
                "wait 3000",
                "find role tab click --name Chat",
                "find placeholder 'Type a message...' fill 'Where is PX-4471?'",
                "press Enter",
                "wait --text PX-4471:",
                "get text [data-testid=bot]",
            ),
        ),
        PLAYWRIGHT: (
            ("open", "{base}"),
            ("click", "getByRole('tab', { name: 'Chat' })"),
            ("fill", "getByPlaceholder('Type a message...')", "Where is PX-4471?", "--submit"),
            ("find", "PX-4471:"),
        ),
    },
    shown("It is in Rotterdam and will arrive on 19 June."),
)


def _net_revenue(facts: Facts) -> dict[str, str]:
    """The figure that the seeded report shows for North and East in 2025, less 10 %."""
    months = ((region, month) for region in range(2) for month in range(12, 24))
    sums = (1000 + (region * 7919 + month * 613) % 4000 for region, month in months)
    return {"revenue": f"{sum(round(amount * 0.9, 2) for amount in sums):,.2f}"}


_METRIC = "xpath=//*[@data-testid='stMetric'][contains(.,'Net revenue')]"

REPORT = Flow(
    "streamlit report",
    "streamlit",
    "At {base} choose the Year 2025 in the sales report. What is the net revenue?",
    {
        OURS: (("do", "open {base}", "select label=Year 2025", f'read "{_METRIC}"'),),
        AGENT_BROWSER: (
            (
                "batch",
                "--bail",
                "open {base}",
                "wait --text 'Net revenue'",
                "find label Year click",
                "find role option click --name 2025",
                "wait 3000",
                f'get text "{_METRIC}"',
            ),
        ),
        PLAYWRIGHT: (
            ("open", "{base}"),
            ("click", "getByRole('combobox', { name: 'Year' })"),
            ("click", "getByRole('option', { name: '2025' })"),
            ("--raw", "eval", "el => el.innerText", _METRIC),
        ),
    },
    shown("{revenue}"),
    _net_revenue,
)


def _tiddler_was_made(facts: Facts, printed: str) -> str:
    tiddler = get_tiddler(facts["base"], facts["word"])
    text = f"Rice for {facts['word']}"
    if tiddler is None or text not in tiddler.get("text", ""):
        return "the server has no such tiddler"
    return shown(text)(facts, printed)


def _remove_tiddler(facts: Facts) -> None:
    for title in (facts["word"], "Draft of 'New Tiddler'"):
        if get_tiddler(facts["base"], title) is not None:
            delete_tiddler(facts["base"], title)


TIDDLER = Flow(
    "new tiddler",
    "tiddlywiki",
    "In the notebook at {base}, make a tiddler with the button 'new tiddler': title {word}, text "
    "'Rice for {word}'. Confirm it, and read it.",
    {
        OURS: (
            (
                "do",
                "open {base}",
                "click 'role=button[name=new tiddler]'",
                "--search",
                "textbox confirm",
            ),
            (
                "do",
                'fill {ref:\\[(\\d+-\\d+)\\] textbox value="New Tiddler[^"]*"} {word}',
                "fill {ref:\\[(\\d+-\\d+)\\] textbox .Type the text} 'Rice for {word}'",
                "click {ref:\\[(\\d+-\\d+)\\] button .Confirm}",
                "wait 'Rice for {word}'",
                "--quiet",
            ),
        ),
        AGENT_BROWSER: (
            (
                "batch",
                "--bail",
                "open {base}",
                "find role button click --name 'new tiddler'",
                "wait 1000",
                "snapshot -i",
            ),
            (
                "batch",
                "--bail",
                "fill {ref:textbox[^\\n]*ref=(e\\d+)[^\\n]*New Tiddler} {word}",
                "fill {ref:textbox .Type the text[^\\n]*ref=(e\\d+)} 'Rice for {word}'",
                "click {ref:button .Confirm[^\\n]*ref=(e\\d+)}",
                "wait 1000",
                "find text 'Rice for {word}' text",
            ),
        ),
        PLAYWRIGHT: (
            ("open", "{base}"),
            ("click", "getByRole('button', { name: 'new tiddler' })"),
            ("find", "--regex", "textbox|Confirm"),
            ("fill", "{ref:textbox[^\\n]*ref=(\\w+)[^\\n]*New Tiddler}", "{word}"),
            ("fill", "{ref:textbox .Type the text[^\\n]*ref=(\\w+)}", "Rice for {word}"),
            ("click", "{ref:button .Confirm[^\\n]*ref=(\\w+)}"),
            ("find", "Rice for {word}"),
        ),
    },
    _tiddler_was_made,
    undo=_remove_tiddler,
)

FLOWS = (PAYMENT, CHAT, REPORT, TIDDLER)
