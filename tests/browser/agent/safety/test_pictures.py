"""Pictures of pages that show a secret: it is painted over, or there is none."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image

from cdp_agent import Browser, Page
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.tools import ToolSession, call
from tests.support.site import Site

VALUE = "4929123456781234"
SPACED = "4929 1234 5678 1234"
#: Nothing else on these pages has this colour.
STYLE = (
    "<style>* { color: #f0f !important; -webkit-text-fill-color: #f0f; background: white;"
    " border-color: #ccc; accent-color: #ccc; caret-color: white; font: 20px monospace }"
    " ::placeholder { color: #f0f; opacity: 1 }</style>"
)
SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='40'>"
    f"<text y='30' fill='%23f0f'>{VALUE}</text></svg>"
)
DRAW = "const p = c.getContext('2d'); p.fillStyle = '#f0f'; p.font = '20px monospace';"

WAYS = {
    "text": f"<p>{VALUE}</p>",
    "spaced text": f"<p>{SPACED}</p>",
    "text in parts": "<p>" + "".join(f"<span>{digit}</span>" for digit in VALUE) + "</p>",
    "text input": f"<input value='{VALUE}' size=30>",
    "reformatted input": f"<input value='{SPACED}' size=30>",
    "textarea": f"<textarea cols=30>{VALUE}</textarea>",
    "revealed password": f"<input type=password value='{VALUE}' size=30 id=i>"
    "<script>i.type = 'text'</script>",
    "placeholder": f"<input placeholder='{VALUE}' size=30>",
    "placeholder of a password": f"<input type=password placeholder='{VALUE}' size=30>",
    "select": f"<select><option>{VALUE}</select>",
    "list": f"<select size=2><option>a<option label='{VALUE}'>b</select>",
    "button": f"<button>{VALUE}</button>",
    "input button": f"<input type=button value='{VALUE}'>",
    "narrow input button": f"<input type=submit value='{VALUE}' style='width: 50px'>",
    "content of CSS": f"<style>p::before {{ content: '{VALUE}' }}</style><p></p>",
    "SVG": f"<svg width=300 height=40><text y=30 fill='#f0f'>{VALUE}</text></svg>",
    "SVG in an address": f'<img src="data:image/svg+xml,{SVG}">',
    "SVG of a blob": "<img id=i><script>i.src = URL.createObjectURL(new Blob(["
    f"decodeURIComponent(`{SVG}`)], {{type: 'image/svg+xml'}}))</script>",
    "background": f'<style>p {{ background: url("data:image/svg+xml,{SVG}"); height: 40px }}'
    "</style><p></p>",
    "canvas": f"<canvas id=c width=400></canvas><script>{DRAW} p.fillText('{VALUE}', 0, 30)"
    "</script>",
    "frame": f'<iframe width=400 srcdoc="{STYLE}<p>{VALUE}</p>"></iframe>',
    "frame of another site": "<iframe width=400 src='FRAME'></iframe>",
    "closed shadow root": "<div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML ="
    f"`{STYLE}<input size=30 value='{VALUE}'>`</script>",
    "turned and scaled": f"<input style='transform: translate(90px, 90px) rotate(30deg) scale(1.4)'"
    f" size=30 value='{VALUE}'>",
    "editor": f"<div contenteditable>{VALUE}</div>",
    "alternative text": f"<img src=/not-there alt='{VALUE}' width=300 height=40>",
}


@pytest_asyncio.fixture(loop_scope="session")
async def tools(page: Page, browser: Browser, site: Site) -> AsyncIterator[ToolSession]:
    """A session that has typed the secret once."""
    secrets = Secrets({"card": VALUE}, origins=[f"http://a.test:{site.port}"])
    session = ToolSession(
        page, before_call=(secrets.before_call,), after_call=(secrets.after_call,)
    )
    await page.goto(site.page("<input aria-label=Card>"))
    field = (await page.snapshot()).find("textbox", "Card").id
    filled = await call(session, "browser_fill", {"ref": field, "value": "{{secret:card}}"})
    assert filled.text.splitlines()[0].endswith('holds "{{secret:card}}"'), filled.text
    yield session
    browser.picture_cover = None


def shows_text(picture: bytes) -> bool:
    with Image.open(io.BytesIO(picture)) as image:
        colours = image.convert("RGB").getcolors(1 << 24) or []
    return any(
        isinstance(colour, tuple) and colour[0] > 180 and colour[2] > 180 and colour[1] < 90
        for _, colour in colours
    )


@pytest.mark.parametrize("way", WAYS)
async def test_no_picture_shows_a_secret(
    page: Page, browser: Browser, tools: ToolSession, site: Site, way: str
) -> None:
    frame = site.page(f"{STYLE}<p>{VALUE}</p>", host="b.test")
    await page.goto(site.page(STYLE + WAYS[way].replace("FRAME", frame)))
    cover, browser.picture_cover = browser.picture_cover, None
    assert cover is not None
    assert shows_text(await page.screenshot())
    browser.picture_cover = cover

    result = await call(tools, "browser_screenshot", {})
    whole = await call(tools, "browser_screenshot", {"full_page": True})

    for shown in (result, whole):
        assert shown.images or "withheld" in shown.text
        assert not any(shows_text(image) for image in shown.images)
    snapshot = await page.snapshot(screenshot=True) if result.images else None
    if snapshot is not None and snapshot.screenshot is not None:
        assert not shows_text(snapshot.screenshot)


async def test_a_field_is_painted_over_and_the_rest_is_shown(
    page: Page, tools: ToolSession, site: Site
) -> None:
    html = f"{STYLE}<input value='{VALUE}' size=30><hr style='background: #00f; height: 50px'>"
    await page.goto(site.page(html))

    result = await call(tools, "browser_screenshot", {})

    assert len(result.images) == 1
    with Image.open(io.BytesIO(result.images[0])) as image:
        colours = {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or []}
    assert (0, 0, 255) in colours


async def test_a_picture_in_a_file_shows_no_secret_either(
    page: Page, tools: ToolSession, site: Site, tmp_path: Path
) -> None:
    await page.goto(site.page(f"{STYLE}<p>{VALUE}</p>"))
    path = tmp_path / "a.png"

    result = await call(tools, "browser_screenshot", {"path": str(path)})

    assert result.code == "blocked_by_policy"
    assert not path.exists()
