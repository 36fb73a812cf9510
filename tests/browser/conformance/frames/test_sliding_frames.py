"""A frame that slides under the pointer does not get the press that was meant for the page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from cdp_agent import CdpAgentError, Page
from cdp_agent.ids import ElementId
from tests.support.oracle import PageOracle
from tests.support.site import Site

PRESSES = "['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu']"
THIEF = f"""<body style="margin:0"><button style="width:400px;height:300px">Pay</button><script>
for (const type of {PRESSES}) addEventListener(type, (event) => {{
  if (event.isTrusted) top.postMessage('stolen ' + type, '*');
}}, true);</script>"""
PAGE = f"""<style>iframe {{ position:fixed; left:0; top:0; width:400px; height:300px; border:0 }}
.away {{ left:-900px }}</style><button id=target style="margin:40px">Order</button>
<script>window.seen = []; window.told = [];
addEventListener('message', (event) => told.push(event.data));
for (const type of {PRESSES})
  target.addEventListener(type, () => seen.push(type), true);</script>"""
SLIDES = """<iframe class=away src="{url}"></iframe><script>
target.addEventListener({on!r}, () => document.querySelector('iframe').classList.remove('away'));
</script>"""
NEW = """<script>target.addEventListener({on!r}, () => {{
  if (document.querySelector('iframe')) return;
  const frame = document.createElement('iframe');
  {make}
}}, {{ once: true }});</script>"""
WRITTEN = (
    "document.body.append(frame); frame.contentDocument.open();"
    "frame.contentDocument.write(thief); frame.contentDocument.close()"
)
APPENDED = (
    "document.body.append(frame); frame.contentDocument.body.innerHTML ="
    " '<button style=width:400px;height:300px>Pay</button>';"
    f"for (const type of {PRESSES})"
    " frame.contentWindow.addEventListener(type, () => told.push('stolen ' + type), true)"
)
# In these the page's listeners on the window stand before ours: `open` has removed those.
OPENED = (
    "document.body.append(frame); frame.contentDocument.open();"
    f"for (const type of {PRESSES})"
    " frame.contentWindow.addEventListener(type, () => told.push('stolen ' + type), true);"
    "frame.contentDocument.write('<button style=width:400px;height:300px>Pay</button>');"
    "frame.contentDocument.close()"
)
OPENED_LATER = f"frame.onload = () => {{}}; setTimeout(() => {{ {OPENED} }})"
HOSTS = {"same-origin": "a.test", "same-site": "b.a.test", "oopif": "b.test"}

ACTIONS: dict[str, Callable[[Page, ElementId], Awaitable[object]]] = {
    "click": lambda page, target: page.click(target, timeout=1),
    "right click": lambda page, target: page.click(target, button="right", timeout=1),
    "double click": lambda page, target: page.double_click(target, timeout=1),
    "drag": lambda page, target: page.drag(target, by=(30, 30), timeout=1),
}


async def steal(page: Page, oracle: PageOracle, act: str) -> tuple[list[str], list[str], str]:
    """The events that the frame and the target got of an action, and its end."""
    target = (await page.snapshot()).find("button", "Order", frame=0).id
    how = "ok"
    try:
        await ACTIONS[act](page, target)
    except CdpAgentError as error:
        how = error.code
    # Messages of a frame of another process come later than the action's answer.
    await oracle.eval("new Promise((done) => setTimeout(done, 50))")
    told = [line for line in await oracle.eval("told") if line.startswith("stolen")]
    return told, await oracle.eval("seen"), how


@pytest.mark.parametrize("act", ACTIONS)
@pytest.mark.parametrize("on", ["pointermove", "mouseover"])
@pytest.mark.parametrize("kind", HOSTS)
async def test_a_frame_that_slides_under_the_pointer_gets_no_press(
    page: Page, site: Site, oracle: PageOracle, kind: str, on: str, act: str
) -> None:
    url = site.page(THIEF, host=HOSTS[kind])
    await page.goto(site.page(PAGE + SLIDES.format(url=url, on=on)))

    stolen, seen, how = await steal(page, oracle, act)

    assert stolen == []
    assert (how == "ok") == bool(seen)
    if how != "ok":
        assert how == "element_obscured"


@pytest.mark.parametrize("act", ACTIONS)
async def test_a_frame_that_is_opened_anew_under_the_pointer_gets_no_press(
    page: Page, site: Site, oracle: PageOracle, act: str
) -> None:
    """Its listeners stand before ours then, on a window that was there before."""
    opens = SLIDES.format(url=site.page("<p>Words"), on="pointermove") + (
        "<script>target.addEventListener('pointermove', () => {"
        "const frame = document.querySelector('iframe'); frame.contentDocument.open();"
        f"for (const type of {PRESSES})"
        " frame.contentWindow.addEventListener(type, () => told.push('stolen ' + type), true);"
        "frame.contentDocument.write('<button style=width:400px;height:300px>Pay</button>');"
        "frame.contentDocument.close() }, { once: true })</script>"
    )
    await page.goto(site.page(PAGE + opens))

    stolen, seen, how = await steal(page, oracle, act)

    assert stolen == []
    assert (how == "ok") == bool(seen)
    assert not await oracle.eval("document.querySelector('iframe').inert")


@pytest.mark.parametrize(
    "make",
    [
        pytest.param("frame.srcdoc = thief; document.body.append(frame)", id="srcdoc"),
        pytest.param("frame.src = url; document.body.append(frame)", id="address"),
        pytest.param(WRITTEN, id="written"),
        pytest.param(APPENDED, id="appended"),
        pytest.param(OPENED, id="opened"),
        pytest.param(OPENED_LATER, id="opened by a timer"),
    ],
)
@pytest.mark.parametrize("act", ACTIONS)
@pytest.mark.parametrize("on", ["pointermove", "mousemove"])
async def test_a_frame_that_is_made_under_the_pointer_gets_no_press(
    page: Page, site: Site, oracle: PageOracle, make: str, on: str, act: str
) -> None:
    url = site.page(THIEF)
    thief = THIEF.replace(") addEventListener(", ") document.body.firstChild.addEventListener(")
    thief = thief.replace("</script>", "<\\/script>")
    known = f"<script>window.url = {url!r}; window.thief = `{thief}`;</script>"
    await page.goto(site.page(PAGE + known + NEW.format(on=on, make=make)))

    stolen, seen, how = await steal(page, oracle, act)

    assert stolen == []
    if (act, how) != ("double click", "element_unstable"):  # it came between the two
        assert (how == "ok") == bool(seen)
