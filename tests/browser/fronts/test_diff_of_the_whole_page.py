"""After a snapshot with a filter, a later diff still has what changed outside the filter."""

from __future__ import annotations

import pytest

from tests.browser.fronts.conftest import Shell, ref
from tests.support.site import Site

PAGE = """<title>Order</title><h1>Order</h1><p id=price>Total 63,590.40</p>
<ul>{rows}</ul><div id=box><button onclick="price.textContent = 'Total 52,992.00'">Discount</button>
<p>Inside</p></div>"""

FILTERS = {
    "interactive": ("--interactive",),
    "viewport": ("--viewport",),
    "search": ("--search", "Discount"),
    "max tokens": ("--max-tokens", "300"),
    "root": ("--root", "ID"),
}


@pytest.mark.parametrize("words", FILTERS.values(), ids=FILTERS.keys())
async def test_an_action_after_a_filtered_snapshot_shows_what_changed_elsewhere(
    shell: Shell, site: Site, endpoint: str, words: tuple[str, ...]
) -> None:
    rows = "".join(f"<li>Row number {n}" for n in range(60))
    url = site.page(PAGE.format(rows=rows))
    opened = await shell("open", url, "--connect", endpoint)
    assert opened.code == 0, opened.err
    button = ref(opened.out, 'button "Discount"')

    filtered = await shell("snapshot", *(button if word == "ID" else word for word in words))
    assert filtered.code == 0, filtered.err
    clicked = await shell("click", button)

    assert clicked.code == 0, clicked.err
    assert "52,992.00" in clicked.out, clicked.out


async def test_an_alert_between_two_commands_is_shown_once(
    shell: Shell, site: Site, endpoint: str
) -> None:
    url = site.page("<button onclick=\"setTimeout(() => alert('Saved'), 600)\">Save</button>")
    opened = await shell("open", url, "--connect", endpoint)
    button = ref(opened.out, 'button "Save"')
    clicked = await shell("click", button)
    assert "Saved" not in clicked.out

    waited = await shell("wait", "--gone", "Saved", "--timeout", "5")
    texts = [waited.out]
    for _ in range(30):
        if "alert" in texts[-1]:
            break
        texts.append((await shell("snapshot")).out)
    after = await shell("snapshot")

    assert sum('alert "Saved" was answered' in text for text in texts) == 1
    assert "Saved" not in after.out
