"""Log lines: what was sent is seen, what was typed is not."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from cdp_agent import log
from cdp_agent.act.input import inputs
from cdp_agent.protocol import Connection
from cdp_agent.targets.dialog import Dialog
from tests.unit.memory_transport import MemoryTransport, Refusal

SECRET = "hunter2"


@pytest.fixture
def wire() -> MemoryTransport:
    return MemoryTransport(answers_all=True)


@pytest_asyncio.fixture
async def connection(wire: MemoryTransport) -> AsyncIterator[Connection]:
    connection = Connection(wire)
    yield connection
    await connection.aclose()


async def test_a_command_and_its_reply_are_a_line_each(
    connection: Connection, wire: MemoryTransport, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger=log.ROOT)
    wire.attach("9F3A21C0BEEF", "T1")
    session = connection.find_session("9F3A21C0BEEF")
    assert session is not None
    wire.script("DOM.focus", None)

    await session.post("DOM.getContentQuads", {"backendNodeId": 1047})
    session.post("DOM.focus", {"backendNodeId": 7})
    wire.answer(wire.sent[1], Refusal("Element is not focusable"))
    wire.event("Page.frameNavigated", {"frame": {}}, "9F3A21C0BEEF")
    wire.drop("browser exited 139")

    assert caplog.messages == [
        "<  Target.attachedToTarget",
        "> #1 9F3A21C0 DOM.getContentQuads {'backendNodeId': 1047}",
        "< #1 ok",
        "> #2 9F3A21C0 DOM.focus {'backendNodeId': 7}",
        "< #2 error Element is not focusable",
        "< 9F3A21C0 Page.frameNavigated",
        "= connection closed: browser exited 139",
    ]


#: Commands that carry what a person typed, or what only the browser should know.
CONFIDENTIAL: dict[str, tuple[str, dict[str, Any]]] = {
    "text that is inserted": ("Input.insertText", {"text": SECRET}),
    "text of an input method": ("Input.imeSetComposition", {"text": SECRET, "selectionStart": 0}),
    "the answer to a prompt": (
        "Page.handleJavaScriptDialog",
        {"accept": True, "promptText": SECRET},
    ),
    "arguments of a script": (
        "Runtime.callFunctionOn",
        {"functionDeclaration": "(e, v) => 1", "arguments": [{"value": SECRET}]},
    ),
    "a cookie": ("Network.setCookie", {"name": "sid", "value": SECRET}),
    "cookies": ("Network.setCookies", {"cookies": [{"name": "sid", "value": SECRET}]}),
    "cookies of a context": ("Storage.setCookies", {"cookies": [{"value": SECRET}]}),
    "a password for a server": (
        "Fetch.continueWithAuth",
        {"requestId": "1", "authChallengeResponse": {"username": "ada", "password": SECRET}},
    ),
}


@pytest.mark.parametrize(("method", "params"), CONFIDENTIAL.values(), ids=CONFIDENTIAL.keys())
def test_what_is_confidential_is_not_in_the_line(method: str, params: dict[str, Any]) -> None:
    assert SECRET not in str(log.Shown(method, params))


async def test_the_keys_of_a_typed_text_cannot_be_told_apart(
    connection: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    """Not by their names, and not by their numbers either."""
    caplog.set_level(logging.DEBUG, logger=log.ROOT)
    shown: list[list[str]] = []
    for character in "hz":
        caplog.clear()
        for reply in inputs.type_character(connection.root, character):
            await reply
        shown.append([line.partition(" Input")[2] for line in caplog.messages])

    assert shown[0] == shown[1]
    assert any("keyDown" in line for line in shown[0])


async def test_an_answer_to_a_dialog_is_not_in_the_log(
    connection: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger=log.ROOT)

    await Dialog(connection.root, "prompt", "Password?", "", "").accept(SECRET)

    assert SECRET not in caplog.text


def test_a_long_value_is_cut_and_its_length_told() -> None:
    shown = str(log.Shown("Runtime.evaluate", {"expression": "x" * 10_000}))

    assert len(shown) < 400
    assert shown.endswith("characters)")


def test_a_script_of_ours_is_not_repeated_in_the_log() -> None:
    params = {"source": "const cdpAgent = …", "worldName": "cdp_agent"}

    shown = str(log.Shown("Page.addScriptToEvaluateOnNewDocument", params))

    assert shown == "{'worldName': 'cdp_agent'}"


def test_a_command_is_not_changed_by_being_shown() -> None:
    params = {"text": SECRET}

    str(log.Shown("Input.insertText", params))

    assert params == {"text": SECRET}


LEVELS: dict[str, tuple[bool, str | None, int | None]] = {
    "silent unless asked": (False, None, None),
    "asked by the program": (True, None, logging.DEBUG),
    "asked by the environment": (False, "info", logging.INFO),
    "a level that does not exist shows all": (False, "loud", logging.DEBUG),
}


@pytest.mark.parametrize(("debug", "variable", "level"), LEVELS.values(), ids=LEVELS.keys())
def test_the_log_is_shown_when_asked_for_and_once(
    monkeypatch: pytest.MonkeyPatch, debug: bool, variable: str | None, level: int | None
) -> None:
    logger = logging.getLogger(log.ROOT)
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "propagate", True)
    monkeypatch.setattr(logger, "level", logging.NOTSET)
    monkeypatch.delenv("CDP_AGENT_LOG", raising=False)
    if variable is not None:
        monkeypatch.setenv("CDP_AGENT_LOG", variable)

    log.setup(debug)
    log.setup(debug)

    assert len(logger.handlers) == (0 if level is None else 1)
    assert logger.level == (level or logging.NOTSET)
