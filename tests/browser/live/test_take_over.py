"""A person pauses, steps and drives; the agent waits, and learns what they did."""

from __future__ import annotations

import asyncio
from typing import Any

from cdp_agent import Page
from cdp_agent.live import LiveServer, Pane
from cdp_agent.tools import ToolResult
from tests.browser.live.conftest import FORM, Call, Wire, press, wired
from tests.support.pages.framed_pages import iframe
from tests.support.site import Site
from tests.support.stage import OpenPage


async def begun(call: Call, *words: str, **arguments: Any) -> asyncio.Task[ToolResult]:
    return asyncio.create_task(call(*words, **arguments))  # type: ignore[arg-type]


async def test_pause_step_and_resume(
    page: Page, open_page: OpenPage, look: Page, pane: Pane, call: Call
) -> None:
    await open_page("<button onclick='p.textContent++'>More</button><p id=p>0</p>")
    await press(look, "Pause")
    await look.wait_for(text="Resume", timeout=10)
    first = await begun(call, "browser_click", ref="text=More")
    await look.wait_for(text=["paused", 'button "More"'], timeout=10)
    assert await page.evaluate("p.textContent") == "0"
    await press(look, "Step")
    assert not (await asyncio.wait_for(first, 10)).is_error
    assert await page.evaluate("p.textContent") == "1"
    second = await begun(call, "browser_click", ref="text=More")
    await look.wait_for(text="paused", timeout=10)
    assert not second.done()
    await press(look, "Resume")
    assert not (await asyncio.wait_for(second, 10)).is_error
    assert await page.evaluate("p.textContent") == "2"


async def test_a_step_lets_one_step_of_several_pass(
    page: Page, open_page: OpenPage, look: Page, pane: Pane, call: Call
) -> None:
    await open_page("<button onclick='p.textContent++'>More</button><p id=p>0</p>")
    await press(look, "Pause")
    more = {"action": "click", "params": {"selector": "text=More"}}
    both = await begun(call, "browser_execute", steps=[more, more])
    for count in "12":
        await look.wait_for(text="paused", timeout=10)
        await press(look, "Step")
        await page.wait_for(text=count, timeout=10)
    assert not (await asyncio.wait_for(both, 10)).is_error
    nowhere = {"action": "click", "params": {"selector": "text=Nowhere"}}
    missing = await begun(call, "browser_execute", steps=[nowhere])
    await press(look, "Step")
    assert (await asyncio.wait_for(missing, 10)).is_error
    third = await begun(call, "browser_click", ref="text=More")
    await look.wait_for(text="A call waits", timeout=10)
    assert not third.done(), "the step was used up by the call that failed"
    await press(look, "Resume")
    assert not (await asyncio.wait_for(third, 10)).is_error


async def point_at(look: Page, x: float, y: float, size: tuple[int, int]) -> tuple[float, float]:
    """A point of the watched page, in pixels of the picture's element."""
    box = await look.evaluate(
        "(({width, height}) => [width, height])(document.getElementById('screen')"
        ".getBoundingClientRect())"
    )
    return x / size[0] * box[0], y / size[1] * box[1]


async def click_in_picture(look: Page, page: Page, x: float, y: float) -> None:
    width, height = await page.evaluate("[innerWidth, innerHeight]")
    await look.wait_for(text_gone="No picture yet", timeout=10)
    screen = (await look.snapshot()).find("application", "What the browser shows")
    await look.click(screen.id, position=await point_at(look, x, y, (width, height)))


async def driving(look: Page) -> None:
    await press(look, "Take over")
    await look.wait_for(text="You drive", timeout=10)


async def test_mouse_and_keyboard_reach_the_page_and_the_agent_is_told(
    page: Page, open_page: OpenPage, look: Page, pane: Pane, call: Call
) -> None:
    await open_page(FORM)
    field = (await page.snapshot()).find("textbox", "Name")
    await call("browser_snapshot")
    await driving(look)
    waiting = await begun(call, "browser_fill", ref=str(field.id), value="overwritten")
    await click_in_picture(look, page, 140, 30)
    for letter in "Ada":
        await look.press(letter)
    await look.press("Backspace")
    await click_in_picture(look, page, 400, 240)
    await page.wait_for(text="sent Ad", timeout=10)
    assert not waiting.done(), "the agent waits"
    await press(look, "Give back")

    result = await asyncio.wait_for(waiting, 10)

    assert result.is_error
    assert result.code == "human_rejected"
    assert "2 clicks" in result.text
    assert 'text "sent Ad"' in result.text, "the page as they left it"
    assert "Ada" not in result.text, "what they typed is only told as far as the page shows it"
    assert await page.evaluate("document.querySelector('input').value") == "Ad"
    again = await call("browser_fill", ref=str(field.id), value="mine")
    assert not again.is_error


def told_field(name: str) -> str:
    """A field whose page says what is in it."""
    return (
        f"<label>{name} <input style='width:200px;height:40px' oninput=\"this.parentNode"
        f".nextSibling.textContent = '{name} holds ' + this.value\"></label><p></p>"
    )


async def test_keys_reach_the_field_that_was_clicked_after_the_agent_wrote_in_a_frame(
    page: Page, site: Site, look: Page, pane: Pane, call: Call
) -> None:
    """Each frame of another process has a focus of its own, and keys go to one of them."""
    inner = site.page(told_field("Card"), host="b.test")
    url = site.page(told_field("Voucher") + iframe(inner, name="inner"), host="a.test")
    await page.goto(url)
    assert not (await call("browser_fill", ref="label=Card", value="4111")).is_error
    await driving(look)
    await click_in_picture(look, page, 150, 30)
    for letter in "ab":
        await look.press(letter)
    await page.wait_for(text="Voucher holds ab", timeout=10)
    left, top = await page.evaluate(
        "(({left, top}) => [left, top])(document.querySelector('iframe').getBoundingClientRect())"
    )
    await click_in_picture(look, page, left + 150, top + 30)
    await look.press("End")
    await look.press("c")
    await page.wait_for(text="Card holds 4111c", timeout=10)


async def test_the_keys_that_give_it_back_go_nowhere(
    page: Page, open_page: OpenPage, look: Page, call: Call
) -> None:
    await open_page(FORM)
    await driving(look)
    await click_in_picture(look, page, 140, 30)
    for key in ("Shift+ArrowLeft", "x", "Shift+Escape"):
        await look.press(key)
    await look.wait_for(text="idle", timeout=10)
    waiting = await begun(call, "browser_fill", ref="label=Name", value="Ada")
    told = (await asyncio.wait_for(waiting, 10)).text
    assert "1 click, 2 keys" in told, "modifiers are no keys of their own"
    assert await look.evaluate("document.getElementById('error').hidden"), "no key was refused"


async def test_a_person_who_did_nothing_is_no_news(
    page: Page, open_page: OpenPage, look: Page, call: Call
) -> None:
    await open_page(FORM)
    await driving(look)
    waiting = await begun(call, "browser_fill", ref="label=Name", value="Ada")
    await press(look, "Give back")
    assert not (await asyncio.wait_for(waiting, 10)).is_error


async def test_a_reading_call_says_what_a_person_did(
    page: Page, open_page: OpenPage, look: Page, call: Call, pane: Pane
) -> None:
    await open_page(FORM)
    await driving(look)
    await click_in_picture(look, page, 400, 240)
    await press(look, "Give back")
    result = await call("browser_snapshot")
    assert not result.is_error
    assert result.text.startswith("a person used the browser: 1 click\n")


async def test_a_click_reaches_a_frame_of_another_process(
    page: Page, site: Site, look: Page, pane: Pane
) -> None:
    inner = site.page("<button style='width:300px;height:200px' onclick=\"this.textContent = "
                      "'pressed'\">In</button>", host="b.test")  # fmt: skip
    await page.goto(site.page(iframe(inner, name="inner"), host="a.test"))
    await driving(look)
    await click_in_picture(look, page, 100, 100)
    await page.wait_for(text="pressed", timeout=10)


async def test_text_is_typed_from_the_live_pages_own_field(
    page: Page, open_page: OpenPage, look: Page, pane: Pane
) -> None:
    await open_page("<textarea autofocus></textarea>")
    await page.evaluate("document.querySelector('textarea').focus()")
    await driving(look)
    snapshot = await look.snapshot()
    await look.fill(snapshot.find("textbox", "Text to type").id, "grüße")
    await press(look, "Type")
    await press(look, "Enter")
    value = "document.querySelector('textarea').value"

    async def typed() -> str | None:
        seen = await page.evaluate(value)
        return seen if seen == "grüße\n" else None

    assert await page.look_until(typed, 10) == "grüße\n"


async def test_the_wheel_scrolls_the_page(
    page: Page, open_page: OpenPage, look: Page, pane: Pane
) -> None:
    await open_page("<div style='height:5000px'>tall</div>")
    await driving(look)
    await look.wait_for(text_gone="No picture yet", timeout=10)
    screen = (await look.snapshot()).find("application", "What the browser shows")
    await look.wheel(0, 300, id=screen.id)

    async def scrolled() -> bool | None:
        return (await page.evaluate("scrollY")) > 0 or None

    assert await page.look_until(scrolled, 10)


async def test_input_of_somebody_who_has_not_taken_over_is_refused(
    page: Page, open_page: OpenPage, server: LiveServer, wire: Wire, pane: Pane
) -> None:
    await open_page("<input autofocus>")
    await wire.send(type="text", pane=pane.id, text="x")
    assert (await wire.next("error"))["code"] == "invalid_params"
    await wire.send(type="take", pane=pane.id)
    await wire.until(lambda m: m["type"] == "pane" and m["granted"])
    async with wired(server) as other:
        await other.send(type="take", pane=pane.id)
        assert "somebody else" in (await other.next("error"))["message"]
        await other.send(type="text", pane=pane.id, text="y")
        assert (await other.next("error"))["code"] == "invalid_params"
    assert await page.evaluate("document.querySelector('input').value") == ""


async def test_a_browser_goes_back_to_its_agent_when_the_person_is_gone(
    open_page: OpenPage, server: LiveServer, pane: Pane, call: Call
) -> None:
    await open_page(FORM)
    async with wired(server) as gone:
        await gone.send(type="take", pane=pane.id)
        await gone.until(lambda m: m["type"] == "pane" and m["granted"])
        waiting = await begun(call, "browser_fill", ref="label=Name", value="Ada")
        await gone.until(lambda m: m["type"] == "pane" and m["waiting"])
    assert not (await asyncio.wait_for(waiting, 10)).is_error
