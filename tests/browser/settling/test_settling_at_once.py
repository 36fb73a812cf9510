"""An action waits for the work that its own events began, and for nothing else.

What was waited for is read from the engine's own account of it, so that no test measures time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cdp_agent import Outcome
from cdp_agent.act import stage as staging
from cdp_agent.act.wait import settle as settling
from cdp_agent.act.wait.settle import Settled
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, Stage

Awaited = Callable[[], list[str]]

ROW = "list.insertAdjacentHTML('beforeend', '<li>the row')"
LIST = "<ul id=list></ul>"
ADD = '<button id=target onclick="{}">Add</button>' + LIST
FIELD = "<label>Name <input id=field {}></label><p id=note style='height: 2em'></p>"


@pytest.fixture
def awaited(monkeypatch: pytest.MonkeyPatch) -> Awaited:
    """The reasons for which the last action waited."""
    results: list[Settled] = []

    async def record(*args: Any, **kwargs: Any) -> Settled:
        results.append(await settling.settle(*args, **kwargs))
        return results[-1]

    monkeypatch.setattr(staging, "settle", record)
    return lambda: results[-1].awaited


def text_of(outcome: Outcome) -> str:
    assert outcome.snapshot is not None
    return outcome.snapshot.text


def soon(script: str, ms: int = 50) -> str:
    return f"setTimeout(() => {{ {script} }}, {ms})"


def frame(script: str) -> str:
    return f"requestAnimationFrame(() => {{ {script} }})"


async def click(stage: Stage) -> Outcome:
    return await stage.page.click(await stage.css(), observe=True)


PUT_OFF = {
    "a timer": soon(ROW),
    "a timer of 120 ms": soon(ROW, 120),
    "a change at once and a timer": f"this.className = 'busy'; {soon(ROW)}",
    "a timer after a timer": soon(f"this.className = 'busy'; {soon(ROW)}"),
    "a frame": frame(ROW),
    "five frames": frame(frame(frame(frame(frame(ROW))))),
    "a timer in a frame": frame(soon(ROW)),
    "a frame in a timer": soon(f"this.className = 'busy'; {frame(frame(ROW))}"),
    "an idle callback": f"requestIdleCallback(() => {{ {ROW} }})",
    "a message to itself": "const c = new MessageChannel();"
    f"c.port1.onmessage = () => {{ {ROW} }}; c.port2.postMessage(0)",
    "a request": f"fetch(location.href).then(r => r.text()).then(() => {{ {ROW} }})",
    "a request, then a timer": "fetch(location.href).then(r => r.text()).then(() => {"
    f" this.className = 'busy'; {soon(ROW)} }})",
    "a quick answer, then a timer": f"fetch(location.href).then(() => {{ {soon(ROW, 120)} }})",
    "a timer, then a request": soon(
        f"this.className = 'busy'; fetch(location.href).then(() => {{ {ROW} }})"
    ),
    "a transition": "list.ontransitionend = () => { list.hidden = true; " + ROW + "; "
    "list.hidden = false }; list.textContent = 'wait'; list.style.opacity = 1; "
    "list.offsetWidth; list.style.transition = 'opacity .3s'; list.style.opacity = 0.5",
    "an animation": "list.textContent = 'wait'; list.animate({ opacity: [0, 1] }, 300)"
    f".onfinish = () => {{ {ROW} }}",
}


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("script", PUT_OFF.values(), ids=PUT_OFF.keys())
async def test_what_a_click_puts_off_shows(
    make_stage: MakeStage, script: str, frame_kind: str
) -> None:
    stage = await make_stage(ADD.format(script), frame_kind)

    outcome = await click(stage)

    assert "the row" in text_of(outcome)
    assert outcome.settled


NOTE = "note.append('left')"
LEFT = {
    "says nothing": "",
    "changes the page": "onblur=\"note.textContent = 'left'\"",
    "changes the page on change": "onchange=\"note.textContent = 'changed'\"",
    "changes the page soon": f'onchange="{soon(NOTE, 10)}"',
    "changes the page twice": f'onchange="{soon(NOTE, 5)}" onblur="{soon(NOTE, 10)}"',
    "changes the page in a frame": f'onblur="{frame(NOTE)}"',
}


@pytest.mark.parametrize("left", LEFT.values(), ids=LEFT.keys())
async def test_a_field_that_loses_the_focus_does_not_end_the_wait(
    make_stage: MakeStage, left: str
) -> None:
    stage = await make_stage(FIELD.format(left) + ADD.format(soon(ROW)))
    await stage.page.fill(await stage.css("#field"), "Ada")

    assert "the row" in text_of(await click(stage))


@pytest.mark.parametrize("event", ["change", "blur", "focusout"])
async def test_a_field_that_loses_the_focus_is_not_waited_for(
    make_stage: MakeStage, awaited: Awaited, event: str
) -> None:
    late = soon(NOTE, 100) + ";" + frame("") + "; requestIdleCallback(() => {})"
    stage = await make_stage(
        FIELD.format("")
        + ADD.format(ROW)
        + f"<script>field.addEventListener('{event}', () => {{ {late} }})</script>"
    )
    await stage.page.fill(await stage.css("#field"), "Ada")

    outcome = await click(stage)

    assert "the row" in text_of(outcome)
    assert awaited() == []


async def test_a_key_that_moves_the_focus_shows_what_the_field_makes_of_it(
    make_stage: MakeStage,
) -> None:
    check = soon("note.textContent = 'checked'")
    stage = await make_stage(FIELD.format(f'onblur="{check}"'))
    await stage.page.fill(await stage.css("#field"), "Ada")

    outcome = await stage.page.press("Tab", observe=True)

    assert "checked" in text_of(outcome)


CLOCKS = {
    "interval": "setInterval(() => {{ {} }}, 10)",
    "timers": "(function tick() {{ {}; setTimeout(tick, 10) }})()",
    "frames": "(function tick() {{ {}; requestAnimationFrame(tick) }})()",
    "requests": "setInterval(() => {{ {}; fetch('/poll') }}, 40)",
}


@pytest.mark.parametrize("clock", CLOCKS.values(), ids=CLOCKS.keys())
@pytest.mark.parametrize("script", [soon(ROW), frame(frame(ROW))], ids=["timer", "frames"])
async def test_a_clock_does_not_end_the_wait(
    make_stage: MakeStage, clock: str, script: str
) -> None:
    tick = clock.format("time.textContent = 1 + +time.textContent")
    stage = await make_stage(f"{ADD.format(script)}<p id=time>0</p><script>{tick}</script>")
    await stage.wait("+time.textContent > 20")

    outcome = await click(stage)

    assert "the row" in text_of(outcome)
    assert outcome.settled


@pytest.mark.parametrize("clock", ["interval", "frames", "requests"])
async def test_a_clock_does_not_prolong_the_wait(
    make_stage: MakeStage, awaited: Awaited, clock: str
) -> None:
    """Frames that an event books are not told from those of a page that always draws."""
    tick = CLOCKS[clock].format("time.textContent = 1 + +time.textContent")
    stage = await make_stage(f"{ADD.format(ROW)}<p id=time>0</p><script>{tick}</script>")
    await stage.wait("+time.textContent > 20")

    outcome = await click(stage)

    assert "the row" in text_of(outcome)
    assert outcome.settled
    assert awaited() in ([], ["frames"] if clock == "frames" else [])


STILL = {
    "a static page": "<button id=target>Add</button>",
    "a click that works at once": ADD.format(ROW),
    "a listener that does nothing": ADD.format("void 0"),
    "an event that is stopped": ADD.format(f"event.stopImmediatePropagation(); {ROW}"),
    "an endless spinner": "<style>@keyframes turn { to { rotate: 1turn } }"
    ".on { animation: turn 1s infinite }</style>" + ADD.format("list.className = 'on'"),
    "a colour that fades": "<style>#list { transition: color 1s }</style>"
    + ADD.format(f"{ROW}; list.style.color = 'red'"),
    "a button that is pressed": "<style>#target { transition: .5s } #target:active { scale: .9 }"
    "</style><button id=target>Add</button>",
    "a ripple without words": "<style>@keyframes grow { from { scale: 0 } }"
    "i { position: absolute; width: 9px; height: 9px; animation: grow .5s }</style>"
    + ADD.format("this.append(document.createElement('i'))"),
}


@pytest.mark.parametrize("html", STILL.values(), ids=STILL.keys())
async def test_a_click_that_puts_nothing_off_is_over_at_once(
    make_stage: MakeStage, awaited: Awaited, html: str
) -> None:
    stage = await make_stage(html)

    outcome = await click(stage)

    assert outcome.settled
    assert awaited() == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_keys_and_hovers_that_nobody_answers_are_over_at_once(
    make_stage: MakeStage, awaited: Awaited, frame_kind: str
) -> None:
    stage = await make_stage(
        "<button id=target>Add</button><div contenteditable id=editor"
        " onkeydown='event.preventDefault()'>text</div>",
        frame_kind,
    )
    target, editor = await stage.css(), await stage.css("#editor")

    for action in (
        stage.page.press("Tab"),
        stage.page.hover(target),
        stage.page.press("x", editor),
        stage.page.press("F2", target),
        stage.page.focus(target),
    ):
        await action
        assert awaited() == []


async def test_a_fill_that_the_page_hears_of_is_over_at_once(
    make_stage: MakeStage, awaited: Awaited
) -> None:
    stage = await make_stage(FIELD.format('oninput="note.textContent = this.value"'))

    outcome = await stage.page.fill(await stage.css("#field"), "Ada", observe=True)

    assert "Ada" in text_of(outcome)
    assert awaited() == []


async def test_a_timer_is_waited_for_until_it_shows_something(
    make_stage: MakeStage, awaited: Awaited
) -> None:
    """A ripple's timer of 550 ms is not told from a short one: it costs the time of a short one."""
    stage = await make_stage(ADD.format(f"this.className = 'ripple'; {soon(ROW, 5000)}"))

    outcome = await click(stage)

    assert outcome.settled
    assert "the row" not in text_of(outcome)
    assert awaited() == ["timers"]


async def test_frames_without_an_end_are_said_to_go_on(make_stage: MakeStage) -> None:
    stage = await make_stage(
        ADD.format("(function draw() { list.title += 'x'; requestAnimationFrame(draw) })()")
    )

    outcome = await click(stage)

    assert not outcome.settled


CALLS = {
    "a timer of the page": "parent.add()",
    "a timer of the page after a message": "parent.postMessage('add', '*')",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
async def test_what_a_frame_has_its_page_put_off_shows(make_stage: MakeStage, call: str) -> None:
    outer = f"{LIST}<script>function add() {{ {soon(ROW)} }}; onmessage = add</script>"
    stage = await make_stage(
        f'<button id=target onclick="{call}">Add</button>', "same-process", outer=outer
    )

    assert "the row" in text_of(await click(stage))


async def test_what_a_page_has_its_frame_put_off_shows(make_stage: MakeStage) -> None:
    stage = await make_stage(
        f"{LIST}<script>function add() {{ {soon(ROW)} }}</script>",
        "same-process",
        outer="<button onclick='frames[0].add()'>Add</button>",
    )

    button = (await stage.page.snapshot()).find("button", "Add")
    outcome = await stage.page.click(button.id, observe=True)

    assert "the row" in text_of(outcome)


async def test_an_answer_to_a_message_is_waited_for(make_stage: MakeStage) -> None:
    stage = await make_stage(
        f"<button id=target onclick=\"parent.postMessage('ask', '*')\">Add</button>{LIST}"
        f"<script>onmessage = () => {soon(ROW)}</script>",
        "oopif",
        outer="<script>onmessage = event => event.source.postMessage('row', '*')</script>",
    )

    assert "the row" in text_of(await click(stage))


async def test_a_new_document_is_shown_with_what_it_loads(
    make_stage: MakeStage, site: Site
) -> None:
    inner, data = site.page("<button>Inner</button>"), site.page("data")
    script = f"fetch('{data}').then(r => r.text()).then(() => {frame(frame(ROW))})"
    there = site.page(f"{LIST}<iframe src='{inner}'></iframe><script>{script}</script>")
    stage = await make_stage(f"<a id=target href='{there}'>Next</a>")

    text = text_of(await click(stage))

    assert "the row" in text
    assert 'button "Inner"' in text


async def test_a_change_that_the_field_before_put_off_does_not_end_the_wait(
    make_stage: MakeStage,
) -> None:
    """The field's timer has shown nothing when its fill is over; it fires during the click."""
    stage = await make_stage(
        FIELD.format('oninput="setTimeout(check, 300)"')
        + ADD.format(f"check(); {soon(ROW)}")
        + f"<script>function check() {{ {soon(NOTE, 20)} }}</script>"
    )
    await stage.page.fill(await stage.css("#field"), "Ada")
    # Of the two timers of the click the first is, to the engine, as good as the field's own.
    assert "the row" in text_of(await click(stage))


async def test_a_listener_that_moves_the_focus_is_waited_for(make_stage: MakeStage) -> None:
    """The field loses the focus by the click's own listener, not by the press."""
    stage = await make_stage(
        FIELD.format("")
        + ADD.format(f"list.focus(); {soon(ROW)}").replace("<ul", "<ul tabindex=0")
        + "<script>target.onmousedown = event => event.preventDefault()</script>"
    )
    await stage.page.fill(await stage.css("#field"), "Ada")

    assert "the row" in text_of(await click(stage))


async def test_timers_that_every_tab_books_in_vain_are_not_waited_for_again(
    make_stage: MakeStage, awaited: Awaited
) -> None:
    stage = await make_stage(
        "<button>One</button><script>"
        f"addEventListener('keydown', () => {soon('window.fired = true', 5000)})</script>"
    )

    waits = []
    for _ in range(3):
        await stage.page.press("Tab")
        waits.append(awaited())
    await stage.page.press("F2")

    assert waits == [["timers"], ["timers"], []]
    assert awaited() == ["timers"]


async def test_timers_after_each_answer_in_vain_are_not_waited_for_again(
    make_stage: MakeStage, site: Site, awaited: Awaited
) -> None:
    """The page asks its server at each click, and tidies up later; another button shows a row."""
    site.page("answer", path="/slow-answer", delay=0.15)
    idle = soon("window.fired = true", 5000)
    stage = await make_stage(
        f'<button id=target onclick="fetch(`/slow-answer`).then(() => {{ {idle} }})">Ask</button>'
        '<button id=other onclick="fetch(`/slow-answer`).then(() => '
        f'{{ {soon(ROW)} }})">Add</button>' + LIST
    )

    waits = []
    for _ in range(3):
        await click(stage)
        waits.append(awaited())
    other = await stage.page.click(await stage.css("#other"), observe=True)

    assert waits == [["requests", "timers"], ["requests", "timers"], ["requests"]]
    assert "the row" in text_of(other)
