"""`cdp-agent demo`: a whole task on a built-in site, without key or network."""

from __future__ import annotations

import argparse
import asyncio
import secrets as random_words
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from cdp_agent.agent.loop import Agent
from cdp_agent.agent.models.scripted_model import ScriptedModel
from cdp_agent.agent.safety.approvals import approver_of
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import SERVICES
from cdp_agent.agent.trace.record import TaskResult
from cdp_agent.agent.trace.replay import ReplayResult, replay
from cdp_agent.agent.trace.trace_folder import Trace
from cdp_agent.cli.agent_command import finish, run_task
from cdp_agent.cli.commands.replay import tell_replay, tell_step
from cdp_agent.cli.options.open_browser import open_browser
from cdp_agent.cli.progress import Progress
from cdp_agent.demo import DemoSite

GOAL = "Cancel my Lumen+ subscription"


def run(args: argparse.Namespace) -> int:
    if args.replay:
        return tell_replay(asyncio.run(_play_again(args)), as_json=args.json)
    return finish(asyncio.run(_play(args)), as_json=args.json)


async def _play_again(args: argparse.Namespace) -> ReplayResult:
    """The demo's site serves at another port and with another password each time."""
    password = random_words.token_urlsafe(12)
    with DemoSite(password=password) as site:
        async with open_browser(headless=not args.headed) as browser:
            return await replay(
                await browser.new_page(),
                args.replay,
                url=site.account_url,
                secrets=Secrets({"password": password}, origins=[site.account_origin]),
                approvals=approver_of(args.approve),
                on_step=(lambda _: None) if args.json else tell_step,
            )


async def _play(args: argparse.Namespace) -> TaskResult:
    # Made up for each run: the demo shows that it appears nowhere.
    password = random_words.token_urlsafe(12)
    folder = Path(args.trace or tempfile.mkdtemp(prefix="cdp-agent-demo-"))
    with DemoSite(password=password) as site:
        async with open_browser(headless=not args.headed) as browser:
            page = await browser.new_page(site.account_url)
            model = ScriptedModel.read(script(), "cancel.yaml")
            trace = Trace(folder)
            trace.describe(url=site.account_url, service="demo")
            agent = Agent(
                page,
                model,
                SERVICES.get("demo"),
                approver_of(args.approve),
                secrets=Secrets({"password": password}, origins=[site.account_origin]),
                trace=trace,
                watchers=[Progress(sys.stderr if args.json else sys.stdout, model.price)],
            )
            return await run_task(agent, GOAL)


def script() -> str:
    return (files("cdp_agent") / "demo" / "cancel.yaml").read_text("utf-8")
