"""Limits on this machine's files and addresses: all closed until somebody opens them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest

import cdp_agent
from cdp_agent import BlockedByPolicy, Page, Policy
from cdp_agent.tools import ToolSession, call
from cdp_agent.tools.file_limits import FileLimits
from tests.browser.conftest import BROWSER_ARGS
from tests.support.site import Site

_PICTURE = Path(tempfile.gettempdir()) / "cdp-agent-limits.png"

FILE = "<label>File <input type=file></label>"

CLOSED: dict[str, tuple[str, dict[str, Any]]] = {
    "a file": ("navigate", {"url": "file:///etc/hostname"}),
    "a file with blanks before it": ("navigate", {"url": " \tFILE:///etc/hostname"}),
    "a page of the browser": ("navigate", {"url": "chrome://version"}),
    "the source of a file": ("navigate", {"url": "view-source:file:///etc/hostname"}),
    "a file in a new tab": ("tabs", {"action": "new", "url": "file:///etc/hostname"}),
    "a file as a step": (
        "execute",
        {"steps": [{"action": "navigate", "params": {"url": "file:///etc/hostname"}}]},
    ),
    "an upload": ("upload", {"ref": "REF", "paths": ["/etc/hostname"]}),
    "an upload as a step": (
        "execute",
        {"steps": [{"action": "upload", "params": {"ref": "REF", "paths": ["/etc/hostname"]}}]},
    ),
    "a written picture": ("screenshot", {"path": str(_PICTURE)}),
}


def with_ref(value: Any, ref: str) -> Any:
    if isinstance(value, dict):
        return {k: with_ref(v, ref) for k, v in value.items()}
    if isinstance(value, list):
        return [with_ref(part, ref) for part in value]
    return ref if value == "REF" else value


@pytest.mark.parametrize(("tool", "arguments"), CLOSED.values(), ids=CLOSED.keys())
async def test_what_nobody_opened_is_closed(
    page: Page, site: Site, tool: str, arguments: dict[str, Any]
) -> None:
    await page.goto(site.page(FILE))
    field = str((await page.snapshot()).find("button", "File").id)
    session = ToolSession(page, before_call=(FileLimits().before_call,))

    result = await call(session, f"browser_{tool}", with_ref(arguments, field))

    assert result.code == "blocked_by_policy", result.text
    assert not _PICTURE.exists()


async def test_a_folder_that_is_open_is_open_alone(page: Page, site: Site, folder: Path) -> None:
    (folder / "mine.txt").write_text("mine")
    (folder / "link.txt").symlink_to("/etc/hostname")
    await page.goto(site.page(FILE))
    field = str((await page.snapshot()).find("button", "File").id)
    limits = FileLimits(upload_folder=folder, write_folder=folder)
    session = ToolSession(page, before_call=(limits.before_call,))

    async def code(tool: str, **arguments: Any) -> str | None:
        return (await call(session, f"browser_{tool}", arguments)).code

    assert await code("upload", ref=field, paths=[str(folder / "mine.txt")]) is None
    assert await code("screenshot", path=str(folder / "a.png")) is None
    for outside in ("link.txt", "../other.txt"):
        refused = await code("upload", ref=field, paths=[str(folder / outside)])
        assert refused == "blocked_by_policy"
    assert await code("screenshot", path=str(folder / "../a.png")) == "blocked_by_policy"


async def test_dropped_files_come_from_the_policys_folder(site: Site, folder: Path) -> None:
    (folder / "mine.txt").write_text("mine")
    html = """<div tabindex=0 aria-label=Here style='width: 200px; height: 200px'
    ondragover='event.preventDefault()' ondrop='event.preventDefault()'>x</div>"""
    policy = Policy(upload_folder=folder)
    async with cdp_agent.launch(args=BROWSER_ARGS, policy=policy) as browser:
        page = await browser.new_page(site.page(html))
        area = (await page.snapshot()).find(name="Here").id

        with pytest.raises(BlockedByPolicy):
            await page.drop_files(area, "/etc/hostname")
        assert (await page.drop_files(area, str(folder / "mine.txt"))).success
