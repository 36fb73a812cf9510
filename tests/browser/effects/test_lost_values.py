"""A value that the page takes back after the action is over is told by the next result, once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from cdp_agent import Outcome, Page
from cdp_agent.ids import ElementId
from cdp_agent.tools import ToolSession, call
from tests.support.stage import FRAME_KINDS, MakeStage, Stage

PAGE = """<input id=target aria-label=Name value=old>
<textarea id=area aria-label=Note>old</textarea>
<div id=rich contenteditable role=textbox aria-label=Rich>old</div>
<input id=day type=date aria-label=Day><input id=slide type=range aria-label=Slide value=10>
<label><input id=box type=checkbox> Gift</label>
<div id=switch role=switch aria-checked=false tabindex=0 aria-label=Dark
  onclick="this.ariaChecked = this.ariaChecked !== 'true'">Dark</div>
<select id=list aria-label=Size><option>S<option>M<option>L</select>
<input id=other aria-label=Other><button id=button>Save</button>
<label><input id=one type=radio name=r> One</label>
<label><input id=two type=radio name=r> Two</label>"""

Verb = Callable[[Page, ElementId], Awaitable[Outcome]]


def fill(page: Page, target: ElementId) -> Awaitable[Outcome]:
    return page.fill(target, "new")


#: Element → how it is given a value, what the page does to it later, and what is told of it.
KINDS: dict[str, tuple[str, Verb, str, str]] = {
    "fill": (
        "#target",
        fill,
        "target.value = 'old'",
        'no longer holds "new": the page changed it to "old"',
    ),
    "clear": (
        "#target",
        lambda page, target: page.clear(target),
        "target.value = 'old'",
        'no longer holds "": the page changed it to "old"',
    ),
    "type": (
        "#target",
        lambda page, target: page.type(target, " and new"),
        "target.value = ''",
        'no longer holds "old and new": the page changed it to ""',
    ),
    "area": (
        "#area",
        fill,
        "area.value = 'newer'",
        'no longer holds "new": the page changed it to "newer"',
    ),
    "rich text": (
        "#rich",
        fill,
        "rich.textContent = 'old'",
        'no longer holds "new": the page changed it to "old"',
    ),
    "date": (
        "#day",
        lambda page, target: page.fill(target, "2027-03-17"),
        "day.value = ''",
        'no longer holds "2027-03-17": the page changed it to ""',
    ),
    "slider": (
        "#slide",
        lambda page, target: page.fill(target, "25"),
        "slide.value = 10",
        'no longer holds "25": the page changed it to "10"',
    ),
    "check": (
        "#box",
        lambda page, target: page.check(target),
        "box.checked = false",
        "is no longer checked: the page changed it to unchecked",
    ),
    "switch": (
        "#switch",
        lambda page, target: page.check(target),
        "document.querySelector('#switch').ariaChecked = 'false'",
        "is no longer checked: the page changed it to unchecked",
    ),
    "select": (
        "#list",
        lambda page, target: page.select(target, label="M"),
        "list.value = 'S'",
        'no longer holds "M": the page changed it to "S"',
    ),
}


@pytest.mark.parametrize("kind", KINDS)
async def test_a_snapshot_tells_what_was_taken_back(make_stage: MakeStage, kind: str) -> None:
    selector, verb, back, words = KINDS[kind]
    stage = await make_stage(PAGE)
    target = await stage.css(selector)

    outcome = await verb(stage.page, target)
    quiet = await stage.page.snapshot()
    await stage.eval(f"{{ {back} }}")
    first, second = await stage.page.snapshot(), await stage.page.snapshot()

    assert "lost_values" not in outcome.data
    assert quiet.lost_values == ()
    assert [change.line for change in first.lost_values] == [f"{target} {words}"]
    assert f"({target} {words})" in first.text.splitlines()
    assert first.model_dump()["lost_values"][0]["id"] == str(target)
    assert second.lost_values == ()


async def click(stage: Stage) -> Outcome:
    return await stage.page.click(await stage.ref("#button"))


async def fill_other(stage: Stage) -> Outcome:
    return await stage.page.fill(await stage.ref("#other"), "words")


async def press(stage: Stage) -> Outcome:
    return await stage.page.press("a", await stage.ref("#other"))


async def press_anywhere(stage: Stage) -> Outcome:
    return await stage.page.press("Shift")


async def check(stage: Stage) -> Outcome:
    return await stage.page.check(await stage.ref("#box"))


async def select(stage: Stage) -> Outcome:
    return await stage.page.select(await stage.ref("#list"), label="L")


NEXT = {
    "click": click,
    "fill": fill_other,
    "press": press,
    "press anywhere": press_anywhere,
    "check": check,
    "select": select,
}


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("action", NEXT)
async def test_the_next_action_tells_what_was_taken_back(
    make_stage: MakeStage, frame_kind: str, action: str
) -> None:
    stage = await make_stage(PAGE, frame_kind)
    target = await stage.css()

    await stage.page.fill(target, "new")
    await stage.eval("target.value = 'old'")
    outcome, after = await NEXT[action](stage), await stage.page.snapshot()

    assert outcome.data["lost_values"] == [
        {"id": str(target), "held": "new", "now": "old", "state": False}
    ]
    assert after.lost_values == ()


async def test_an_action_in_another_frame_tells_what_was_taken_back(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(PAGE, "oopif", outer="<button id=outer>Outside</button>")
    target = await stage.css()
    button = (await stage.page.snapshot()).find("button", "Outside").id

    await stage.page.fill(target, "new")
    await stage.eval("target.value = 'old'")
    outcome = await stage.page.click(button)

    assert [change["id"] for change in outcome.data["lost_values"]] == [str(target)]


async def test_a_button_that_leads_elsewhere_tells_what_was_taken_back_before(
    make_stage: MakeStage,
) -> None:
    """The document that knew is gone with the click; the order would have been wrong."""
    stage = await make_stage(PAGE + "<script>button.onclick = () => location = '?saved'</script>")
    target = await stage.css()

    await stage.page.fill(target, "new")
    await stage.eval("target.value = 'old'")
    outcome = await click(stage)

    assert outcome.navigated
    assert [change["now"] for change in outcome.data["lost_values"]] == ["old"]


async def test_a_page_that_kept_it_twice_and_takes_it_back_later_is_told(
    make_stage: MakeStage,
) -> None:
    """Later than any action waits, and sooner or later than the look afterwards."""
    stage = await make_stage(
        """<input id=target aria-label=Name value=old><script>
        let times = 0;
        target.oninput = () => {
          times += 1;
          setTimeout(() => { if (times === 3) target.value = 'old' }, 250);
        };
        </script>"""
    )
    target = await stage.css()

    outcomes = [
        await stage.page.fill(target, word, observe=True) for word in ("one", "two", "three")
    ]
    await stage.wait("target.value === 'old'")
    after = await stage.page.snapshot()

    told = [change for outcome in outcomes for change in outcome.data.get("lost_values", ())]
    told += [change.to_dict() for change in after.lost_values]
    assert told == [{"id": str(target), "held": "three", "now": "old", "state": False}]


LEAVING = {
    "with the focus": "target.onblur = () => { target.value = 'old' }",
    "by the press": "document.onmousedown = () => { target.value = 'old' }",
}


@pytest.mark.parametrize("when", LEAVING)
async def test_a_field_that_is_taken_back_as_a_button_takes_the_focus_is_told(
    make_stage: MakeStage, when: str
) -> None:
    """A date picker that took no notice: the button saves what was there before."""
    save = "button.onclick = () => { button.name = target.value; target.value = '' }"
    stage = await make_stage(f"{PAGE}<script>{LEAVING[when]}; {save}</script>")
    target = await stage.css()

    await stage.page.fill(target, "new")
    outcome = await click(stage)

    assert await stage.eval("button.name") == "old"
    assert outcome.data["lost_values"] == [
        {"id": str(target), "held": "new", "now": "old", "state": False}
    ]
    assert (await stage.page.snapshot()).lost_values == ()


EFFECTS = {
    "click": ("button.onclick = () => { target.value = '' }", click),
    "press": ("other.onkeydown = () => { target.value = '' }", press),
    "reformatted": ("other.onfocus = () => { target.value = ' N-E/W ' }", fill_other),
}


@pytest.mark.parametrize("effect", EFFECTS)
async def test_an_effect_of_the_next_action_is_not_told_as_taken_back(
    make_stage: MakeStage, effect: str
) -> None:
    """A message field is emptied by the button that sends it."""
    script, action = EFFECTS[effect]
    stage = await make_stage(f"{PAGE}<script>{script}</script>")

    await stage.page.fill(await stage.css(), "new")
    outcome, after = await action(stage), await stage.page.snapshot()

    assert await stage.eval("target.value") != "new"
    assert "lost_values" not in outcome.data
    assert after.lost_values == ()


async def test_a_day_in_other_words_is_not_told(make_stage: MakeStage) -> None:
    script = "other.onfocus = () => { target.value = 'December 31, 2026' }"
    stage = await make_stage(f"{PAGE}<script>{script}</script>")

    await stage.page.fill(await stage.css(), "2026-12-31")
    outcome = await fill_other(stage)

    assert await stage.eval("target.value") == "December 31, 2026"
    assert "lost_values" not in outcome.data


async def test_a_field_that_another_field_empties_is_told(make_stage: MakeStage) -> None:
    stage = await make_stage(PAGE + "<script>list.onchange = () => { target.value = '' }</script>")

    await stage.page.fill(await stage.css(), "new")
    outcome = await stage.page.select(await stage.ref("#list"), label="L", observe=True)

    assert [change["now"] for change in outcome.data["lost_values"]] == [""]


async def test_our_own_next_value_is_not_told(make_stage: MakeStage) -> None:
    stage = await make_stage(PAGE)
    target, box = await stage.css(), await stage.ref("#box")
    one, two = await stage.ref("#one"), await stage.ref("#two")
    page = stage.page

    outcomes = [
        await page.fill(target, "new"),
        await page.fill(target, "newer"),
        await page.type(target, "!"),
        await page.check(box),
        await page.uncheck(box),
        await page.check(one),
        await page.check(two, observe=True),
    ]

    assert not any("lost_values" in outcome.data for outcome in outcomes)
    assert (await page.snapshot()).lost_values == ()


async def test_a_password_that_was_taken_back_is_not_told_in_clear(make_stage: MakeStage) -> None:
    stage = await make_stage("<input id=target type=password aria-label=Word>")
    target = await stage.css()

    await stage.page.fill(target, "hunter2")
    await stage.eval("target.type = 'text'; target.value = 'hunter'")
    snapshot = await stage.page.snapshot()

    assert [change.line for change in snapshot.lost_values] == [
        f"{target} no longer holds what it was given: the page changed it"
    ]
    assert "hunter2" not in str(snapshot.model_dump())


async def test_tools_tell_it_whatever_is_called_next(make_stage: MakeStage) -> None:
    stage = await make_stage(PAGE)
    target, session = await stage.css(), ToolSession(stage.page)
    words = f'{target} no longer holds "new": the page changed it to "old"'
    calls: dict[str, dict[str, str]] = {
        "browser_snapshot": {},
        "browser_press": {"key": "Shift"},
        "browser_hover": {"ref": str(target)},
        "browser_click": {"ref": "0-999999"},
        "browser_wait": {"text": "Gift"},
    }

    for name, arguments in calls.items():
        await call(session, "browser_fill", {"ref": str(target), "value": "new"})
        await stage.eval("target.value = 'old'")
        first = await call(session, name, arguments)
        second = await call(session, "browser_snapshot", {})

        assert words in first.text, name
        assert first.text.count("no longer holds") == 1, name
        assert "no longer holds" not in second.text, name
