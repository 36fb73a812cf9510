"""`cdp-agent snapshot URL`: one page as text or data."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from typing import TYPE_CHECKING

from cdp_agent.cli.address import complete_url

if TYPE_CHECKING:
    from cdp_agent import Snapshot


def run(args: argparse.Namespace) -> int:
    args.url = complete_url(args.url)  # a mistyped path is said before a browser is started
    snap = asyncio.run(_take(args))
    if args.json:
        indent = 2 if sys.stdout.isatty() else None
        print(json.dumps(snap.model_dump(), ensure_ascii=False, indent=indent))
        return 0
    print(snap.text)
    for warning in snap.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    return 0


async def _take(args: argparse.Namespace) -> Snapshot:
    from cdp_agent.cli.open_browser import open_browser
    from cdp_agent.tools.view import DEFAULT_TOKENS

    async with open_browser(args.connect, headless=not args.headed) as browser:
        deadline = time.monotonic() + args.timeout
        page = await browser.new_page()
        try:
            await page.goto(args.url, timeout=args.timeout)
            return await page.snapshot(
                viewport_only=args.viewport,
                interactive_only=args.interactive,
                max_tokens=args.max_tokens or DEFAULT_TOKENS,
                search=args.search,
                timeout=max(1.0, deadline - time.monotonic()),
            )
        finally:
            await page.close()
