"""`cdp-agent replay TRACE`: the same actions again, without a model."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import asdict

from cdp_agent.agent.safety.approvals import approver_of
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.trace.replay import ReplayResult, ReplayStep, replay
from cdp_agent.agent.trace.trace_folder import read_trace
from cdp_agent.cli.options.address import complete_url
from cdp_agent.cli.options.open_browser import open_browser
from cdp_agent.cli.options.policy_options import require_folder
from cdp_agent.targets.network.policy import Policy
from cdp_agent.text import json_text, one_line


def run(args: argparse.Namespace) -> int:
    start, _, _ = read_trace(args.trace)
    url = complete_url(args.url) if args.url else str(start.get("url", ""))
    secrets = Secrets.from_environment(args.secret, origins=args.allow_origin or [url])
    with secrets.kept_out_of_logs():
        done = asyncio.run(_play(args, url, secrets))
    return tell_replay(done, as_json=args.json)


def tell_replay(done: ReplayResult, *, as_json: bool) -> int:
    """Say how far it came; the exit code."""
    if as_json:
        print(json_text({**asdict(done), "success": done.success}))
    else:
        print(_ending(done))
    return 0 if done.success else 1


async def _play(args: argparse.Namespace, url: str, secrets: Secrets) -> ReplayResult:
    folder = require_folder(args.upload_folder) if args.upload_folder else None
    held = args.allow_origin or folder is not None
    policy = Policy(tuple(args.allow_origin), upload_folder=folder) if held else None
    async with open_browser(args.connect, headless=not args.headed, policy=policy) as browser:
        page = await browser.new_page()
        return await replay(
            page,
            args.trace,
            url=url,
            secrets=secrets,
            approvals=approver_of(args.approve),
            on_step=(lambda _: None) if args.json else tell_step,
        )


def tell_step(step: ReplayStep) -> None:
    reason = f"  ({step.reason})" if step.reason else ""
    tool = step.tool.removeprefix("browser_")
    line = one_line(f"{tool} {step.what}{reason}", 1000)
    print(f"{step.number:3} {step.state:8}{line}", flush=True)


def _ending(done: ReplayResult) -> str:
    if done.stopped is None:
        healed = f", {done.healed} healed" if done.healed else ""
        return f"all {done.total} actions carried out{healed}, {done.seconds:.1f} s: {done.url}"
    return f"stopped at turn {done.stopped.number}: {done.stopped.reason}"
