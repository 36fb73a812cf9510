"""The commands by what they are for, and the right one for a word that is none."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

#: A selector, and what may follow it.
_TARGET = re.compile(r"(?:text|label|placeholder|test[_-]?id|css|xpath|role)[=:]")
_TARGET_OPTION = re.compile(r"near=.|(?:nth|frame)=-?\d+$")

_GROUPS = {
    "Look": ("open", "snapshot", "read", "expand", "screenshot", "extract", "tabs"),
    "Act": (
        *("click", "dblclick", "fill", "replace", "type", "press", "select", "check", "uncheck"),
        *("hover", "drag", "scroll", "upload", "dialog", "wait", "back", "forward", "reload"),
    ),
    "Print, device and logs": (
        *("pdf", "content", "console", "errors", "requests", "tracing"),
        *("viewport", "user-agent", "geolocation", "locale", "timezone", "media", "offline"),
    ),
    "Logins": ("connect", "state", "cookies"),
    "Several steps at once": ("do", "act"),
    "Sessions": ("sessions", "close"),
    "Tasks": ("run", "cancel", "replay", "batch", "services", "demo"),
    "Servers and this machine": ("mcp", "serve", "doctor", "completion", "guide"),
}
_OTHERS = "Other"
#: Words of other tools for the same.
_MEANT = {
    **dict.fromkeys(("goto", "navigate", "go", "visit", "url", "start"), "open"),
    **dict.fromkeys(("text", "get", "innertext", "cat", "body"), "read"),
    **dict.fromkeys(("html", "source", "dom"), "content"),
    **dict.fromkeys(("log", "logs", "messages"), "console"),
    **dict.fromkeys(("network", "net", "har"), "requests"),
    **dict.fromkeys(("login", "auth", "storage", "save", "load"), "state"),
    **dict.fromkeys(("resize", "size", "device"), "viewport"),
    **dict.fromkeys(("print", "printpdf"), "pdf"),
    **dict.fromkeys(("language", "lang"), "locale"),
    **dict.fromkeys(("dark", "colorscheme"), "media"),
    **dict.fromkeys(("attach", "cdp"), "connect"),
    "tap": "click",
    "doubleclick": "dblclick",
    **dict.fromkeys(("key", "keypress", "keys", "keyboard"), "press"),
    **dict.fromkeys(("find", "search", "grep", "look", "observe", "elements"), "snapshot"),
    **dict.fromkeys(("steps", "execute", "script"), "do"),
    **dict.fromkeys(("choose", "option"), "select"),
    **dict.fromkeys(("tab", "pages", "windows"), "tabs"),
    **dict.fromkeys(("quit", "exit", "stop", "kill"), "close"),
    **dict.fromkeys(("input", "set", "enter"), "fill"),
    **dict.fromkeys(("sleep", "waitfor"), "wait"),
    **dict.fromkeys(("picture", "shot", "image"), "screenshot"),
}


def grouped(helps: dict[str, str]) -> str:
    """All commands with their help, under headings."""
    placed = {name for names in _GROUPS.values() for name in names}
    groups = {**_GROUPS, _OTHERS: tuple(name for name in helps if name not in placed)}
    lines = []
    for heading, names in groups.items():
        rows = [f"  {name:<12}{helps[name]}" for name in names if name in helps]
        if rows:
            lines += [f"{heading}:", *rows]
    return "\n".join(lines)


def suggestion(word: str, names: list[str]) -> str:
    """The command that was probably meant, or an empty text."""
    meant = _MEANT.get(word.casefold().replace("-", "").replace("_", ""))
    if meant in names:
        return str(meant)
    import difflib

    near = difflib.get_close_matches(word.casefold(), names, 1, 0.6)
    return near[0] if near else ""


class CommandParser(argparse.ArgumentParser):
    """A parser that answers a wrong command with the one that was meant.

    `near=…` and `nth=…` that nothing else takes belong to the target before them.
    """

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        words = list(sys.argv[1:] if args is None else args)
        parsed, surplus = self.parse_known_args(words, namespace)
        return super().parse_args(_with_whole_targets(words)) if surplus else parsed

    def error(self, message: str) -> None:  # type: ignore[override]
        wrong = "argument COMMAND: invalid choice: "
        if message.startswith(wrong):
            word = message.removeprefix(wrong).partition(" (choose from")[0].strip("'\"")
            commands = next(a for a in self._actions if isinstance(a.choices, dict))
            meant = suggestion(word, list(commands.choices or ()))
            help_ = "`cdp-agent --help` lists all commands"
            then = f"did you mean {meant}? {help_}" if meant else help_
            message = f"there is no command {word[:60]!r}; {then}"
        super().error(message)


def _with_whole_targets(words: list[str]) -> list[str]:
    joined: list[str] = []
    for word in words:
        if joined and _TARGET.match(joined[-1]) and _TARGET_OPTION.match(word):
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined
