"""`--live` of the commands: the page is there, shows what they do, and ends with them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from websockets.asyncio.client import connect

import cdp_agent
from cdp_agent import Browser
from cdp_agent.demo import DemoSite
from tests.browser.fronts.conftest import COMMAND, TOKEN, endpoint_of, environment
from tests.browser.live.conftest import FORM, press
from tests.support.devtools import devtools_port_and_path
from tests.support.site import Site

PASSWORD = "correct-horse-battery-staple"
SCRIPT = Path(__file__).parents[3] / "cdp_agent" / "demo" / "cancel.yaml"


@asynccontextmanager
async def started(
    *words: str, **variables: str
) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """A command with `--live`; gives the address of its live page."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        *words,
        env=environment(**variables),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        line = ""
        async with asyncio.timeout(30):
            while not line.startswith("live page at "):
                line = (await process.stderr.readline()).decode()
                assert line, "it ended before it said where its live page is"
        yield line.split()[-1], process
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.communicate(), 20)


async def test_a_run_is_watched_and_approved_on_its_live_page(browser: Browser) -> None:
    """Without a terminal nobody could be asked; the live page can."""
    with DemoSite(password=PASSWORD) as site:
        words = ["run", "cancel my plan", "--url", site.account_url, "--service", "demo"]
        words += ["--model", f"script:{SCRIPT}", "--secret", "password=DEMO_PASSWORD", "--json"]
        words += ["--allow-origin", site.account_origin, "--allow-origin", site.billing_origin]
        async with (
            started(*words, "--live", DEMO_PASSWORD=PASSWORD) as (url, process),
            await browser.new_context() as context,
        ):
            look = await context.new_page(url, viewport=(1280, 900))
            await look.wait_for(text="Approval needed", timeout=40)
            seen = (await look.snapshot()).text
            await press(look, "Approve")
            assert process.stdout is not None
            async with asyncio.timeout(40):
                result = json.loads(await process.stdout.read())
            assert result["success"], result
            assert [asked["approved"] for asked in result["asked"]] == [True]
            await look.wait_for(text=["cancelled", "the command has ended"], timeout=10)
            text = (await look.snapshot()).text
    assert "{{secret:password}}" in seen
    assert PASSWORD not in seen + text


async def test_a_server_shows_its_clients(site: Site, browser: Browser) -> None:
    assert browser.user_data_dir is not None
    port, _ = devtools_port_and_path(browser)
    words = ["serve", "--port", "0", "--connect", f"http://127.0.0.1:{port}", "--live"]
    async with started(*words) as (live, process), await browser.new_context() as context:
        assert process.stderr is not None
        found = None
        async with asyncio.timeout(20):
            while found is None:
                found = re.search(r"ws://\S+/action", (await process.stderr.readline()).decode())
        look = await context.new_page(live, viewport=(1280, 900))
        await look.wait_for(text="No browser is open yet", timeout=10)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with connect(found[0], additional_headers=headers) as wire:
            command = {"type": "navigate_to", "url": site.page(FORM)}
            await wire.send(json.dumps({"type": "ActionCommand", "data": command}))
            await look.wait_for(text=["client 1", "Form", "navigate"], timeout=10)
        await look.wait_for(text="No browser is open now", timeout=10)


async def test_steps_of_a_client_are_shown_with_what_they_came_to(
    site: Site, browser: Browser
) -> None:
    """As a person reads them: no settings, no data, and no success for a call that failed."""
    words = ["serve", "--port", "0", "--connect", endpoint_of(browser), "--live"]
    fill = {"action": "fill", "params": {"selector": "label=Name", "value": "Ada"}}
    missing = {"action": "click", "params": {"selector": "text=Nowhere"}}
    send = {"action": "click", "params": {"selector": "text=Send"}}
    async with started(*words) as (live, process), await browser.new_context() as context:
        assert process.stderr is not None
        found = None
        async with asyncio.timeout(20):
            while found is None:
                found = re.search(r"BAP at (ws://\S+)", (await process.stderr.readline()).decode())
        look = await context.new_page(live, viewport=(1280, 900))
        async with cdp_agent.Client(found[1], token=TOKEN) as client:
            await client.new_page(site.page(FORM))
            await client.act([fill])
            await client.act([fill, missing])
            await client.act([send, send])
            await look.wait_for(text=["1 of 2 steps done", "2 of 2 steps done"], timeout=10)

            entries = await look.evaluate(
                "[...document.querySelectorAll('#entries li')].map(one => "
                "[one.className, one.querySelector('.what').textContent])"
            )

    assert [[state, what] for state, what in reversed(entries[:7])] == [
        ["done", "1 step: fill"],
        ["done", "fill label 'Name' Ada"],
        ["failed", "2 steps: fill, click"],
        ["done", "fill label 'Name' Ada"],
        ["done", "2 steps: click, click"],
        ["done", "click text 'Send'"],
        ["done", "click text 'Send'"],
    ]
