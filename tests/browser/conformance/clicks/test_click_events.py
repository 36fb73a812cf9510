"""The events of a click: which, in what order, with which buttons and modifiers."""

from __future__ import annotations

import pytest

from tests.browser.conformance.attempt import receipt_of
from tests.support.oracle import Oracle
from tests.support.pages.press_log import CLICKED, presses, watched
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<button id=target style='width:100px;height:30px'>Go</button>"


def listening(types: str, entry: str, body: str = BUTTON) -> str:
    """`body` whose `#target` writes `entry` of each of these events to `window.log`."""
    return watched(
        body + f"<script>window.log = []; for (const type of '{types}'.split(' '))"
        f" target.addEventListener(type, event => log.push({entry}))</script>"
    )


@pytest.mark.row("CLK-28")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_checkbox_sees_the_events_in_the_order_of_a_real_mouse(
    make_stage: MakeStage, frame_kind: str
) -> None:
    order = "mouseover mouseenter mousemove mousedown mouseup click input change"
    stage = await make_stage(
        listening(order, "event.type", "<input type=checkbox id=target aria-label=Agree>"),
        frame_kind,
    )
    target = await stage.id("checkbox", "Agree")

    await stage.page.click(target)
    assert await stage.eval("log.splice(0)") == order.split()
    assert await stage.eval("target.checked") is True

    await stage.page.click(target)
    again = await stage.eval("log.filter(type => !/over|enter|move/.test(type))")
    assert again == ["mousedown", "mouseup", "click", "input", "change"]
    assert await stage.eval("target.checked") is False


@pytest.mark.row("CLK-29")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_is_four_mouse_events(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        listening("mousemove mousedown mouseup click", "[event.type, event.buttons]"), frame_kind
    )

    await stage.page.click(await stage.css())

    assert await stage.eval("log") == [
        ["mousemove", 0],
        ["mousedown", 1],
        ["mouseup", 0],
        ["click", 0],
    ]


@pytest.mark.row("CLK-30")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_pointer_is_a_mouse_that_presses_half_way(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        listening(
            "pointerdown pointerup",
            "[event.type, event.pressure, event.pointerType, event.isPrimary]",
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await stage.eval("log") == [
        ["pointerdown", 0.5, "mouse", True],
        ["pointerup", 0, "mouse", True],
    ]


@pytest.mark.row("CLK-31")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_press_and_release_are_tasks_of_their_own(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            BUTTON
            + """<script>
            window.mutations = 0;
            new MutationObserver(() => mutations++).observe(document.body, {childList: true});
            target.onmousedown = () => document.body.append('more');
            target.onmouseup = () => { window.atRelease = mutations };
            </script>"""
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await stage.eval("atRelease") == 1


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_count_two_is_a_double_click(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(watched(BUTTON), frame_kind)

    await stage.page.click(await stage.css(), count=2)

    assert await presses(stage) == [*CLICKED, *CLICKED, "dblclick target"]
    assert await stage.eval("seen.map(event => event.detail)") == [1, 1, 1, 2, 2, 2, 2]


async def test_two_clicks_in_a_row_are_no_double_click(make_stage: MakeStage) -> None:
    stage = await make_stage(watched(BUTTON))
    target = await stage.css()

    await stage.page.click(target)
    await stage.page.click(target)

    assert await presses(stage) == [*CLICKED, *CLICKED]
    assert await stage.eval("seen.map(event => event.detail)") == [1] * 6


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_double_click_selects_the_word(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        watched("<p id=target onclick='0' style='width:max-content'>alpha betagamma delta</p>"),
        frame_kind,
    )

    await stage.page.click(await stage.css(), count=2)

    assert str(await stage.eval("String(getSelection())")).strip() == "betagamma"


@pytest.mark.row("CLK-34")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_triple_click_selects_the_line(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        watched(
            "<textarea id=target aria-label=Text style='font:16px/20px monospace;width:300px;"
            "height:60px;padding:0;border:0'>first line\nthe second line\nthird line</textarea>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.id("textbox", "Text"), count=3, position=(40, 30))

    selected = await stage.eval("target.value.slice(target.selectionStart, target.selectionEnd)")
    assert str(selected).strip() == "the second line"
    details = await stage.eval("seen.filter(e => e.type === 'click').map(e => e.detail)")
    assert details == [1, 2, 3]


@pytest.mark.row("CLK-35")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_right_click_opens_the_menu_and_leaves_the_left_button_usable(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(watched(BUTTON), frame_kind)
    target = await stage.css()

    outcome = await stage.page.click(target, button="right")

    assert outcome.success
    right = await stage.eval("seen.splice(0)")
    assert [event["type"] for event in right] == ["mousedown", "contextmenu", "mouseup", "auxclick"]
    assert {(event["on"], event["button"]) for event in right} == {("target", 2)}
    await stage.page.click(target)
    assert await presses(stage) == CLICKED


@pytest.mark.row("CLK-36")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_middle_click_is_an_auxclick(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        watched("<a id=target href='#x' onauxclick='event.preventDefault()'>away</a>"), frame_kind
    )

    outcome = await stage.page.click(await stage.css(), button="middle")

    assert outcome.success
    assert await presses(stage) == ["mousedown target", "mouseup target", "auxclick target"]
    assert await stage.eval("seen.map(event => [event.button, event.buttons])") == [
        [1, 4],
        [1, 0],
        [1, 0],
    ]


NEW_TAB: dict[str, dict[str, object]] = {
    "middle button": {"button": "middle"},
    "Control held": {"modifiers": ("Control",)},
}


@pytest.mark.parametrize("how", NEW_TAB.values(), ids=NEW_TAB.keys())
async def test_a_link_opened_aside_is_reported_as_a_new_page(
    make_stage: MakeStage, browser_oracle: Oracle, how: dict[str, object]
) -> None:
    stage = await make_stage(watched("<a id=target href='?aside'>away</a>"))

    outcome = await stage.page.click(await stage.css(), **how)  # type: ignore[arg-type]

    opened = [
        target
        for target in await browser_oracle.live_targets()
        if target["type"] == "page" and target["url"].endswith("?aside")
    ]
    for target in opened:
        await browser_oracle.send("Target.closeTarget", {"targetId": target["targetId"]})
    assert len(opened) == len(outcome.new_pages) == 1
    assert not outcome.navigated


@pytest.mark.row("CLK-37")
@pytest.mark.parametrize(
    "keys", [("Shift",), ("Alt",), ("Control",), ("Meta",), ("Control", "Shift")]
)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_modifier_is_held_for_its_click_only(
    make_stage: MakeStage, frame_kind: str, keys: tuple[str, ...]
) -> None:
    held = "[['Alt', event.altKey], ['Control', event.ctrlKey], ['Meta', event.metaKey],"
    held += "['Shift', event.shiftKey]].filter(([, down]) => down).map(([name]) => name)"
    stage = await make_stage(listening("mousedown mouseup click", held), frame_kind)
    target = await stage.css()

    await stage.page.click(target, modifiers=keys)
    assert await stage.eval("log.splice(0)") == [sorted(keys)] * 3

    await stage.page.click(target)
    assert await stage.eval("log") == [[], [], []]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_moves_the_focus_as_a_person_s_does(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched("<input id=before aria-label=Before><input id=target aria-label=Name>"), frame_kind
    )

    await stage.page.click(await stage.id("textbox", "Before"))
    assert await stage.eval("document.activeElement.id") == "before"
    await stage.page.click(await stage.id("textbox", "Name"))

    assert await stage.eval("[document.activeElement.id, document.hasFocus()]") == ["target", True]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_receipt_says_that_the_page_prevented_the_default(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched("<a id=target href='#x' onclick='event.preventDefault()'>away</a>"), frame_kind
    )

    outcome = await stage.page.click(await stage.css())

    assert receipt_of(outcome).default_prevented
    assert "click" in receipt_of(outcome).events
    assert await stage.eval("location.hash") == ""


@pytest.mark.no_after_state("this page lets no button hear of its click")
@pytest.mark.parametrize("types", ["click", "pointerdown mousedown pointerup mouseup click"])
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_page_that_handles_everything_at_its_window_did_get_the_click(
    make_stage: MakeStage, frame_kind: str, types: str
) -> None:
    """Its listener came first and lets nobody else hear; an error here would make it twice."""
    stage = await make_stage(
        f"<script>window.swallowed = []; for (const type of '{types}'.split(' '))"
        " addEventListener(type, event => { event.stopImmediatePropagation();"
        f" swallowed.push(type) }}, true)</script>{BUTTON}",
        frame_kind,
    )

    outcome = await stage.page.click(await stage.css())

    assert outcome.success
    assert await stage.eval("swallowed") == types.split()
