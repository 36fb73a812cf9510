"""The tree of a large document is made of samples, and says what Chromium's whole tree says."""

from __future__ import annotations

import logging

import pytest

from cdp_agent import Page, Snapshot, log
from cdp_agent.snapshot import Capturer, SnapshotOptions, take_snapshot
from cdp_agent.snapshot.memory import Memory
from tests.support.afresh import plain
from tests.support.alike_pages import ROW_KINDS
from tests.support.mutations import KINDS, document
from tests.support.random_rows import random_rows
from tests.support.site import Site

_NEVER = 1_000_000
_TRIES = 4
#: How many trees are fetched whole: what an editor holds, no pattern says; small frames are.
_FETCHED_WHOLE = {"editors": 1, "frame": 1}


async def _look(page: Page, large: int) -> Snapshot:
    memory = Memory(keeps_ledgers=False, large=large)
    return await take_snapshot(Capturer(page._target, _memory=memory), SnapshotOptions())


async def _require_equal(page: Page, said: object = "") -> None:
    before: dict[str, object] = {}
    for _ in range(_TRIES):
        made, after = plain(await _look(page, 40)), plain(await _look(page, _NEVER))
        if made == after:
            return
        if before == after:  # or else it changed by itself in between
            for key, value in after.items():
                assert made[key] == value, f"{key} {said}"
        before = after
    pytest.fail(f"the page did not hold still {said}")


async def _require_equal_and_asked(
    page: Page, caplog: pytest.LogCaptureFixture, said: object = ""
) -> list[str]:
    """What the first of the looks that are compared asked of Chromium."""
    caplog.clear()
    with caplog.at_level(logging.DEBUG, logger=log.ROOT):
        made = plain(await _look(page, 40))
    asked = [message.split()[3] for message in caplog.messages if message.startswith(">")]
    if made != plain(await _look(page, _NEVER)):
        await _require_equal(page, said)
    return asked


@pytest.mark.parametrize("kind", ROW_KINDS)
async def test_what_samples_say_is_what_the_whole_tree_says(
    page: Page, site: Site, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    await page.goto(site.page(f"<h1>Top</h1><nav><a href=#n>n</a></nav>{ROW_KINDS[kind]}"))
    asked = await _require_equal_and_asked(page, caplog)
    assert "Accessibility.queryAXTree" in asked
    assert asked.count("Accessibility.getFullAXTree") == _FETCHED_WHOLE.get(kind, 0)


@pytest.mark.parametrize("kind", KINDS)
async def test_it_does_so_after_every_change(
    page: Page, site: Site, kind: str, mutations: int
) -> None:
    rows = ROW_KINDS["list"] + ROW_KINDS["fields"]
    await page.goto(site.page(document(kind, rows)))
    said: list[str] = []
    for seed in range(max(mutations // 80, 2)):
        said.append(str(await page.evaluate(f"mutate({seed})")))
        await _require_equal(page, said)


async def test_it_does_so_on_pages_that_nobody_would_write(
    page: Page, site: Site, mutations: int, caplog: pytest.LogCaptureFixture
) -> None:
    pages = mutations // 20
    made = 0
    for seed in range(pages):
        await page.goto(site.page(random_rows(seed)))
        asked = await _require_equal_and_asked(page, caplog, f"page {seed}")
        made += "Accessibility.getFullAXTree" not in asked
    assert made > pages / 2  # the others hold something that no pattern says


async def test_rows_that_differ_in_what_a_script_set_are_told_apart(page: Page, site: Site) -> None:
    rows = "".join(
        f"<p><input id=i{n} type=checkbox><input id=t{n} value=v></p>" for n in range(40)
    )
    await page.goto(site.page(rows))
    await page.evaluate(
        "i3.indeterminate = true; i4.checked = true; t5.setCustomValidity('no'); t6.value = 'w';"
        "t7.focus(); t8.value = ''"
    )
    await _require_equal(page)


async def test_a_sample_that_changes_meanwhile_is_not_believed(page: Page, site: Site) -> None:
    """The page changes a row at every frame: whichever way was taken, no other row is changed."""
    rows = "".join(f"<li><button id=r{n} aria-expanded=false>Row {n}</button>" for n in range(60))
    flips = (
        "<script>let on = 0; setInterval(() => { on = 1 - on;"
        " for (const id of ['r0', 'r30', 'r59']) document.getElementById(id)"
        ".setAttribute('aria-expanded', on ? 'true' : 'false') })</script>"
    )
    await page.goto(site.page(f"<ul>{rows}</ul>{flips}"))
    for _ in range(5):
        seen = await _look(page, 40)
        others = [e for e in seen.elements if e.name not in ("Row 0", "Row 30", "Row 59")]
        assert len(others) == 57
        assert all(e.state["expanded"] is False for e in others)


async def test_a_large_page_is_not_fetched_as_one_tree(
    page: Page, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    rows = "".join(f"<li><a href=#{n}>Row {n}</a> <b>{n} g</b></li>" for n in range(600))
    await page.goto(site.page(f"<ul>{rows}</ul>"))
    with caplog.at_level(logging.DEBUG, logger=log.ROOT):
        seen = await page.snapshot()
    assert not any("Accessibility.getFullAXTree" in message for message in caplog.messages)
    assert seen.find("link", "Row 599", exact=True)
    await page.click(seen.find("link", "Row 599", exact=True).id)
    assert page.url.endswith("#599")


async def test_a_page_that_is_too_large_and_too_varied_is_shown_in_part_with_a_warning(
    page: Page, site: Site
) -> None:
    rows = "".join(f"<p contenteditable>note {n} <b>bold</b></p>" for n in range(1100))
    await page.goto(site.page(f"<button>First</button>{rows}<button>Last</button>"))
    capturer = Capturer(page._target, _memory=Memory(most=2000))
    for _ in range(2):
        seen = await take_snapshot(capturer, SnapshotOptions())
        assert seen.in_parts
        assert seen.find("button", "First")
        assert seen.warnings[0].startswith("stopped early: the page has 4,412 nodes")
    found = await take_snapshot(capturer, SnapshotOptions(max_tokens=2000, search="Last"))
    assert found.find("button", "Last")
    assert not found.warnings


@pytest.mark.parametrize(("kind", "trees"), [("list", 0), ("cards", 1)])
async def test_a_browser_that_computes_no_names_is_asked_for_what_words_do_not_explain(
    page: Page, site: Site, kind: str, trees: int, caplog: pytest.LogCaptureFixture
) -> None:
    """As one that was found running: what it was launched with is not ours to say."""
    await page.goto(site.page(ROW_KINDS[kind]))
    frame = page._target.frames.main
    assert frame.world is not None
    without = "delete Element.prototype.computedName && delete Element.prototype.computedRole"
    params = {"expression": without, **frame.world.for_evaluate}
    reply = await frame.require_session().post("Runtime.evaluate", params)
    assert reply["result"]["value"] is True
    asked = await _require_equal_and_asked(page, caplog)
    assert asked.count("Accessibility.getFullAXTree") == trees
