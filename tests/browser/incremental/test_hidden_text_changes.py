"""Text of a frame that becomes hidden, or visible again, is marked so in the next snapshot.

The changes here leave every text and box as it is: only the rendering of the text changes.
"""

from __future__ import annotations

import pytest

from cdp_agent import Page, Snapshot
from tests.support.fresh_snapshot import equal_snapshot
from tests.support.oracle import PageOracle
from tests.support.site import Site

_INNER = """<style>
body { background: #fff } p { color: var(--ink, #000); width: 200px }
#flag:checked ~ p, #field:placeholder-shown ~ p, #field:focus ~ p { opacity: 0 }
:target ~ p, #field:hover ~ p { opacity: 0 }
@media (color-gamut: p3) { p { opacity: 0 } }
.off p { opacity: 0 }
#lid { position: absolute; left: 300px; top: 30px; width: 300px; height: 100px; background: #fed }
</style><style media=print>p { opacity: 0 }</style>
<input id=flag type=checkbox><input id=field placeholder=None value=some><a id=anchor></a>
<p>words</p><div id=lid></div>"""
_SHEETS = "document.styleSheets"

#: Causes in a frame, after each of which nobody can see its words.
CAUSES = {
    "a rule is edited": f"{_SHEETS}[0].cssRules[1].style.color = '#fff'",
    "a rule is put in": f"{_SHEETS}[0].insertRule('p{{opacity:0}}', 2)",
    "a sheet gets another medium": f"{_SHEETS}[1].media.mediaText = 'all'",
    "a sheet is adopted": "const s = new CSSStyleSheet(); s.replaceSync('p{opacity:0}');"
    "document.adoptedStyleSheets = [s]",
    "an ancestor gets a class": "document.body.className = 'off'",
    "an ancestor gets a style": "document.body.style.opacity = 0",
    "a box is ticked": "flag.checked = true",
    "a field is emptied": "field.value = ''",
    "the address has a fragment": "location.hash = 'anchor'",
    "an animation": "document.body.animate([{opacity: 0}, {opacity: 0}], {duration: 1e7})",
    "a property is registered": "CSS.registerProperty({name: '--ink', syntax: '<color>',"
    " inherits: true, initialValue: '#fff'})",
    "a cover is moved": "lid.style.transform = 'translateX(-300px)'",
    "a cover is moved by a rule": f"{_SHEETS}[0].insertRule('#lid{{translate:-300px}}', 2)",
}


def _hidden(snapshot: Snapshot) -> list[bool]:
    """For each frame in order: whether its words are marked."""
    return [bool(node.state.get("hidden")) for node in snapshot.nodes if node.name == "words"]


async def _open(
    page: Page, site: Site, oracle: PageOracle, host: str, inner: str = _INNER
) -> tuple[str, str]:
    """Two equal frames, both at rest; their names, which no other page has used."""
    url = site.page(inner, host=host)
    names = f"one-{url[-12:]}", f"two-{url[-12:]}"
    frames = "".join(f"<iframe name={name} src='{url}'></iframe>" for name in names)
    await page.goto(site.page(f"<style>iframe {{ width: 320px }}</style>{frames}<p>outside</p>"))
    for name in names:
        await oracle.wait_in(name, "document.readyState === 'complete'")
    assert _hidden(await page.snapshot()) == [False, False]
    return names


@pytest.mark.parametrize("host", ["a.test", "b.test"])
async def test_whatever_hides_text_in_a_frame_is_noticed(
    page: Page, site: Site, oracle: PageOracle, host: str
) -> None:
    for cause, script in CAUSES.items():
        one, _ = await _open(page, site, oracle, host)
        await page.snapshot()
        await oracle.eval_in(one, f"{{ {script} }}; 0")
        assert _hidden(await page.snapshot()) == [True, False], cause
        assert await equal_snapshot(page, cause) is not None


async def test_what_is_scrolled_under_a_cover_in_a_frame_is_noticed(
    page: Page, site: Site, oracle: PageOracle
) -> None:
    """Words and cover keep their boxes in the frame; what scrolls them is a box without a trace."""
    inner = """<style>body { margin: 0 } #box { height: 60px; width: 200px; overflow: hidden }
      #lid { position: absolute; top: 0; width: 200px; height: 30px; background: #fed }
      p { margin: 40px 0 200px }</style><div id=box><p>words</p></div><div id=lid></div>"""
    one, _ = await _open(page, site, oracle, "a.test", inner)
    await page.snapshot()
    for top, is_hidden in ((40, True), (0, False)):
        await oracle.eval_in(one, f"box.scrollTop = {top}")
        assert _hidden(await page.snapshot()) == [is_hidden, False]


@pytest.mark.parametrize("host", ["a.test", "b.test"])
async def test_the_pointer_the_focus_and_the_document_around_are_noticed(
    page: Page, site: Site, oracle: PageOracle, host: str
) -> None:
    await _open(page, site, oracle, host)
    snapshot = await page.snapshot()
    first, second = snapshot.find_all("textbox")
    await page.hover(first.id)
    assert _hidden(await page.snapshot()) == [True, False]
    await page.hover(second.id)
    assert _hidden(await page.snapshot()) == [False, True]
    await page.focus(first.id)
    assert _hidden(await page.snapshot()) == [True, True]
    await page.focus(second.id)
    assert _hidden(await page.snapshot()) == [False, True]
    await oracle.eval("document.querySelector('iframe').style.opacity = 0")
    assert _hidden(await page.snapshot()) == [True, True]
    await oracle.eval("document.querySelector('iframe').style.opacity = 1")
    assert _hidden(await page.snapshot()) == [False, True]


async def test_a_medium_that_nobody_thought_of_is_noticed(
    page: Page, site: Site, oracle: PageOracle
) -> None:
    await _open(page, site, oracle, "a.test")
    await page.snapshot()
    for gamut, is_hidden in (("p3", True), ("", False)):
        features = [{"name": "color-gamut", "value": gamut}]
        await oracle.send("Emulation.setEmulatedMedia", {"features": features})
        assert _hidden(await page.snapshot()) == [is_hidden, is_hidden]
