"""Pause, step and take-over, without a browser."""

from __future__ import annotations

import asyncio

import pytest

from cdp_agent.errors import ActionTimeout, InvalidParams
from cdp_agent.live.control import Control


def make_control(**options: float) -> Control:
    return Control(lambda: None, **options)


async def others_run() -> None:
    """Let every task come to where it waits."""
    for _ in range(30):
        await asyncio.sleep(0)


async def waits(control: Control, lock: asyncio.Lock | None = None) -> asyncio.Task[None]:
    """A call that has come to the gate."""
    entering = asyncio.create_task(control.enter(lock))
    await others_run()
    return entering


async def test_a_paused_agent_waits_until_it_is_resumed() -> None:
    control = make_control()
    control.pause()
    entering = await waits(control)
    assert not entering.done()
    control.resume()
    await asyncio.wait_for(entering, 5)
    assert control.waiting == 0


async def test_a_step_lets_one_call_pass() -> None:
    control = make_control()
    control.pause()
    first = await waits(control)
    control.step()
    await asyncio.wait_for(first, 5)
    second = await waits(control)
    assert not second.done()
    control.resume()
    await asyncio.wait_for(second, 5)


async def test_a_call_of_several_steps_leaves_the_permission_to_its_first_step() -> None:
    control = make_control()
    control.pause()
    control.step()
    await asyncio.wait_for(control.enter(of_several=True), 5)
    await asyncio.wait_for(control.enter(), 5)
    second = await waits(control)
    assert not second.done()
    control.step()
    await asyncio.wait_for(second, 5)
    control.step()
    control.end_steps()
    after = await waits(control)
    assert not after.done(), "a permission that no step has used is void"
    control.resume()
    await asyncio.wait_for(after, 5)


async def test_a_call_does_not_wait_for_ever() -> None:
    control = make_control(hold_seconds=0.01)
    control.pause()
    with pytest.raises(ActionTimeout):
        await asyncio.wait_for(control.enter(), 5)
    assert control.waiting == 0


async def test_a_person_drives_only_when_the_call_under_way_has_ended() -> None:
    control, viewer, lock = make_control(), object(), asyncio.Lock()
    await lock.acquire()
    await control.enter(lock)
    control.take(viewer)
    await others_run()
    with pytest.raises(ActionTimeout, match="under way"):
        control.require_granted(viewer)
    lock.release()
    await others_run()
    control.require_granted(viewer)
    assert not lock.locked(), "it is the agent's, who would wait for ever"
    await control.aclose()


async def test_a_person_drives_between_two_steps_of_one_call() -> None:
    control, viewer, lock = make_control(), object(), asyncio.Lock()
    await lock.acquire()
    await control.enter(lock)
    control.take(viewer)
    step = await waits(control, lock)  # the next step of the same call
    await others_run()
    control.require_granted(viewer)
    control.give(viewer)
    await asyncio.wait_for(step, 5)
    assert lock.locked(), "the call holds it still"
    await control.aclose()


async def test_a_question_lets_a_person_drive() -> None:
    control, viewer, lock = make_control(), object(), asyncio.Lock()
    await lock.acquire()
    await control.enter(lock)
    control.asked(1)
    control.take(viewer)
    await others_run()
    control.require_granted(viewer)
    await control.aclose()


async def test_one_person_drives_at_a_time() -> None:
    control, viewer, other = make_control(), object(), object()
    control.take(viewer)
    with pytest.raises(InvalidParams):
        control.take(other)
    with pytest.raises(InvalidParams):
        control.require_granted(other)
    control.give(other)
    assert control.holder is viewer
    control.give(viewer)
    control.take(other)
    assert control.holder is other
    await control.aclose()


async def test_deeds_are_counted_and_told_once() -> None:
    control = make_control()
    control.did("click")
    control.did("character", 11)
    control.did("click")
    assert control.take_deeds() == "2 clicks, 11 characters"
    assert control.take_deeds() == ""


async def test_closing_lets_the_agent_go_on() -> None:
    control = make_control()
    control.pause()
    entering = await waits(control)
    await control.aclose()
    await asyncio.wait_for(entering, 5)
