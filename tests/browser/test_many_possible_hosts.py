"""A page with more elements that may have a closed shadow root than are asked about, one by one."""

from __future__ import annotations

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.stage import OpenPage

_SPANS = "<span>x</span> " * 6_000
_PAGE = f"""<!doctype html><title>Many</title><p id=said>none</p><div id=spare></div>{_SPANS}
<script>for (let n = 0; n < 500; n++) spare.append(document.createElement("i"))</script>"""


async def test_a_page_of_many_possible_hosts_is_looked_at_again(
    page: Page, open_page: OpenPage, oracle: PageOracle
) -> None:
    await open_page(_PAGE)
    await page.snapshot()
    # Nodes are collected: there are fewer than before, so that counting them tells nothing.
    await oracle.eval("spare.replaceChildren(); said.textContent = 'some'")
    await page.snapshot()
    await oracle.send("HeapProfiler.collectGarbage")
    await oracle.eval(
        "document.querySelector('span').attachShadow({mode: 'closed'})"
        ".innerHTML = '<button>In a closed root</button>'"
    )

    text = (await page.snapshot()).text

    assert 'button "In a closed root"' in text
    assert "some" in text
