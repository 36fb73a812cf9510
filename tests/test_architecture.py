"""Layers: a package imports from smaller numbers and from itself (STYLE.md, "Layers")."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "cdp_agent"

LAYERS = {
    "errors": -1,  # ids raise them
    "ids": 0,
    "config": 0,
    "log": 0,
    "js": 0,
    "demo": 0,
    "transport": 1,
    "launch": 1,
    "protocol": 2,
    "targets": 3,
    "snapshot": 4,
    "resolve": 5,
    "act": 6,
    "api": 7,
    "tools": 8,
    "agent": 9,
    "mcp_server": 9,
    "ws_server": 9,
    "cli": 10,
}
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


def test_no_other_engine_is_imported() -> None:
    banned = {"playwright", "selenium", "pyppeteer", "cdp_use"}
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        for node in tree.body:  # under TYPE_CHECKING is no run-time import
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in banned, path
            if isinstance(node, ast.Import):
                assert not {a.name.split(".")[0] for a in node.names} & banned, path
