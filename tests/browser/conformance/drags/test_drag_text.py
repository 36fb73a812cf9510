"""A drag across text selects it, as under a person's hand."""

from __future__ import annotations

import pytest

from cdp_agent import ConditionFailed
from tests.support.stage import FRAME_KINDS, MakeStage

FONT = "font:20px monospace;padding:0;border:0;width:300px"
FIELDS = {
    "input": f"<input id=target value='some words here' style='{FONT}'>",
    "text area": f"<textarea id=target style='{FONT}'>some words here</textarea>",
    "editor": f"<p id=target contenteditable role=textbox style='{FONT}'>some words here</p>",
    "paragraph": f"<p id=target tabindex=0 style='{FONT}'>some words here</p>",
}
SELECTED = """'value' in target
  ? target.value.slice(target.selectionStart, target.selectionEnd) : String(getSelection())"""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("body", FIELDS.values(), ids=FIELDS.keys())
async def test_a_drag_across_text_selects_it(
    make_stage: MakeStage, frame_kind: str, body: str
) -> None:
    stage = await make_stage(body, frame_kind)
    width = 300 / 25  # of a character, about

    outcome = await stage.page.drag(
        await stage.css(), path=[(1, 12), (width, 12), (4 * width, 12), (10 * width, 12)]
    )

    assert (await stage.eval(SELECTED)).startswith("some words")
    assert outcome.data["kind"] == "mouse"


AROUND = f"""<div id=box draggable=true style='padding:20px;width:400px'>
<input id=target value='some words here' style='{FONT}'></div><div id=zone>Here</div>
<script>window.log = [];
for (const type of ['dragstart', 'dragend']) box.addEventListener(type, () => log.push(type));
zone.ondragover = (event) => event.preventDefault();</script>"""


async def test_a_field_in_something_draggable_says_that_this_was_dragged(
    make_stage: MakeStage,
) -> None:
    """Chromium begins a drag of the box, under a person's hand too; no text is ever selected."""
    stage = await make_stage(AROUND)
    path = [(1.0, 12.0), (12.0, 12.0), (48.0, 12.0), (120.0, 12.0)]

    for _ in range(3):
        with pytest.raises(ConditionFailed) as caught:
            await stage.page.drag(await stage.css(), path=path)

        assert '<div id="box"> was dragged in place of' in caught.value.message
        assert "Shift+ArrowRight" in str(caught.value.hint)
        assert await stage.eval(SELECTED) == ""
        assert await stage.eval("log.splice(0)") == ["dragstart", "dragend"]


async def test_a_drop_of_what_is_around_a_field_says_so(make_stage: MakeStage) -> None:
    stage = await make_stage(AROUND.replace("Here", "<button>Here</button>"))

    outcome = await stage.page.drag(await stage.css(), await stage.css("button"))

    assert outcome.data["kind"] == "html5"
    assert '<div id="box">' in outcome.data["carried"]
