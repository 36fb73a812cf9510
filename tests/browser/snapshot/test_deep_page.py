"""A page that nests deeper than Chromium can describe at once is shown in part."""

from __future__ import annotations

from cdp_agent import Page
from tests.support.stage import OpenPage

# Without boxes of their own: thousands of nested boxes crash Chromium whoever looks on.
DEEP = """<h1>Deep</h1><button onclick="document.title = 'Top'">Top</button><script>
  let inner = document.body;
  for (let n = 0; n < 5000; n += 1) {
    const box = document.createElement('div');
    box.style.display = 'contents';
    if (n % 500 === 0) box.append('level ' + n);
    inner.append(box);
    inner = box;
  }
  inner.innerHTML = '<button>Deepest</button>';
</script>"""


async def test_a_page_nested_5000_deep_is_shown_in_part(page: Page, open_page: OpenPage) -> None:
    await open_page(DEEP)

    snapshot = await page.snapshot()

    assert snapshot.text.count("level 0") == 1
    [warning] = snapshot.warnings
    assert "levels deep" in warning
    await page.click(snapshot.find("button", "Top").id)
    assert await page.evaluate("document.title") == "Top"
