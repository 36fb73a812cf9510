"""`cdp-agent run GOAL --url URL`: a task for a model, with a human where it matters."""

from __future__ import annotations

import argparse
import asyncio
import sys

from cdp_agent.agent.loop import Agent
from cdp_agent.agent.models.anthropic_model import AnthropicModel
from cdp_agent.agent.models.model import Model
from cdp_agent.agent.models.scripted_model import ScriptedModel
from cdp_agent.agent.safety.approvals import HoldWrites, approver_of
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import SERVICES, ServiceConfig
from cdp_agent.agent.trace.record import TaskResult
from cdp_agent.agent.trace.trace_folder import Trace
from cdp_agent.cli.address import complete_url
from cdp_agent.cli.failure import EnvironmentFailure
from cdp_agent.cli.guards import require_folder
from cdp_agent.cli.open_browser import open_browser
from cdp_agent.cli.progress import Progress
from cdp_agent.cli.task import finish, run_task
from cdp_agent.errors import InvalidParams, ModelError
from cdp_agent.targets.policy import Policy

_SCRIPT = "script:"


def run(args: argparse.Namespace) -> int:
    # Everything that can be wrong with the command line is said before a browser is started.
    if not args.goal.strip():
        raise InvalidParams("the goal is empty", hint='cdp-agent run "what to do" --url URL')
    service = SERVICES.get(args.service) if args.service else None
    url = start_url(args.url, service)
    secrets = Secrets.from_environment(args.secret, origins=args.allow_origin or [url])
    hold = HoldWrites() if args.hold_writes else None
    policy = policy_of(args, url, hold)
    try:
        model = model_of(args.model)
    except ModelError as error:
        raise EnvironmentFailure(error) from error
    with secrets.kept_out_of_logs():
        result = asyncio.run(_work(args, url, service, secrets, model, policy, hold))
    return finish(result, as_json=args.json)


def start_url(given: str | None, service: ServiceConfig | None) -> str:
    """Raises: InvalidParams: neither the command line nor the service says where to begin."""
    if given:
        return complete_url(given)
    if service is not None and service.url:
        return service.url
    raise InvalidParams("where to begin?", hint="Give --url, or a --service that has one.")


def policy_of(args: argparse.Namespace, url: str, hold: HoldWrites | None) -> Policy:
    """Raises: InvalidParams: an origin is not one, or the first page is outside of them."""
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


def model_of(name: str | None) -> Model:
    """`script:FILE` plays a file; everything else is a name for the Messages API."""
    if name is not None and name.startswith(_SCRIPT):
        return ScriptedModel.load(name.removeprefix(_SCRIPT))
    return AnthropicModel(name)


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
        async with open_browser(args.connect, headless=not args.headed, policy=policy) as browser:
            page = await browser.new_page(url)
            agent = Agent(
                page,
                model,
                service,
                approver_of(args.approve),
                args.max_turns,
                max_tokens=args.max_tokens,
                max_seconds=args.max_seconds,
                secrets=secrets,
                hold_writes=hold,
                trace=trace,
                watchers=[Progress(sys.stderr if args.json else sys.stdout, model.price)],
            )
            return await run_task(agent, args.goal)
    finally:
        await model.aclose()
