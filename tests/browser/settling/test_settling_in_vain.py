"""Timers that show nothing are not waited for again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cdp_agent.act import stage as staging
from cdp_agent.act.wait import settle as settling
from cdp_agent.act.wait.settle import Settled
from tests.support.stage import MakeStage

Awaited = Callable[[], list[str]]

LIST = "<ul id=list></ul>"
ROW = "list.insertAdjacentHTML('beforeend', '<li>the row')"


@pytest.fixture
def awaited(monkeypatch: pytest.MonkeyPatch) -> Awaited:
    """The reasons for which the last action waited."""
    results: list[Settled] = []

    async def record(*args: Any, **kwargs: Any) -> Settled:
        results.append(await settling.settle(*args, **kwargs))
        return results[-1]

    monkeypatch.setattr(staging, "settle", record)
    return lambda: results[-1].awaited


async def test_a_control_that_is_drawn_again_is_the_same_control(
    make_stage: MakeStage, awaited: Awaited
) -> None:
    """A page that draws all of its controls at each click makes new elements of them."""
    stage = await make_stage("""<div id=tabs></div><script>
        function draw() {
          tabs.innerHTML = '<button id=target>Recent</button>';
          target.onclick = () => { draw(); setTimeout(() => {}, 5000) };
        }
        draw();
    </script>""")

    waits = []
    for _ in range(3):
        await stage.page.click(await stage.css())
        waits.append(awaited())

    assert waits == [["timers"], ["timers"], []]


async def test_another_control_of_the_same_page_is_waited_for(
    make_stage: MakeStage, awaited: Awaited
) -> None:
    stage = await make_stage(
        "<button id=target onclick='setTimeout(() => {}, 5000)'>Bold</button>"
        f'<button id=save onclick="setTimeout(() => {ROW}, 50)">Save</button>{LIST}'
    )
    for _ in range(3):
        await stage.page.click(await stage.css())
    assert awaited() == []

    outcome = await stage.page.click(await stage.css("#save"), observe=True)

    assert outcome.snapshot is not None
    assert "the row" in outcome.snapshot.text


SLIDE = """<style>@keyframes slide {{ from {{ translate: 0 9px }} }}
.on {{ animation: slide .2s }}</style>{buttons}<div id=list><a href=#>One</a></div>
<script>function slide() {{ list.className = ''; list.offsetWidth; list.className = 'on' }}</script>
"""


async def test_an_animation_that_shows_nothing_is_known_by_its_kind(
    make_stage: MakeStage, awaited: Awaited
) -> None:
    """It slides in at each button of the page; what it brings is there from the start."""
    buttons = "".join(f"<button id=b{n} onclick=slide()>Tab {n}</button>" for n in range(3))
    stage = await make_stage(SLIDE.format(buttons=buttons))

    waits = []
    for n in range(3):
        await stage.page.click(await stage.css(f"#b{n}"))
        waits.append(awaited())

    assert waits == [["animations"], ["animations"], []]


async def test_an_animation_at_whose_end_something_shows_is_waited_for_each_time(
    make_stage: MakeStage, awaited: Awaited
) -> None:
    buttons = "".join(f"<button id=b{n} onclick=slide()>Tab {n}</button>" for n in range(3))
    stage = await make_stage(
        SLIDE.format(buttons=buttons)
        + "<p id=note></p><script>list.onanimationend = () => note.append('done ')</script>"
    )

    for n in range(3):
        outcome = await stage.page.click(await stage.css(f"#b{n}"), observe=True)
        assert outcome.snapshot is not None
        assert "done " * n + "done" in outcome.snapshot.text


async def test_frames_that_change_nothing_are_not_followed_to_the_ceiling(
    make_stage: MakeStage, awaited: Awaited
) -> None:
    stage = await make_stage(
        '<button id=target onclick="(function f() { requestAnimationFrame(f) })()">Play</button>'
    )

    outcome = await stage.page.click(await stage.css())

    assert outcome.settled
    assert awaited() == ["frames"]


async def test_a_field_that_keeps_what_it_is_given_is_trusted_after_some_fills(
    make_stage: MakeStage, awaited: Awaited
) -> None:
    stage = await make_stage(
        "<input id=target aria-label=Filter oninput='setTimeout(() => {}, 5000)'>"
    )

    waits = []
    for n in range(5):
        await stage.page.fill(await stage.css(), f"text {n}")
        waits.append(awaited())

    assert waits == [["timers"]] * 4 + [[]]
