"""A checkpoint that a human has refused: no way leads past it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from cdp_agent import Page
from cdp_agent.agent.safety.approvals import Decision, Question
from cdp_agent.agent.safety.checkpoints import Checkpoints
from cdp_agent.agent.service import Checkpoint, ServiceConfig
from cdp_agent.tools import ToolResult, ToolSession, call
from tests.support.site import Site

#: Whatever sends it leaves a mark on the page.
FORM = """<form id=f action=/cancelled onsubmit="document.title = 'sent'; return false">
<label>Reason <input id=reason></label><textarea aria-label=More></textarea>
<label><input type=checkbox>Sure</label>
<label for=b id=l tabindex=0>Read this</label>
<button id=b aria-label="Finish it"><span id=s tabindex=0>Finish</span> it</button></form>
<p id=elsewhere tabindex=0>Elsewhere</p>"""
SCRIPTED = """<input aria-label=Reason onkeydown="if (event.key == 'Enter') go.onclick()">
<div id=go role=button tabindex=0 onclick="document.title = 'sent'">Finish it</div>"""
MOUSEDOWN = """<button id=b onmousedown="document.title = 'sent'">Finish it</button>
<p tabindex=0>x</p>"""
BY_SCRIPT = """<button onclick="b.click()">Next</button>
<button id=b onclick="document.title = 'sent'">Finish it</button>"""
BY_SUBMIT = """<form id=f action=/cancelled method=post><button id=b>Finish it</button></form>
<button onclick="f.requestSubmit()">Next</button>"""
INSIDE = """<div id=card style='padding: 0; width: max-content' onclick=0 role=group aria-label=Card
tabindex=0><button id=b onclick="document.title = 'sent'" style='width: 300px; height: 90px'>
Finish it</button></div>"""
LINK = "<a id=b href='/cancelled?now=1'>Finish it</a>"
RENDERED = """<input aria-label=Reason onfocus="b.outerHTML = b.outerHTML">
<button id=b onclick="document.title = 'sent'" aria-label="Finish it">Finish it</button>
<label for=b id=l tabindex=0>Read this</label>"""

Do = Callable[[ToolSession, Page], Awaitable[ToolResult]]


def by(tool: str, selector: str | None = None, to: str | None = None, **arguments: Any) -> Do:
    """Call a tool on the element of a selector, whether the snapshot lists it or not."""

    async def do(session: ToolSession, page: Page) -> ToolResult:
        await page.snapshot()
        port = urlsplit(page.url).port
        given = {k: v.replace("PORT", str(port)) if k == "url" else v for k, v in arguments.items()}
        for name, css in (("ref", selector), ("to", to)):
            if css is not None:
                given[name] = f"0-{await page._tab.resolver.query(0, css)}"
        return await call(session, tool, given)

    return do


def focused(selector: str, key: str) -> Do:
    async def do(session: ToolSession, page: Page) -> ToolResult:
        await page.evaluate(f"document.querySelector({selector!r}).focus()")
        return await call(session, "browser_press", {"key": key})

    return do


WAYS: dict[str, tuple[str, Do]] = {
    "the button": (FORM, by("browser_click", "#b")),
    "its child": (FORM, by("browser_click", "#s")),
    "its label": (FORM, by("browser_click", "#l")),
    "Enter on it": (FORM, by("browser_press", "#b", key="Enter")),
    "Space with the focus": (FORM, focused("#b", "Space")),
    "Enter in a field": (FORM, by("browser_press", "#reason", key="Enter")),
    "Enter in the field with the focus": (FORM, focused("#reason", "Enter")),
    "Enter on a checkbox": (FORM, by("browser_press", "[type=checkbox]", key="Enter")),
    "type with enter": (FORM, by("browser_type", "#reason", text="none", enter=True)),
    "type with a line end": (FORM, by("browser_type", "#reason", text="none\n")),
    "a drag inside it": (FORM, by("browser_drag", "#s", "#b")),
    "a drag onto it": (FORM, by("browser_drag", "#elsewhere", "#b")),
    "a double click": (FORM, by("browser_click", "#s", count=2)),
    "a script's address": (FORM, by("browser_navigate", url="javascript:f.requestSubmit()")),
    "Enter that a script hears": (SCRIPTED, by("browser_press", "input", key="Enter")),
    "type with enter that a script hears": (
        SCRIPTED,
        by("browser_type", "input", text="x", enter=True),
    ),
    "the press alone": (MOUSEDOWN, by("browser_click", "#b")),
    "a drag from it": (MOUSEDOWN, by("browser_drag", "#b", "p")),
    "another button": (BY_SCRIPT, by("browser_click", "button")),
    "a submission by another button": (BY_SUBMIT, by("browser_click", "form + button")),
    "what it is in": (INSIDE, by("browser_click", "#card")),
    "the address of a link": (LINK, by("browser_navigate", url="http://a.test:PORT/cancelled")),
    "the same in a new tab": (
        LINK,
        by("browser_tabs", action="new", url="http://a.test:PORT/cancelled?now=1"),
    ),
    "its label when it is rendered anew": (RENDERED, by("browser_click", "#l")),
}


class Strict:
    """Refuses, and remembers what it was asked."""

    def __init__(self, *answers: bool) -> None:
        self.asked: list[Question] = []
        self._answers = list(answers)

    async def ask(self, question: Question) -> Decision:
        self.asked.append(question)
        return Decision(self._answers.pop(0) if self._answers else False, "Not now.")


def session_of(page: Page, human: Strict, role: str = "button") -> ToolSession:
    guard = {"role": role, "name": "Finish it"}
    point = Checkpoint("finish", "It ends the plan.", lambda _: False, (guard,))
    points = Checkpoints(ServiceConfig("s", "S", checkpoints=(point,)), human.ask)
    return ToolSession(page, before_call=(points.before_call,), after_call=(points.after_call,))


@pytest.mark.parametrize("way", WAYS)
async def test_no_way_leads_past_a_refusal(page: Page, site: Site, way: str) -> None:
    html, do = WAYS[way]
    site.page("gone", path="/cancelled")
    sent = len([r for r in site.requests if r.path == "/cancelled"])
    url = site.page(html)
    await page.goto(url)
    human = Strict()
    session = session_of(page, human, "link" if html is LINK else "button")

    result = await do(session, page)

    await page.snapshot()
    assert page.url == url
    assert await page.evaluate("document.title") == "Test page"
    assert len([r for r in site.requests if r.path == "/cancelled"]) == sent
    assert result.is_error, result.text
    assert result.code in ("human_rejected", "invalid_params"), result.text


async def test_a_yes_is_for_one_action(page: Page, site: Site) -> None:
    await page.goto(site.page(FORM.replace("'sent'", "document.title + '!'")))
    human = Strict(True, False)
    session = session_of(page, human)
    button = str((await page.snapshot()).find("button", "Finish it").id)

    first = await call(session, "browser_click", {"ref": button})
    second = await by("browser_press", "#reason", key="Enter")(session, page)

    assert not first.is_error, first.text
    assert second.code == "human_rejected"
    assert await page.evaluate("document.title") == "Test page!"
    assert [question.action for question in human.asked] == ['use "Finish it"'] * 2


async def test_what_is_not_guarded_stays_free(page: Page, site: Site) -> None:
    html = """<form onsubmit="document.title += '1'; return false"><input aria-label=Find>
    <button>Search</button></form><button onclick="document.title += '2'">Other</button>
    <form><button id=b>Finish it</button></form>"""
    await page.goto(site.page(html))
    human = Strict()
    session = session_of(page, human)

    searched = await by("browser_press", "input", key="Enter")(session, page)
    other = await by("browser_click", "form + button")(session, page)

    assert not searched.is_error, searched.text
    assert not other.is_error, other.text
    assert await page.evaluate("document.title") == "Test page12"
    assert human.asked == []
    # And a person at the window is not locked out once the call is over.
    await page.click((await page.snapshot()).find("button", "Finish it").id)
