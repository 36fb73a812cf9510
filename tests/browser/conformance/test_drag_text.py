"""A drag across text selects it, as under a person's hand."""

from __future__ import annotations

import pytest

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
