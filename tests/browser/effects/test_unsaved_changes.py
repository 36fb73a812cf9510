"""A page that has changes to save is left by our own navigation once it has saved them."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.site import Site

#: Saves what is typed after a while, as often as asked, and asks to be kept until then.
NOTES = """<input aria-label=Note><script>
let left = TIMES, dirty = false;
const save = () => fetch('/saved', {method: 'PUT', body: 'note'}).catch(() => 0).then(() => {
  left -= 1;
  if (left > 0) setTimeout(save, 200); else dirty = false;
});
oninput = () => { dirty = true; setTimeout(save, 400) };
onbeforeunload = (event) => { if (dirty) event.preventDefault() };
</script>"""


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("way", ["goto", "reload", "back"])
async def test_what_a_page_saves_by_itself_is_saved_before_it_is_left(
    page: Page, site: Site, times: int, way: str
) -> None:
    await page.goto(site.page("<h1>Before</h1>"))
    await page.goto(site.page(NOTES.replace("TIMES", str(times))))
    await page.fill((await page.snapshot()).find("textbox").id, "butter")

    if way == "goto":
        outcome = await page.goto(site.page("<h1>There</h1>"))
    else:
        outcome = await (page.reload() if way == "reload" else page.back())

    assert outcome.success
    assert outcome.dialogs == ()


async def test_a_page_that_saves_nothing_is_left_and_the_answer_says_so(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    notes = NOTES.replace("TIMES", "1").replace("setTimeout(save, 400)", "0")
    await page.goto(site.page(notes))
    await page.fill((await page.snapshot()).find("textbox").id, "butter")

    outcome = await page.goto(site.page("<h1>There</h1>"))

    assert await oracle.eval("document.body.innerText") == "There"
    assert [(d.accepted, d.left) for d in outcome.dialogs] == [(True, True)]
    assert outcome.dialogs[0].line.endswith(": the page was left, with changes not saved")
