"""A budgeted look at a large page fetches a part of it; what it shows is what the whole shows."""

from __future__ import annotations

import gc

import pytest

from cdp_agent import Page, StaleRef
from tests.support.fresh_snapshot import fresh_snapshot
from tests.support.pages.large_pages import REST, ROWS, require_part
from tests.support.pages.mutations import KINDS, document
from tests.support.site import Site
from tests.support.stage import OpenPage

_PER_LOAD = 6


@pytest.mark.parametrize("kind", [*KINDS, "frames", "oopif"])
async def test_a_part_is_part_of_the_whole(
    page: Page, site: Site, kind: str, mutations: int
) -> None:
    if kind in KINDS:
        url = site.page(document(kind, REST))
    else:
        host = "b.test" if kind == "oopif" else "a.test"
        inner = [site.page(document(one), host=host) for one in ("form", "names")]
        iframes = "".join(f'<iframe src="{one}" width=300></iframe>' for one in inner)
        url = site.page(document("list", iframes + REST))
    each = max(mutations // 80, 1)  # a look at all of a large page takes its time
    compared = 0
    for number in range(-(-each // _PER_LOAD)):
        await page.goto(url)
        said: list[str] = []
        for change in range(min(_PER_LOAD, each)):
            part, whole = await fresh_snapshot(page, 8000), await fresh_snapshot(page)
            if part.is_partial:  # a change may have taken the rest away
                again = await fresh_snapshot(page, 8000)
                if part.nodes != again.nodes:
                    continue  # it changes by itself at the moment
                require_part(part, whole, said)
                compared += 1
            frame = page.frames[change % len(page.frames)].index
            seed = number * 1000 + change
            said.append(f"{await page.evaluate(f'mutate({seed})', frame)} in {frame} ({seed})")
    assert compared


async def test_closed_shadow_roots_are_looked_into(page: Page, open_page: OpenPage) -> None:
    await open_page(
        "<div id=outer></div><script>"
        "const root = outer.attachShadow({mode: 'closed'});"
        "root.innerHTML = '<button>Deep</button><div id=inner></div>';"
        "root.getElementById('inner').attachShadow({mode: 'closed'}).innerHTML = "
        "'<style>a{cursor:pointer}</style><a href=#x>Deeper</a><b onclick=1>Bold</b>';"
        f"</script>{REST}"
    )

    part = await fresh_snapshot(page, 8000)

    require_part(part, await fresh_snapshot(page))
    assert part.find("button", "Deep").tag == "button"
    assert part.find("link", "Deeper").tag == "a"


async def test_what_lies_on_top_and_what_has_the_focus_is_shown(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(
        f"<h1>Shop</h1>{REST}<dialog id=d><p>Sure?</p><button>Yes</button></dialog>"
        "<p><label>Far down <input id=far></label></p><div role=status>Saved at noon</div>"
        "<script>d.show(); far.focus({preventScroll: true})</script>"
    )

    part = await fresh_snapshot(page, 8000)

    assert part.find("button", "Yes")
    assert part.focused is not None
    assert part.focused.name == "Far down"
    assert "Saved at noon" in part.text
    assert "listitem [expand 0-" in part.text


async def test_a_stub_opens_what_it_stands_for(page: Page, open_page: OpenPage) -> None:
    await open_page(f"<h1>Shop</h1>{REST}")
    first = await page.snapshot(max_tokens=2000)
    (stub,) = [node for node in first.nodes if node.folded]

    opened = await page.snapshot(max_tokens=2000, expand=stub.key)

    assert (stub.role, stub.folded) == ("list", 1)
    assert "Row 0" in opened.text
    inner = [node for node in opened.nodes if node.folded][-1]
    more = await page.snapshot(max_tokens=2000, expand=inner.key)
    assert inner.role == "listitem"
    next_row = ROWS - inner.folded
    assert f'"Row {next_row}"' in more.text
    assert f'"Row {next_row - 1}"' not in more.text
    await page.click(more.find("button", f"Drop {next_row}").id)


async def test_the_id_of_a_stub_whose_rows_are_gone_is_stale(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(f"<h1>Shop</h1>{REST}")
    first = await page.snapshot(max_tokens=2000)
    (stub,) = [node for node in first.nodes if node.folded]
    await page.evaluate("document.querySelector('ul').remove(); document.body.innerHTML += ''")

    with pytest.raises(StaleRef):
        await page.snapshot(max_tokens=2000, expand=stub.key)


async def test_a_search_finds_what_it_finds_in_the_whole(page: Page, open_page: OpenPage) -> None:
    await open_page(f"<h1>Shop</h1>{REST}")
    for words in ("drop 77", "17 PIECES", "row 123", "Shop"):
        found = await page.snapshot(max_tokens=8000, search=words)

        whole = await page.snapshot(search=words)
        assert [node for node in found.nodes if not node.folded] == list(whole.nodes), words


async def test_scrolling_takes_nothing_away_and_adds_nothing(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(f"<h1>Shop</h1>{REST}")
    await page.evaluate("scrollTo(0, 3000)")
    before = await page.snapshot(max_tokens=8000)
    await page.evaluate("scrollTo(0, 6000)")

    after = await page.snapshot(max_tokens=8000)

    diff = after.diff(before)
    assert (diff.added, diff.removed, diff.changed, diff.moved) == ((), (), (), ())
    assert diff.uncovered
    assert diff.covered
    assert diff.apply(before) == after.nodes


async def test_a_row_that_comes_in_a_folded_part_changes_its_stub(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(f"<h1>Shop</h1><p id=p>One</p>{REST}")
    await page.evaluate("scrollTo(0, 3000)")
    before = await page.snapshot(max_tokens=8000)
    await page.evaluate("document.querySelector('ul').append(r0.cloneNode(true))")

    after = await page.snapshot(max_tokens=8000)

    diff = after.diff(before)
    assert [(change.field, change.after - change.before) for change in diff.changed] == [
        ("folded", 1)
    ]
    assert not diff.removed
    assert diff.apply(before) == after.nodes


async def test_an_action_is_observed_the_way_the_page_was_looked_at(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(
        f"<button onclick='said.textContent = \"Done\"'>Go</button><p id=said>Idle</p>{REST}"
    )
    before = await page.snapshot(max_tokens=8000)

    outcome = await page.click(before.find("button", "Go").id, observe=True)

    assert outcome.snapshot is not None
    assert outcome.snapshot.is_partial
    assert outcome.diff is not None
    assert "Done" in outcome.diff.text
    assert len(outcome.diff.text.splitlines()) < 5


async def test_without_a_budget_everything_is_there(page: Page, open_page: OpenPage) -> None:
    await open_page(f"<h1>Shop</h1>{REST}")
    await page.snapshot(max_tokens=2000)

    whole = await page.snapshot()

    assert not whole.is_partial
    assert len(whole.find_all("button")) == ROWS


@pytest.mark.parametrize("max_tokens", [None, 8000], ids=["whole", "in parts"])
async def test_looking_again_and_again_keeps_nothing(
    page: Page, open_page: OpenPage, max_tokens: int | None
) -> None:
    rest = REST if max_tokens else ""
    await open_page(f"<p id=said></p><button>Go</button><ul>{'<li>Row' * 20}</ul>{rest}")

    async def look(times: int) -> int:
        for number in range(times):
            await page.evaluate(f"said.textContent = 'Look {number}'")
            assert f"Look {number}" in (await page.snapshot(max_tokens=max_tokens)).text
        gc.collect()
        return len(gc.get_objects())

    await look(10)
    before = await look(5)

    after = await look(25)

    assert after - before < 200, "a look kept more than eight objects"


async def test_what_is_kept_for_later_takes_no_place_from_what_is_shown(
    page: Page, open_page: OpenPage
) -> None:
    """An application keeps most of its elements out of sight, above the dialog that is open."""
    menu = "<h2>Later</h2><ul hidden>" + "<li><a href=#x>Menu</a></li>" * 12 + "</ul>"
    settings = "<div hidden><h2>Settings</h2>" + "<p><input> words</p>" * 60 + "</div>"
    fields = "".join(f"<label>Field {n} <input></label>" for n in range(30))
    await open_page(
        f"<div>{menu}</div>" * 200
        + settings * 20
        + f"<div style='position:fixed;inset:20px;background:#fff'>{fields}"
        "<button>Next</button></div>"
    )

    part = await page.snapshot(max_tokens=1500)

    assert part.is_partial
    assert part.find("button", "Next")
    assert [part.find("textbox", f"Field {n}").name for n in (0, 29)] == ["Field 0", "Field 29"]
