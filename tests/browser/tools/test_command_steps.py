"""Steps written as commands: a line each, the page once, an end where something is not as told."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cdp_agent import Page
from cdp_agent.cli.session.step_reader import command_reader
from cdp_agent.snapshot.text.tokens import estimate_tokens
from cdp_agent.tools import ToolCall, ToolResult, ToolSession, call
from tests.browser.tools.conftest import Use
from tests.support.oracle import PageOracle
from tests.support.site import Site

FORM = """<label>Email <input></label>
<button onclick="said.textContent = 'Hello ' + document.querySelector('input').value">Save</button>
<p id=said></p><ul>{rows}</ul>""".replace("{rows}", "<li>row</li>" * 30)


@pytest.fixture
def session(page: Page) -> ToolSession:
    return ToolSession(page, read_command=command_reader())


async def run(session: ToolSession, *steps: str, **options: Any) -> ToolResult:
    return await call(session, "browser_execute", {"steps": list(steps), **options})


async def test_each_step_is_a_line_and_the_page_is_shown_once(
    session: ToolSession, site: Site
) -> None:
    url = site.page(FORM)

    done = await run(session, f"open {url}", "fill label=Email ada@x.org", "click text=Save")

    lines = done.text.split("\n")
    assert not done.is_error
    assert lines[0] == '1. opened "Test page"'
    assert re.fullmatch(r"2\. filled \[0-\d+\]", lines[1])
    assert lines[2].startswith("3. clicked [0-")
    assert done.text.count("Page: Test page") == 1
    assert "Hello ada@x.org" in done.text
    assert [row["status"] for row in done.data["steps"]] == ["done"] * 3


async def test_the_changes_are_those_to_what_was_seen_before_the_first_step(
    session: ToolSession, use: Use, site: Site
) -> None:
    await use("navigate", url=site.page(FORM))

    done = await run(session, "fill label=Email bob", "click text=Save", "fill label=Email x")

    assert "Hello bob" in done.text
    assert 'value="x"' in done.text
    assert "row" not in done.text


async def test_the_first_failure_ends_it_and_the_rest_is_not_run(
    session: ToolSession, use: Use, site: Site, oracle: PageOracle
) -> None:
    await use("navigate", url=site.page(FORM))

    done = await run(session, "click css=#none", "click text=Save", "press Tab", timeout=20)

    assert (done.is_error, done.code) == (True, "element_not_found")
    assert "not run: 2-3" in done.text
    assert await oracle.eval("said.textContent") == ""


async def test_after_a_failure_a_long_page_is_shown_in_part(
    session: ToolSession, site: Site
) -> None:
    rows = "".join(f"<tr><td><button>Row {n}</button><td>Text of {n}" for n in range(400))
    url = site.page(f"<h1>Orders</h1><table>{rows}</table>")

    short = await run(session, f"open {url}", "read css=((")
    long = await run(session, f"open {url}", "read css=((", show={"max_tokens": 2000})

    assert short.code == "invalid_params"
    assert 'heading "Orders"' in short.text
    assert estimate_tokens(short.text) < 800
    assert 1000 < estimate_tokens(long.text) < 2300


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (["clik text=Save"], "step 1, clik text=Save: there is no command 'clik'; did you mean"),
        (["press Tab", "fill label=A b c"], "step 2, fill label=A b c: unrecognized arguments: c"),
        (["close"], "is not a step"),
        (["do 'press Tab'"], "steps cannot have steps"),
        (["click 'text=x"], "cannot be read"),
        (["open x.test --connect 9222"], "how a browser is started"),
        ([], "1 to 50 steps"),
    ],
)
async def test_all_steps_are_read_before_the_first_is_run(
    session: ToolSession, use: Use, site: Site, steps: list[str], message: str
) -> None:
    await use("navigate", url=site.page(FORM))

    done = await run(session, *steps)

    assert done.code == "invalid_params"
    assert message in done.text


LEAVES = "<form action='{url}'><button>Go</button></form><a href='{url}'>Link</a>"


async def test_an_unexpected_change_of_address_ends_it(
    session: ToolSession, use: Use, site: Site, oracle: PageOracle
) -> None:
    second = site.page("<button onclick='document.title = 1'>Save</button>")
    first = site.page(LEAVES.format(url=second))

    await use("navigate", url=first)
    stopped = await run(session, "click text=Go", "click text=Save")
    assert stopped.code == "condition_failed"
    assert f"step 1 changed the address, which is now {second}" in stopped.text
    assert "Page: Test page" in stopped.text
    assert await oracle.eval("document.title") == "Test page"

    for steps, options in (
        (["click text=Go", "click text=Save"], {"go_on": True}),
        (["click text=Go", "wait Save", "click text=Save"], {}),
        (["click text=Link", "click text=Save"], {}),
    ):
        await use("navigate", url=first)
        assert not (await run(session, *steps, **options)).is_error
        assert await oracle.eval("document.title") == "1"


async def test_enter_a_link_and_a_filter_go_where_they_are_told_to(
    session: ToolSession, use: Use, site: Site, oracle: PageOracle
) -> None:
    second = site.page("<button onclick='document.title = 1'>Save</button>")
    first = site.page(
        f"<form action='{second}'><input aria-label=Search></form><a href='{second}'>Link</a>"
        "<form><button name=status value=open>Apply</button></form>"
    )

    for steps in (
        ["fill label=Search bread", "press Enter", "click text=Save"],
        ["type label=Search bread --enter", "click text=Save"],
        ["click css=a", "click text=Save"],
        ["click text=Apply", "click text=Link", "click text=Save"],
    ):
        await use("navigate", url=first)
        done = await run(session, *steps)
        assert not done.is_error, done.text
        assert await oracle.eval("document.title") == "1"


async def test_candidates_are_shown_instead_of_the_page(session: ToolSession, site: Site) -> None:
    url = site.page("<h1>Orders</h1><ul><li>A <button>Cut</button><li>B <button>Cut</button></ul>")

    done = await run(session, f"open {url}", "click text=Cut")

    assert done.code == "element_not_found"
    assert 'button "Cut" near "B"' in done.text
    assert "Page:" not in done.text


async def test_quotes_in_a_selector_are_its_own(
    session: ToolSession, use: Use, site: Site, oracle: PageOracle
) -> None:
    page = """<button data-n="a b" onclick="said.textContent = 'css'">1</button>
    <button onclick="said.textContent = 'path'">Go on</button><p id=said></p>"""
    await use("navigate", url=site.page(page))

    for step, said in (
        ('click css=button[data-n="a b"]', "css"),
        ("click xpath=//button[text()='Go on']", "path"),
        ("click \"css=button[data-n='a b']\"", "css"),
    ):
        done = await run(session, step)
        assert not done.is_error, done.text
        assert await oracle.eval("said.textContent") == said


async def test_an_unknown_option_is_answered_with_those_there_are(session: ToolSession) -> None:
    done = await run(session, "drag 0-1 --onto 0-2")

    assert done.code == "invalid_params"
    assert "hint: drag takes ID, TO, --at, --by." in done.text


async def test_read_prints_all_elements_that_a_selector_fits(
    session: ToolSession, site: Site
) -> None:
    url = site.page("<h3 class=n>32 rows</h3><p>of<p class=n>in all<p>other")

    both = await run(session, f"open {url}", "read css=.n")
    one = await run(session, "read css=.n --search rows")

    assert re.search(r"\[0-\d+\] ### 32 rows\n\[0-\d+\] in all\Z", both.text)
    assert "32 rows" in one.text
    assert "in all" not in one.text


async def test_a_last_step_that_reads_is_all_that_is_shown(
    session: ToolSession, site: Site
) -> None:
    done = await run(session, f"open {site.page(FORM)}", "fill label=Email ada", "read css=label")

    assert done.text.endswith("3. read css=label\nEmail ada")
    assert "Page:" not in done.text


async def test_steps_are_under_the_hooks_of_the_session(
    session: ToolSession, use: Use, site: Site
) -> None:
    await use("navigate", url=site.page(FORM))
    seen: list[str] = []

    async def hook(made: ToolCall) -> None:
        seen.append(made.name)

    session.before_call.append(hook)
    await run(session, "fill label=Email a", "click text=Save")

    assert seen == ["browser_execute", "browser_fill", "browser_click"]


async def test_without_a_reader_commands_are_refused(page: Page) -> None:
    done = await run(ToolSession(page), "press Tab")

    assert done.code == "invalid_params"
    assert "{action, params}" in done.text


SAVES = """<p>Saved at 0</p><p id=said></p><p id=more></p><button onclick="
 said.textContent = 'Saved at ' + ++window.n; more.textContent = 'Sent'">Save</button>
<script>window.n = 0</script>"""


async def test_a_new_text_is_one_that_was_not_there_before_the_action(
    session: ToolSession, use: Use, site: Site
) -> None:
    await use("navigate", url=site.page(SAVES))

    done = await run(
        session, "click text=Save", "read --search Saved", "wait Saved at --new", "wait Sent --new"
    )
    late = await run(session, "press Tab", "wait Saved at --new --timeout 0.5")

    assert not done.is_error, done.text
    assert '3. the text is shown: "Saved at 1"' in done.text
    assert '4. the text is shown: "Sent"' in done.text
    assert late.code == "timeout"


async def test_of_a_page_that_was_only_read_the_changes_are_shown(
    session: ToolSession, site: Site
) -> None:
    await run(session, f"open {site.page(FORM)} --quiet", "read --search row")

    done = await run(session, "fill label=Email ada@x.org", "click text=Save", "wait Hello")
    other = await run(session, f"open {site.page('<h1>Other</h1>')}", "read")
    failed = await run(session, "press Tab", "click 9-9")

    assert "Hello ada@x.org" in done.text
    assert "row" not in done.text
    assert not other.is_error
    assert 'heading "Other" 1' in failed.text


async def test_a_step_whose_element_is_gone_says_what_has_its_name_now(
    session: ToolSession, use: Use, site: Site
) -> None:
    redraw = "bar.innerHTML = '<button>Add</button><button>More</button><button>Add</button>'"
    html = f'<input aria-label=Name oninput="{redraw}"><div id=bar><button>Add</button></div>'
    shown = await use("navigate", url=site.page(html))
    add = re.search(r'\[(0-\d+)\] button "Add"', shown.text)
    assert add is not None

    done = await run(session, "fill label=Name Rye", f"click {add[1]}", "click text=More")

    assert done.code == "stale_ref"
    assert re.search(r'^button "Add" is now \[0-\d+\], \[0-\d+\]$', done.text, re.M)
