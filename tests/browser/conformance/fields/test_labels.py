"""Labels and the controls they stand for."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.support.pages.press_log import presses, watched
from tests.support.stage import FRAME_KINDS, MakeStage

LOG = """<script>window.log = [];
for (const type of ['click', 'input', 'change']) addEventListener(type, event =>
  log.push(type + ' ' + (event.composedPath()[0].id || event.composedPath()[0].localName)), true);
</script>"""


@pytest.mark.row("LBL-03", "LBL-08")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_label_toggles_its_checkbox_elsewhere_once(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            "<label id=label for=box>Agree</label><div style='height:50px'></div>"
            f"<input id=box type=checkbox>{LOG}"
        ),
        frame_kind,
    )

    outcome = await stage.page.click(await stage.css("#label"))

    assert outcome.success
    assert await stage.eval("log") == ["click label", "click box", "input box", "change box"]
    assert await stage.eval("box.checked") is True


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_label_around_its_checkbox_toggles_it_once(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(f"<label id=label><input id=box type=checkbox> I agree to all of it</label>{LOG}"),
        frame_kind,
    )

    await stage.page.click(await stage.css("#label"))

    assert await stage.eval("log") == ["click label", "click box", "input box", "change box"]
    assert await stage.eval("box.checked") is True


@pytest.mark.row("LBL-02")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_radio_without_a_size_is_chosen_by_its_label(
    make_stage: MakeStage, frame_kind: str
) -> None:
    style = "width:0;height:0;opacity:0;margin:0"
    stage = await make_stage(
        watched(
            f"<label><input type=radio name=size value=s style='{style}'>Small</label><br>"
            f"<label><input type=radio name=size value=l style='{style}'>Large</label>{LOG}"
        ),
        frame_kind,
    )

    outcome = await stage.page.click(await stage.id("radio", "Large"))

    assert outcome.success
    assert await stage.eval("document.querySelector(':checked')?.value") == "l"


HIDDEN_BOXES = {
    "moved out of the page": "position:absolute;left:-9999px",
    "clipped to nothing": "position:absolute;clip:rect(0 0 0 0);width:1px;height:1px;margin:-1px",
    "transparent under its label": "position:absolute;opacity:0",
    "without appearance and size": "appearance:none;width:0;height:0;margin:0",
}


@pytest.mark.parametrize("style", HIDDEN_BOXES.values(), ids=HIDDEN_BOXES.keys())
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_checkbox_that_a_design_hides_is_toggled_through_its_label(
    make_stage: MakeStage, frame_kind: str, style: str
) -> None:
    stage = await make_stage(
        watched(
            f"<input id=box type=checkbox style='{style}'>"
            f"<label id=label for=box style='display:block;padding:20px'>Agree</label>{LOG}"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.id("checkbox", "Agree"))

    assert await stage.eval("box.checked") is True
    changes = await stage.eval("log.filter(line => line === 'change box')")
    assert changes == ["change box"]


@pytest.mark.row("LBL-04")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_link_inside_a_label_is_followed_and_toggles_nothing(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            "<label><input id=box type=checkbox> I accept the <a href='#terms'>terms</a></label>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.id("link", "terms"))

    assert await stage.eval("[location.hash, box.checked]") == ["#terms", False]


# A slotted control is not a descendant of the label, so the label alone would not toggle it: the
# press falls on the control itself, or the component passes it on.
SHADOW_LABELS = {
    "shows nothing else": "'<label id=label><slot></slot></label>'",
    "passes the click on": (
        "'<label id=label><slot></slot> Agree to everything that follows</label>';"
        "host.shadowRoot.querySelector('label').onclick = event => {"
        " if (event.target !== box) box.click() }"
    ),
}


@pytest.mark.row("LBL-05")
@pytest.mark.parametrize("tree", SHADOW_LABELS.values(), ids=SHADOW_LABELS.keys())
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_label_in_a_shadow_tree_toggles_the_slotted_checkbox(
    make_stage: MakeStage, frame_kind: str, tree: str
) -> None:
    stage = await make_stage(
        watched(
            "<div id=host><input id=box type=checkbox aria-label=Agree></div><script>"
            f"host.attachShadow({{mode: 'open'}}).innerHTML = {tree}</script>"
        ),
        frame_kind,
    )

    outcome = await stage.page.click(await stage.js("host.shadowRoot.querySelector('#label')"))

    assert outcome.success
    assert await stage.eval("box.checked") is True


@pytest.mark.row("LBL-06")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_checkbox_made_of_a_div_shows_its_new_state_in_the_next_snapshot(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            '<div role=checkbox aria-checked=false tabindex=0 onclick="this.setAttribute('
            "'aria-checked', this.getAttribute('aria-checked') !== 'true')\">Agree</div>"
        ),
        frame_kind,
    )
    before = (await stage.page.snapshot()).find("checkbox", "Agree")
    assert before.state["checked"] is False

    await stage.page.click(before.id)

    after = await stage.page.snapshot()
    assert after.get(before.id).state["checked"] is True
    line = next(line for line in after.text.splitlines() if before.id in line)
    assert " checked" in line


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_label_puts_the_focus_into_its_field(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched("<label id=label for=field>Name</label><p></p><input id=field>"), frame_kind
    )

    await stage.page.click(await stage.css("#label"))

    assert await stage.eval("document.activeElement.id") == "field"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_label_passes_the_click_on_to_its_button(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            "<label id=label for=button>Press</label><p></p>"
            "<button id=button onclick='window.hits = 1 + (window.hits ?? 0)'>Go</button>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css("#label"))

    assert await stage.eval("hits") == 1


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_disabled_checkbox_is_refused_although_its_label_is_not(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched("<input id=box type=checkbox disabled><label for=box>Agree</label>"), frame_kind
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.click(await stage.id("checkbox", "Agree"), timeout=0.3)

    assert refused.value.code == "element_disabled"
    assert await presses(stage) == []


async def test_words_of_a_label_that_nobody_sees_are_not_its_name(make_stage: MakeStage) -> None:
    stage = await make_stage(
        """<label><input type=checkbox>137 rows
        <i id=more style="display:none">required</i><script>var a = 1;</script></label>
        <label>Size <select><option>S<option>M</select></label>"""
    )
    page = stage.page

    assert [node.role for node in (await page.snapshot()).nodes][:2] == ["checkbox", "combobox"]
    await stage.eval("more.style.display = ''")
    assert (await page.snapshot()).find("checkbox", "137 rows required")
    assert (await page.snapshot()).text.count("required") == 1
    await stage.eval("more.style.display = 'none'")
    assert "required" not in (await page.snapshot()).text


@pytest.mark.parametrize("kind", ["checkbox", "radio"])
@pytest.mark.parametrize("listens", ["", "onpointerdown='1'"])
async def test_a_label_with_a_hand_behind_its_box_has_no_line(
    make_stage: MakeStage, kind: str, listens: str
) -> None:
    stage = await make_stage(
        f"""<style>label {{ cursor:pointer }}</style>
        <input type={kind} id=box><label for=box id=label {listens}>Keep it</label>
        <input type={kind} id=icon><label for=icon><svg width=9 height=9>
        </svg></label>"""
    )

    nodes = (await stage.page.snapshot()).nodes

    assert [(node.role, node.name) for node in nodes] == [
        (kind, "Keep it"),
        (kind, ""),
        ("label", ""),
    ]
    await stage.page.click(await stage.css("#label"))
    assert await stage.eval("box.checked")
