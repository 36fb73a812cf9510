"""The map from the seeds' components to ours: every path and every name in it is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cdp_agent
from cdp_agent.cli.commands.guide import page
from cdp_agent.ws_server.action_protocol.action_commands import FIELDS

PACKAGE = Path(cdp_agent.__file__).parent
#: What the seeds call their components.
COMPONENTS = (
    *("TaskOrchestrator", "AIClient", "BrowserToolServer", "ToolRegistry", "ElementRegistry"),
    *("SnapshotFactory", "ActionExecutor", "HumanApprovalHandler", "ServiceConfig", "TaskResult"),
    *("NETFLIX_CONFIG", "RefManager", "ActionCommand", "ActionResult", "EncodedId", "xpathMap"),
    *("agent/execute", "agent/snapshot", "backendNodeMap", "ToolResult"),
)


@pytest.mark.parametrize("name", COMPONENTS)
def test_row_75_a_component_of_the_seeds_is_on_the_map(name: str) -> None:
    assert re.search(rf"^- .*{re.escape(name)}\b", page("seeds"), re.MULTILINE)


def test_every_path_on_the_map_is_there() -> None:
    paths = re.findall(r"`([\w/]+(?:\.py|\.yaml|/))`", page("seeds"))
    assert len(paths) > 35
    assert [path for path in paths if not (PACKAGE / path).exists()] == []


def test_every_name_on_the_map_is_in_its_file() -> None:
    named = re.findall(r"`([\w/]+\.py)` \(([^)]*)\)", page("seeds"))
    assert len(named) > 8
    for path, names in named:
        text = (PACKAGE / path).read_text("utf-8")
        for name in re.findall(r"`(?:\w+\.)?(\w+)`", names):
            where = (
                (PACKAGE / "api/page.py").read_text("utf-8") if f"Page.{name}" in names else text
            )
            assert re.search(rf"(class|def) {name}\b", where), f"{path}: {name}"


def test_the_page_of_the_action_protocol_has_every_command_and_field() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page("action-protocol"), re.MULTILINE))
    assert set(rows) == set(FIELDS)
    for command, fields in FIELDS.items():
        assert all(f"`{field}`" in rows[command] for field in fields), command
