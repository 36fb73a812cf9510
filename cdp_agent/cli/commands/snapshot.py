"""`cdp-agent snapshot URL`: one page as text or data."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from cdp_agent.cli.options.address import complete_url
from cdp_agent.text import json_text

if TYPE_CHECKING:
    from cdp_agent import Page, Snapshot

#: A look is given this long also when the page has used up its time.
_LEAST_LOOK = 5.0


def run(args: argparse.Namespace) -> int:
    args.url = complete_url(args.url)  # a mistyped path is said before a browser is started
    snap = asyncio.run(_take(args))
    if args.json:
        indent = 2 if sys.stdout.isatty() else None
        print(json_text(snap.model_dump(), indent=indent))
        return 0
    print(snap.text)
    for warning in snap.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    return 0


async def _take(args: argparse.Namespace) -> Snapshot:
    from cdp_agent.cli.options.open_browser import open_browser
    from cdp_agent.snapshot.options import LEAST_TOKENS
    from cdp_agent.tools.text.reader_view import DEFAULT_TOKENS

    async with open_browser(args.connect, headless=not args.headed) as browser:
        deadline = time.monotonic() + args.timeout
        page = await browser.new_page()
        try:
            warnings = await _show(page, args.url, args.timeout)
            snap = await page.snapshot(
                viewport_only=args.viewport,
                interactive_only=args.interactive,
                max_tokens=max(args.max_tokens or DEFAULT_TOKENS, LEAST_TOKENS),
                search=args.search,
                timeout=max(_LEAST_LOOK, deadline - time.monotonic()),
            )
            return replace(snap, warnings=(*warnings, *snap.warnings))
        finally:
            await page.close()


async def _show(page: Page, url: str, seconds: float) -> tuple[str, ...]:
    """Open the page. One that has not loaded in time gives a warning.

    Raises:
        ActionTimeout: nothing of it has come.
    """
    from cdp_agent import ActionTimeout

    before = page.url
    try:
        opened = await page.goto(url, timeout=seconds)
    except ActionTimeout as error:
        if page.url == before:
            raise
        return (error.message,)
    return tuple(dialog.line for dialog in opened.dialogs)
