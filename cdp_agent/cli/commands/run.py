"""`cdp-agent run GOAL --url URL`: a task for a model, with approvals.

`cdp-agent cancel --service S` is the same with the goal to cancel the subscription.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from cdp_agent.agent.loop import Agent
from cdp_agent.agent.models.model_interface import Model
from cdp_agent.agent.models.named_model import named_model
from cdp_agent.agent.safety.approvals import HoldWrites
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import SERVICES, ServiceConfig
from cdp_agent.agent.trace.record import TaskResult
from cdp_agent.agent.trace.trace_folder import Trace
from cdp_agent.cli.agent_command import finish, run_task
from cdp_agent.cli.exit_codes import EnvironmentFailure
from cdp_agent.cli.options.address import complete_url
from cdp_agent.cli.options.live_board import live_board
from cdp_agent.cli.options.open_browser import open_browser
from cdp_agent.cli.options.policy_options import require_folder
from cdp_agent.cli.progress import Progress
from cdp_agent.errors import InvalidParams, ModelError
from cdp_agent.live.agent_watcher import show_run
from cdp_agent.targets.network.policy import Policy


def run(args: argparse.Namespace) -> int:
    # Everything that can be wrong with the command line is said before a browser is started.
    service = SERVICES.get(args.service) if args.service else None
    if args.goal is None and service is not None:
        args.goal = f"Cancel my {service.title} subscription."
    if not args.goal or not args.goal.strip():
        raise InvalidParams("the goal is empty", hint='cdp-agent run "what to do" --url URL')
    url = start_url(args.url, service)
    secrets = Secrets.from_environment(args.secret, origins=args.allow_origin or [url])
    hold = HoldWrites() if args.hold_writes else None
    policy = policy_of(args, url, hold)
    try:
        model = named_model(args.model)
    except ModelError as error:
        raise EnvironmentFailure(error) from error
    with secrets.kept_out_of_logs():
        result = asyncio.run(_work(args, url, service, secrets, model, policy, hold))
    return finish(result, as_json=args.json)


def start_url(given: str | None, service: ServiceConfig | None) -> str:
    """Raises: InvalidParams: neither the command line nor the service has an address."""
    if given:
        return complete_url(given)
    if service is not None and service.url:
        return service.url
    raise InvalidParams("where to begin?", hint="Give --url, or a --service that has one.")


def policy_of(args: argparse.Namespace, url: str, hold: HoldWrites | None) -> Policy:
    """Raises: InvalidParams: an origin is wrong, or the first page is outside of them."""
    policy = Policy(
        tuple(args.allow_origin),
        hold=hold,
        upload_folder=require_folder(args.upload_folder) if args.upload_folder else None,
    )
    if not policy.allows(url):
        raise InvalidParams(
            f"the policy does not allow the first page, {url}",
            hint="Add its origin with --allow-origin.",
        )
    return policy


async def _work(
    args: argparse.Namespace,
    url: str,
    service: ServiceConfig | None,
    secrets: Secrets,
    model: Model,
    policy: Policy,
    hold: HoldWrites | None,
) -> TaskResult:
    trace = None
    if args.trace:
        trace = Trace(args.trace)
        trace.describe(url=secrets.mask(url), service=args.service or "")
    try:
        async with (
            live_board(args, secrets) as board,
            open_browser(
                args.connect, headless=not args.headed, policy=policy, profile=args.profile
            ) as browser,
        ):
            page = await browser.new_page(url)
            shown = show_run(board, args.goal, page)
            agent = Agent(
                page,
                model,
                service,
                shown.approver_of(args.approve),
                args.max_turns,
                max_tokens=args.max_tokens,
                max_seconds=args.max_seconds,
                secrets=secrets,
                hold_writes=hold,
                trace=trace,
                watchers=[
                    Progress(sys.stderr if args.json else sys.stdout, model.price),
                    *shown.watchers,
                ],
                before_call=shown.before_call,
                after_call=shown.after_call,
            )
            return await run_task(agent, args.goal)
    finally:
        await model.aclose()
