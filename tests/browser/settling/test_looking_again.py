"""Looking until there is something to see: after each change of a page, in whichever frame."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from cdp_agent import Page, TargetClosed
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_each_change_of_a_frame_is_looked_at(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage("<p id=p>0</p>", frame_kind)
    seen: list[str] = []

    async def look() -> str | None:
        text = str(await stage.eval("p.textContent"))
        if text not in seen:
            seen.append(text)
            await stage.eval(f"p.textContent = {len(seen)}")
        return text if text == "3" else None

    assert await stage.page.look_until(look, 20) == "3"
    assert seen == ["0", "1", "2", "3"]


async def test_a_new_frame_and_a_new_address_are_changes(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page("<p>Quiet</p>")
    looks = 0

    async def look() -> bool | None:
        nonlocal looks
        looks += 1
        if looks == 2:
            await oracle.eval("history.replaceState(0, '', '?moved')")
        if looks == 3:
            await oracle.eval("document.body.append(document.createElement('iframe'))")
        return (page.url.endswith("?moved") and len(page.frames) == 2) or None

    assert await page.look_until(look, 20)


async def test_a_dialog_that_stays_open_is_looked_at_once(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page("<p>Quiet</p>")
    page.on_dialog("wait")
    looks = 0

    async def look() -> bool | None:
        nonlocal looks
        looks += 1
        return None

    asking = asyncio.create_task(oracle.eval("confirm('Sure?')"))
    assert await page.look_until(_is_asked(page), 20)
    assert await page.look_until(look, 1.0) is None
    assert looks < 10
    assert page.dialog is not None
    await page.dialog.dismiss()
    assert await asking is False


def _is_asked(page: Page) -> Callable[[], Awaitable[bool | None]]:
    async def look() -> bool | None:
        return page.dialog is not None or None

    return look


async def test_nothing_comes_of_a_page_that_is_closed(open_page: OpenPage, page: Page) -> None:
    await open_page("<p>Quiet</p>")
    waiting = asyncio.create_task(page.look_until(_is_asked(page), 20))
    await asyncio.sleep(0)
    await page.close()
    with pytest.raises(TargetClosed):
        await waiting
