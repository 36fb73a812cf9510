"""Every snapshot ends, whatever its frames are, and the second equals a fresh one."""

from __future__ import annotations

import asyncio
import random

import pytest

from cdp_agent import Page
from tests.support.fresh_snapshot import equal_snapshot
from tests.support.oracle import PageOracle
from tests.support.site import Site

#: Longer than any of these snapshots may take, a frame that does not answer included.
_SECONDS = 20
_PDF = """%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
"""
_PNG = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q"
    "DwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_INNER = "<p>inside</p><button onclick=\"this.textContent += '!'\">Press</button>"
#: Changes of the outer page between two snapshots. `frame` is a random iframe of it.
_CHANGES = (
    "frame.remove()",
    "frame.style.display = frame.style.display ? '' : 'none'",
    "frame.style.width = '0'",
    "frame.src = 'about:blank'",
    "frame.after('text ' + document.querySelectorAll('iframe').length)",
    "document.body.append(frame.cloneNode())",
    "document.body.prepend(frame)",
    "heading.textContent += ' changed'",
)


def _frames(site: Site) -> dict[str, str]:
    """An iframe of each kind."""
    pages = {host: site.page(_INNER, host=host) for host in ("a.test", "b.test")}
    nested = site.page(f"<iframe src='{pages['b.test']}'></iframe>nested", host="c.test")
    pdf = site.page(_PDF, content_type="application/pdf", path="/file.pdf")
    xml = site.page("<a><b>words</b></a>", content_type="application/xml", path="/data.xml")
    svg = "<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>drawn</text></svg>"
    drawing = site.page(svg, content_type="image/svg+xml", path="/drawing.svg")
    empty = site.page("", content_type="text/plain", path="/empty.txt")
    return {
        "same site": f"<iframe src='{pages['a.test']}'></iframe>",
        "other site": f"<iframe src='{pages['b.test']}'></iframe>",
        "nested": f"<iframe src='{nested}'></iframe>",
        "PDF": f"<iframe src='{pdf}'></iframe>",
        "PDF in embed": f"<embed src='{pdf}' type='application/pdf'>",
        "image": f"<iframe src='{_PNG}'></iframe>",
        "XML": f"<iframe src='{xml}'></iframe>",
        "SVG": f"<object data='{drawing}' type='image/svg+xml'></object>",
        "empty": f"<iframe src='{empty}'></iframe>",
        "about:blank": "<iframe></iframe>",
        "srcdoc": f"<iframe srcdoc='{_INNER.replace(chr(39), '&#39;')}'></iframe>",
        "sandboxed": f"<iframe sandbox src='{pages['a.test']}'></iframe>",
        "0x0": f"<iframe width=0 height=0 src='{pages['b.test']}'></iframe>",
        "not rendered": f"<iframe style='display:none' src='{pages['b.test']}'></iframe>",
        "not found": f"<iframe src='{site.url('/nowhere', 'b.test')}'></iframe>",
        "refused": "<iframe src='http://b.test:1/'></iframe>",
    }


@pytest.mark.parametrize("kind", ["PDF", "PDF in embed", "image", "XML", "SVG", "empty", "refused"])
async def test_two_snapshots_of_a_page_with_such_a_frame_end(
    page: Page, site: Site, kind: str
) -> None:
    await page.goto(
        site.page(f"<h1 id=heading>Page</h1>{_frames(site)[kind]}<button>After</button>")
    )

    async with asyncio.timeout(_SECONDS):
        first = await page.snapshot()
        await page.evaluate("heading.textContent = 'Changed'")
        second = await page.snapshot()

    assert first.find("button", "After")
    assert second.find("heading", "Changed")
    assert second.find("button", "After")


@pytest.mark.parametrize("seed", range(4))
async def test_random_frames_and_random_changes(
    page: Page, site: Site, oracle: PageOracle, seed: int
) -> None:
    choice = random.Random(seed)
    kinds = _frames(site)
    chosen = [choice.choice(list(kinds)) for _ in range(choice.randint(3, 8))]
    body = "".join(f"<p>{kind}</p>{kinds[kind]}" for kind in chosen)
    await page.goto(site.page(f"<h1 id=heading>Page</h1>{body}"))
    history: list[str] = [*chosen]
    compared = 0
    async with asyncio.timeout(_SECONDS * 4):
        await page.snapshot()
        for _ in range(8):
            change = choice.choice(_CHANGES)
            history.append(change)
            await oracle.eval(
                "(() => { const all = [...document.querySelectorAll('iframe')];"
                f"const frame = all[{choice.randint(0, 9)} % all.length];"
                f"if (frame) {{ {change} }} }})()"
            )
            compared += await equal_snapshot(page, history) is not None
    assert compared > 4, "the page never held still"


async def test_frames_that_are_removed_during_the_snapshot(
    page: Page, site: Site, oracle: PageOracle
) -> None:
    url = site.page(_INNER, host="b.test")
    await page.goto(site.page(f"<button>Stay</button>{f'<iframe src={url}></iframe>' * 6}"))
    for wait in (0, 1, 2, 4, 8, 16):
        await oracle.eval(
            f"setTimeout(() => document.querySelector('iframe')?.remove(), {wait}); 0"
        )
        async with asyncio.timeout(_SECONDS):
            snapshot = await page.snapshot()
        assert snapshot.find("button", "Stay")
    assert await equal_snapshot(page, "all removed") is not None


@pytest.mark.fresh_tab("its frame crashes")
@pytest.mark.no_after_state("its frame has crashed")
async def test_a_frame_that_crashed(page: Page, site: Site, oracle: PageOracle) -> None:
    url = site.page(_INNER, host="b.test")
    await page.goto(site.page(f"<button>Stay</button><iframe name=inner src='{url}'></iframe>"))
    assert len((await page.snapshot()).find_all("button")) == 2
    session = page.resolve_frame_session(1)
    session.send_only("Page.crash")
    for _ in range(2):
        async with asyncio.timeout(_SECONDS):
            snapshot = await page.snapshot()
        assert snapshot.find("button", "Stay")
