"""The reported effect of a drag by mouse: pages carry an element along and put it back."""

from __future__ import annotations

import pytest

from cdp_agent.api.outcome import Outcome
from tests.support.stage import MakeStage, Stage

CARD = """<style>body { margin: 0 } .hint { background: gold }
#card:hover { background: pink }</style>
<p id=clock>0</p><div id=card style='width:80px;height:40px;background:#cde'>Card</div>
<div id=zone style='margin:100px;width:200px;height:100px;background:#eee'>Zone</div>
<div id=live style='position:absolute;width:1px;height:1px;overflow:hidden' role=status></div>
<script>let from = null;
card.addEventListener('mousedown', e => { from = [e.clientX, e.clientY]; e.preventDefault() });
addEventListener('mousemove', e => { if (!from) return;
  card.className = 'hint'; card.setAttribute('aria-grabbed', 'true');
  card.style.transform = `translate(${e.clientX - from[0]}px, ${e.clientY - from[1]}px)` });
addEventListener('mouseup', e => { if (!from) return; from = null; BACK });
</script>"""
OWN = """card.className = ''; card.setAttribute('aria-grabbed', 'false');
card.style.transform = 'none';"""
BACKS = {
    "at once": OWN,
    "after a moment": f"setTimeout(() => {{ {OWN} }}, 120)",
    "by an animation": f"card.style.transition = 'transform 200ms'; {OWN}",
    "with words for screen readers": f"{OWN} live.textContent = 'Card was put back'",
}
STAYS = {
    "moved": "card.className = ''",
    "put elsewhere in the tree": f"{OWN} zone.append(card)",
    "another text": f"{OWN} zone.textContent = 'Card was taken'",
    "another colour": f"{OWN} zone.style.background = 'green'",
    "a class": f"{OWN} zone.className = 'taken'",
    "an attribute": f"{OWN} zone.setAttribute('aria-selected', 'true')",
}


async def carried(stage: Stage) -> Outcome:
    card, zone = [await stage.page.find({"css": css}) for css in ("#card", "#zone")]
    return await stage.page.drag(card, zone)


@pytest.mark.parametrize("back", BACKS.values(), ids=BACKS.keys())
async def test_a_drag_that_the_page_snaps_back_changed_nothing(
    make_stage: MakeStage, back: str
) -> None:
    stage = await make_stage(CARD.replace("BACK", back))

    outcome = await carried(stage)

    assert outcome.data == {"kind": "mouse", "changed": False}


async def test_a_clock_of_the_page_is_no_effect_of_a_drag(make_stage: MakeStage) -> None:
    ticks = "<script>setInterval(() => { clock.textContent = +clock.textContent + 1 }, 60)</script>"
    stage = await make_stage(CARD.replace("BACK", OWN) + ticks)
    await stage.wait("+clock.textContent > 5")

    outcome = await carried(stage)

    assert outcome.data["changed"] is False


@pytest.mark.parametrize("stays", STAYS.values(), ids=STAYS.keys())
async def test_a_drag_with_an_effect_says_so(make_stage: MakeStage, stays: str) -> None:
    stage = await make_stage(CARD.replace("BACK", stays))

    outcome = await carried(stage)

    assert outcome.data["changed"] is True


async def test_a_page_that_hears_pointers_alone_is_dragged_on(make_stage: MakeStage) -> None:
    """Chromium tells a page that prevents `pointerdown` of no mouse until the release."""
    by_pointer = CARD.replace("'mouse", "'pointer").replace("BACK", "card.className = ''")
    stage = await make_stage(by_pointer)

    outcome = await stage.page.drag(await stage.page.find({"css": "#card"}), by=(100, 60))

    assert await stage.eval("card.style.transform") == "translate(100px, 60px)"
    assert outcome.data["changed"] is True
    assert outcome.receipt is not None
    assert outcome.receipt.events == ("pointerdown", "pointerup")
