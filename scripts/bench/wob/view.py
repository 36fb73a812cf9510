"""A page as a policy sees it: the lines of a snapshot's text, of either engine.

Policies are written once. So the two texts are read into one form: a line has a role, a name, a
value and, where it can be acted on, a reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

_NAME = r'(?: "(?P<name>(?:[^"\\]|\\.)*)")?'
_OURS = re.compile(
    r"(?P<indent> *)(?:\* )?(?:\[(?P<ref>\d+-\d+)\] )?(?P<role>[\w-]+)" + _NAME + r"(?P<rest>.*)"
)
_THEIRS = re.compile(
    r"(?P<indent> *)- (?P<role>[\w-]+)" + _NAME + r"(?P<rest>(?: \[[^\]]*\])*)(?:: ?(?P<value>.*))?"
)
#: Several short texts or shapes in one line, and one of them.
_RUN = re.compile(r"(?P<indent> *)(?P<role>text|graphics-symbol) (?P<items>[\"\[].*)")
_RUN_ITEM = re.compile(
    r'"(?P<name>(?:[^"\\]|\\.)*)"'
    r'|\[(?P<ref>\d+-\d+)\](?P<rest>(?: [\w-]+(?:="(?:[^"\\]|\\.)*")?)*)'
)
_VALUE = re.compile(r' value="((?:[^"\\]|\\.)*)"')
_FIELDS = frozenset({"textbox", "spinbutton", "combobox", "searchbox", "slider"})


class NotShown(Exception):
    """The text has no line that a policy needs."""


class Ambiguous(Exception):
    """The sentence fits two things: the seed has made a task that nobody can solve."""


@dataclass(frozen=True, slots=True)
class Line:
    """One element or text. `rest` has its states, and in our text hints."""

    role: str
    name: str = ""
    ref: str = ""
    value: str = ""
    rest: str = ""
    depth: int = 0

    def has(self, word: str) -> bool:
        return re.search(rf"\b{re.escape(word)}\b", self.rest) is not None


class View:
    """The lines of one snapshot, without the task's sentence at their head."""

    def __init__(self, lines: Iterable[Line], utterance: str = "") -> None:
        self.lines = list(_after_sentence(list(lines), utterance))

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def all(
        self,
        role: str = "",
        name: str | None = None,
        *,
        where: Callable[[Line], bool] | None = None,
    ) -> list[Line]:
        """Returns the lines with a reference that fit."""
        return [
            line
            for line in self.lines
            if line.ref
            and (not role or line.role == role)
            and (name is None or line.name == name)
            and (where is None or where(line))
        ]

    def one(
        self,
        role: str = "",
        name: str | None = None,
        *,
        where: Callable[[Line], bool] | None = None,
    ) -> Line:
        """Returns the first line that fits. Raises: NotShown."""
        fits = self.all(role, name, where=where)
        if not fits:
            raise NotShown(f"no {role or 'element'} {name if name is not None else ''}")
        return fits[0]

    def has(self, role: str = "", name: str | None = None) -> bool:
        return bool(self.all(role, name))

    def hinted(self, word: str) -> list[Line]:
        """Returns the elements whose hint, or for lack of one whose name, has the word."""
        return self.all(where=lambda line: line.has(word) or line.name.lower() == word)

    def fields(self) -> list[Line]:
        return self.all(where=lambda line: line.role in ("textbox", "spinbutton", "searchbox"))

    def texts(self) -> list[str]:
        return [line.name or line.value for line in self.lines if line.name or line.value]

    def after(self, text: str) -> View:
        """Returns the lines after the first that has this name. Raises: NotShown."""
        for index, line in enumerate(self.lines):
            if line.name == text:
                return View(self.lines[index + 1 :])
        raise NotShown(f"no text {text}")

    def below(self, line: Line) -> View:
        """Returns the lines inside an element."""
        index = self.lines.index(line) + 1
        end = index
        while end < len(self.lines) and self.lines[end].depth > line.depth:
            end += 1
        return View(self.lines[index:end])


def read_ours(text: str) -> list[Line]:
    """Reads our text; the cells of a row become lines of their own."""
    lines: list[Line] = []
    for written in text.splitlines():
        if written.startswith("Page: "):
            continue
        indent = len(written) - len(written.lstrip())
        row = re.fullmatch(r" *(?:\* )?(?:\[[\d-]+\] )?row (.*)", written)
        if row is not None and " | " in row[1]:
            lines.append(Line("row", depth=indent))
            cells = re.split(r" \| |, (?=\[)", row[1])
            lines += [replace(_our_cell(cell), depth=indent + 1) for cell in cells]
            continue
        run = _our_run(written)
        match = _OURS.fullmatch(written)
        if len(run) > 1:
            lines += run
        elif match is not None:
            lines.append(_our_line(match))
    return lines


def _our_run(written: str) -> list[Line]:
    """The texts or shapes of a line that has several of them."""
    run = _RUN.fullmatch(written)
    if run is None:
        return []
    depth = len(run["indent"])
    return [
        Line(
            run["role"],
            _plain(item["name"] or ""),
            item["ref"] or "",
            "",
            item["rest"] or "",
            depth,
        )
        for item in _RUN_ITEM.finditer(run["items"])
    ]


def _our_cell(cell: str) -> Line:
    match = _OURS.fullmatch(cell) if cell.startswith("[") else None
    return _our_line(match) if match is not None else Line("cell", cell.strip())


def _our_line(match: re.Match[str]) -> Line:
    rest = match["rest"]
    value = _VALUE.search(rest)
    return Line(
        match["role"],
        _plain(match["name"] or ""),
        match["ref"] or "",
        _plain(value[1]) if value is not None else "",
        rest,
        len(match["indent"]),
    )


def read_playwright(text: str) -> list[Line]:
    """Reads Playwright's snapshot for AI, which is YAML of one list in another."""
    lines: list[Line] = []
    for written in text.splitlines():
        quoted = re.fullmatch(r"( *)- '(.*?)'(:.*)?", written)
        if quoted is not None:
            written = f"{quoted[1]}- {quoted[2].replace(chr(39) * 2, chr(39))}{quoted[3] or ''}"
        match = _THEIRS.fullmatch(written)
        if match is None:
            continue
        value = (match["value"] or "").strip()
        if value.startswith('"') and value.endswith('"') and len(value) > 1:
            value = _plain(value[1:-1])
        name, role = _plain(match["name"] or ""), match["role"]
        if not name and role not in _FIELDS:
            name, value = value, ""
        ref = re.search(r"\[ref=(\w+)\]", match["rest"])
        rest = " ".join(re.findall(r"\[(?!ref=)([^\]]*)\]", match["rest"]))
        depth = len(match["indent"])
        lines.append(Line(role, name.strip(), ref[1] if ref else "", value, rest, depth))
    return lines


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _after_sentence(lines: list[Line], utterance: str) -> Iterator[Line]:
    """Leaves out the named lines at the head that together are the sentence."""
    left = re.sub(r"\s+", "", utterance)
    for line in lines:
        name = re.sub(r"\s+", "", line.name)
        if name and left.startswith(name):
            left = left[len(name) :]
            continue
        if name:
            left = ""
        yield line
