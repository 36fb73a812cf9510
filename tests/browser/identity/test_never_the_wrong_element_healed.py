"""An id of a replaced node finds the same role, name and tag again, or it raises.

Pages record which element was clicked by a key of its own that the engine cannot see, so
that "a button with the same name" is not mistaken for the button that was meant.
"""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import pytest

from cdp_agent import CdpAgentError, Page
from cdp_agent.ids import ElementId
from tests.browser.conformance.attempt import attempt
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, Stage

HITS = """<script>
hits = [];
addEventListener("click", event => hits.push(event.target.dataset.key), true);
</script>"""
NAMES = ("Pay", "Save", "Send", "Cancel", "Delete")


def rows(names: tuple[str, ...]) -> str:
    """A list with a button per name; its key is the name."""
    return "".join(f"<li><button data-key='{name}'>{name}</button></li>" for name in names)


def equal_rows(keys: str) -> str:
    """A list whose buttons are all called Delete: only what stands beside them differs."""
    return "".join(
        f"<li>Invoice {key} <button data-key='{key}'>Delete</button></li>" for key in keys
    )


async def buttons(stage: Stage) -> list[tuple[str, ElementId]]:
    """Key and id of every button of the stage, the key read by the tests' own session."""
    found = []
    for number in range(await stage.eval("document.querySelectorAll('button').length")):
        key = await stage.eval(f"document.querySelectorAll('button')[{number}].dataset.key")
        found.append((key, await stage.css(f"button[data-key={json.dumps(key)}]")))
    return found


async def click_lands_right(
    stage: Stage, key: str, element_id: ElementId, *, node_is_new: bool = True
) -> bool:
    """Click an id from before: healed to the button with that key, or stale and nothing hit.

    Says which of the two it was.
    """
    await stage.eval("void hits.splice(0)")
    result = await attempt(stage.page.click(element_id, timeout=2))
    if isinstance(result, CdpAgentError):
        assert result.code == "stale_ref", f"{key}: {result}"
        assert await stage.eval("hits") == [], f"{key}: raised and clicked all the same"
        return False
    assert await stage.eval("hits") == [key]
    assert result.healed or not node_is_new, f"{key}: the node is new, so this was a healing"
    return True


async def reload(stage: Stage, site: Site, html: str | None = None) -> None:
    """Reload the stage's document; with `html`, the server's answer has changed meanwhile."""
    if html is not None:
        site.page(html, path=urlsplit(stage.url).path)
    await stage.eval("void (window.old = true, setTimeout(() => location.reload()))")
    await stage.wait("window.old === undefined && document.readyState === 'complete'")


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_ids_are_healed_after_a_reload_that_changed_nothing(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    stage = await make_stage(HITS + rows(NAMES), frame_kind)
    old = await buttons(stage)

    await reload(stage, site)

    assert [await click_lands_right(stage, *button) for button in old] == [True] * len(NAMES)


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_ids_land_right_or_nowhere_after_a_reload_in_another_order(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    stage = await make_stage(HITS + rows(NAMES), frame_kind)
    old = await buttons(stage)

    await reload(stage, site, HITS + rows(("New", *reversed(NAMES[1:]))))

    landed = {key: await click_lands_right(stage, key, old_id) for key, old_id in old}
    assert not landed["Pay"], "it is not there any more"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_ids_of_equally_named_buttons_land_right_or_nowhere_after_a_reload(
    make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    stage = await make_stage(HITS + equal_rows("ABC"), frame_kind)
    old = await buttons(stage)

    await reload(stage, site, HITS + equal_rows("CAB"))

    for key, old_id in old:
        await click_lands_right(stage, key, old_id)


RENDERS = {
    "same": (rows(NAMES), rows(NAMES)),
    "other-order": (rows(NAMES), rows(NAMES[::-1])),
    "one-removed": (rows(NAMES), rows(NAMES[1:])),
    "one-inserted": (rows(NAMES), rows(("New", *NAMES))),
    "other-names": (rows(NAMES), rows(("Alpha", "Beta", "Gamma", "Delta", "Epsilon"))),
    "equal-names-rotated": (equal_rows("ABC"), equal_rows("CAB")),
    "equal-names-first-removed": (equal_rows("ABC"), equal_rows("BC")),
    "equal-names-all-but-one-removed": (equal_rows("ABC"), equal_rows("C")),
}


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(("before", "after"), RENDERS.values(), ids=RENDERS.keys())
async def test_ids_land_right_or_nowhere_after_a_render_of_all_nodes_anew(
    make_stage: MakeStage, frame_kind: str, before: str, after: str
) -> None:
    stage = await make_stage(f"{HITS}<ul id=list>{before}</ul>", frame_kind)
    old = await buttons(stage)

    await stage.eval(f"list.innerHTML = {json.dumps(after)}")

    landed = [await click_lands_right(stage, *button) for button in old]
    if before == after:
        assert all(landed), "the same role, name and tag at the same place"


IMPOSTORS = {
    "other-name": "<button data-key=new>Pay later</button>",
    "other-tag": "<a data-key=new role=button href='#'>Pay</a>",
    "other-role": "<button data-key=new role=switch>Pay</button>",
    "hidden": "<button data-key=new hidden>Pay</button>",
    "text": "<p data-key=new>Pay</p>",
    "gone": "",
}


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("impostor", IMPOSTORS.values(), ids=IMPOSTORS.keys())
async def test_a_replacement_that_is_not_the_same_is_not_taken_for_it(
    make_stage: MakeStage, frame_kind: str, impostor: str
) -> None:
    stage = await make_stage(
        f"{HITS}<div id=box><button data-key=old>Pay</button></div>", frame_kind
    )
    [(_, old)] = await buttons(stage)

    await stage.eval(f"box.innerHTML = {json.dumps(impostor)}")

    with pytest.raises(CdpAgentError) as error:
        await stage.page.click(old, timeout=2)
    assert error.value.code == "stale_ref"
    assert await stage.eval("hits") == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_document_written_anew_by_script_is_no_place_for_its_old_ids(
    make_stage: MakeStage, frame_kind: str
) -> None:
    """document.open() keeps the loader and replaces every node."""
    stage = await make_stage(HITS + rows(NAMES), frame_kind)
    old = await buttons(stage)

    body = json.dumps(HITS + rows(NAMES[::-1])).replace("</", "<\\/")
    await stage.eval(f"void (document.open(), document.write({body}), document.close())")

    for key, old_id in old:
        await click_lands_right(stage, key, old_id)


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_node_that_was_taken_out_is_stale_and_valid_again_once_it_is_back(
    make_stage: MakeStage, frame_kind: str
) -> None:
    """A script that keeps the node keeps its number alive as well."""
    stage = await make_stage(f"{HITS}<div id=box>{rows(('Pay',))}</div>", frame_kind)
    [(_, button)] = await buttons(stage)
    await stage.eval("void ((window.kept = box.firstChild).remove())")

    with pytest.raises(CdpAgentError) as error:
        await stage.page.click(button, timeout=2)
    assert error.value.code == "stale_ref"

    await stage.eval("void box.append(document.createElement('hr'), kept)")
    outcome = await stage.page.click(button)

    assert await stage.eval("hits") == ["Pay"]
    assert not outcome.healed


@pytest.mark.parametrize("frame_kind", ["same-process", "oopif"])
async def test_healing_stays_inside_the_frame_of_the_id(
    make_stage: MakeStage, oracle: PageOracle, frame_kind: str
) -> None:
    stage = await make_stage(
        f"{HITS}<div id=box>{rows(('Pay',))}</div>",
        frame_kind,
        outer=f"{HITS}<div>{rows(('Pay',))}</div>",
    )
    [(_, old)] = await buttons(stage)
    await stage.eval("box.replaceChildren()")

    with pytest.raises(CdpAgentError) as error:
        await stage.page.click(old, timeout=2)

    assert error.value.code == "stale_ref"
    assert await oracle.eval("hits") == []


@pytest.mark.row("SNP-06")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_ids_of_a_page_that_comes_back_from_the_cache_name_the_same_node_or_nothing(
    make_stage: MakeStage, site: Site, page: Page, oracle: PageOracle, frame_kind: str
) -> None:
    stage = await make_stage(HITS + rows(NAMES), frame_kind)
    first = await buttons(stage)
    there, back = site.page(HITS + rows(NAMES[::-1]), host="c.test"), page.url
    await page.goto(there)
    second = (await page.snapshot()).find("button", "Pay")

    for key, old_id in first:
        with pytest.raises(CdpAgentError) as error:
            await page.click(old_id, timeout=2)
        assert error.value.code == "stale_ref", key
    assert await oracle.eval("hits") == []

    await oracle.eval("void setTimeout(() => history.back())")
    await oracle.wait(f"location.href === {json.dumps(back)} && document.readyState === 'complete'")
    await stage.wait("window.hits !== undefined")
    for key, old_id in first:
        await click_lands_right(stage, key, old_id, node_is_new=False)
    with pytest.raises(CdpAgentError) as error:
        await page.click(second.id, timeout=2)
    assert error.value.code == "stale_ref"

    await oracle.eval("void setTimeout(() => history.forward())")
    await oracle.wait(
        f"location.href === {json.dumps(there)} && document.readyState === 'complete'"
    )
    result = await attempt(page.click(second.id, timeout=2))
    if isinstance(result, CdpAgentError):
        assert result.code == "stale_ref"
    assert await oracle.eval("hits") == ([] if isinstance(result, CdpAgentError) else ["Pay"])
