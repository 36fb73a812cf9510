"""The tool table on real pages: what a model reads after each call."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cdp_agent import Page
from cdp_agent.errors import BlockedByPolicy
from cdp_agent.tools import ToolCall, ToolResult, ToolSession, call
from tests.browser.tools.conftest import Use
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import OpenPage

FORM = """<h1>Order</h1><label>Name <input id=who></label>
<button onclick="document.querySelector('#said').textContent = 'thanks ' + who.value">
Send</button><p id=said></p><ul>{rows}</ul>""".replace(
    "{rows}", "".join(f"<li>Row {n}</li>" for n in range(30))
)


def ref(text: str, what: str) -> str:
    found = re.search(rf"\[(\d+-\d+)\] {what}", text)
    assert found is not None, text
    return found[1]


async def test_a_form_is_filled_and_only_what_changed_is_told(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    shown = await use("navigate", url=site.page(FORM))
    assert 'heading "Order" 1' in shown.text

    filled = await use("fill", ref=ref(shown.text, "textbox"), value="Ada")
    assert filled.text.startswith(f'[{ref(shown.text, "textbox")}] textbox "Name" holds "Ada"')
    assert "Row 3" not in filled.text
    assert filled.data["value"] == "Ada"

    sent = await use("click", ref=ref(shown.text, "button"))
    assert sent.text.startswith(f"clicked [{ref(shown.text, 'button')}] button")
    assert "thanks Ada" in sent.text
    assert "Row 3" not in sent.text
    assert await oracle.eval("document.querySelector('#said').textContent") == "thanks Ada"


async def test_a_navigation_gives_the_whole_page(use: Use, site: Site) -> None:
    there = site.page("<h1>There</h1><p>all of it</p>")
    shown = await use("navigate", url=site.page(f"<a href='{there}'>Go</a>"))
    went = await use("click", ref=ref(shown.text, "link"))
    assert f"navigated to {there}" in went.text
    assert "all of it" in went.text
    assert (await use("navigate", go="back")).text.splitlines()[-1].endswith('link "Go" focused')


async def test_an_id_is_used_before_any_snapshot(
    use: Use, open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page("<button onclick='window.hits = 1'>Go</button>")
    number = await oracle.backend_node_id("document.querySelector('button')")
    pressed = await use("click", ref=f"0-{number}")
    assert not pressed.is_error, pressed.text
    assert 'button "Go"' in pressed.text
    assert await oracle.eval("window.hits") == 1


async def test_a_stale_id_comes_with_the_page_as_it_is(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    shown = await use("navigate", url=site.page("<button>Old</button><p>text</p>"))
    await oracle.eval("document.body.innerHTML = '<a href=x>New</a><p>text</p>'")
    stale = await use("click", ref=ref(shown.text, "button"))
    assert (stale.is_error, stale.code) == (True, "stale_ref")
    assert stale.text.startswith("stale_ref: ")
    assert "\nhint: " in stale.text
    assert ref(stale.text, 'link "New"')


async def test_a_cover_is_told_with_what_is_new(use: Use, site: Site, oracle: PageOracle) -> None:
    shown = await use("navigate", url=site.page("<button>Buy</button>"))
    await oracle.eval(
        "document.body.insertAdjacentHTML('beforeend',"
        "'<div style=\"position:fixed;inset:0\"><button id=no>Accept cookies</button></div>')"
    )
    covered = await use("click", ref=ref(shown.text, "button"))
    assert covered.code == "element_obscured"
    assert ref(covered.text, 'button "Accept cookies"')


async def test_a_question_is_answered_by_the_dialog_tool(use: Use, site: Site) -> None:
    shown = await use(
        "navigate",
        url=site.page(
            "<button onclick='said.textContent = confirm(\"Sure?\")'>Ask</button><p id=said></p>"
        ),
    )
    asked = await use("click", ref=ref(shown.text, "button"))
    assert 'confirm "Sure?" is open' in asked.text
    refused = await use("snapshot")
    assert (refused.code, refused.is_error) == ("dialog_open", True)
    answered = await use("dialog", accept=False)
    assert answered.text.startswith('dismissed confirm "Sure?"')
    assert "false" in answered.text
    assert (await use("dialog")).code == "invalid_params"


async def test_pages_have_ids_and_a_current_one(use: Use, site: Site, session: ToolSession) -> None:
    other = site.page("<h1>Other</h1>")
    shown = await use("navigate", url=site.page(f"<a target=_blank href='{other}'>Open</a>"))
    opened = await use("click", ref=ref(shown.text, "link"))
    assert f"opened page p2 {other}" in opened.text
    assert 'p2 | heading "Other" 1' in opened.text
    assert "current page is still p1: `tabs select p2` switches" in opened.text
    assert session.current == "p1"
    assert "Other" in (await use("snapshot", page="p2")).text
    assert "current page is p2" in (await use("tabs", action="select", page="p2")).text
    listed = await use("tabs")
    assert "p2 (current)" in listed.text
    assert "p1 http" in listed.text
    closed = await use("tabs", action="close")
    assert closed.text.startswith("closed page p2\np1 (current)")
    gone = await use("snapshot", page="p2")
    assert gone.code == "target_closed"
    assert (await use("snapshot", page="p9")).code == "invalid_params"


FILTERS: dict[str, dict[str, object]] = {
    "interactive": {"interactive_only": True},
    "in view": {"viewport_only": True},
    "few tokens": {"max_tokens": 100},
}


@pytest.mark.parametrize("options", FILTERS.values(), ids=FILTERS.keys())
async def test_a_filter_holds_for_its_own_call(
    use: Use, site: Site, options: dict[str, object]
) -> None:
    await use("navigate", url=site.page(FORM))
    part = await use("snapshot", **options)
    assert "Row 29" not in part.text

    pressed = await use("click", ref=ref(part.text, "(?:button|textbox)"))
    assert "Row" not in pressed.text
    reloaded = await use("navigate", go="reload")
    other = await use("navigate", url=site.page("<h1>Other</h1><p>Its text</p>"))

    assert "Row 29" in reloaded.text
    assert 'text "Its text"' in other.text
    assert "filter:" not in reloaded.text + other.text


async def test_a_picture_is_shown_or_written(use: Use, site: Site, tmp_path: Path) -> None:
    await use("navigate", url=site.page("<h1>Hi</h1>"))
    shown = await use("screenshot")
    assert shown.images[0].startswith(b"\x89PNG")
    written = await use("screenshot", path=str(tmp_path / "a.png"))
    assert written.images == ()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (await use("screenshot", path="/nowhere/at/all.png")).code == "invalid_params"
    (tmp_path / "notes.txt").write_text("mine")
    assert (await use("screenshot", path=str(tmp_path / "notes.txt"))).code == "invalid_params"
    assert (tmp_path / "notes.txt").read_text() == "mine"


BAD_CALLS: dict[str, tuple[str, dict[str, object], str]] = {
    "unknown tool": ("browser_fly", {}, "invalid_params"),
    "missing argument": ("browser_click", {}, "invalid_params"),
    "wrong type": ("browser_fill", {"ref": "0-1", "value": 7}, "invalid_params"),
    "unknown argument": ("browser_click", {"ref": "0-1", "colour": "red"}, "invalid_params"),
    "malformed id": ("browser_click", {"ref": "button"}, "ref_invalid"),
    "id of another session": ("browser_click", {"ref": "0-999999"}, "ref_invalid"),
    "id of a frame that never was": ("browser_click", {"ref": "77-4"}, "ref_invalid"),
    "ten megabytes": ("browser_fill", {"ref": "0-1", "value": "x" * 10_000_000}, "invalid_params"),
}


async def test_bad_calls_are_told_and_the_session_goes_on(
    use: Use, site: Site, session: ToolSession
) -> None:
    shown = await use("navigate", url=site.page("<button>Go</button>"))
    for name, (tool, arguments, code) in BAD_CALLS.items():
        result = await call(session, tool, arguments)
        assert (result.is_error, result.code) == (True, code), (name, result.text)
        assert "hint: " in result.text, name
        assert len(result.text) < 1000, name
    assert not (await use("click", ref=ref(shown.text, "button"))).is_error


async def test_hooks_refuse_change_and_mask(use: Use, site: Site, session: ToolSession) -> None:
    shown = await use("navigate", url=site.page("<label>Key <input></label><button>Pay</button>"))

    async def before(made: ToolCall) -> ToolResult | None:
        if made.name == "browser_click":
            raise BlockedByPolicy("no clicks today")
        if made.name == "browser_fill":
            made.args = made.args.model_copy(update={"value": "s3cret"})
        return ToolResult("not now") if made.name == "browser_screenshot" else None

    async def after(_: ToolCall, result: ToolResult) -> ToolResult:
        return result.with_texts(lambda text: text.replace("s3cret", "***"))

    session.before_call.append(before)
    session.after_call.append(after)
    assert (await use("click", ref=ref(shown.text, "button"))).code == "blocked_by_policy"
    assert (await use("screenshot")).text == "not now"
    filled = await use("fill", ref=ref(shown.text, "textbox"), value="{{secret:key}}")
    assert 'holds "***"' in filled.text
    assert "s3cret" not in filled.text


async def test_every_other_tool_says_what_it_did(
    use: Use, site: Site, oracle: PageOracle, tmp_path: Path
) -> None:
    shown = await use(
        "navigate",
        url=site.page(
            "<label>Plan <select><option>Basic<option>Pro</select></label>"
            "<label><input type=checkbox> Agree</label><label>File <input type=file></label>"
            "<div id=a role=button draggable=true ondragstart='event.dataTransfer.setData(1,1)'>"
            "Card</div><div role=button id=b ondragover='event.preventDefault()'"
            " ondrop='event.preventDefault(); this.textContent = 1'>Bin</div>"
            "<button onmouseover='this.textContent = 2' id=late onclick=\"setTimeout(() =>"
            " document.title = 'later', 200)\">Hover</button><p style='height:3000px'>end</p>"
        ),
    )
    plan = ref(shown.text, "combobox")
    assert (
        f'[{plan}] combobox "Plan" has "Pro" chosen'
        in (await use("select", ref=plan, label="Pro")).text
    )
    box = ref(shown.text, "checkbox")
    assert f'[{box}] checkbox "Agree" is checked' in (await use("check", ref=box)).text
    assert (
        f'[{box}] checkbox "Agree" is unchecked'
        in (await use("check", ref=box, checked=False)).text
    )
    (tmp_path / "f.txt").write_text("x")
    given = await use(
        "upload", ref=ref(shown.text, 'button "File'), paths=[str(tmp_path / "f.txt")]
    )
    assert "was given 1 file" in given.text
    card, bin_ = ref(shown.text, 'button "Card"'), ref(shown.text, 'button "Bin"')
    dragged = (await use("drag", ref=card, to=bin_)).text
    assert f'dragged [{card}] button "Card" to [{bin_}] button "Bin"' in dragged
    assert await oracle.eval("b.textContent") == "1"
    assert "pointer is on" in (await use("hover", ref=ref(shown.text, 'button "Hover"'))).text
    scrolled = await use("scroll", direction="bottom")
    assert re.match(r"scrolled to 0,\d{4} of 0,\d{4}, at the end", scrolled.text), scrolled.text
    assert (await use("wait", text="end", timeout=2)).text.startswith('the text is shown: "end"')
    assert (await use("wait", text="never", timeout=0.2)).code == "timeout"
    assert (await use("wait")).code == "invalid_params"


async def test_a_long_page_is_folded_opened_and_searched(use: Use, site: Site) -> None:
    rows = "".join(f"<li><a href='#{n}'>Row {n} of many</a></li>" for n in range(3000))
    shown = await use("navigate", url=site.page(f"<ul>{rows}</ul>"))
    stub = re.search(r"\+(\d+) listitem \[expand (0-\d+)\]", shown.text)
    assert stub is not None
    first = 3000 - int(stub[1])

    opened = await use("snapshot", expand=stub[2], max_tokens=500)
    searched = await use("snapshot", search="row 2999 of")

    assert 'link "Row 0 of many"' in shown.text
    assert "Row 2999" not in shown.text
    assert f'link "Row {first} of many"' in opened.text
    assert 'link "Row 2999 of many"' in searched.text
    assert searched.text.count("link") == 1


async def test_a_stale_id_costs_little_and_names_its_equals(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    rows = "".join(f"<p>paragraph {n} of a long page</p>" for n in range(200))
    html = f"<div id=bar><button>Save</button></div><div>{rows}</div>"
    shown = await use("navigate", url=site.page(html))
    await oracle.eval("bar.innerHTML = '<button>Save</button><button>Save</button>'")

    stale = await use("click", ref=ref(shown.text, "button"))

    assert stale.code == "stale_ref"
    assert re.search(r'^button "Save" is now \[0-\d+\], \[0-\d+\]$', stale.text, re.M)
    assert "paragraph" not in stale.text
