"""Widgets that act on the press and not on the click; and editors that draw their own text."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.support.stage import FRAME_KINDS, MakeStage


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_option_that_its_press_takes_and_puts_away_was_clicked(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<div role=listbox><div role=option tabindex=-1>Lisbon</div></div>
        <script>document.querySelector('[role=option]').addEventListener('mousedown', (event) => {
          event.preventDefault(); window.chosen = event.target.textContent; event.target.remove();
        });</script>""",
        frame_kind,
    )
    outcome = await stage.page.click(await stage.id("option", "Lisbon"))

    assert await stage.eval("window.chosen") == "Lisbon"
    assert outcome.success
    assert outcome.receipt is not None
    assert outcome.receipt.default_prevented
    assert "click" not in outcome.receipt.events


async def test_a_button_that_its_press_puts_away_unclaimed_was_not_clicked(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        """<button>Pay</button><script>window.clicks = 0;
        const button = document.querySelector('button');
        button.addEventListener('click', () => { window.clicks += 1; });
        button.addEventListener('mousedown', () => { button.hidden = true; });</script>"""
    )
    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.id("button", "Pay"))

    assert await stage.eval("window.clicks") == 0
    assert refused.value.code == "element_unstable"


async def test_a_field_whose_popup_comes_between_press_and_release_has_the_focus(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        """<input aria-label=Day><div id=popup hidden
        style="position:fixed;inset:0;background:#eee">Calendar</div>
        <script>document.querySelector('input').addEventListener('focus', () => {
          document.querySelector('#popup').hidden = false;
        });</script>"""
    )
    outcome = await stage.page.click(await stage.id("textbox", "Day"))

    assert outcome.success
    assert await stage.eval("document.activeElement.getAttribute('aria-label')") == "Day"


@pytest.mark.parametrize("later", ["this.disabled = true", "this.blur()"], ids=["disabled", "blur"])
async def test_a_field_that_answers_the_focus_by_giving_it_up_was_clicked(
    make_stage: MakeStage, later: str
) -> None:
    """Whoever asks afterwards finds the focus there or not, as it happens."""
    for _ in range(6):
        stage = await make_stage(f'<input aria-label=Day onfocus="{later}; window.came = true">')

        outcome = await stage.page.click(await stage.id("textbox", "Day"))

        assert outcome.success
        assert await stage.eval("came")


async def test_an_icon_in_a_bar_that_listens_for_it_has_an_id(make_stage: MakeStage) -> None:
    stage = await make_stage(
        """<nav><div id=target style="cursor:pointer;width:20px;height:20px">
        <svg width=20 height=20><path d="M 4,4 l 5,5"></path></svg></div>
        <span style="cursor:pointer">2027</span></nav>
        <script>document.querySelector('nav').addEventListener('click', (event) => {
          window.hit = event.target.closest('#target') !== null;
        });</script>"""
    )
    await stage.page.click(await stage.css())

    assert await stage.eval("window.hit") is True


async def test_typing_goes_on_where_an_editor_in_a_frame_has_put_the_caret(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        "<body contenteditable aria-label=Letter><p>one</p><p id=last>two</p>", "same-process"
    )
    box = await stage.css("body")
    await stage.page.type(box, "!")
    await stage.eval("getSelection().collapse(document.querySelector('p').firstChild, 3)")
    await stage.page.type(box, "?")

    assert await stage.eval("document.body.innerText.trim().split(/\\n+/).join()") == "one?,two!"


async def test_the_hidden_text_area_of_an_editor_keeps_its_own_caret(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        """<textarea aria-label=Code style="opacity:0;width:10px;height:20px">scratch</textarea>
        <script>document.querySelector('textarea').setSelectionRange(0, 0)</script>"""
    )
    await stage.page.type(await stage.id("textbox", "Code"), "ab")

    assert await stage.eval("document.querySelector('textarea').value") == "abscratch"


async def test_enter_comes_after_the_frame_that_drew_what_was_typed(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        """<input aria-label=Task><script>
        let drawn = '', value = '', waiting = false;
        const input = document.querySelector('input');
        const draw = () => { waiting = false; if (value !== drawn) input.value = drawn = value; };
        const set = (next) => { value = next;
          if (!waiting) { waiting = true; requestAnimationFrame(draw); } };
        input.addEventListener('input', () => set(input.value));
        input.addEventListener('keydown', (event) => { if (event.key === 'Enter') set(''); });
        </script>"""
    )
    await stage.page.type(await stage.id("textbox", "Task"), "milk", commit_enter=True)

    assert await stage.eval("document.querySelector('input').value") == ""
