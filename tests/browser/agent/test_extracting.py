"""A model reads the prose of a page; its answer is checked and has its source."""

from __future__ import annotations

import re

import pytest

from cdp_agent import CdpAgentError, Page
from cdp_agent.agent.model_extraction import asks
from tests.browser.agent.conversations import model_of
from tests.support.messages_api import Say, use
from tests.support.stage import OpenPage

PROSE = """<p>Ada, who is thirty-six, <a href=#>lives in London</a>. Her word is swordfish.</p>"""
PERSON = {
    "type": "object",
    "properties": {"age": {"type": "integer"}, "city": {"type": "string"}},
    "required": ["age", "city"],
}


async def test_prose_is_read_by_the_model_and_validated(open_page: OpenPage, page: Page) -> None:
    await open_page(PROSE)
    link = str((await page.snapshot()).find("link").id)
    sources = {"city": link, "age": "0-99999"}
    answer = use("answer", data={"age": 36, "city": "London"}, sources=sources)
    async with model_of([answer]) as (model, api):
        hide = asks(model, lambda text: text.replace("swordfish", "***"))
        found = await page.extract(PERSON, ask_model=hide, instruction="Who is it?")

    assert found.data == {"age": 36, "city": "London"}
    assert found.method == "model"
    assert found.sources == {"city": link}  # an id that is not on the page is not a source
    asked = api.requests[0]["messages"][0]["content"][0]["text"]
    assert re.search(r"Who is it\?.*London.*\*\*\*", asked, re.DOTALL)
    assert "swordfish" not in asked


@pytest.mark.parametrize(
    "answer", [use("answer", data={"age": "many"}), Say("I do not know.")], ids=("wrong", "none")
)
async def test_an_answer_that_does_not_fit_is_no_data(
    open_page: OpenPage, page: Page, answer: Say
) -> None:
    await open_page(PROSE)
    async with model_of([answer]) as (model, _):
        with pytest.raises(CdpAgentError) as refused:
            await page.extract(PERSON, ask_model=asks(model))

    assert refused.value.code == "condition_failed"
