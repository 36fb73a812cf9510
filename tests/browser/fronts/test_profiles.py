"""One profile that lasts, for every way in: who logged in by one is logged in by the others."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from cdp_agent import Client
from cdp_agent.errors import InvalidParams
from tests.browser.fronts.conftest import COMMAND, TOKEN, Shell, environment, served
from tests.support.site import Request, Response, Site

STEPS = """
steps:
  - {tool: complete_task, arguments: {success: true, summary: It says who it is.}}
"""


def serve_account(site: Site) -> str:
    """A page that sets a cookie which lasts for `?as=`, and says whose it is."""

    def answer(request: Request) -> Response:
        who = request.query.get("as")
        body = f"<h1>Account</h1><p>{request.headers.get('Cookie', 'nobody')}</p>"
        headers = {"Content-Type": "text/html"}
        if who is not None:
            headers["Set-Cookie"] = f"who={who}; Max-Age=3600"
        return Response(200, headers, body.encode())

    site.route("/account", answer)
    return site.url("/account", host="127.0.0.1")


async def test_a_login_of_the_shell_is_one_of_servers_and_tasks(
    shell: Shell, site: Site, tmp_path: Path
) -> None:
    url, profile = serve_account(site), str(tmp_path / "profile")
    assert (await shell("open", f"{url}?as=ada", "--profile", profile)).code == 0
    await shell("close")

    options = ("--port", "0", "--token", TOKEN, "--profile", profile, "--shared")
    async with served("serve", *options) as (address, _), Client(address, token=TOKEN) as client:
        await client.new_page(url)
        assert "who=ada" in (await client.call("observe/content"))["content"]

    script = tmp_path / "steps.yaml"
    script.write_text(STEPS)
    trace = tmp_path / "trace"
    words = ("read it", "--url", url, "--profile", profile, "--model", f"script:{script}")
    process = await asyncio.create_subprocess_exec(
        *(*COMMAND, "run", *words, "--trace", str(trace)),
        env=environment(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, (out, err)
    assert "who=ada" in (trace / "trace.jsonl").read_text("utf-8")


@pytest.mark.parametrize("words", [("serve", "--port", "0"), ("mcp", "--http", "0")])
async def test_a_profile_is_no_use_to_clients_with_one_each(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cdp_agent.cli.main", *words, "--profile", str(tmp_path / "p")),
        env=environment(),
        stderr=asyncio.subprocess.PIPE,
    )
    _, err = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 2
    assert f"{InvalidParams.code}: --profile needs --shared" in err.decode()
    assert not (tmp_path / "p").exists()
