"""A flow: one task on one application, with one walk for each command-line tool. Pure.

A walk is data: the calls that a competent model makes, as argument lists. Three kinds of
placeholders are filled before a call is made:

- `{base}` and `{word}`: the address of the application, and a random word for own records.
- `{name}`: a value that `prepare` returned; the task's text says it too.
- `{ref:PATTERN}`: copied from earlier output, as a model copies an id. The pattern is a regular
  expression without braces; the last match counts, and its first group if it has one.

So a walk uses only the task's text, earlier output, and the public markup of the software (such
as Django's `#result_list`), which models know. The same is allowed to every tool.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

#: The names of the tools, as `Flow.walks` has them.
OURS = "cdp-agent"
AGENT_BROWSER = "agent-browser"
PLAYWRIGHT = "playwright-cli"
TOOLS = (OURS, AGENT_BROWSER, PLAYWRIGHT)

Call = tuple[str, ...]
Walk = tuple[Call, ...]
#: What a task is about: `base`, `word`, and what `prepare` has returned.
Facts = Mapping[str, str]

#: This call reads the file of the newest snapshot, whose path the tool has printed.
READ_SNAPSHOT: Call = ("read the snapshot's file",)

_PLACEHOLDER = re.compile(r"\{(?:ref:(?P<pattern>[^{}]+)|(?P<name>[a-z]+))\}")
_SNAPSHOT_FILE = re.compile(r"\[Snapshot\]\(([^)]+)\)")


class WalkStopped(Exception):
    """A walk cannot go on: a call failed, or what it needs was not printed."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A task, the walks through it, and the proof that it was carried out."""

    name: str
    #: The application that must run, by its name in `--running`.
    app: str
    #: What a model would be told.
    task: str
    walks: Mapping[str, Walk]
    #: Returns why the flow has failed, or nothing, from the facts and all that was printed.
    proof: Callable[[Facts, str], str]
    #: Asks or changes the application before a walk, not through the browser.
    prepare: Callable[[Facts], dict[str, str]] = lambda facts: {}
    #: Removes what the walk has left behind, also after a failure.
    undo: Callable[[Facts], None] = lambda facts: None


def fill_call(call: Call, facts: Facts, printed: str) -> list[str]:
    """Returns the call with its placeholders filled.

    Raises:
        WalkStopped: earlier output has no match, or there is no such fact.
    """
    return [_fill_word(word, facts, printed) for word in call]


def _fill_word(word: str, facts: Facts, printed: str) -> str:
    def value(match: re.Match[str]) -> str:
        if pattern := match["pattern"]:
            found = list(re.finditer(pattern, printed))
            if not found:
                raise WalkStopped(f"nothing printed matches {pattern}")
            return found[-1][1] if found[-1].re.groups else found[-1][0]
        if match["name"] not in facts:
            raise WalkStopped(f"there is no fact {match['name']!r}")
        return facts[match["name"]]

    return _PLACEHOLDER.sub(value, word)


def snapshot_file(printed: str) -> str:
    """Returns the path of the newest snapshot that was printed.

    Raises:
        WalkStopped: none was printed.
    """
    paths = _SNAPSHOT_FILE.findall(printed)
    if not paths:
        raise WalkStopped("no snapshot's path was printed")
    return str(paths[-1])


def shown(*texts: str) -> Callable[[Facts, str], str]:
    """Returns a proof: all these texts, with facts filled in, must have been printed."""

    def prove(facts: Facts, printed: str) -> str:
        wanted = [text.format_map(facts) for text in texts]
        missing = [text for text in wanted if text not in printed]
        return f"not shown: {', '.join(missing)}" if missing else ""

    return prove
