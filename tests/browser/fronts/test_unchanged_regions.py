"""After a navigation the regions that the reader knows are one line, which opens what it counts."""

from __future__ import annotations

import re

from tests.browser.fronts.conftest import Shell, ref
from tests.support.site import Site

PAGE = """<title>{title}</title><nav aria-label=Sidebar>{links}</nav>
<main><h1>{title}</h1><p>About {title}</p>{more}</main><footer><p>Made here</p></footer>"""
LINKS = "".join(f"<a href='#{n}'>Entry {n}</a> " for n in range(12))


async def test_a_click_to_another_page_leaves_out_the_sidebar(
    shell: Shell, site: Site, endpoint: str
) -> None:
    second = site.page(PAGE.format(title="Customers", links=LINKS, more=""))
    link = f"<a href='{second}'>Customers</a>"
    opened = await shell(
        "open",
        site.page(PAGE.format(title="Orders", links=LINKS, more=link)),
        "--connect",
        endpoint,
    )
    assert opened.code == 0, opened.err

    clicked = await shell("click", ref(opened.out, 'link "Customers"'))

    assert clicked.code == 0, clicked.err
    assert 'heading "Customers"' in clicked.out
    assert "Entry" not in clicked.out
    stub = re.search(
        r'navigation "Sidebar" unchanged \(12 elements\) \[expand (0-\d+)\]', clicked.out
    )
    assert stub is not None, clicked.out

    expanded = await shell("snapshot", "--expand", stub[1])
    assert [f'link "Entry {n}"' in expanded.out for n in range(12)] == [True] * 12
    assert "Customers" not in "\n".join(expanded.out.split("\n")[1:])
    known = ref(expanded.out, 'link "Entry 3"')
    followed = await shell("click", known)
    assert followed.code == 0, followed.err

    whole = await shell("snapshot")
    assert "unchanged" not in whole.out
    assert 'link "Entry 3"' in whole.out
