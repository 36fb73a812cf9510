"""Text in the slot of a web component that becomes visible is in the next snapshot."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.stage import OpenPage

# Chromium's accessibility cache misses this: the text's slot stands in another element.
COMPONENT = """<style>x-title { visibility: hidden } .ready { visibility: inherit }</style>
<header><x-title>Tasks</x-title></header><p>Body</p><script>
customElements.define('x-title', class extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({mode: 'open'}).innerHTML = '<div id=part><slot></slot></div>';
  }
});
</script>"""


@pytest.mark.parametrize("rows", [0, 500], ids=["small", "large"])
async def test_it_shows_when_the_component_is_ready(
    page: Page, oracle: PageOracle, open_page: OpenPage, rows: int
) -> None:
    await open_page(COMPONENT + "<p>row</p>" * rows)
    assert "Tasks" not in (await page.snapshot()).text

    await oracle.eval("void document.querySelector('x-title').classList.add('ready')")

    assert "Tasks" in (await page.snapshot()).text


async def test_it_does_not_show_in_a_part_that_stays_hidden(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(COMPONENT)
    hide = "document.querySelector('x-title').shadowRoot.firstChild.style.visibility = 'hidden'"
    await oracle.eval(f"{hide}; void document.querySelector('x-title').classList.add('ready')")

    for _ in range(2):
        assert "Tasks" not in (await page.snapshot()).text
