"""Dialogs: who is told of them, who answers, and that nobody is left waiting."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent.errors import InvalidParams
from cdp_agent.targets.dialog import Dialog
from tests.unit.memory_transport import until
from tests.unit.recorded_tab import Tab, attached, navigated


def dialog_opens(kind: str = "confirm", message: str = "Sure?") -> tuple[str, dict[str, Any]]:
    return "Page.javascriptDialogOpening", {
        "url": "https://a.test/",
        "frameId": "F0",
        "message": message,
        "type": kind,
        "hasBrowserHandler": True,
        "defaultPrompt": "",
    }


def dialog_closes(result: bool) -> tuple[str, dict[str, Any]]:
    return "Page.javascriptDialogClosed", {"frameId": "F0", "result": result, "userInput": ""}


async def test_a_dialog_is_the_pages_until_it_is_answered(tab: Tab) -> None:
    await tab.hear("S0", dialog_opens("prompt", "Your name?"))
    dialog = tab.page.dialog
    assert dialog is not None
    assert (dialog.type, dialog.message, dialog.open) == ("prompt", "Your name?", True)

    await dialog.accept("Ada")
    await tab.hear("S0", dialog_closes(True))

    answers = tab.wire.commands("Page.handleJavaScriptDialog")
    assert [(c.params, c.session_id) for c in answers] == [
        ({"accept": True, "promptText": "Ada"}, "S0")
    ]
    assert (tab.page.dialog, dialog.open, dialog.accepted) == (None, False, True)
    with pytest.raises(InvalidParams):
        await dialog.dismiss()


async def test_a_dialog_of_a_frame_in_another_process_is_answered_there(tab: Tab) -> None:
    await tab.hear("S0", attached("F1", "F0"))
    await tab.attach_frame("S1", "F1")
    await tab.hear("S1", navigated("F1", "F0", "L10", "https://b.test/"))
    await tab.hear("S1", dialog_opens())
    assert tab.page.dialog is not None

    await tab.page.dialog.dismiss()
    await tab.hear("S1", dialog_closes(False))

    answers = tab.wire.commands("Page.handleJavaScriptDialog")
    assert [(c.params, c.session_id) for c in answers] == [({"accept": False}, "S1")]
    assert tab.page.dialog is None


async def test_the_event_of_a_dialogs_end_is_about_the_one_that_ended(tab: Tab) -> None:
    await tab.hear("S0", attached("F1", "F0"))
    await tab.attach_frame("S1", "F1")
    await tab.hear("S1", navigated("F1", "F0", "L10", "https://b.test/"))
    with tab.page.events.open(("dialog",), lambda _: True) as events:
        await tab.hear("S1", dialog_opens("confirm", "In the frame?"))
        await tab.hear("S0", dialog_opens("confirm", "In the page?"))
        await tab.hear("S1", dialog_closes(False))

        told = [await events.get(timeout=1) for _ in range(3)]
    assert [(event.name, event.subject.message) for event in told if event is not None] == [
        ("opened", "In the frame?"),
        ("opened", "In the page?"),
        ("closed", "In the frame?"),
    ]


async def test_a_dialog_that_somebody_else_answers_is_over(tab: Tab) -> None:
    await tab.hear("S0", dialog_opens())
    dialog = tab.page.dialog
    assert dialog is not None

    await tab.hear("S0", dialog_closes(False))

    assert (tab.page.dialog, dialog.open, dialog.accepted) == (None, False, False)


@pytest.mark.parametrize("answer", [True, False])
async def test_a_policy_answers_at_once_and_the_page_never_waits(tab: Tab, answer: bool) -> None:
    asked: list[Dialog] = []

    def policy(dialog: Dialog) -> bool:
        asked.append(dialog)
        return answer

    tab.page.dialogs.choose = policy
    await tab.hear("S0", dialog_opens())

    assert tab.page.dialog is None
    assert [dialog.message for dialog in asked] == ["Sure?"]
    answers = tab.wire.commands("Page.handleJavaScriptDialog")
    assert [c.params for c in answers] == [{"accept": answer}]


async def test_a_policy_that_fails_does_not_make_the_tab_deaf(tab: Tab) -> None:
    def policy(_: Dialog) -> bool:
        raise ZeroDivisionError

    tab.page.dialogs.choose = policy
    tab.play("S0", dialog_opens())

    await tab.hear("S0", navigated("F0", None, "L2", "https://b.test/"))

    assert tab.page.url == "https://b.test/"


async def test_a_page_that_opens_dialogs_for_ever_is_remembered_in_part(tab: Tab) -> None:
    tab.page.dialogs.choose = lambda _: True
    for number in range(250):
        tab.play("S0", dialog_opens("alert", str(number)), dialog_closes(True))
    await tab.handled()

    assert tab.page.dialogs.count == 250
    assert [dialog.message for dialog in tab.page.dialogs.since(0)][-1] == "249"
    assert len(tab.page.dialogs.since(0)) == 100


async def test_a_crash_takes_the_dialog_along(tab: Tab) -> None:
    await tab.hear("S0", dialog_opens())

    await tab.hear("S0", ("Inspector.targetCrashed", {}))

    assert tab.page.dialog is None


async def test_a_tab_that_is_closed_has_no_dialog(tab: Tab) -> None:
    page = tab.page
    await tab.hear("S0", dialog_opens())
    assert page.dialog is not None

    tab.wire.detach("S0")
    await until(lambda: page.closed is not None)

    assert page.dialog is None
