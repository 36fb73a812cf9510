"""Typing text: what arrives in the field is what was asked for, character by character.

`type` is the way a person enters text: real key events, one character after another, so that
formatters, autocompletes and hotkeys of the page see what they would see from a keyboard. It
leaves a caret where it is in a field that has the focus, and goes to the end of one that has not.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from cdp_agent import Browser, CdpAgentError, Page
from tests.browser.conformance.attempt import attempt
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

LOG_KEYS = """<script>
window.log = [];
for (const type of ['keydown', 'keypress', 'input', 'keyup'])
  document.addEventListener(type, e => log.push({type, key: e.key ?? e.data, trusted: e.isTrusted,
    gap: e.timeStamp}), true);
</script>"""


@pytest.mark.row("KEY-01")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_each_character_is_a_keydown_keypress_input_and_keyup(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<textarea aria-label=Note></textarea>" + LOG_KEYS, frame_kind)
    text = "Hello, World! 123"

    outcome = await stage.page.type(await stage.id("textbox", "Note"), text)

    assert await stage.eval("document.querySelector('textarea').value") == text
    assert outcome.data["value"] == text
    log = await stage.eval("log")
    assert [(entry["type"], entry["key"]) for entry in log] == [
        (kind, character)
        for character in text
        for kind in ("keydown", "keypress", "input", "keyup")
    ]
    assert all(entry["trusted"] for entry in log)


@pytest.mark.row("KEY-04")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(
    "text",
    ["😀 and 👍🏽", "👨‍👩‍👧 🇵🇹", "é ñ ß ø", "嗨, すし, Привет", "שלום مرحبا", "“quoted” — ½ €"],
)
async def test_text_outside_the_keyboard_layout_is_typed_as_it_is(
    make_stage: MakeStage, frame_kind: str, text: str
) -> None:
    stage = await make_stage("<textarea aria-label=Note></textarea>", frame_kind)

    await stage.page.type(await stage.id("textbox", "Note"), text)

    assert await stage.eval("document.querySelector('textarea').value") == text


@pytest.mark.row("KEY-05")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_character_whose_keydown_the_page_prevents_is_not_typed(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        "<input aria-label=Name onkeydown=\"if (event.key == 'l') event.preventDefault()\">",
        frame_kind,
    )

    outcome = await stage.page.type(await stage.id("textbox", "Name"), "Hello World!")

    assert await stage.eval("document.querySelector('input').value") == "Heo Word!"
    assert outcome.data["value"] == "Heo Word!"


@pytest.mark.row("KEY-17")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_code_spreads_over_boxes_that_pass_the_focus_on(
    make_stage: MakeStage, frame_kind: str
) -> None:
    boxes = "".join(f'<input aria-label="Digit {n}" maxlength=1 size=1>' for n in range(1, 5))
    script = """<script>
      for (const box of document.querySelectorAll('input'))
        box.addEventListener('input', () => box.nextElementSibling?.focus());
    </script>"""
    stage = await make_stage(f"<div>{boxes}</div>{script}", frame_kind)

    await stage.page.type(await stage.id("textbox", "Digit 1"), "1234")

    values = "[...document.querySelectorAll('input')].map(box => box.value)"
    assert await stage.eval(values) == ["1", "2", "3", "4"]


@pytest.mark.row("KEY-18")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("refocus", ["focus restored", "focus lost"])
async def test_a_field_that_is_rendered_anew_on_input_holds_all_the_text_or_is_stale(
    make_stage: MakeStage, frame_kind: str, refocus: str
) -> None:
    restore = "next.focus(); next.setSelectionRange(99, 99);" if refocus == "focus restored" else ""
    stage = await make_stage(
        f"""<div id=app><input aria-label=Name></div><script>
        document.addEventListener('input', event => {{
          const next = document.createElement('input');
          next.setAttribute('aria-label', 'Name');
          next.value = event.target.value;
          event.target.replaceWith(next);
          {restore}
        }});
        </script>""",
        frame_kind,
    )
    field = await stage.id("textbox", "Name")

    result = await attempt(stage.page.type(field, "hello"))

    if isinstance(result, CdpAgentError):
        assert result.code == "stale_ref"
        assert refocus == "focus lost", "the field took the focus back: nothing was in the way"
    else:
        assert await stage.eval("document.querySelector('input').value") == "hello"


@pytest.mark.row("KEY-20")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_text_typed_twice_into_an_editor_in_a_shadow_root_is_appended_in_order(
    make_stage: MakeStage, frame_kind: str, mode: str
) -> None:
    stage = await make_stage(
        f"""<div id=host></div><script>
        window.root = host.attachShadow({{mode: '{mode}'}});
        root.innerHTML = '<div contenteditable role=textbox aria-label=Note>' +
          '<span>so <span>far:</span></span></div>';
        </script>""",
        frame_kind,
    )
    editor = await stage.id("textbox", "Note")

    await stage.page.type(editor, "hello")
    await stage.page.type(editor, "hello")

    assert await stage.eval("root.querySelector('div').textContent") == "so far:hellohello"


@pytest.mark.row("KEY-23")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_typing_stops_at_maxlength_and_the_outcome_says_so(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=Code maxlength=3>", frame_kind)

    outcome = await stage.page.type(await stage.id("textbox", "Code"), "abcdef")

    assert await stage.eval("document.querySelector('input').value") == "abc"
    assert outcome.data["value"] == "abc"


@pytest.mark.row("KEY-25")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_typing_goes_on_after_a_composition_was_committed(
    page: Page, oracle: PageOracle, make_stage: MakeStage, frame_kind: str
) -> None:
    """Composing is a person's input method at work: it comes from outside, and must not trip us."""
    stage = await make_stage(
        """<textarea aria-label=Note></textarea><script>
          window.log = [];
          for (const type of ['compositionstart', 'compositionupdate', 'compositionend'])
            document.addEventListener(type, e => log.push(type + ':' + e.data));
        </script>""",
        frame_kind,
    )
    note = await stage.id("textbox", "Note")
    await page.click(note)

    for text in ("す", "すし"):
        await oracle.send(
            "Input.imeSetComposition",
            {"text": text, "selectionStart": len(text), "selectionEnd": len(text)},
        )
    composing = await page.snapshot()
    await oracle.send("Input.insertText", {"text": "すし"})
    await page.type(note, "です!")

    assert composing.get(note).value == "すし"
    log = await stage.eval("log")
    assert log[0] == "compositionstart:"
    assert "compositionupdate:すし" in log
    assert log.index("compositionend:すし") > log.index("compositionupdate:すし")
    assert await stage.eval("document.querySelector('textarea').value") == "すしです!"


async def test_fill_replaces_a_composition_that_was_never_committed(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input aria-label=Name value=old>")
    name = (await page.snapshot()).find("textbox", "Name").id
    await page.click(name)
    await oracle.send(
        "Input.imeSetComposition", {"text": "すし", "selectionStart": 2, "selectionEnd": 2}
    )

    await page.fill(name, "new")

    assert await oracle.eval("document.querySelector('input').value") == "new"


@pytest.mark.row("KEY-26")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_background_tab_takes_text_as_fast_as_the_front_one(
    browser: Browser, page: Page, make_stage: MakeStage, frame_kind: str
) -> None:
    """Without focus emulation the first event alone would take some five seconds."""
    stage = await make_stage("<input aria-label=Name>", frame_kind)
    name = await stage.id("textbox", "Name")
    front = await browser.new_page()
    try:
        await page.type(name, "from behind", timeout=3)
    finally:
        await front.close()

    assert await stage.eval("document.querySelector('input').value") == "from behind"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_newline_is_the_enter_key(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage("<textarea aria-label=Note></textarea>" + LOG_KEYS, frame_kind)

    await stage.page.type(await stage.id("textbox", "Note"), "a\nb\r\nc")

    assert await stage.eval("document.querySelector('textarea').value") == "a\nb\nc"
    keys = "log.filter(entry => entry.type == 'keydown').map(entry => entry.key)"
    assert await stage.eval(keys) == ["a", "Enter", "b", "Enter", "c"]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_typing_appends_to_a_field_that_has_text(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=Name value='Ada '>", frame_kind)

    await stage.page.type(await stage.id("textbox", "Name"), "Lovelace")

    assert await stage.eval("document.querySelector('input').value") == "Ada Lovelace"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_typing_continues_at_the_caret_of_a_focused_field(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<textarea aria-label=Note></textarea>", frame_kind)
    note = await stage.id("textbox", "Note")
    await stage.page.type(note, "Hello World!")

    for _ in "World!":
        await stage.page.press("ArrowLeft")
    await stage.page.type(note, "inserted ")

    value = "document.querySelector('textarea').value"
    assert await stage.eval(value) == "Hello inserted World!"


async def test_text_goes_to_the_named_field_whichever_frame_has_the_focus(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    inner_url = site.page("<input aria-label=Inner>", host="b.test")
    await open_page(f"<input aria-label=Top><iframe src='{inner_url}' name=child></iframe>")
    snap = await page.snapshot()
    top, inner = snap.find("textbox", "Top").id, snap.find("textbox", "Inner").id

    await page.type(inner, "in")
    await page.type(top, "top")
    await page.type(inner, "ner")

    assert await oracle.eval("document.querySelector('input').value") == "top"
    assert await oracle.eval_in("child", "document.querySelector('input').value") == "inner"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_delay_lies_between_the_keys(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage("<input aria-label=Name>" + LOG_KEYS, frame_kind)

    await stage.page.type(await stage.id("textbox", "Name"), "abc", delay_ms=60)

    at = await stage.eval("log.filter(entry => entry.type == 'keydown').map(entry => entry.gap)")
    assert len(at) == 3
    assert all(later - earlier >= 50 for earlier, later in pairwise(at))


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("<input aria-label=Name disabled value=old>", "element_disabled"),
        ("<fieldset disabled><input aria-label=Name value=old></fieldset>", "element_disabled"),
        ("<input aria-label=Name readonly value=old>", "not_editable"),
    ],
)
async def test_a_field_that_takes_no_text_is_an_error_and_keeps_its_value(
    make_stage: MakeStage, frame_kind: str, field: str, code: str
) -> None:
    stage = await make_stage(field + LOG_KEYS, frame_kind)
    name = await stage.id("textbox", "Name")

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.type(name, "new", timeout=0.5)

    assert caught.value.code == code
    assert await stage.eval("document.querySelector('input').value") == "old"
    assert await stage.eval("log") == []


async def test_text_for_a_field_that_is_gone_is_typed_nowhere(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<input aria-label=Name><input aria-label=Other>" + LOG_KEYS)
    name = (await page.snapshot()).find("textbox", "Name").id
    await oracle.eval("document.querySelectorAll('input')[1].focus()")
    await oracle.eval("document.querySelector('input').remove()")

    with pytest.raises(CdpAgentError) as caught:
        await page.type(name, "secret")

    assert caught.value.code == "stale_ref"
    assert await oracle.eval("document.querySelector('input').value") == ""
    assert await oracle.eval("log") == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_of_two_editors_the_named_one_gets_the_text(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<div contenteditable aria-label=One></div><div contenteditable aria-label=Two></div>
        <style>div { min-height: 20px }</style>""",
        frame_kind,
    )
    one, two = await stage.id("textbox", "One"), await stage.id("textbox", "Two")

    await stage.page.type(two, "second")
    await stage.page.type(one, "first")

    texts = "[...document.querySelectorAll('div')].map(editor => editor.textContent)"
    assert await stage.eval(texts) == ["first", "second"]
