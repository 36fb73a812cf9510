"""Questions and dialogs on the live page: who answers, and that the answer is for the right one."""

from __future__ import annotations

import asyncio

from cdp_agent import Page
from cdp_agent.agent.safety.approvals import Decision, Question
from cdp_agent.live import LiveApprover, LiveServer, Pane
from tests.browser.live.conftest import Call, Wire, press
from tests.support.stage import OpenPage

QUESTION = Question("checkpoint", "pay", 'use "Pay now"', "It costs 19.90.", "http://shop.test/")


class Silent:
    """Somebody at a terminal who does not answer."""

    async def ask(self, question: Question) -> Decision:
        await asyncio.Event().wait()
        raise AssertionError


class Quick:
    async def ask(self, question: Question) -> Decision:
        return Decision(False, "said at the terminal")


async def test_a_question_is_approved_by_its_button(look: Page, pane: Pane) -> None:
    asking = asyncio.create_task(LiveApprover(pane, Silent()).ask(QUESTION))
    await look.wait_for(text=["It costs 19.90.", 'use "Pay now"'], timeout=10)
    await press(look, "Approve")
    assert await asyncio.wait_for(asking, 10) == Decision(True)
    await look.wait_for(text_gone="It costs 19.90.", timeout=10)


async def test_a_refusal_has_a_persons_words(look: Page, pane: Pane) -> None:
    asking = asyncio.create_task(LiveApprover(pane).ask(QUESTION))
    await look.wait_for(text="It costs 19.90.", timeout=10)
    words = (await look.snapshot()).find("textbox", "Words for the agent")
    await look.fill(words.id, "too dear")
    await press(look, "Refuse")
    assert await asyncio.wait_for(asking, 10) == Decision(False, "too dear")


async def test_a_question_is_answered_by_a_key_once_it_was_there_to_be_read(
    look: Page, pane: Pane
) -> None:
    asking = asyncio.create_task(LiveApprover(pane).ask(QUESTION))
    await look.wait_for(text="It costs 19.90.", timeout=10)
    await look.evaluate("new Promise(done => setTimeout(done, 700))")
    await look.press("n")
    assert await asyncio.wait_for(asking, 10) == Decision(False)


async def test_a_key_that_came_with_the_question_is_no_answer(look: Page, pane: Pane) -> None:
    """A person who typed `y` for something else has not read it."""
    await look.evaluate(
        """new MutationObserver(() => { if (!document.querySelector("#asks .card")) return;
        document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "y", bubbles: true}));
        window.typed = true }).observe(document.getElementById("asks"), {childList: true}); 0"""
    )
    asking = asyncio.create_task(LiveApprover(pane).ask(QUESTION))
    await look.wait_for(text="It costs 19.90.", timeout=10)
    assert await look.evaluate("window.typed")
    await press(look, "Refuse")
    assert await asyncio.wait_for(asking, 10) == Decision(False)


async def test_the_first_answer_counts(look: Page, pane: Pane) -> None:
    decision = await LiveApprover(pane, Quick()).ask(QUESTION)
    assert decision == Decision(False, "said at the terminal")
    assert pane.control.asking == 0


async def test_an_answer_to_a_question_that_is_over_is_an_error(
    server: LiveServer, wire: Wire, pane: Pane
) -> None:
    asking = asyncio.create_task(pane.ask(QUESTION))
    state = await wire.until(lambda m: m["type"] == "pane" and m["questions"])
    number = state["questions"][0]["id"]
    answer = {"type": "answer", "pane": pane.id, "question": number, "approved": True}
    await wire.send(**answer)
    assert (await asyncio.wait_for(asking, 10)).approved
    again = asyncio.create_task(pane.ask(QUESTION))
    await wire.until(lambda m: m["type"] == "pane" and m["questions"])
    await wire.send(**answer)
    assert (await wire.next("error"))["code"] == "invalid_params"
    assert not again.done()
    again.cancel()
    await asyncio.wait([again])


async def test_no_answer_is_a_no(pane: Pane) -> None:
    assert not (await pane.ask(QUESTION, seconds=0.01)).approved


async def test_a_dialog_is_answered_by_its_button(
    page: Page, open_page: OpenPage, look: Page, call: Call
) -> None:
    await open_page(
        "<button onclick=\"p.textContent = prompt('Which one?', 'lamp')\">Ask</button><p id=p></p>"
    )
    assert "dialog" in (await call("browser_click", ref="text=Ask")).text
    await look.wait_for(text="Which one?", timeout=10)
    answer = (await look.snapshot()).find("textbox", "Answer to the page")
    assert answer.value == "lamp"
    await look.fill(answer.id, "table")
    await press(look, "OK")
    await look.wait_for(text_gone="The page shows: prompt", timeout=10)
    assert await page.evaluate("p.textContent") == "table"


async def test_enter_in_its_field_answers_a_prompt(
    page: Page, open_page: OpenPage, look: Page, call: Call
) -> None:
    await open_page("<button onclick=\"p.textContent = prompt('Which?')\">Ask</button><p id=p></p>")
    await call("browser_click", ref="text=Ask")
    await look.wait_for(text="Which?", timeout=10)
    answer = (await look.snapshot()).find("textbox", "Answer to the page")
    await look.type(answer.id, "table", commit_enter=True)
    await look.wait_for(text_gone="The page shows: prompt", timeout=10)
    assert await page.evaluate("p.textContent") == "table"


async def test_an_answer_is_not_for_another_dialog(
    page: Page, open_page: OpenPage, wire: Wire, pane: Pane
) -> None:
    await open_page("<p id=p></p>")
    await page.evaluate("setTimeout(() => { p.textContent = confirm('Delete all?') }); 0")
    await wire.until(lambda m: m["type"] == "pane" and m["dialog"])
    await wire.send(type="dialog", pane=pane.id, message="Save it?", accept=True)
    assert "not open any more" in (await wire.next("error"))["message"]
    assert page.dialog is not None
    await page.answer_dialog(accept=False)
