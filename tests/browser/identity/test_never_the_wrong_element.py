"""An id acts on the element it was issued for, or it raises. It never acts on another one.

Chromium numbers nodes per process: after a navigation into another process the number of
an old button resolves, without any error, to some node of the new document. Each test
here makes such an opportunity and then uses the ids from before.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Sequence

import pytest

from cdp_agent import Browser, CdpAgentError, Page
from cdp_agent.ids import ElementId
from tests.support.oracle import PageOracle
from tests.support.oracle_errors import OracleError
from tests.support.pages.framed_pages import SENSOR
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage, Stage

FIRST = "<main>{}</main>".format(
    "".join(
        f"<button>Pay {number}</button><input aria-label='Field {number}'>"
        f"<a href='#'>Link {number}</a>"
        for number in range(8)
    )
)
SECOND = SENSOR + "<main>{}</main>".format(
    "".join(
        f"<p><button>Delete {number}</button><textarea></textarea>"
        f"<a href='#x'>Leave {number}</a></p>"
        for number in range(60)
    )
)

NUMBERS = itertools.count(1)

ACTIONS: dict[str, Callable[[Page, str], Awaitable[object]]] = {
    "click": lambda page, element_id: page.click(element_id, timeout=2),
    "hover": lambda page, element_id: page.hover(element_id, timeout=2),
    "fill": lambda page, element_id: page.fill(element_id, "wrong", timeout=2),
    "type": lambda page, element_id: page.type(element_id, "wrong", timeout=2),
    "press": lambda page, element_id: page.press("Enter", element_id, timeout=2),
    "scroll_into_view": lambda page, element_id: page.scroll_into_view(element_id, timeout=2),
}


def new_host() -> str:
    """A site that no process of the browser holds yet: its nodes are numbered from the start."""
    return f"never-seen-{next(NUMBERS)}.test"


async def ids_of(stage: Stage) -> list[ElementId]:
    """Every id that the stage's frame offers now."""
    snap = await stage.page.snapshot()
    index = next(frame.index for frame in snap.frames if frame.url == stage.url)
    return [element.id for element in snap.elements if element.id.frame_index == index]


async def go(stage: Stage, url: str) -> None:
    """Navigate the stage's frame as its page would, and wait until the document is complete."""
    await stage.eval(f"void setTimeout(() => {{ location.href = {json.dumps(url)} }})")
    await stage.wait(f"location.href === {json.dumps(url)} && document.readyState === 'complete'")


async def count_that_name_a_new_node(stage: Stage, old: list[ElementId]) -> int:
    """How many of the old numbers the new document's process would resolve without complaint.

    Nodes get their numbers when somebody looks at them, so first this looks at all of them.
    """
    frames = await stage.oracle.frames()
    owner = frames[0].owner
    if stage.frame_kind != "main":
        owner = next(frame.owner for frame in frames if frame.name == "stage")
    await stage.oracle.oracle.send("DOM.getDocument", {"depth": -1}, owner.session_id)
    count = 0
    for element_id in old:
        try:
            await stage.oracle.oracle.send(
                "DOM.resolveNode", {"backendNodeId": element_id.backend_node_id}, owner.session_id
            )
        except OracleError:
            continue
        count += 1
    return count


async def assert_all_stale(page: Page, old: Sequence[str]) -> None:
    for element_id in old:
        for name, action in ACTIONS.items():
            with pytest.raises(CdpAgentError) as error:
                await action(page, element_id)
            assert error.value.code == "stale_ref", f"{name} {element_id}: {error.value}"


@pytest.mark.parametrize("observed", [False, True], ids=("unseen", "new-snapshot-taken"))
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_every_old_id_is_stale_after_a_navigation_to_another_site(
    make_stage: MakeStage, site: Site, frame_kind: str, observed: bool
) -> None:
    # A host nobody has been to gets a process of its own, which counts its nodes from 1.
    host = "a.test" if frame_kind == "same-process" else new_host()
    stage = await make_stage(FIRST, frame_kind, host=host)
    old = await ids_of(stage)
    assert len(old) >= 24

    await go(stage, site.page(SECOND, host=new_host()))
    assert await count_that_name_a_new_node(stage, old) > 0
    if observed:
        await stage.page.snapshot()

    await assert_all_stale(stage.page, old)
    assert await stage.eval("seen") == []
    assert await stage.eval("scrollY") == 0


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_old_ids_written_as_plain_text_are_stale_as_well(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    """What a model sends back: it knows the digits and nothing of documents."""
    stage = await make_stage(FIRST, frame_kind)
    old = [str.__str__(element_id) for element_id in await ids_of(stage)]

    await go(stage, site.page(SECOND, host=new_host()))

    await assert_all_stale(stage.page, old)
    assert await stage.eval("seen") == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_very_same_document_at_another_address_makes_ids_stale(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    """Role, name, tag and place all agree: only the document tells them apart."""
    stage = await make_stage(SENSOR + FIRST, frame_kind)
    old = await ids_of(stage)

    await go(stage, site.page(SENSOR + FIRST, host=new_host()))

    await assert_all_stale(stage.page, old[:6])
    assert await stage.eval("seen") == []


@pytest.mark.parametrize("kind", ["same-process", "oopif"])
async def test_ids_of_a_child_frame_are_stale_after_its_page_left(
    make_stage: MakeStage, site: Site, page: Page, oracle: PageOracle, kind: str
) -> None:
    stage = await make_stage(FIRST, kind)
    old = await ids_of(stage)

    await page.goto(site.page(SECOND, host=new_host()))

    await assert_all_stale(page, old[:6])
    assert await oracle.eval("seen") == []


async def test_an_id_of_one_tab_is_refused_in_another(
    browser: Browser, page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(SECOND)
    await page.snapshot()
    other = await browser.new_page(site.page(FIRST))
    try:
        foreign = [element.id for element in (await other.snapshot()).elements]
    finally:
        await other.close()

    for element_id in foreign[:6]:
        for action in ACTIONS.values():
            with pytest.raises(CdpAgentError) as error:
                await action(page, element_id)
            assert error.value.code in {"stale_ref", "ref_invalid"}
    assert await oracle.eval("seen") == []


@pytest.mark.parametrize("frame_kind", ["same-process", "oopif"])
async def test_a_number_with_another_frames_index_is_refused(
    make_stage: MakeStage, page: Page, oracle: PageOracle, frame_kind: str
) -> None:
    """Frames of one process share their numbers, so 1-41 would find what 0-41 names."""
    stage = await make_stage(SENSOR + FIRST, frame_kind, outer=SENSOR + "<button>Outer</button>")
    snap = await page.snapshot()
    outer, inner = snap.find("button", "Outer").id, snap.find("button", "Pay 3").id
    mixed = (
        f"{inner.frame_index}-{outer.backend_node_id}",
        f"{outer.frame_index}-{inner.backend_node_id}",
    )

    for element_id in mixed:
        if element_id in snap.backend_node_map:
            continue  # in two processes the digits may happen to name a real element
        with pytest.raises(CdpAgentError) as error:
            await page.click(element_id, timeout=2)
        assert error.value.code in {"stale_ref", "ref_invalid"}

    assert await stage.eval("seen") == []
    assert await oracle.eval("seen") == []


async def test_an_action_that_waits_when_the_page_leaves_does_not_act_on_the_next_page(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    arrival = site.page(SECOND, host=new_host())
    await open_page("<button>Pay</button><div id=cover style='position:fixed;inset:0'></div>")
    button = (await page.snapshot()).find("button", "Pay").id
    waiting = asyncio.create_task(page.click(button, timeout=4))
    await oracle.eval(f"void setTimeout(() => {{ location.href = {json.dumps(arrival)} }}, 300)")

    with pytest.raises(CdpAgentError) as error:
        await waiting

    assert error.value.code in {"stale_ref", "element_obscured"}
    await oracle.wait(f"location.href === {json.dumps(arrival)}")
    assert await oracle.eval("seen") == []
