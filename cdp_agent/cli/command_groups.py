"""The commands by what they are for, and the right one for a word that is none."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Sequence

from cdp_agent.cli.unquoted_words import (
    hint_for,
    take_rest,
    with_whole_search,
    with_whole_targets,
)

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

    Words that were meant as one need quotes only where they could mean something else.
    """

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        typed = list(sys.argv[1:] if args is None else args)
        words = with_whole_search(typed)
        if words != typed and self._tried(words) is None:
            words = typed
        parsed, surplus = self.parse_known_args(words, namespace)
        if surplus:
            words = with_whole_targets(words)
            parsed, surplus = self._tried(words) or (parsed, surplus)
        if surplus and not take_rest(parsed, surplus):
            hint = hint_for(self, words, surplus)
            said = f"error: unrecognized arguments: {' '.join(surplus)}\n"
            self.exit(2, f"{self.prog} {words[0]}: {said}{f'hint: {hint}' if hint else ''}\n")
        parsed.has_joined_text = bool(surplus)
        return parsed

    def _tried(self, words: list[str]) -> tuple[argparse.Namespace, list[str]] | None:
        """What the words mean, and those that are too many; None where it is an error."""
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                return self.parse_known_args(words)
        except SystemExit as end:
            if not end.code:
                raise  # `--help`
            return None

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
