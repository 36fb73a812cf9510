"""Flows on pages to read and search: Datasette, MediaWiki and Wagtail."""

from __future__ import annotations

from urllib.parse import quote

from scripts.bench.walks.flow import AGENT_BROWSER, OURS, PLAYWRIGHT, Facts, Flow, shown
from scripts.bench.walks.web import get_json, get_text

_INCIDENTS = "{base}/service/incidents"
_SQL = "select city, count(*) from incidents where status = 'open' group by city order by 2 desc"
_QUERY = f"{{base}}/service?sql={quote(_SQL)}"


def _count(facts: Facts) -> dict[str, str]:
    address = f"{_INCIDENTS.format_map(facts)}.json?severity=critical&_size=1"
    return {"count": f"{get_json(address)['filtered_table_rows_count']:,}"}


FILTER = Flow(
    "datasette filter",
    "datasette",
    f"How many incidents at {_INCIDENTS} have the severity critical? Use the page's filter.",
    {
        OURS: (
            ("open", _INCIDENTS, "--search", "combobox textbox apply", "--interactive"),
            (
                "do",
                "select {ref:\\[(\\d+-\\d+)\\] combobox[^\\n]*filter_column} severity",
                "fill {ref:\\[(\\d+-\\d+)\\] textbox[^\\n]*filter_value} critical",
                "click role=button[name=Apply]",
                "wait 'rows where'",
                "--quiet",
            ),
        ),
        AGENT_BROWSER: (
            ("batch", f"open {_INCIDENTS}", "snapshot -i -s form"),
            (
                "batch",
                "--bail",
                "select {ref:combobox[^\\n]*ref=(e\\d+)[^\\n]*column} severity",
                "fill {ref:textbox[^\\n]*ref=(e\\d+)} critical",
                "find role button click --name Apply",
                "wait --text 'rows where'",
                "get text h3",
            ),
        ),
        PLAYWRIGHT: (
            ("open", _INCIDENTS),
            ("--raw", "snapshot", "form >> nth=0"),
            ("select", "{ref:combobox \\[ref=(\\w+)\\][^\\n]*\\n[^\\n]*column}", "severity"),
            ("fill", "{ref:textbox[^\\n]*ref=(\\w+)}", "critical"),
            ("click", "{ref:Apply[^\\n]*ref=(\\w+)}"),
            ("--raw", "eval", "el => el.innerText", "h3 >> nth=0"),
        ),
    },
    shown("{count}"),
    _count,
)


def _best_city(facts: Facts) -> dict[str, str]:
    rows = get_json(_QUERY.format_map(facts).replace("?", ".json?"))["rows"]
    return {"city": str(rows[0][0]), "count": str(rows[0][1])}


SQL = Flow(
    "datasette SQL",
    "datasette",
    f"Run this query at {{base}}/service (as ?sql=): {_SQL}. What are the rows?",
    {
        OURS: (("do", f"open {_QUERY}", "read css=table"),),
        AGENT_BROWSER: (("batch", f"open {_QUERY}", "get text table"),),
        PLAYWRIGHT: (("open", _QUERY), ("--raw", "eval", "el => el.innerText", "table")),
    },
    shown("{city}", "{count}"),
    _best_city,
)


def _first_sentence(facts: Facts) -> dict[str, str]:
    page = get_text(f"{facts['base']}/index.php?title=Harbour_regulations&action=raw")
    return {"sentence": page.partition("== Photography ==\n")[2].partition(".")[0]}


#: MediaWiki's paragraphs stand beside their heading.
_NEXT_TWO = (
    "el => el.nextElementSibling.innerText + el.nextElementSibling.nextElementSibling.innerText"
)

SECTION = Flow(
    "wiki section",
    "mediawiki",
    "In the wiki at {base}, open the page 'Harbour regulations' by its link on the main page. "
    "What does the section Photography say?",
    {
        OURS: (
            (
                "do",
                "open {base}",
                "click 'text=Harbour regulations'",
                "read 'role=heading[name=Photography]'",
            ),
        ),
        AGENT_BROWSER: (
            (
                "batch",
                "--bail",
                "open {base}",
                "find text 'Harbour regulations' click",
                "read --filter Photography",
            ),
        ),
        PLAYWRIGHT: (
            ("open", "{base}"),
            ("click", "getByRole('link', { name: 'Harbour regulations' })"),
            ("--raw", "eval", _NEXT_TWO, "h2:has-text('Photography')"),
        ),
    },
    shown("{sentence}."),
    _first_sentence,
)


def _status_was_shown(facts: Facts, printed: str) -> str:
    row = printed.rpartition("Event page")[2]
    if "live" not in row.lower():
        return "the page's status was not shown"
    return shown("Summer party 2026", "Events")(facts, printed)


STATUS = Flow(
    "wagtail status",
    "wagtail",
    "In the editor at {base}/cms/, search for the page 'Summer party 2026' with the field "
    "Search term. What are its type, its parent and its status?",
    {
        OURS: (
            (
                "do",
                "open {base}/cms/",
                "fill 'label=Search term' 'Summer party 2026'",
                "press Enter",
                "read css=table",
            ),
        ),
        AGENT_BROWSER: (
            (
                "batch",
                "--bail",
                "open {base}/cms/",
                "find label 'Search term' fill 'Summer party 2026'",
                "press Enter",
                "wait table",
                "get text table",
            ),
        ),
        PLAYWRIGHT: (
            ("open", "{base}/cms/"),
            ("fill", "getByLabel('Search term')", "Summer party 2026", "--submit"),
            ("--raw", "eval", "el => el.innerText", "tr:has-text('Summer party 2026')"),
        ),
    },
    _status_was_shown,
)

FLOWS = (FILTER, SQL, SECTION, STATUS)
