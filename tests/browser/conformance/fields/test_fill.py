"""Filling: afterwards the field holds the value, the page's own code knows it, or it is an error.

`fill` replaces what a field holds. It works through the focus and not through the pointer, so a
cover over the field is not in its way (as in WebDriver); a field that is hidden, disabled or read
only is. What the field holds afterwards is read back into `outcome.data["value"]`.
"""

from __future__ import annotations

import asyncio

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

LOG_CHANGES = """<script>
window.log = [];
for (const type of ['input', 'change'])
  document.addEventListener(type, e => log.push([type, e.target.value, e.bubbles, e.isTrusted]));
</script>"""

VALUE = "document.querySelector('input, textarea').value"


@pytest.mark.row("FIL-01")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_fill_replaces_the_value_and_the_page_hears_of_it_once(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=Name value=old>" + LOG_CHANGES, frame_kind)

    outcome = await stage.page.fill(await stage.id("textbox", "Name"), "new")
    await stage.page.press("Tab")

    assert await stage.eval(VALUE) == "new"
    assert outcome.data["value"] == "new"
    log = await stage.eval("log")
    assert log[-1] == ["change", "new", True, True]
    assert [entry[0] for entry in log].count("change") == 1
    inputs = log[:-1]
    assert inputs[-1] == ["input", "new", True, True]
    assert all(entry[0] == "input" for entry in inputs)


MULTILINE = {
    "textarea": ("<textarea aria-label=Note>old</textarea>", "e.value"),
    "contenteditable": (
        "<div contenteditable role=textbox aria-label=Note><b>old</b> text</div>",
        "e.innerText",
    ),
    "plaintext-only": (
        "<div contenteditable=plaintext-only role=textbox aria-label=Note>old</div>",
        "e.innerText",
    ),
    "body": (
        "<!doctype html><title>t</title><body contenteditable role=textbox aria-label=Note>old",
        "e.innerText",
    ),
}


@pytest.mark.row("FIL-02")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(("html", "read"), MULTILINE.values(), ids=MULTILINE.keys())
async def test_two_lines_are_two_lines_afterwards(
    make_stage: MakeStage, frame_kind: str, html: str, read: str
) -> None:
    stage = await make_stage(html, frame_kind)

    await stage.page.fill(await stage.id("textbox", "Note"), "x\ny")

    text = await stage.eval(f"(e => {read})(document.querySelector('[aria-label=Note]'))")
    assert text.rstrip("\n") == "x\ny"


@pytest.mark.row("FIL-05")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(
    "html",
    [
        "<input aria-label=Name value=old disabled>",
        "<fieldset disabled><textarea aria-label=Name>old</textarea></fieldset>",
    ],
)
async def test_a_disabled_field_is_an_error_and_keeps_its_value(
    make_stage: MakeStage, frame_kind: str, html: str
) -> None:
    stage = await make_stage(html + LOG_CHANGES, frame_kind)

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.fill(await stage.id("textbox", "Name"), "new", timeout=0.5)

    assert caught.value.code == "element_disabled"
    assert await stage.eval(VALUE) == "old"
    assert await stage.eval("log") == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_field_that_is_enabled_in_time_is_filled(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=Name disabled>", frame_kind)
    name = await stage.id("textbox", "Name")

    filling = asyncio.create_task(stage.page.fill(name, "new"))
    await stage.eval("setTimeout(() => document.querySelector('input').disabled = false, 300)")
    await filling

    assert await stage.eval(VALUE) == "new"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_read_only_field_is_not_editable(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage("<input aria-label=Name value=old readonly>" + LOG_CHANGES, frame_kind)

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.fill(await stage.id("textbox", "Name"), "new", timeout=0.5)

    assert caught.value.code == "not_editable"
    assert "click it" in caught.value.hint
    assert await stage.eval(VALUE) == "old"
    assert await stage.eval("log") == []


@pytest.mark.parametrize("how", ["display:none", "visibility:hidden"])
async def test_a_field_that_was_hidden_is_not_filled(
    page: Page, oracle: PageOracle, open_page: OpenPage, how: str
) -> None:
    await open_page("<input aria-label=Name value=old>" + LOG_CHANGES)
    name = (await page.snapshot()).find("textbox", "Name").id
    await oracle.eval(f"document.querySelector('input').style = '{how}'")

    with pytest.raises(CdpAgentError) as caught:
        await page.fill(name, "new", timeout=0.5)

    assert caught.value.code == "element_not_visible"
    assert await oracle.eval(VALUE) == "old"
    assert await oracle.eval("log") == []


@pytest.mark.row("FIL-15")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_fields_filled_one_after_the_other_keep_their_own_values(
    make_stage: MakeStage, frame_kind: str
) -> None:
    names = ["First", "Last", "City"]
    stage = await make_stage(
        "".join(f"<input aria-label={name} value=old>" for name in names), frame_kind
    )
    ids = [await stage.id("textbox", name) for name in names]

    for name, field in zip(names, ids, strict=True):
        await stage.page.fill(field, f"my {name}")

    values = "[...document.querySelectorAll('input')].map(field => field.value)"
    assert await stage.eval(values) == [f"my {name}" for name in names]


async def test_two_fills_at_the_same_time_do_not_mix(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input aria-label=One><input aria-label=Two>")
    snap = await page.snapshot()

    await asyncio.gather(
        page.fill(snap.find("textbox", "One").id, "first value"),
        page.fill(snap.find("textbox", "Two").id, "second value"),
    )

    values = "[...document.querySelectorAll('input')].map(field => field.value)"
    assert await oracle.eval(values) == ["first value", "second value"]


async def test_the_named_field_is_filled_whichever_frame_has_the_focus(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    inner_url = site.page("<input aria-label=Inner>", host="b.test")
    await open_page(f"<input aria-label=Top><iframe src='{inner_url}' name=child></iframe>")
    snap = await page.snapshot()

    await page.fill(snap.find("textbox", "Inner").id, "inner")
    await page.fill(snap.find("textbox", "Top").id, "top")

    assert await oracle.eval(VALUE) == "top"
    assert await oracle.eval_in("child", VALUE) == "inner"


@pytest.mark.row("FIL-18")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("event", ["input", "change"])
async def test_a_fill_that_makes_the_page_leave_is_no_error(
    page: Page, make_stage: MakeStage, site: Site, frame_kind: str, event: str
) -> None:
    arrived = site.page("<h1>Arrived</h1>")
    stage = await make_stage(
        f"""<form action="{arrived}"><input aria-label=Query name=q
        on{event}="this.value == 'cats' && this.form.submit()"></form>""",
        frame_kind,
    )

    await page.fill(await stage.id("textbox", "Query"), "cats")
    if event == "change":
        await page.press("Tab")

    await stage.wait("document.querySelector('h1')?.textContent === 'Arrived'")
    assert await stage.eval("location.search") == "?q=cats"


@pytest.mark.row("FIL-19")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_covered_field_is_filled_and_the_cover_notices_nothing(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<input aria-label=Name value=old>
        <div id=cover style='position:fixed;inset:0;background:#fff8'></div><script>
          window.hits = [];
          for (const type of ['mousemove', 'mousedown', 'mouseup', 'click'])
            cover.addEventListener(type, () => hits.push(type));
        </script>""",
        frame_kind,
    )

    outcome = await stage.page.fill(await stage.id("textbox", "Name"), "new")

    assert await stage.eval(VALUE) == "new"
    assert outcome.data["value"] == "new"
    assert await stage.eval("hits") == []
    await stage.eval("cover.remove()")


NOT_FIELDS = {
    "div": ("<div tabindex=0 role=group aria-label=It>text</div>", "group"),
    "button": ("<button>It</button>", "button"),
    "link": ("<a href='#x'>It</a>", "link"),
    "checkbox": ("<input type=checkbox aria-label=It>", "checkbox"),
    "radio": ("<input type=radio aria-label=It>", "radio"),
    "submit": ("<input type=submit value=It>", "button"),
    "file": ("<input type=file aria-label=It>", None),
    "select": ("<select aria-label=It><option>a<option>b</select>", "combobox"),
}


@pytest.mark.row("FIL-20")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(("html", "role"), NOT_FIELDS.values(), ids=NOT_FIELDS.keys())
async def test_what_is_no_field_is_not_editable(
    make_stage: MakeStage, frame_kind: str, html: str, role: str | None
) -> None:
    stage = await make_stage(html + LOG_CHANGES, frame_kind)
    before = await stage.eval("document.body.innerHTML")

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.fill(await stage.id(role, "It"), "new", timeout=1)

    assert caught.value.code == "not_editable"
    assert await stage.eval("document.body.innerHTML") == before
    assert await stage.eval("log") == []


async def test_a_field_that_is_gone_is_stale_and_nothing_else_is_filled(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input aria-label=Gone><input aria-label=Other value=kept>" + LOG_CHANGES)
    gone = (await page.snapshot()).find("textbox", "Gone").id
    await oracle.eval("document.querySelector('input').remove()")

    with pytest.raises(CdpAgentError) as caught:
        await page.fill(gone, "new")

    assert caught.value.code == "stale_ref"
    assert await oracle.eval(VALUE) == "kept"
    assert await oracle.eval("log") == []


@pytest.mark.no_after_state("the page's broken built-ins break the control's recorder as well")
async def test_a_page_that_breaks_its_own_built_ins_is_filled_all_the_same(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    """What the engine runs in a page does not meet the page's own objects."""
    await open_page("""<input aria-label=Name value=old><script>
      const broken = () => { throw new Error('broken on purpose') };
      HTMLElement.prototype.focus = HTMLInputElement.prototype.select = broken;
      HTMLInputElement.prototype.setSelectionRange = EventTarget.prototype.dispatchEvent = broken;
      window.getSelection = document.execCommand = window.Event = window.InputEvent = broken;
      Array.prototype.map = Array.prototype.push = Array.prototype.toJSON = broken;
    </script>""")

    await page.fill((await page.snapshot()).find("textbox", "Name").id, "new")

    assert await oracle.eval(VALUE) == "new"
