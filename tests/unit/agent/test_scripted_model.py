"""Steps from a file, matched against the page."""

from __future__ import annotations

import pytest

from cdp_agent import ElementId, InvalidParams
from cdp_agent.agent.models.model_interface import ModelReply, ModelRequest
from cdp_agent.agent.models.scripted_model import ScriptedModel
from cdp_agent.snapshot import Node, Snapshot
from tests.unit.pages import plain_snapshot


def page(*names: str) -> Snapshot:
    return plain_snapshot(
        nodes=tuple(
            Node(f"0-{n}", 0, "link", name, id=ElementId(0, n)) for n, name in enumerate(names, 1)
        )
    )


async def ask(model: ScriptedModel, snapshot: Snapshot | None) -> ModelReply:
    return await model.reply(ModelRequest("", [], [], snapshot))


def script(steps: str) -> ScriptedModel:
    return ScriptedModel.read(f"steps:\n{steps}")


CLICK = "  - {tool: browser_click, target: {role: link, name: %s}}\n"


async def test_a_step_acts_on_the_element_it_describes() -> None:
    model = script("  - {say: There it is., tool: browser_click, target: {name: cancel}}\n")

    reply = await ask(model, page("Change plan", "Cancel"))

    assert reply.text == "There it is."
    assert reply.calls[0].name == "browser_click"
    assert reply.calls[0].arguments == {"ref": "0-2"}
    assert reply.content[-1]["input"] == {"ref": "0-2"}


async def test_a_target_that_is_not_there_yet_is_looked_for_again() -> None:
    model = script(CLICK % "Cancel")

    assert (await ask(model, page("Loading"))).calls[0].name == "browser_snapshot"
    assert (await ask(model, page("Cancel"))).calls[0].arguments == {"ref": "0-1"}


async def test_a_target_that_never_comes_fails_the_task_with_the_reason() -> None:
    model = script(CLICK % "Cancel")

    replies = [await ask(model, page("Loading")) for _ in range(5)]

    assert [reply.calls[0].name for reply in replies[:4]] == ["browser_snapshot"] * 4
    last = replies[4].calls[0]
    assert last.name == "complete_task"
    assert last.arguments["success"] is False
    assert "name 'Cancel'" in last.arguments["summary"]


async def test_two_that_fit_are_not_guessed_between() -> None:
    model = script(CLICK % "Cancel")

    assert (await ask(model, page("Cancel", "Cancel all"))).calls[0].name == "browser_snapshot"

    chosen = script("  - {tool: browser_click, target: {name: Cancel}, nth: 1}\n")
    reply = await ask(chosen, page("Cancel", "Cancel all"))
    assert reply.calls[0].arguments == {"ref": "0-2"}


async def test_an_optional_step_is_left_out_when_its_condition_does_not_hold() -> None:
    model = script(
        "  - {when: {text: Cookies}, optional: true, tool: browser_click, target: {name: Accept}}\n"
        + CLICK % "Cancel"
    )

    assert (await ask(model, page("Cancel"))).calls[0].arguments == {"ref": "0-1"}


async def test_after_the_last_step_it_calls_nothing() -> None:
    model = script("  - {tool: complete_task, arguments: {success: true, summary: Done}}\n")

    first = await ask(model, None)
    assert first.calls[0].arguments == {"success": True, "summary": "Done"}
    assert (await ask(model, None)).calls == ()


WRONG = {
    "no YAML": "steps: [",
    "no steps": "name: x",
    "no tool": "steps: [{say: hello}]",
    "an unknown key": "steps: [{tool: browser_click, selector: a}]",
    "a target that says nothing": "steps: [{tool: browser_click, target: {}}]",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_what_is_no_script_is_refused(text: str) -> None:
    with pytest.raises(InvalidParams):
        ScriptedModel.read(text)


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(InvalidParams, match="cannot read"):
        ScriptedModel.load("no-such-script.yaml")
