"""Words of a command that were meant as one, though nothing quotes them.

`--search` takes the words up to the next option. A target or a text takes the rest of the line
where nothing else can follow. What could also be read otherwise is left as it was typed.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

#: A selector, and what may follow it.
_SELECTOR = re.compile(r"(?:text|label|placeholder|test[_-]?id|css|xpath|role)[=:]")
_SELECTOR_OPTION = re.compile(r"near=.|(?:nth|frame)=-?\d+$")
_ID = re.compile(r"\[?\d{1,6}-\d{1,10}\]?$")
#: A selector that says where it ends.
_CLOSED = re.compile(r"role[=:].*\]$")
_OPTION = re.compile(r"--?[A-Za-z]")
#: Commands whose words are targets alone.
_TARGETS_ONLY = frozenset({"click", "dblclick", "hover", "check", "uncheck", "drag", "read"})
#: Commands that end in a text: what stands before it, and what it is called.
_TEXT_LAST = {
    "fill": ("ref", "value"),
    "type": ("ref", "text"),
    "wait": ("", "text"),
    "dialog": ("", "text"),
}
_EXAMPLES = {
    "wait": '"Order saved"',
    "open": 'URL --search "two words"',
    "snapshot": '--search "two words"',
    "do": '"click text=Save" "wait Saved"',
    "press": "Control+b",
}
#: Options of many commands, which a hint about one of them leaves out.
_COMMON = frozenset(
    (
        *("--help", "--session", "--page", "--json", "--debug"),
        *("--search", "--max-tokens", "--root", "--interactive", "--quiet"),
    )
)


def with_whole_search(words: Sequence[str]) -> list[str]:
    """The words with those after `--search` as one, up to an option or a target.

    A snapshot has no target, and an address behind its search would be one to go to. Between
    the steps of `do` nothing tells which word is a step.
    """
    if not words or words[0] == "do":
        return list(words)
    joined: list[str] = []
    is_search = False
    for number, word in enumerate(words):
        is_first = number > 0 and words[number - 1] == "--search"
        ends = _OPTION.match(word) or (words[0] != "snapshot" and _is_target(word))
        if is_search and not is_first and not ends:
            joined[-1] += f" {word}"
            continue
        joined.append(word)
        is_search = is_first or word == "--search" or word.startswith("--search=")
    return joined


def with_whole_targets(words: Sequence[str]) -> list[str]:
    """The words with those behind a selector as parts of it, where nothing else takes them."""
    joined: list[str] = []
    takes_all = bool(words) and words[0] in _TARGETS_ONLY
    for word in words:
        may_join = takes_all and not _OPTION.match(word) and not _is_target(word)
        if joined and _SELECTOR.match(joined[-1]) and (may_join or _SELECTOR_OPTION.match(word)):
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


def take_rest(args: argparse.Namespace, surplus: Sequence[str]) -> bool:
    """Add the words that are left to the text of the command; False where it could be another."""
    before, name = _TEXT_LAST.get(getattr(args, "command", ""), ("", ""))
    text = getattr(args, name, None) if name else None
    target = getattr(args, before, None) if before else None
    if text is None or any(map(_OPTION.match, surplus)) or getattr(args, "text_gone", None):
        return False
    if before and not (target and (_ID.match(target) or _CLOSED.match(target))):
        return False
    setattr(args, name, " ".join((text, *surplus)))
    return True


def hint_for(parser: argparse.ArgumentParser, words: Sequence[str], surplus: Sequence[str]) -> str:
    """The way out of a line with words that are too many."""
    choices = next(a for a in parser._actions if isinstance(a.choices, dict)).choices
    command = dict(choices or {}).get(words[0] if words else "")
    if command is None:
        return ""
    name, places = words[0], [a for a in command._actions if not a.option_strings]
    if any(word.startswith("--") for word in surplus):
        options = [a.option_strings[-1] for a in command._actions if a.option_strings]
        taken = (*(str(a.metavar) for a in places), *(o for o in options if o not in _COMMON))
        return f"{name} takes {', '.join(taken)}."
    if name in _TEXT_LAST and _TEXT_LAST[name][0]:
        return f'Quote target and text: {name} "label=First name" "Ada Lovelace".'
    example = _EXAMPLES.get(name, '"text=Log in"')
    return f"Quote what has spaces, as in a shell: {name} {example}."


def _is_target(word: str) -> bool:
    return bool(_SELECTOR.match(word) or _ID.match(word))
