"""Flows in Django's admin: reading lists, changing a record, making a new one."""

from __future__ import annotations

import re

from scripts.bench.walks.flow import AGENT_BROWSER, OURS, PLAYWRIGHT, Facts, Flow, shown
from scripts.bench.walks.web import delete_record, get_text, record_id, submit_form

_PENDING = "{base}/admin/shop/order/?status__exact=pending&express__exact=1"
_MOVEMENTS = "{base}/admin/shop/stockmovement/?p=9"


def _first_pending(facts: Facts) -> dict[str, str]:
    page = get_text(_PENDING.format_map(facts))
    numbers = re.findall(r">(SO-\d+)</a>", page)
    totals = re.findall(r'class="field-total[^"]*">([^<]+)<', page)
    return {"number": numbers[0], "total": totals[0]}


FIRST_ROW = Flow(
    "django first row",
    "django",
    f"The pending express orders are listed at {_PENDING}. Which is the first, of which total?",
    {
        OURS: (("do", f"open {_PENDING}", "read 'css=#result_list tbody tr:first-child'"),),
        AGENT_BROWSER: (
            ("batch", f"open {_PENDING}", "get text '#result_list tbody tr:first-child'"),
        ),
        PLAYWRIGHT: (
            ("open", _PENDING),
            ("--raw", "eval", "el => el.innerText", "#result_list tbody tr:first-child"),
        ),
    },
    shown("{number}", "{total}"),
    _first_pending,
)

PAGED_ROW = Flow(
    "django paged row",
    "django",
    f"Stock movement RMA-7731 is in the list at {_MOVEMENTS}. Which quantity of which product?",
    {
        OURS: (("do", f"open {_MOVEMENTS}", "read \"xpath=//tr[contains(.,'RMA-7731')]\""),),
        AGENT_BROWSER: (
            ("batch", f"open {_MOVEMENTS}", "get text \"xpath=//tr[contains(.,'RMA-7731')]\""),
        ),
        PLAYWRIGHT: (
            ("open", _MOVEMENTS),
            ("--raw", "eval", "el => el.innerText", "tr:has-text('RMA-7731')"),
        ),
    },
    shown("Oak Storage Box (OA-165)", "21"),
)


def _new_order(facts: Facts) -> dict[str, str]:
    number = f"E{facts['word']}"[:12]
    fields = {
        "number": number,
        "customer": "1",
        "status": "pending",
        "placed_on": "2025-01-02",
        "lines-TOTAL_FORMS": "0",
        "lines-INITIAL_FORMS": "0",
        "_save": "Save",
    }
    submit_form(f"{facts['base']}/admin/shop/order/add/", fields)
    if not record_id(facts["base"], "order", number):
        raise OSError(f"order {number} could not be made")
    return {"number": number}


def _order_was_changed(facts: Facts, printed: str) -> str:
    base = facts["base"]
    number = record_id(base, "order", facts["number"])
    page = get_text(f"{base}/admin/shop/order/{number}/change/")
    if not re.search(r'value="shipped" selected', page):
        return "the order's status is not Shipped"
    if f"call {facts['word']}" not in page:
        return "the order's notes are not saved"
    return shown("Shipped", "{number}")(facts, printed)


_ORDER = "{base}/admin/shop/order/?q={number}"

EDIT_ORDER = Flow(
    "django edit order",
    "django",
    f"Order {{number}} is listed at {_ORDER}. Set its Status to Shipped and its Notes to "
    "'call {word}', save, and read its row in the list again.",
    {
        OURS: (
            (
                "do",
                f"open {_ORDER}",
                "click 'role=link[name={number}]'",
                "select label=Status: Shipped",
                "fill label=Notes: 'call {word}'",
                "click role=button[name=Save]",
                "read 'css=#result_list tbody tr'",
            ),
        ),
        AGENT_BROWSER: (
            (
                "batch",
                "--bail",
                f"open {_ORDER}",
                "find text {number} click --exact",
                "wait #id_status",
                "select #id_status Shipped",
                "fill #id_notes 'call {word}'",
                "find role button click --name Save --exact",
                "wait .messagelist",
                "get text '#result_list tbody tr'",
            ),
        ),
        PLAYWRIGHT: (
            ("open", _ORDER),
            ("click", "getByRole('link', { name: '{number}' })"),
            ("select", "#id_status", "Shipped"),
            ("fill", "#id_notes", "call {word}"),
            ("click", "getByRole('button', { name: 'Save', exact: true })"),
            ("--raw", "eval", "el => el.innerText", "#result_list tbody tr"),
        ),
    },
    _order_was_changed,
    _new_order,
    lambda facts: delete_record(facts["base"], "order", facts.get("number", facts["word"])),
)


def _customer_was_made(facts: Facts, printed: str) -> str:
    base = facts["base"]
    number = record_id(base, "customer", facts["word"])
    if not number:
        return "there is no such customer"
    page = get_text(f"{base}/admin/shop/customer/{number}/change/")
    wanted = (f"{facts['word']}@mail.example", "Porto", "Portugal", 'value="business" selected')
    missing = [text for text in wanted if text not in page]
    if missing:
        return f"the customer has no {', '.join(missing)}"
    return shown("was added successfully")(facts, printed)


_CUSTOMER = "{base}/admin/shop/customer/add/"

NEW_CUSTOMER = Flow(
    "django new customer",
    "django",
    f"Add a customer at {_CUSTOMER}: Name 'Ada {{word}}', E-mail {{word}}@mail.example, City "
    "Porto, Country Portugal, Segment Business, Joined 2025-03-04. Save; what does it say?",
    {
        OURS: (
            (
                "do",
                f"open {_CUSTOMER}",
                "fill label=Name: 'Ada {word}'",
                "fill label=E-mail: {word}@mail.example",
                "fill label=City: Porto",
                "fill label=Country: Portugal",
                "select label=Segment: Business",
                "fill label=Joined: 2025-03-04",
                "click role=button[name=Save]",
                "read css=.messagelist",
            ),
        ),
        AGENT_BROWSER: (
            (
                "batch",
                "--bail",
                f"open {_CUSTOMER}",
                "fill #id_name 'Ada {word}'",
                "fill #id_email {word}@mail.example",
                "fill #id_city Porto",
                "fill #id_country Portugal",
                "select #id_segment Business",
                "fill #id_joined 2025-03-04",
                "find role button click --name Save --exact",
                "wait .messagelist",
                "get text .messagelist",
            ),
        ),
        PLAYWRIGHT: (
            ("open", _CUSTOMER),
            ("fill", "#id_name", "Ada {word}"),
            ("fill", "#id_email", "{word}@mail.example"),
            ("fill", "#id_city", "Porto"),
            ("fill", "#id_country", "Portugal"),
            ("select", "#id_segment", "Business"),
            ("fill", "#id_joined", "2025-03-04"),
            ("click", "getByRole('button', { name: 'Save', exact: true })"),
            ("--raw", "eval", "el => el.innerText", ".messagelist"),
        ),
    },
    _customer_was_made,
    undo=lambda facts: delete_record(facts["base"], "customer", facts["word"]),
)

FLOWS = (FIRST_ROW, PAGED_ROW, EDIT_ORDER, NEW_CUSTOMER)
