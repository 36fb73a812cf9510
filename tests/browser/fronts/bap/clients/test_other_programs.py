"""Programs that have no code of ours: a script in Node, and the example of the README."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.browser.fronts.conftest import ROOT
from tests.support.site import Request, Response, Site

SCRIPT = Path(__file__).with_name("bap_task.mjs")
SHOP = """<title>Shop</title><form action=/bap-ordered><label>Name <input name=who></label>
<label><input type=checkbox name=gift> Gift</label>
<button onclick="return confirm('Order now?')">Order</button></form>"""


async def output_of(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), 80)
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, err.decode()
    return out.decode()


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
async def test_a_task_by_a_script_in_node(address: str, token: str, site: Site) -> None:
    ordered: list[dict[str, str]] = []

    def order(request: Request) -> Response:
        ordered.append(request.query)
        return Response(200, {"Content-Type": "text/html"}, b"<dl><dt>Order<dd>7731</dl>")

    site.route("/bap-ordered", order)
    # Node has WebSocket from 22 on, and with this flag in 20.
    flags = ("--experimental-websocket", "--no-warnings")
    told = json.loads(await output_of("node", *flags, str(SCRIPT), address, token, site.page(SHOP)))
    assert (told["version"], told["data"], told["refused"]) == ("0.2.0", {"order": 7731}, -32012)
    assert (told["done"]["completed"], told["dialogs"]) == (3, ["Order now?"])
    assert ordered == [{"who": "Ada", "gift": "on"}]


async def test_the_example_of_the_readme_runs(address: str, token: str, site: Site) -> None:
    """Seed row 49: the README shows how a program talks to the server."""
    pytest.importorskip("browseragentprotocol", reason="the test extra is not installed")
    readme = (ROOT / "README.md").read_text("utf-8")
    [example] = [
        block for block in re.findall(r"```python\n(.*?)```", readme, re.S) if "BAPClient" in block
    ]
    site.folder("pages", ROOT / "fixtures" / "pages")
    for shown, here in (
        ("ws://127.0.0.1:8932/", address),
        ("my-secret-token", token),
        ("http://127.0.0.1:8000/", site.url("/pages/")),
    ):
        assert shown in example
        example = example.replace(shown, here)
    assert len(example.splitlines()) <= 10
    assert "Thank you, ada@example.com" in await output_of(sys.executable, "-c", example)
