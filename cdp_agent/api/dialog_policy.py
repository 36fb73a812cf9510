"""Policies that answer a page's dialogs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cdp_agent.errors import InvalidParams
from cdp_agent.targets.dialog import Dialog

#: Answers True to accept, False to dismiss, None to leave it to the caller.
DialogPolicy = Callable[[Dialog], bool | None]

_WORDS: dict[str, bool | None] = {"accept": True, "dismiss": False, "wait": None}

#: An alert only wants to be read; what asks a question waits for whoever acts.
DEFAULT_ANSWERS: dict[str, bool | None] = {
    "alert": True,
    "confirm": None,
    "prompt": None,
    "beforeunload": None,
}


def make_policy(given: Any) -> DialogPolicy:
    """A policy from `accept`, `dismiss`, `wait`, a mapping of types, or a function.

    Raises:
        InvalidParams: it is none of them.
    """
    if given is None:
        return lambda dialog: DEFAULT_ANSWERS.get(dialog.type)
    if isinstance(given, str) and given in _WORDS:
        answer = _WORDS[given]
        return lambda _: answer
    if isinstance(given, Mapping) and all(
        kind in DEFAULT_ANSWERS and isinstance(word, str) and word in _WORDS
        for kind, word in given.items()
    ):
        answers = {**DEFAULT_ANSWERS, **{kind: _WORDS[v] for kind, v in given.items()}}
        return lambda dialog: answers.get(dialog.type)
    if callable(given):
        return given  # type: ignore[no-any-return]
    raise InvalidParams(
        f"{given!r} is not a dialog policy",
        hint="'accept', 'dismiss', 'wait', {'confirm': 'accept', …} or a function of the dialog.",
    )
