"""Messages to other frames and announced work are followed into the action's outcome."""

from __future__ import annotations

import pytest

from cdp_agent import Outcome
from tests.support.stage import FRAME_KINDS, MakeStage

HEAR = """<p id=told>nothing</p><script>
addEventListener('message', event => {{ {} }});
</script>"""
TELL = "<button id=target onclick=\"parent.postMessage('row', '*')\">Add</button>"
SAY = "told.textContent = 'told ' + event.data"


def text_of(outcome: Outcome) -> str:
    assert outcome.snapshot is not None
    return outcome.snapshot.text


@pytest.mark.parametrize("frame_kind", ["same-process", "oopif"])
@pytest.mark.parametrize(
    "heard",
    {
        "at once": SAY,
        "in a frame": f"requestAnimationFrame(() => requestAnimationFrame(() => {{ {SAY} }}))",
        "soon": f"setTimeout(() => {{ {SAY} }}, 40)",
    }.items(),
    ids=lambda one: str(one[0]),
)
async def test_what_a_frame_tells_its_page_shows(
    make_stage: MakeStage, frame_kind: str, heard: tuple[str, str]
) -> None:
    stage = await make_stage(TELL, frame_kind, outer=HEAR.format(heard[1]))

    outcome = await stage.page.click(await stage.css(), observe=True)

    assert "told row" in text_of(outcome)


@pytest.mark.parametrize("frame_kind", ["same-process", "oopif"])
async def test_what_a_page_tells_a_frame_shows(make_stage: MakeStage, frame_kind: str) -> None:
    tell = "<button onclick=\"frames[0].postMessage('row', '*')\">Add</button>"
    stage = await make_stage(
        HEAR.format(f"setTimeout(() => {{ {SAY} }}, 30)"), frame_kind, outer=tell
    )

    button = (await stage.page.snapshot()).find("button", "Add")
    outcome = await stage.page.click(button.id, observe=True)

    assert "told row" in text_of(outcome)


async def test_a_page_that_chats_with_its_frame_is_not_waited_for(make_stage: MakeStage) -> None:
    chat = "<script>setInterval(() => parent.postMessage('tick', '*'), 5)</script>"
    count = HEAR.format("told.textContent = performance.now()")
    stage = await make_stage("<button id=target>Add</button>" + chat, "oopif", outer=count)

    outcome = await stage.page.click(await stage.css())

    assert outcome.settled


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("announces", ["aria-expanded", "aria-busy", "disabled"])
async def test_what_an_element_announces_is_waited_for(
    make_stage: MakeStage, frame_kind: str, announces: str
) -> None:
    stage = await make_stage(
        f"""<button id=target onclick="this.setAttribute('{announces}', true);
        setTimeout(() => more.innerHTML = '<b>All the rest</b>', 60)">More</button>
        <div id=more></div>""",
        frame_kind,
    )

    outcome = await stage.page.click(await stage.css(), observe=True)

    assert "All the rest" in text_of(outcome)


# What opens is a part of the shadow tree; the words stand in the document, in its slot.
DETAILS = """<button id=target>More</button><x-more>Hidden words</x-more><script>
customElements.define('x-more', class extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({mode: 'open'}).innerHTML =
      '<div part=body hidden style="overflow: hidden"><div><slot></slot></div></div>';
    const body = this.shadowRoot.firstChild;
    target.onclick = () => { OPEN };
  }
});
</script>"""
OPENINGS = {
    "its own tree changes": "body.hidden = false",
    "its host changes": "this.setAttribute('open', ''); body.style.display = 'block'",
}


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS.keys())
async def test_an_animation_in_a_shadow_tree_is_waited_for(
    make_stage: MakeStage, opening: str
) -> None:
    grow = "body.animate([{height: 0}, {height: '40px'}], 400)"
    page = DETAILS.replace("OPEN", f"{opening}; {grow}")
    stage = await make_stage(page)
    await stage.page.snapshot()

    outcome = await stage.page.click(await stage.css(), observe=True)

    assert 'text "Hidden words"\n' in text_of(outcome) + "\n"
