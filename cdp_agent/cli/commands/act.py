"""`cdp-agent act FILE`: steps from a file, in the session or a browser of its own."""

from __future__ import annotations

import argparse
from typing import Any

from cdp_agent.cli.options.input_files import read_data
from cdp_agent.cli.session.client import call_for, show
from cdp_agent.errors import InvalidParams

_OPTIONS = frozenset({"steps", "timeout", "stop_on_first_error", "continue_on_condition_fail"})


def run(args: argparse.Namespace) -> int:
    arguments, url = _read(args)
    if url is not None:
        import asyncio

        return show(asyncio.run(_alone(args, arguments, url)), as_json=args.json)
    if args.page:
        arguments["page"] = args.page
    request = {"tool": "browser_execute", "arguments": arguments}
    return show(call_for(args, request), as_json=args.json)


def _read(args: argparse.Namespace) -> tuple[dict[str, Any], str | None]:
    """The steps with their options, and the address to begin with.

    Raises:
        InvalidParams: the file is not what it should be.
    """
    data = read_data(args.file)
    if isinstance(data, list):
        data = {"steps": data}
    if not isinstance(data, dict) or "steps" not in data:
        raise InvalidParams(f"{args.file} must be a list of steps, or have steps: with a list")
    unknown = sorted(str(key) for key in set(data) - _OPTIONS - {"url"})
    if unknown:
        known = ", ".join(sorted(_OPTIONS | {"url"}))
        raise InvalidParams(f"{args.file}: {unknown[0]} is unknown", hint=f"Known: {known}.")
    url = args.url or data.pop("url", None)
    if args.timeout is not None:
        data["timeout"] = args.timeout
    if url is None:
        return data, None
    from cdp_agent.cli.options.address import complete_url

    return data, complete_url(str(url))


async def _alone(args: argparse.Namespace, arguments: dict[str, Any], url: str) -> dict[str, Any]:
    from cdp_agent.api.composite.steps import plan
    from cdp_agent.cli.options.open_browser import open_browser
    from cdp_agent.cli.options.policy_options import guards_of
    from cdp_agent.cli.session.server import as_reply
    from cdp_agent.tools import ToolSession, call as call_tool

    plan(arguments["steps"])  # a mistyped step is said before a browser is started
    guards = guards_of(args)
    opening = open_browser(args.connect, headless=not args.headed, policy=guards.policy)
    with guards.secrets.kept_out_of_logs():
        async with opening as browser:
            page = await browser.new_page(url)
            try:
                session = ToolSession(page, **guards.hooks)
                return as_reply(await call_tool(session, "browser_execute", arguments))
            finally:
                await page.close()
