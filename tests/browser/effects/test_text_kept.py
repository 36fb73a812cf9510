"""Reports of fill, type, check and select agree with the page, even one that fights back."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.browser.conformance.attempt import attempt, receipt_of
from tests.support.oracle import PageOracle
from tests.support.stage import MakeStage, OpenPage

RICH = "<div id=target contenteditable role=textbox aria-label=Note>old words</div>"
COLLAPSES = {
    "at once": "target.onfocus = () => collapse()",
    "soon": "target.onfocus = () => setTimeout(collapse)",
    "in the next frame": "target.onfocus = () => requestAnimationFrame(collapse)",
    "whenever all is selected": "document.onselectionchange = collapse",
    "before each input": "target.onbeforeinput = collapse",
}


@pytest.mark.parametrize("field", ["rich", "input", "area"])
@pytest.mark.parametrize("when", COLLAPSES)
async def test_a_selection_that_the_page_collapses_leaves_no_old_words(
    make_stage: MakeStage, field: str, when: str
) -> None:
    kinds = {
        "rich": (RICH, "getSelection().collapse(target, 0)", "target.textContent"),
        "input": (
            "<input id=target aria-label=Note value='old words'>",
            "target.setSelectionRange(0, 0)",
            "target.value",
        ),
        "area": (
            "<textarea id=target aria-label=Note>old words</textarea>",
            "target.setSelectionRange(0, 0)",
            "target.value",
        ),
    }
    html, collapse, value = kinds[field]
    stage = await make_stage(
        f"{html}<script>const collapse = () => {{ {collapse} }}; {COLLAPSES[when]}</script>"
    )

    answer = await attempt(stage.page.fill(await stage.css(), "new words"))

    held = await stage.eval(value)
    if isinstance(answer, CdpAgentError):
        assert answer.code == "not_editable"
        assert held != "new words"
        assert answer.data["value"] == held
    else:
        assert held == answer.data["value"] == "new words"


#: An editor that draws its own text, as CodeMirror, Ace and Monaco do, with a hidden text area.
EDITOR = """<style>.line { white-space: pre }</style>
<div id=editor style="width:300px;height:100px;position:relative;font:16px monospace">
  <div style="overflow:hidden;width:3px;height:0;position:relative"><textarea id=target
    aria-label=Code style="position:absolute;bottom:-1em;width:1000px;height:1em"></textarea></div>
  <div id=lines></div>
</div><script>
let text = 'select * from incidents', all = false, caret = 0;
function draw() {
  lines.replaceChildren(...text.split('\\n').map((line, n) => {
    const row = document.createElement('div');
    row.innerHTML = '<span class="my-gutter-elt">' + (n + 1) + '</span><span class=line></span>';
    row.lastChild.textContent = line;
    return row;
  }));
}
target.onkeydown = (event) => {
  if (event.ctrlKey && event.key === 'a') { all = SELECTS; event.preventDefault(); }
  if (event.key === 'Delete' && all) { text = ''; all = false; draw(); event.preventDefault(); }
};
target.oninput = () => {
  const piece = target.value;
  target.value = '';
  text = all ? piece : text.slice(0, caret) + piece + text.slice(caret);
  caret = all ? piece.length : caret + piece.length;
  all = false;
  draw();
};
draw();
</script>"""


async def test_an_editor_with_a_hidden_area_is_filled_whole(make_stage: MakeStage) -> None:
    stage = await make_stage(EDITOR.replace("SELECTS", "true"))
    target = await stage.css()

    for text in ("select 1\nfrom incidents limit 3", "again", ""):
        outcome = await stage.page.fill(target, text)
        assert await stage.eval("text") == text
        assert outcome.data["exact"] is True
    outcome = await stage.page.type(target, "typed")
    assert outcome.data["value"] == await stage.eval("text") == "typed"


async def test_an_editor_that_keeps_its_old_text_is_an_error(make_stage: MakeStage) -> None:
    stage = await make_stage(EDITOR.replace("SELECTS", "false"))

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.fill(await stage.css(), "select 1")

    assert caught.value.code == "not_editable"
    assert caught.value.data["value"] == await stage.eval("text")


SLIDERS = {
    "plain": ("<input id=target type=range aria-label=Off min=0 max=60 value=10>", "25"),
    "fine": ("<input id=target type=range aria-label=Off min=0 max=1 step=0.1 value=0.5>", "0.3"),
    "any": ("<input id=target type=range aria-label=Off min=0 max=2 step=any value=1>", "0.5"),
    "least": ("<input id=target type=range aria-label=Off min=-5 max=5 value=0>", "-5"),
    "most": ("<input id=target type=range aria-label=Off min=-5 max=5 value=0>", "5"),
    "same": ("<input id=target type=range aria-label=Off value=30>", "30"),
}


@pytest.mark.parametrize(("html", "value"), SLIDERS.values(), ids=SLIDERS.keys())
async def test_a_slider_is_let_go_at_its_value(
    make_stage: MakeStage, html: str, value: str
) -> None:
    """The application takes the value over when the key is let go, as react-aria's does."""
    stage = await make_stage(
        html
        + """<script>
        window.events = [];
        target.oninput = target.onchange = (e) => events.push([e.type, e.isTrusted, target.value]);
        target.onkeyup = () => { window.committed = target.value };
        </script>"""
    )

    outcome = await stage.page.fill(await stage.css(), value)

    assert await stage.eval("committed") == outcome.data["value"] == value
    assert await stage.eval("events") == [["input", True, value], ["change", True, value]]
    assert receipt_of(outcome).trusted


async def test_a_slider_whose_keys_do_something_else_is_set(make_stage: MakeStage) -> None:
    stage = await make_stage(
        "<input id=target type=range aria-label=Off value=10>"
        "<script>target.onkeydown = (event) => event.preventDefault()</script>"
    )

    outcome = await stage.page.fill(await stage.css(), "25")

    assert await stage.eval("target.value") == outcome.data["value"] == "25"


async def test_a_slider_that_moves_by_its_own_keys_is_let_go_at_its_value(
    make_stage: MakeStage,
) -> None:
    """It ignores what its native field says and counts keys, as react-aria's does."""
    stage = await make_stage(
        """<input id=target type=range aria-label=Off max=60 value=10><script>
        let state = 10;
        target.onkeydown = (event) => {
          event.preventDefault();
          state += event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
          target.value = state;
        };
        target.oninput = () => { target.value = state };
        target.onkeyup = () => { window.committed = state };
        </script>"""
    )

    outcome = await stage.page.fill(await stage.css(), "25")

    assert await stage.eval("committed") == 25
    assert outcome.data["value"] == "25"


async def test_a_controlled_slider_that_stays_is_an_error(make_stage: MakeStage) -> None:
    stage = await make_stage(
        "<input id=target type=range aria-label=Off value=10>"
        "<script>target.oninput = () => { target.value = 10 }</script>"
    )

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.fill(await stage.css(), "25")

    assert caught.value.code == "not_editable"
    assert await stage.eval("target.value") == "10"


@pytest.mark.parametrize("before", ["", "same", "other"])
@pytest.mark.parametrize("effect", ["", "log.textContent += event.key"], ids=["quiet", "logs"])
async def test_keys_that_are_all_prevented_type_nothing(
    make_stage: MakeStage, before: str, effect: str
) -> None:
    stage = await make_stage(
        f"""<input id=target aria-label=Name value="{before}"><p id=log></p><script>
        target.onkeydown = (event) => {{ event.preventDefault(); {effect} }};
        </script>"""
    )

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.type(await stage.css(), "same")

    assert caught.value.code == "not_editable"
    assert await stage.eval("target.value") == before


@pytest.mark.parametrize("prevents", [True, False])
async def test_a_key_that_enters_nothing_is_told(make_stage: MakeStage, prevents: bool) -> None:
    script = "target.onkeydown = (event) => event.preventDefault()" if prevents else ""
    stage = await make_stage(f"<input id=target aria-label=Name><script>{script}</script>")

    outcome = await stage.page.press("a", await stage.css())

    assert outcome.data["value"] == await stage.eval("target.value") == ("" if prevents else "a")
    assert outcome.data.get("refused", False) is prevents


TAKEN_BACK = "t.addEventListener('change', () => {{ {now}; setTimeout(() => {{ {back} }}, {ms}) }})"


@pytest.mark.parametrize("ms", [30, 60, 100, 140])
@pytest.mark.parametrize("now", ["", "shown.textContent = Math.random()"], ids=["quiet", "shows"])
async def test_a_check_that_is_taken_back_is_no_success(
    make_stage: MakeStage, ms: int, now: str
) -> None:
    script = TAKEN_BACK.format(now=now, back="t.checked = false", ms=ms)
    stage = await make_stage(
        f"""<label><input id=target type=checkbox> Gift</label><p id=shown></p>
        <script>const t = target; {script}</script>"""
    )
    target = await stage.css()

    for _ in range(4):
        answer = await attempt(stage.page.check(target))
        assert isinstance(answer, CdpAgentError)
        assert answer.code == "condition_failed"


@pytest.mark.parametrize("verb", ["fill", "type", "press"])
async def test_a_field_that_disables_itself_on_focus_has_one_answer(
    make_stage: MakeStage, verb: str
) -> None:
    answers = set()
    for _ in range(6):
        stage = await make_stage("<input id=target aria-label=Name onfocus='this.disabled = true'>")
        target = await stage.css()
        acts = {
            "fill": lambda page=stage.page, t=target: page.fill(t, "new", timeout=0.5),
            "type": lambda page=stage.page, t=target: page.type(t, "new", timeout=0.5),
            "press": lambda page=stage.page, t=target: page.press("a", t, timeout=0.5),
        }
        answer = await attempt(acts[verb]())
        assert isinstance(answer, CdpAgentError)
        answers.add(answer.code)
        assert await stage.eval("target.value") == ""
    assert answers == {"element_disabled"}


DATES = {
    "date": ("03172027", "2027-03-17"),
    "time": ("0230PM", "14:30"),
    "month": ("Mar", ""),
    "week": ("112027", "2027-W11"),
    "datetime-local": ("031720270230PM", ""),
}


@pytest.mark.parametrize("kind", DATES)
async def test_the_parts_of_a_date_take_keys(make_stage: MakeStage, kind: str) -> None:
    text, value = DATES[kind]
    stage = await make_stage(f"<input id=target type={kind} aria-label=Day>")

    outcome = await stage.page.type(await stage.css(), text)

    assert outcome.data["value"] == await stage.eval("target.value")
    if value:
        assert outcome.data["value"] == value


async def test_a_date_whose_keys_are_prevented_takes_none(make_stage: MakeStage) -> None:
    stage = await make_stage(
        "<input id=target type=date aria-label=Day onkeydown='event.preventDefault()'>"
    )

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.type(await stage.css(), "03172027")

    assert caught.value.code == "not_editable"


@pytest.mark.parametrize("named", [True, False], ids=["on the list", "where the focus is"])
async def test_keys_move_in_the_open_popup_of_a_list(
    page: Page, oracle: PageOracle, open_page: OpenPage, named: bool
) -> None:
    await open_page("<select id=list aria-label=Size><option>S<option>M<option>L</select>")
    element = (await page.snapshot()).find("combobox", "Size").id
    await page.click(element)

    for _ in range(2):
        outcome = await page.press("ArrowDown", element if named else None)
        assert outcome.data["expanded"] is True
    assert outcome.data["value"] == "L"
    outcome = await page.press("Enter", element if named else None)

    assert await oracle.eval("list.value") == "L"
    assert outcome.data["value"] == "L"
    assert outcome.data["expanded"] is False


#: As older date pickers and lists do: the field is read when a key is let go, and written again
#: when the focus leaves it.
READS_ON_KEYUP = """<input id=target aria-label=Day value=2026-11-19><button>Next</button>
<output id=seen></output><script>
let day = target.value;
target.onkeyup = (event) => { day = target.value; seen.value = event.isTrusted + ' ' + day; };
target.onblur = () => { target.value = day; };
</script>"""


@pytest.mark.parametrize("text", ["2026-12-24", "Größe", "кофе", "x!"])
async def test_a_field_that_is_read_when_a_key_is_let_go_has_the_text(
    make_stage: MakeStage, text: str
) -> None:
    stage = await make_stage(READS_ON_KEYUP)

    outcome = await stage.page.fill(await stage.css(), text)

    assert outcome.data["value"] == text
    assert await stage.eval("seen.value") == f"true {text}"
    await stage.page.click(await stage.css("button"))
    assert await stage.eval("target.value") == text
