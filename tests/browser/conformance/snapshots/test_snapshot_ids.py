"""Ids: one names a node in a document, for as long as that node lives, and never another node.

Documented choices that are pinned here: the id of a document that was left is `stale_ref`, also
when the next document looks the same; in the same or a reloaded document an id is healed when the
only element of its role, name and tag stands where it stood, and the outcome says so; an id that
was never issued, or is none, is `ref_invalid`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

import pytest

from cdp_agent import CdpAgentError, Outcome, Page
from tests.browser.conformance.attempt import attempt
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

NAMES = ["Alpha", "Bravo", "Charlie"]
LOG_CLICKS = """<script>
window.hits = [];
addEventListener('mousedown', event => hits.push(event.target.textContent), true);
</script>"""
BUTTONS = "".join(f"<button>{name}</button>" for name in NAMES) + LOG_CLICKS


async def stale(page: Page, element_id: str) -> None:
    """The id is refused by every verb that takes one."""
    verbs: dict[str, Callable[[str], Awaitable[Outcome]]] = {
        "click": page.click,
        "hover": page.hover,
        "scroll_into_view": page.scroll_into_view,
        "fill": lambda it: page.fill(it, "text"),
        "type": lambda it: page.type(it, "text"),
        "press": lambda it: page.press("Enter", it),
    }
    results = {name: await attempt(verb(element_id)) for name, verb in verbs.items()}
    codes = {name: getattr(result, "code", "done") for name, result in results.items()}
    assert codes == dict.fromkeys(verbs, "stale_ref")


@pytest.mark.row("SNP-01")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_each_id_acts_on_its_own_button(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(BUTTONS, frame_kind)
    await stage.id("button", "Alpha")
    snap = await stage.page.snapshot()
    buttons = snap.find_all("button")

    for button in reversed(buttons):
        await stage.page.click(button.id)

    assert [button.name for button in buttons] == NAMES
    assert len({button.id for button in buttons}) == 3
    assert {button.frame_index for button in buttons} == {stage.frame_index}
    assert await stage.eval("hits") == NAMES[::-1]


@pytest.mark.row("SNP-03")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(
    "move",
    [
        "history.pushState({}, '', '/elsewhere')",
        "history.replaceState({}, '', '?query')",
        "void (location.hash = 'there')",
        "document.title = 'another'",
    ],
)
async def test_ids_outlive_a_navigation_within_the_document(
    make_stage: MakeStage, frame_kind: str, move: str
) -> None:
    stage = await make_stage(BUTTONS, frame_kind)
    bravo = await stage.id("button", "Bravo")

    await stage.eval(move)
    outcome = await stage.page.click(bravo)

    assert await stage.eval("hits") == ["Bravo"]
    assert not outcome.healed
    assert await stage.id("button", "Bravo") == bravo


@pytest.mark.row("SNP-04")
@pytest.mark.parametrize("next_host", ["a.test", "b.test"])
async def test_after_a_navigation_every_old_id_is_stale_and_the_new_page_sees_nothing(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage, next_host: str
) -> None:
    """The next page is the same, node by node: only the document tells the ids apart."""
    await open_page(BUTTONS)
    old = [button.id for button in (await page.snapshot()).find_all("button")]

    await page.goto(site.page(BUTTONS + "<p>second</p>", host=next_host))

    for element_id in old:
        await stale(page, element_id)
        await stale(page, str(element_id))
    assert await oracle.eval("hits") == []


@pytest.mark.row("SNP-05")
@pytest.mark.parametrize("next_host", ["a.test", "b.test"])
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_that_leaves_the_page_makes_its_ids_stale(
    make_stage: MakeStage, site: Site, frame_kind: str, next_host: str
) -> None:
    there = site.page(BUTTONS + "<i id=there></i>", host=next_host)
    stage = await make_stage(f"<a href='{there}'>Go</a>{BUTTONS}", frame_kind)
    go, bravo = await stage.id("link", "Go"), await stage.id("button", "Bravo")

    outcome = await stage.page.click(go)
    await stage.wait("document.readyState === 'complete' && !!document.getElementById('there')")

    assert outcome.navigated
    await stale(stage.page, bravo)
    assert await stage.eval("hits") == []


@pytest.mark.row("SNP-06")
@pytest.mark.parametrize("next_host", ["a.test", "b.test"])
@pytest.mark.parametrize("cache", ["", "no-store"], ids=["from the cache", "loaded anew"])
async def test_after_going_back_an_old_id_names_its_own_element_again(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage, next_host: str, cache: str
) -> None:
    """Out of the back/forward cache come the very nodes; a page loaded anew is healed."""
    unload = "<script>onunload = () => 0</script>" if cache else ""
    url = await open_page(BUTTONS + unload, headers={"Cache-Control": cache or "max-age=60"})
    await oracle.eval("void (window.kept = true)")
    old = {button.name: button.id for button in (await page.snapshot()).find_all("button")}
    await page.goto(site.page("<button>Other</button>" + BUTTONS, host=next_host))
    other = (await page.snapshot()).find("button", "Other").id

    await oracle.eval("void setTimeout(() => history.back())")
    await oracle.wait(f"location.href === {json.dumps(url)} && document.readyState === 'complete'")
    restored = await oracle.eval("window.kept === true")

    assert restored is not bool(cache)
    await stale(page, other)
    for name, element_id in old.items():
        outcome = await page.click(element_id)
        assert outcome.healed is not restored
        assert (await oracle.eval("hits"))[-1] == name


@pytest.mark.row("SNP-38")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_two_snapshots_of_an_unchanged_page_are_the_same(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        BUTTONS + "<h1>Title</h1><p>Text</p><input aria-label=Name value=x>", frame_kind
    )
    await stage.id("button", "Alpha")

    first, second = await stage.page.snapshot(), await stage.page.snapshot()

    assert first.text == second.text
    assert [element.id for element in first.elements] == [element.id for element in second.elements]
    assert first.backend_node_map == second.backend_node_map


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_id_is_the_node_and_not_its_place(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(f"<div id=box>{BUTTONS}</div><div id=far></div>", frame_kind)
    bravo = await stage.id("button", "Bravo")

    await stage.eval("box.prepend(document.createElement('button')); far.append(box.children[2])")
    await stage.page.snapshot()
    outcome = await stage.page.click(bravo)

    assert await stage.eval("hits") == ["Bravo"]
    assert not outcome.healed


async def test_an_id_of_five_snapshots_ago_still_works(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(BUTTONS + "<p id=count></p>")
    bravo = (await page.snapshot()).find("button", "Bravo").id

    for n in range(5):
        await oracle.eval(f"document.getElementById('count').innerHTML = '<b>{n}</b>'")
        await page.snapshot()
    await page.click(str(bravo))

    assert await oracle.eval("hits") == ["Bravo"]


RENDER_ANEW = "box.innerHTML = box.innerHTML"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_node_rendered_anew_in_its_place_is_healed_and_the_outcome_says_so(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(f"<div id=box>{BUTTONS}</div>", frame_kind)
    bravo = await stage.id("button", "Bravo")

    await stage.eval(RENDER_ANEW)
    outcome = await stage.page.click(bravo)

    assert outcome.healed
    assert await stage.eval("hits") == ["Bravo"]


REPLACED = {
    "gone": "box.children[1].remove()",
    "another name": "box.children[1].outerHTML = '<button>Delta</button>'",
    "another role": "box.children[1].outerHTML = '<button role=link>Bravo</button>'",
    "another tag": "box.children[1].outerHTML = '<a role=button href=#>Bravo</a>'",
    "moved": "box.innerHTML = '<p>new</p><p><button>Bravo</button></p>'",
    "twice": "box.innerHTML = box.innerHTML + '<button>Bravo</button>'",
    "neighbour": "box.innerHTML = '<button>Alpha</button><button>Charlie</button>'",
}


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("change", REPLACED.values(), ids=REPLACED.keys())
async def test_a_node_that_is_gone_without_a_certain_heir_is_stale(
    make_stage: MakeStage, frame_kind: str, change: str
) -> None:
    stage = await make_stage(f"<div id=box>{BUTTONS}</div>", frame_kind)
    bravo = await stage.id("button", "Bravo")

    await stage.eval(change)

    await stale(stage.page, bravo)
    assert await stage.eval("hits") == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_reload_with_reordered_content_heals_to_the_same_name_or_is_stale(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<div id=box></div><script>
        const turn = Number(sessionStorage.turn ?? 0);
        sessionStorage.turn = turn + 1;
        const names = turn ? ['Charlie', 'Bravo', 'Alpha', 'Delta'] : ['Alpha', 'Bravo', 'Charlie'];
        box.innerHTML = names.map(name => `<button>${name}</button>`).join('');
        </script>"""
        + LOG_CLICKS,
        frame_kind,
    )
    await stage.id("button", "Alpha")
    snap = await stage.page.snapshot()
    old = {name: snap.find("button", name).id for name in NAMES}

    await stage.eval("void setTimeout(() => location.reload())")
    await stage.wait("document.querySelectorAll('button').length === 4")

    for name, element_id in old.items():
        result = await attempt(stage.page.click(element_id))
        if isinstance(result, CdpAgentError):
            assert result.code == "stale_ref"
            assert name != "Bravo", "the only button of its name stands where it stood"
        else:
            assert result.healed
            assert (await stage.eval("hits"))[-1] == name


NO_IDS = ("", "abc", "0-", "-1", "0-1-2", "0_1", " 0-1", "0-1\n", "0-x", "0-99999999999")
NEVER_ISSUED = ("0-999999", "7-1", "999-1")


async def test_what_is_no_id_or_was_never_issued_is_refused(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(BUTTONS)
    await page.snapshot()

    for text in NO_IDS + NEVER_ISSUED:
        with pytest.raises(CdpAgentError) as caught:
            await page.click(text)

        assert caught.value.code == "ref_invalid", text
    assert await oracle.eval("hits") == []


async def test_equal_numbers_in_two_processes_are_two_elements(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    """Node numbers are counted per process: the frame's index is what tells them apart."""
    hosts = ["b.test", "c.test"]
    frames = [site.page(BUTTONS, host=host) for host in hosts]
    await open_page("".join(f"<iframe src='{url}'></iframe>" for url in frames))
    for host in hosts:
        await oracle.wait_in(host, "document.readyState === 'complete'")
    snap = await page.snapshot()
    by_host = {
        host: next(frame.index for frame in snap.frames if host in frame.url) for host in hosts
    }

    for host in hosts:
        await page.click(snap.find("button", "Bravo", frame=by_host[host]).id)
    await page.click(snap.find("button", "Alpha", frame=by_host["c.test"]).id)

    assert await oracle.eval_in("b.test", "hits") == ["Bravo"]
    assert await oracle.eval_in("c.test", "hits") == ["Bravo", "Alpha"]


async def test_a_frame_keeps_its_number_and_a_number_is_never_given_twice(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    urls = [site.page(f"<button>{name}</button>", host="b.test") for name in NAMES]
    await open_page(f"<iframe name=one src='{urls[0]}'></iframe>")
    await oracle.wait_in("one", "document.querySelector('button')?.textContent === 'Alpha'")
    first = (await page.snapshot()).find("button", "Alpha")

    await oracle.eval(f"void (document.querySelector('iframe').src = '{urls[1]}')")
    await oracle.wait_in("one", "document.querySelector('button')?.textContent === 'Bravo'")
    navigated = (await page.snapshot()).find("button", "Bravo")
    await oracle.eval(
        f"document.querySelector('iframe').outerHTML = '<iframe name=two src={urls[2]}></iframe>'"
    )
    await oracle.wait_in("two", "document.querySelector('button')?.textContent === 'Charlie'")
    replaced = (await page.snapshot()).find("button", "Charlie")

    assert navigated.frame_index == first.frame_index
    assert replaced.frame_index not in (0, first.frame_index)
