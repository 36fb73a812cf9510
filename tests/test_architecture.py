"""Layers: a package imports from smaller numbers and from itself (STYLE.md, "Layers")."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "cdp_agent"

LAYERS = {
    "errors": -1,  # ids raise them
    "ids": 0,
    "config": 0,
    "deadline": 0,
    "log": 0,
    "text": 0,
    "js": 0,
    "demo": 0,
    "action_table": 1,
    "transport": 1,
    "chromium": 1,
    "protocol": 2,
    "targets": 3,
    "snapshot": 4,
    "resolve": 5,
    "act": 6,
    "api": 7,
    "tools": 8,
    "client": 8,
    "agent": 9,
    "mcp_server": 9,
    "ws_server": 9,
    "live": 10,
    "batches": 11,
    "cli": 12,
    "__main__": 13,
}
#: The rooms of a package, and its files that are not in one. A room imports from smaller numbers.
ROOM_LAYERS = {
    "act": {
        "input": 0,
        "wait": 0,
        "receipt": 0,
        "stage": 1,
        "frame_document": 2,
        "pointer": 3,
        "scroll": 4,
        "text": 4,
        "upload": 4,
        "controls": 5,
        "drag": 5,
        "__init__": 6,
    },
    "api": {
        "parameter_checks": 0,
        "checked_model": 0,
        "dialog_policy": 0,
        "browser_options": 0,
        "outcome": 0,
        "tab": 2,
        "selectors": 3,
        "access": 3,
        "extraction": 4,
        "navigation": 4,
        "observation": 4,
        "composite": 5,
        "devtools": 5,
        "context_settings": 6,
        "page": 6,
        "context": 7,
        "open_tabs": 7,
        "reconnection": 7,
        "browser": 8,
        "launcher": 9,
        "__init__": 10,
    },
    "snapshot": {
        "dom": 0,
        "ax": 0,
        "element_search": 0,
        "model": 1,
        "options": 1,
        "text": 2,
        "search": 3,
        "build": 3,
        "diff": 3,
        "regions": 3,
        "schema": 3,
        "interactive": 3,
        "json_form": 3,
        "xpath_map": 3,
        "fetch": 4,
        "filter": 5,
        "incremental": 5,
        "partial": 6,
        "capture": 7,
        "snapshotter": 8,
        "__init__": 9,
    },
}
#: The only files of `snapshot` that send commands.
SENDERS = ("fetch/", "capture/page_capture.py", "incremental/ax_refresh.py", "partial/partial.py")
MOST_FILES_IN_A_FOLDER = 14
MOST_LINES = 400
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    """Parts of our package that a module imports, at its top or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{path}: relative import"
            if node.module == "cdp_agent":
                names = [f"cdp_agent.{alias.name}" for alias in node.names]
            else:
                names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found.update(n.split(".")[1] for n in names if n.startswith("cdp_agent."))
    return found


def test_every_part_has_a_layer() -> None:
    assert {part_of(path) for path in MODULES} <= set(LAYERS)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down(path: Path) -> None:
    own = part_of(path)
    # The command line is a user of the library: it may use the package's face.
    allowed = {p for p, layer in LAYERS.items() if layer < LAYERS[own] or p == own}
    used = {name for name in imports_of(path) if name in LAYERS}
    assert used <= allowed, f"{own} (layer {LAYERS[own]}) imports {sorted(used - allowed)}"


def files_of(part: str) -> list[Path]:
    return [path for path in MODULES if part_of(path) == part]


SNAPSHOT_FILES = files_of("snapshot")
FILES_IN_ROOMS = [(part, path) for part in ROOM_LAYERS for path in files_of(part)]


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[1].removesuffix(".py")


@pytest.mark.parametrize(
    ("part", "path"), FILES_IN_ROOMS, ids=lambda value: str(value).split("cdp_agent/")[-1]
)
def test_rooms_import_downwards(part: str, path: Path) -> None:
    """At a module's top; a value may import its own text and diff inside a method."""
    own, layers = room_of(path), ROOM_LAYERS[part]
    modules = [
        node.module.split(".")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ImportFrom) and node.module is not None
    ]
    rooms = {parts[2] for parts in modules if parts[:2] == ["cdp_agent", part] and parts[2:]}
    upwards = {room for room in rooms if layers[room] >= layers[own]} - {own}
    assert not upwards, f"{own} imports {sorted(upwards)}"


def test_only_named_files_of_the_snapshot_send() -> None:
    for path in SNAPSHOT_FILES:
        name = str(path.relative_to(PACKAGE / "snapshot"))
        text = path.read_text("utf-8")
        sends = ".post(" in text or ".send_only(" in text
        assert not sends or name.startswith(SENDERS), f"{name} sends"


def test_nodes_are_resolved_and_objects_released_in_one_file() -> None:
    """So that none is forgotten in the renderer."""
    methods = ("DOM.resolveNode", "Runtime.releaseObject")
    senders = {
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
        if str(node.args[0].value).startswith(methods)
    }
    assert senders == {"targets/remote_objects.py"}


def test_no_folder_has_more_files_than_one_can_read() -> None:
    """Fourteen at most, in the package, its tests and its scripts."""
    root = PACKAGE.parent
    sizes = Counter(
        path.parent.relative_to(root).as_posix()
        for top in ("cdp_agent", "tests", "scripts")
        for path in (root / top).rglob("*")
        if path.suffix in (".py", ".pyi", ".js", ".mjs", ".md", ".html")
    )
    assert not {folder for folder, size in sizes.items() if size > MOST_FILES_IN_A_FOLDER}


def test_no_file_is_longer_than_one_can_read() -> None:
    files = (path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".js"))
    long = {path.relative_to(PACKAGE).as_posix() for path in files if _lines(path) > MOST_LINES}
    assert long == {"api/page.py"}  # every public method with its docstring


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_each_class_has_a_name_of_its_own() -> None:
    names = Counter(
        node.name.lstrip("_")
        for path in MODULES
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_no_other_engine_is_imported() -> None:
    banned = {"playwright", "selenium", "pyppeteer", "cdp_use"}
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        for node in tree.body:  # under TYPE_CHECKING is not a run-time import
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in banned, path
            if isinstance(node, ast.Import):
                assert not {a.name.split(".")[0] for a in node.names} & banned, path
