"""Filling with much text, and fields that are set: what they hold at rest is what counts."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

LINES = "  first\n\t<b>&amp; two  spaces</b>\n\n\n" + "\n".join(f"line {n}" for n in range(1000))
FIELDS = {
    "textarea": "<textarea id=it aria-label=Note>old</textarea>",
    "plaintext-only": "<div id=it contenteditable=plaintext-only role=textbox aria-label=Note>"
    "old</div>",
}
LOG = """<script>window.log = [];
document.addEventListener('input', e => log.push(e.isTrusted));</script>"""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("html", FIELDS.values(), ids=FIELDS.keys())
async def test_a_thousand_lines_are_filled_in_at_once_and_exactly(
    make_stage: MakeStage, frame_kind: str, html: str
) -> None:
    stage = await make_stage(html + LOG, frame_kind)

    outcome = await stage.page.fill(await stage.id("textbox", "Note"), LINES)

    assert await stage.eval("it.value ?? it.innerText") == LINES
    assert outcome.data["exact"] is True
    assert await stage.eval("log") == [True]


async def test_a_page_that_allows_no_foreign_markup_takes_many_lines_too(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    policy = "require-trusted-types-for 'script'; default-src 'none'"
    await open_page(
        f'<meta http-equiv=Content-Security-Policy content="{policy}">{FIELDS["textarea"]}'
    )
    text = "\n".join(f"<i>line</i> {n}" for n in range(40))

    await page.fill((await page.snapshot()).find("textbox").id, text)

    assert await oracle.eval("it.value") == text


@pytest.mark.parametrize("html", ["<input id=it aria-label=Note>", FIELDS["textarea"]])
async def test_a_hundred_thousand_characters_in_a_line(
    page: Page, oracle: PageOracle, open_page: OpenPage, html: str
) -> None:
    await open_page(html)
    text = "0123456789" * 10_000

    await page.fill((await page.snapshot()).find("textbox").id, text)

    assert await oracle.eval("it.value") == text


REVERTS = {
    "at once": "this.value = '2020-01-01'",
    "later": "fetch(location.href).then(() => { this.value = '2020-01-01' })",
}


@pytest.mark.parametrize("handler", REVERTS.values(), ids=REVERTS.keys())
async def test_a_date_that_the_page_takes_back_is_an_error(
    page: Page, oracle: PageOracle, open_page: OpenPage, handler: str
) -> None:
    await open_page(f'<input id=it type=date aria-label=Day onchange="{handler}">')

    with pytest.raises(CdpAgentError) as caught:
        await page.fill((await page.snapshot()).find(name="Day").id, "2027-03-17")

    assert caught.value.code == "not_editable"
    assert caught.value.data["value"] == "2020-01-01"
    assert await oracle.eval("it.value") == "2020-01-01"


async def test_a_date_whose_handler_asks_a_question_returns_with_it(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<input type=date aria-label=Day onchange='confirm(this.value)'>")

    outcome = await page.fill((await page.snapshot()).find(name="Day").id, "2027-03-17")

    assert [(d.type, d.message, d.open) for d in outcome.dialogs] == [
        ("confirm", "2027-03-17", True)
    ]
    assert page.dialog is not None
    await page.dialog.accept()
