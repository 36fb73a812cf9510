"""A page that is looked at again is seen as if for the first time, however little was fetched."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.fresh_snapshot import equal_snapshot
from tests.support.pages.mutations import KINDS, document
from tests.support.site import Site

#: Pages of several frames: where those come from, and whether they can tell what is the same.
_FRAMED = {
    "frames": ("a.test", False),
    "oopif": ("b.test", False),
    "calm frames": ("a.test", True),
    "calm oopif": ("b.test", True),
}
#: Changes to a page before it is loaded anew: one that was changed for long has little left.
_PER_LOAD = 11


@pytest.mark.parametrize("kind", [*KINDS, *_FRAMED])
async def test_a_second_look_equals_a_first(
    page: Page, site: Site, kind: str, mutations: int
) -> None:
    if kind in KINDS:
        url = site.page(document(kind))
    else:
        host, calm = _FRAMED[kind]
        inner = [site.page(document(one, calm=calm), host=host) for one in ("form", "css", "names")]
        iframes = "".join(f'<iframe src="{one}" width=300></iframe>' for one in inner)
        url = site.page(document("list", iframes, calm=calm))
    each = max(mutations // (len(KINDS) + len(_FRAMED)), 1)
    compared = 0
    for number in range(-(-each // _PER_LOAD)):
        await page.goto(url)
        frames = [frame.index for frame in page.frames]
        await page.snapshot()
        said: list[str] = []
        for change in range(min(_PER_LOAD, each)):
            seed = number * 1000 + change
            frame = frames[seed % len(frames)]
            said.append(f"{await page.evaluate(f'mutate({seed})', frame)} in {frame} ({seed})")
            compared += await equal_snapshot(page, said) is not None
    assert compared


#: Changes of one row among many.
_OF_A_ROW = {
    "shown": "list.children[7].hidden = false",
    "added": "list.children[3].insertAdjacentHTML('afterend', '<li><a href=#n>N</a> row</li>')",
    "removed": "list.children[5].remove()",
    "styled": "list.children[2].firstChild.className = 'other'",
    "renamed": "list.children[9].firstChild.textContent = 'Other'",
}


async def test_a_row_that_changes_is_seen(page: Page, site: Site) -> None:
    rows = "".join(f"<li><a href=#{n}>Row {n}</a> <span>{n} g</span></li>" for n in range(200))
    script = "<script>list.children[7].hidden = true</script>"
    await page.goto(site.page(f"<ul id=list>{rows}</ul>{script}"))
    await page.snapshot()
    for name, change in _OF_A_ROW.items():
        await page.evaluate(change)
        assert await equal_snapshot(page, name) is not None


#: What happens to a text of many paragraphs that have no line of their own.
_IN_A_TEXT = {
    "words": "text.children[3].firstChild.data = 'Other words. '",
    "no words": "text.children[4].textContent = ''",
    "a link": "text.children[5].innerHTML = 'See <a href=#x>there</a> and <b>here</b>'",
    "one less": "text.children[6].remove()",
    "one more": "text.children[7].insertAdjacentHTML('beforebegin', '<p>New one</p>')",
    "a text between": "text.children[8].before('Loose words')",
    "one that is pointed at": "text.children[9].style.cursor = 'pointer'",
    "one that is hidden": "text.children[10].style.opacity = 0",
    "another element": "text.children[11].outerHTML = '<h2>Heading</h2>'",
    "a list": "text.children[12].outerHTML = '<ul><li>One<li>Two</ul>'",
    "another order": "text.append(text.children[13])",
}


async def test_a_paragraph_that_changes_among_many_is_seen(page: Page, site: Site) -> None:
    words = "".join(
        f"<p>Words {n}. <a href=#{n}>Note</a> more <i>of it</i></p>" for n in range(150)
    )
    await page.goto(site.page(f"<div id=text>{words}</div>"))
    before = await page.snapshot()
    for name, change in _IN_A_TEXT.items():
        await page.evaluate(change)
        seen = await equal_snapshot(page, name)
        assert seen is not None
        assert seen.diff(before).apply(before) == seen.nodes
        before = seen
