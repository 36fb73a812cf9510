"""A whole task over the Action Protocol by a script in Node that has no code of ours."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from tests.support.site import Request, Response, Site

SCRIPT = Path(__file__).with_name("controller.mjs")
SHOP = """<title>Shop</title><form action=/ordered><label>Name <input name=who></label>
<label><input type=checkbox name=gift> Gift</label><div style="height:3000px"></div>
<button onclick="return confirm('Order now?')">Order</button></form>"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
async def test_a_task_by_a_script_in_node(action_address: str, site: Site) -> None:
    ordered: list[dict[str, str]] = []

    def order(request: Request) -> Response:
        ordered.append(request.query)
        return Response(200, {"Content-Type": "text/html"}, b"<title>Thank you</title>")

    site.route("/ordered", order)

    process = await asyncio.create_subprocess_exec(
        "node",
        str(SCRIPT),
        action_address,
        site.page(SHOP),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), 60)
    finally:
        if process.returncode is None:
            process.kill()

    assert process.returncode == 0, err.decode()
    told = json.loads(out)
    assert told["title"] == "Thank you"
    assert ordered == [{"who": "Ada", "gift": "on"}]
    *steps, refused = told["log"]
    assert all(step["success"] for step in steps), steps
    assert steps[1]["data"]["value"] == "Ada"
    assert (refused["success"], refused["data"]["code"]) == (False, "ref_invalid")
