"""A change of text is in the next snapshot, together with whatever changed beside it."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.fresh_snapshot import equal_snapshot
from tests.support.oracle import PageOracle
from tests.support.stage import OpenPage

_STYLE = """<style>
body{margin:8px} .same{color:#fff} .clear{opacity:0} .away{position:absolute;left:-5000px}
#flag:checked ~ #box p{opacity:0} #field:focus ~ #box p{color:#fff}
#lid{position:absolute;left:900px;top:0;width:600px;height:600px;background:#123}
#clip{height:20px;overflow:hidden} #small{height:30px} .inline{display:inline-block}
</style>"""
_BODY = (
    "<input id=flag type=checkbox><input id=field><div id=box><p id=said>Clicked 0 times</p>"
    "<p id=pale class=same>Pale 0</p><a id=link href=#x>Link</a></div><div id=clip><p>Up 0</p>"
    "<button>Down</button></div><div class=inline><div id=small>Line 0</div></div>"
    "<button>After</button><p id=auto dir=auto>Auto 0 <b>bold</b></p><select id=list><option>"
    "short</select><button>Last</button><div id=lid></div>"
)

#: Changes together with a change of text.
CAUSES = {
    "nothing": "",
    "longer words": "said.textContent = 'long words '.repeat(200)",
    "no words": "said.textContent = ''",
    "an edited text": "said.firstChild.data = 'Clicked 00 times'",
    "more than one text": "said.append(' and', ' more')",
    "words nobody sees": "pale.textContent = 'Pale 00'",
    "more lines in a box of its size": "small.textContent = 'Line '.repeat(40)",
    "words in a list of options": "list.options[0].textContent = 'much longer than short'",
    "words that decide the direction": "auto.firstChild.data = '\u05d0\u05d1\u05d2 0 '",
    "the colour of an ancestor": "box.className = 'same'",
    "a transparent ancestor": "box.className = 'clear'",
    "an ancestor off the page": "box.className = 'away'",
    "an ancestor that is cut": "box.style.clipPath = 'inset(50%)'",
    "a cover that is moved": "lid.style.left = '0'",
    "a rule that is put in": "document.styleSheets[0].insertRule('p{opacity:0}')",
    "a rule that is edited": "document.styleSheets[0].cssRules[0].style.marginTop = '50px'",
    "an adopted sheet": "const s = new CSSStyleSheet(); s.replaceSync('a{display:none}');"
    "document.adoptedStyleSheets = [s]",
    "a state without an attribute": "flag.checked = true",
    "the focus": "field.focus()",
    "scrolling the page": "document.body.style.height = '5000px'; scrollTo(0, 200)",
    "scrolling what is not meant to scroll": "clip.scrollTop = 30",
    "an animation": "box.animate([{opacity: 0}, {opacity: 0}], {duration: 1e6})",
    "a shadow root": "box.attachShadow({mode: 'open'}).innerHTML = '<slot></slot> shade'",
    "words of a style": "document.querySelector('style').firstChild.data += 'p{opacity:0}'",
}


#: On a large page most is decided in the same way.
_ON_LARGE = ("nothing", "longer words", "words nobody sees", "a cover that is moved", "the focus")


@pytest.mark.parametrize("rows", [0, 600])
async def test_a_change_beside_a_change_of_text_is_seen(
    open_page: OpenPage, page: Page, oracle: PageOracle, rows: int
) -> None:
    for cause in _ON_LARGE if rows else CAUSES:
        script = CAUSES[cause]
        await open_page(f"{_STYLE}{_BODY}<p>{'<i></i>' * rows}</p>")
        await page.snapshot()
        for number in (1, 2):
            await oracle.eval(f"said.textContent = 'Clicked {number} times'; 0")
            await page.snapshot()
        await oracle.eval(f"said.textContent = 'Clicked 3 times'; {script}; 0")
        assert await equal_snapshot(page, [cause]) is not None
        await oracle.eval("pale.textContent = 'Pale 1'; 0")
        assert await equal_snapshot(page, [cause, "other words after it"]) is not None
