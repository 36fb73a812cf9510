"""Chromium's sentences, and what they mean to us."""

from __future__ import annotations

import pytest

from cdp_agent.errors import CdpAgentError, ProtocolError, TargetClosed, TargetCrashed
from cdp_agent.protocol.chrome_errors import (
    error_for,
    has_no_layout,
    is_context_gone,
    is_node_gone,
    is_target_gone,
)
from cdp_agent.protocol.codec import ErrorBody

QUESTIONS = {
    "target": is_target_gone,
    "context": is_context_gone,
    "node": is_node_gone,
    "layout": has_no_layout,
}

#: What Chromium 156 says, and which of the questions are then to be answered with yes.
SENTENCES: dict[str, tuple[str, set[str]]] = {
    "DOM.resolveNode of a removed node": ("No node with given id found", {"node"}),
    "DOM.describeNode by an old number": ("Could not find node with given id", {"node"}),
    "DOM.resolveNode by an unknown backend id": ("No node found for given backend id", {"node"}),
    "DOM.getBoxModel of what is not rendered": ("Could not compute box model.", {"layout"}),
    "DOM.scrollIntoViewIfNeeded of what is not rendered": (
        "Node does not have a layout object",
        {"layout"},
    ),
    "DOM.scrollIntoViewIfNeeded of a removed node": ("Node is detached from document", {"layout"}),
    "Runtime.callFunctionOn in an old document": (
        "Cannot find context with specified id",
        {"context"},
    ),
    "Runtime.evaluate by an old unique id": ("uniqueContextId not found", {"context"}),
    "a promise whose document went": ("Execution context was destroyed.", {"context"}),
    "a reply that a navigation cut off": (
        "Inspected target navigated or closed",
        {"context", "target"},
    ),
    "Page.createIsolatedWorld in a removed frame": ("No frame for given id found", {"context"}),
    "Accessibility.getFullAXTree of a removed frame": (
        "Frame with the given frameId is not found.",
        {"context"},
    ),
    "a tab in the cache": ("Not attached to an active page", {"context", "target"}),
    "a method that the target lacks": ("'Page.enable' wasn't found", set()),
    "anything else": ("Invalid parameters", set()),
}


@pytest.mark.parametrize(("sentence", "yes"), SENTENCES.values(), ids=SENTENCES.keys())
def test_a_sentence_answers_the_questions_it_is_about(sentence: str, yes: set[str]) -> None:
    error = error_for("Some.method", ErrorBody(-32000, sentence))

    assert isinstance(error, ProtocolError)
    assert {name for name, question in QUESTIONS.items() if question(error)} == yes


def test_a_tab_between_two_documents_may_be_asked_again() -> None:
    error = error_for("Page.captureScreenshot", ErrorBody(-32000, "Not attached to an active page"))

    assert error.can_retry
    assert "recover" in error.hint


def test_a_closed_target_is_gone_with_everything_in_it() -> None:
    error = error_for("DOM.enable", ErrorBody(-32001, "Session with given id not found."))

    assert isinstance(error, TargetClosed)
    assert is_target_gone(error)
    assert is_context_gone(error)
    assert not is_node_gone(error)


def test_a_crash_is_a_crash_whatever_its_number() -> None:
    error = error_for("Page.navigate", ErrorBody(-32000, "Target crashed", "details"))

    assert isinstance(error, TargetCrashed)
    assert error.message == "Page.navigate: Target crashed (details)"


@pytest.mark.parametrize("error", [ValueError("No node with given id found"), CdpAgentError("x")])
def test_only_what_the_browser_said_is_read(error: Exception) -> None:
    assert not any(question(error) for question in QUESTIONS.values())
