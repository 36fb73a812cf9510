"""A page that is looked at again is seen as if for the first time, however little was fetched."""

from __future__ import annotations

import logging

import pytest

from cdp_agent import Page, log
from tests.support.afresh import look_afresh, look_and_compare, plain
from tests.support.mutations import KINDS, document
from tests.support.site import Site

#: Changes to a page before it is loaded anew: one that was changed for long has little left.
_PER_LOAD = 11


@pytest.mark.parametrize("kind", [*KINDS, "frames", "oopif"])
async def test_a_second_look_equals_a_first(
    page: Page, site: Site, kind: str, mutations: int
) -> None:
    if kind in KINDS:
        url = site.page(document(kind))
    else:
        host = "b.test" if kind == "oopif" else "a.test"
        inner = [site.page(document(one), host=host) for one in ("form", "css", "names")]
        iframes = "".join(f'<iframe src="{one}" width=300></iframe>' for one in inner)
        url = site.page(document("list", iframes))
    each = max(mutations // (len(KINDS) + 2), 1)
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
            compared += await look_and_compare(page, said) is not None
    assert compared


async def test_a_field_that_was_filled_costs_no_whole_tree(
    page: Page, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    fields = "".join(f"<p><label>Field {n} <input></label></p>" for n in range(40))
    await page.goto(site.page(f"<form>{fields}</form>"))
    seen = await page.snapshot()
    await page.fill(seen.find("textbox", "Field 7", exact=True).id, "hello")
    with caplog.at_level(logging.DEBUG, logger=log.ROOT):
        again = await page.snapshot()
    asked = [message.split()[3] for message in caplog.messages if message.startswith(">")]
    assert again.find("textbox", "Field 7", exact=True).value == "hello"
    assert "Accessibility.getPartialAXTree" in asked
    assert "Accessibility.getFullAXTree" not in asked


@pytest.mark.parametrize(
    "change",
    [
        "list.children[7].hidden = false",
        "list.children[3].insertAdjacentHTML('afterend', '<li><a href=#n>New</a> <b>row</b></li>')",
        "list.children[5].remove()",
        "list.children[2].firstChild.className = 'other'",
    ],
    ids=["shown", "put in", "taken out", "styled"],
)
async def test_a_row_that_changes_costs_no_whole_look(
    page: Page, site: Site, caplog: pytest.LogCaptureFixture, change: str
) -> None:
    rows = "".join(f"<li><a href=#{n}>Row {n}</a> <span>{n} g</span></li>" for n in range(200))
    script = "<script>list.children[7].hidden = true</script>"
    await page.goto(site.page(f"<ul id=list>{rows}</ul>{script}"))
    await page.snapshot()
    await page.evaluate(change)
    with caplog.at_level(logging.DEBUG, logger=log.ROOT):
        seen = await page.snapshot()
    asked = {message.split()[3] for message in caplog.messages if message.startswith(">")}
    assert asked.isdisjoint({"Accessibility.getFullAXTree", "DOMSnapshot.captureSnapshot"})
    assert plain(seen) == plain(await look_afresh(page))
