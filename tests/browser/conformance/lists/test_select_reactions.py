"""What a page does when something is chosen in a list: leaves, asks, takes it back, draws anew."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

COLORS = "<option value=r>Red<option value=g>Green<option value=b>Blue"
VALUE = "document.querySelector('select').value"


@pytest.mark.row("SEL-06")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("event", ["input", "change"])
async def test_a_choice_that_makes_the_page_leave_is_no_error(
    page: Page, site: Site, make_stage: MakeStage, frame_kind: str, event: str
) -> None:
    arrived = site.page("<h1>Arrived</h1>")
    stage = await make_stage(
        f"<select aria-label=Go on{event}='location = this.value'>"
        f"<option>Stay<option value='{arrived}'>Leave</select>",
        frame_kind,
    )

    outcome = await page.select(await stage.id("combobox"), label="Leave")

    assert outcome.navigated == arrived
    assert await stage.eval("document.querySelector('h1')?.textContent") == "Arrived"


async def test_a_dialog_in_answer_to_the_choice_is_in_the_outcome(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(
        f"<select aria-label=Color onchange='window.sure = confirm(this.value)'>{COLORS}</select>"
    )

    outcome = await page.select((await page.snapshot()).find("combobox").id, label="Blue")

    assert [(d.type, d.message, d.open) for d in outcome.dialogs] == [("confirm", "b", True)]
    assert outcome.data["value"] == "b"
    assert page.dialog is not None
    await page.dialog.accept()


REVERTS = {
    "at once": "this.value = 'r'",
    "a frame later": "requestAnimationFrame(() => { this.value = 'r' })",
    "when the server has answered": "fetch(location.href).then(() => { this.value = 'r' })",
}


@pytest.mark.parametrize("handler", REVERTS.values(), ids=REVERTS.keys())
async def test_a_page_that_takes_the_choice_back_is_an_error(
    page: Page, oracle: PageOracle, open_page: OpenPage, handler: str
) -> None:
    await open_page(f'<select aria-label=Color onchange="{handler}">{COLORS}</select>')

    with pytest.raises(CdpAgentError, match="'Red'") as refused:
        await page.select((await page.snapshot()).find("combobox").id, value="g", timeout=3)

    assert refused.value.code == "condition_failed"
    assert await oracle.eval(VALUE) == "r"


async def test_a_list_that_the_page_draws_anew_with_the_choice_is_good(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    """As frameworks do: the old node is thrown away, the new one has the same choice."""
    await open_page(
        "<div id=root></div><script>function draw(value) {"
        f" root.innerHTML = '<select aria-label=Color>{COLORS}</select>';"
        " root.firstChild.value = value;"
        " root.firstChild.onchange = e => draw(e.target.value) } draw('r')</script>"
    )

    outcome = await page.select((await page.snapshot()).find("combobox").id, value="g")

    assert outcome.success
    assert await oracle.eval(VALUE) == "g"
