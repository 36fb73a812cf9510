"""`cdp-agent doctor`: tries what the engine needs, part by part, on this machine.

Each part is one line: `ok` with what was found, or `no` with how to fix it. Nothing is
inferred that can be tried: the frame check clicks a button in a frame of another process
and asks the page whether it was clicked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from typing import Literal

import cdp_agent
from cdp_agent import Browser, CdpAgentError
from cdp_agent.chromium import find_browser
from cdp_agent.cli.commands.doctor_site import DoctorSite

_CHECK_SECONDS = 40.0
_DEBIAN_FONTS = "Debian, Ubuntu: apt-get install {}"


@dataclass(frozen=True)
class CheckResult:
    """The result of one check; `fix` is empty where it works."""

    name: str
    ok: bool
    found: str
    fix: str = ""
    essential: bool = True

    def text(self) -> str:
        start = f"{'ok' if self.ok else 'no'}  {self.name:<10} {self.found}"
        return f"{start} → {self.fix}" if self.fix else start


def run(args: argparse.Namespace) -> int:
    lines = asyncio.run(
        _examine(lambda line: None if args.json else print(line.text(), flush=True))
    )
    healthy = all(line.ok for line in lines if line.essential)
    if args.json:
        print(json.dumps({"ok": healthy, "checks": [asdict(line) for line in lines]}, indent=2))
    return 0 if healthy else 1


async def _examine(tell: Callable[[CheckResult], None]) -> list[CheckResult]:
    lines: list[CheckResult] = []

    async def check(name: str, attempt: Awaitable[list[CheckResult]]) -> bool:
        made = await _attempted(name, attempt)
        for line in made:
            lines.append(line)
            tell(line)
        return all(line.ok for line in made if line.essential)

    await check("python", _python())
    if not await check("browser", _browser()):
        return lines
    await check("websocket", _websocket())
    async with AsyncExitStack() as stack:
        browser: Browser | None = None

        async def pipe() -> list[CheckResult]:
            nonlocal browser
            browser = await stack.enter_async_context(cdp_agent.launch(transport="pipe"))
            return [CheckResult("pipe", True, f"{browser.version} answers")]

        await check("pipe", pipe())
        await check("sandbox", _sandbox())
        if browser is not None:
            await check("fonts", _fonts(browser))
            await check("frames", _frames(browser))
    return lines


async def _attempted(name: str, attempt: Awaitable[list[CheckResult]]) -> list[CheckResult]:
    """A check that fails, or takes too long, is a line like any other."""
    try:
        async with asyncio.timeout(_CHECK_SECONDS):
            return await attempt
    except CdpAgentError as error:
        return [_failed(name, error)]
    except TimeoutError:
        fix = "try again when the machine is less busy; --debug shows where it waits"
        return [CheckResult(name, False, f"no result within {_CHECK_SECONDS:g} s", fix)]


def _failed(name: str, error: CdpAgentError) -> CheckResult:
    # The first line: what Chromium wrote may be long, and --debug shows it.
    found = f"{error.code}: {error.message.splitlines()[0]}"
    return CheckResult(name, False, found, error.hint or "run with --debug and see what it wrote")


async def _python() -> list[CheckResult]:
    return [CheckResult("python", True, f"{platform.python_version()}, {platform.platform()}")]


async def _browser() -> list[CheckResult]:
    return [CheckResult("browser", True, str(find_browser()))]


async def _websocket() -> list[CheckResult]:
    async with cdp_agent.launch(transport="websocket") as browser:
        return [CheckResult("websocket", True, f"{browser.version} answers on a loopback port")]


async def _sandbox() -> list[CheckResult]:
    if sys.platform == "linux" and os.geteuid() == 0:
        fix = "run as another user, or open only pages you trust"
        return [CheckResult("sandbox", False, "off, because this is root", fix, essential=False)]
    return [CheckResult("sandbox", True, "on")]


async def _fonts(browser: Browser) -> list[CheckResult]:
    page = await browser.new_page("about:blank")
    try:
        seen = await page.evaluate(_FONTS_SCRIPT)
    finally:
        await page.close()
    fix = "install a font. " + _DEBIAN_FONTS.format("fonts-liberation")
    has_text = seen["latin"]
    lines = [
        CheckResult("fonts", True, "text has a width and a shape")
        if has_text
        else CheckResult("fonts", False, "text is drawn as empty boxes or nothing", fix)
    ]
    for key, name, package in _SCRIPTS:
        if seen[key]:
            lines.append(CheckResult("fonts", True, f"{name} is drawn"))
        else:
            fix = "pictures of such pages show boxes. " + _DEBIAN_FONTS.format(package)
            lines.append(CheckResult("fonts", False, f"{name} is not drawn", fix, essential=False))
    return lines


async def _frames(browser: Browser) -> list[CheckResult]:
    with DoctorSite() as site:
        page = await browser.new_page(site.page_url)
        try:
            snap = await page.snapshot()
            button = snap.find("button", "Press me")
            frame = next(frame for frame in snap.frames if frame.index == button.frame_index)
            if not frame.is_oopif:
                fix = "remove flags that turn site isolation off"
                return [
                    CheckResult(
                        "frames", False, "a cross-site frame has no process of its own", fix
                    )
                ]
            outcome = await page.click(button.id)
            pressed = await page.evaluate("window.pressed", frame_index=button.frame_index)
        finally:
            await page.close()
    if pressed != "trusted" or not outcome.success:
        fix = "this is a bug: please report it with the output of --debug"
        return [CheckResult("frames", False, "a click in a cross-site frame did not arrive", fix)]
    found = f"{button.id} in a frame of another process was clicked and the page saw it"
    return [CheckResult("frames", True, found)]


_Script = Literal["cjk", "emoji"]
_SCRIPTS: tuple[tuple[_Script, str, str], ...] = (
    ("cjk", "Chinese, Japanese, Korean", "fonts-noto-cjk"),
    ("emoji", "emoji", "fonts-noto-color-emoji"),
)
# A character without a glyph is drawn like one that will never have any.
_FONTS_SCRIPT = """
(() => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 40;
  const context = canvas.getContext('2d', {willReadFrequently: true});
  const drawn = (text) => {
    context.clearRect(0, 0, 40, 40);
    context.font = '24px sans-serif';
    context.fillText(text, 4, 30);
    return context.getImageData(0, 0, 40, 40).data.join();
  };
  const nothing = drawn(''), box = drawn('\\u{10FFFE}');
  const has = (text) => ![nothing, box].includes(drawn(text));
  return {
    latin: has('a') && drawn('a') !== drawn('m') && context.measureText('a').width > 0,
    cjk: has('\\u6f22') && has('\\u3042') && has('\\uac00'),
    emoji: has('\\u{1F680}'),
  };
})()
"""
