"""The browser's own drag-and-drop: dropped where it was meant and accepted, or it is an error."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage

LOG = """<script>window.log = [];
for (const type of ['mousedown', 'mouseup', 'click', 'dragstart', 'dragenter', 'dragleave', 'drop',
                    'dragend'])
  addEventListener(type, e => log.push(type + ' ' + (e.target.id || e.target.localName)), true);
addEventListener('dragend', e => { window.effect = e.dataTransfer.dropEffect });
</script>"""
SOURCE = (
    "<button id=source draggable=true style='display:block;width:80px;height:40px;margin:10px'>"
    "Card</button><script>source.ondragstart = e =>"
    " { e.dataTransfer.setData('text/plain', 'hello'); e.dataTransfer.effectAllowed = '%s' }"
    "</script>"
)
TARGET = (
    "<div id=target role=button tabindex=0 aria-label=Zone style='width:150px;height:80px;margin:"
    "10px;background:#cde'>Zone</div><script>window.got = null;"
    "target.ondragover = e => { e.preventDefault(); e.dataTransfer.dropEffect = '%s' };"
    "target.ondrop = e => { e.preventDefault(); got = e.dataTransfer.getData('text/plain') }"
    "</script>"
)
CARD = SOURCE % "all"
ZONE = TARGET % "move"


@pytest.mark.row("DND-02")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_card_is_dropped_on_a_zone(
    make_stage: MakeStage, oracle: PageOracle, frame_kind: str
) -> None:
    outer = "<script>window.outer = []; for (const type of ['mousedown', 'dragover', 'drop'])"
    outer += " addEventListener(type, e => outer.push(type), true)</script>"
    stage = await make_stage(
        CARD + ZONE + LOG, frame_kind, outer=outer if frame_kind != "main" else ""
    )

    outcome = await stage.page.drag(await stage.css("#source"), await stage.css("#target"))

    assert await stage.eval("got") == "hello"
    assert await stage.eval("effect") == "move"
    assert outcome.data == {"kind": "html5", "dropped": True, "effect": "move"}
    assert outcome.receipt is not None
    assert outcome.receipt.events == ("mousedown", "dragstart", "drop", "dragend")
    log = await stage.eval("log")
    assert log[:2] == ["mousedown source", "dragstart source"]
    assert log[-2:] == ["drop target", "dragend source"]
    if frame_kind != "main":
        assert await oracle.eval("outer") == []


@pytest.mark.row("DND-04")
@pytest.mark.parametrize("accepted", [True, False], ids=["accepted", "refused"])
@pytest.mark.parametrize("way", ["into the frame", "out of the frame"])
@pytest.mark.parametrize("frame_kind", ["same-process", "oopif"])
async def test_a_card_is_carried_from_one_document_to_another(
    make_stage: MakeStage, oracle: PageOracle, frame_kind: str, way: str, accepted: bool
) -> None:
    zone = ZONE if accepted else ZONE.replace("e.preventDefault();", "")
    inner, outer = (CARD, zone) if way == "out of the frame" else (zone, CARD)
    stage = await make_stage(inner + LOG, frame_kind, outer=outer + LOG)
    number = await oracle.backend_node_id(
        "document.querySelector('[draggable], [aria-label=Zone]')"
    )
    own = await stage.css("#source" if way == "out of the frame" else "#target")
    other = (await stage.page.snapshot()).get(f"0-{number}").id
    source, target = (own, other) if way == "out of the frame" else (other, own)
    page, at_source, at_target = stage.page, stage.eval, oracle.eval
    if way == "into the frame":
        at_source, at_target = oracle.eval, stage.eval

    if accepted:
        outcome = await page.drag(source, target)
        assert outcome.data["effect"] == "move"
    else:
        with pytest.raises(CdpAgentError) as refused:
            await page.drag(source, target)
        assert refused.value.code == "condition_failed"

    assert await at_target("got") == ("hello" if accepted else None)
    # The source hears of the end once, and of what became of it.
    assert (await at_source("log")).count("dragend source") == 1
    assert await at_source("effect") == ("move" if accepted else "none")
    assert "drop" not in " ".join(await at_source("log"))
    # Nothing of it is left: the same again works.
    if accepted:
        await at_target("got = null")
        await page.drag(source, target)
        assert await at_target("got") == "hello"


@pytest.mark.row("DND-06")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_zone_that_accepts_nothing_is_no_success(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(CARD + "<button id=target>Zone</button>" + LOG, frame_kind)

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.drag(await stage.css("#source"), await stage.css("#target"))

    assert refused.value.code == "condition_failed"
    assert refused.value.data["accepted"] is False
    log = await stage.eval("log")
    assert "drop target" not in log
    assert log[-1] == "dragend source"


PAIRS = [("copy", "copy", True), ("copy", "move", False), ("all", "link", True)]
PAIRS += [("linkMove", "copy", False), ("copyMove", "move", True), ("none", "copy", False)]


@pytest.mark.row("DND-07")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(("allowed", "wanted", "dropped"), PAIRS)
async def test_both_sides_have_to_agree_on_what_a_drop_does(
    page: Page,
    make_stage: MakeStage,
    frame_kind: str,
    allowed: str,
    wanted: str,
    dropped: bool,
) -> None:
    stage = await make_stage(SOURCE % allowed + TARGET % wanted + LOG, frame_kind)
    source, target = await stage.css("#source"), await stage.css("#target")

    if dropped:
        assert (await page.drag(source, target)).data["effect"] == wanted
    else:
        with pytest.raises(CdpAgentError) as refused:
            await page.drag(source, target)
        assert refused.value.code == "condition_failed"

    assert await stage.eval("got") == ("hello" if dropped else None)
    assert await stage.eval("effect") == (wanted if dropped else "none")


@pytest.mark.row("DND-15")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_source_and_target_are_far_apart(make_stage: MakeStage, frame_kind: str) -> None:
    gap = "<div style='height:{}px'></div>"
    stage = await make_stage(
        gap.format(1500) + CARD + gap.format(3000) + ZONE + gap.format(500) + LOG, frame_kind
    )

    await stage.page.drag(await stage.css("#source"), await stage.css("#target"))

    assert await stage.eval("got") == "hello"


@pytest.mark.row("DND-18")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_escape_ends_a_drag_without_a_drop(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(CARD + ZONE + LOG, frame_kind)

    outcome = await stage.page.drag(
        await stage.css("#source"), await stage.css("#target"), cancel=True
    )

    assert outcome.data == {"kind": "html5", "dropped": False}
    assert await stage.eval("got") is None
    assert (await stage.eval("log"))[-2:] == ["dragend source", "mouseup target"]


@pytest.mark.row("DND-17")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_files_are_dropped_on_a_zone(
    make_stage: MakeStage, frame_kind: str, tmp_path: Path
) -> None:
    stage = await make_stage(
        "<div id=target role=button tabindex=0 style='width:200px;height:100px'>Drop here</div>"
        "<script>window.got = []; target.ondragover = e => e.preventDefault();"
        "target.ondrop = async e => { e.preventDefault(); for (const f of e.dataTransfer.files)"
        " got.push([f.name, f.type, f.size, await f.text()]) }</script>",
        frame_kind,
    )
    first, second = tmp_path / "note.txt", tmp_path / "data.json"
    first.write_text("hi there")
    second.write_text("{}")

    outcome = await stage.page.drop_files(await stage.css(), [first, second])

    await stage.wait("got.length === 2")
    assert await stage.eval("got") == [
        ["note.txt", "text/plain", 8, "hi there"],
        ["data.json", "application/json", 2, "{}"],
    ]
    assert [file["name"] for file in outcome.data["files"]] == ["note.txt", "data.json"]


async def test_files_are_not_let_go_over_what_does_not_take_them(
    page: Page, oracle: PageOracle, make_stage: MakeStage, tmp_path: Path
) -> None:
    stage = await make_stage("<button id=target>No zone</button>" + LOG)
    note = tmp_path / "note.txt"
    note.write_text("hi")

    with pytest.raises(CdpAgentError) as refused:
        await page.drop_files(await stage.css(), note)

    assert refused.value.code == "condition_failed"
    assert "drop target" not in await oracle.eval("log")
    assert page.url == stage.url


async def test_a_file_input_takes_a_dropped_file(
    page: Page, make_stage: MakeStage, tmp_path: Path
) -> None:
    stage = await make_stage("<input type=file id=target aria-label=File>")
    note = tmp_path / "note.txt"
    note.write_text("hi")

    await page.drop_files(await stage.css(), note)

    assert await stage.eval("target.files[0].name") == "note.txt"


@pytest.mark.row("ROB-24")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_drag_that_is_cancelled_drops_nothing_and_holds_nothing(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(CARD + ZONE + "<button id=after>After</button>" + LOG, frame_kind)
    source, target = await stage.css("#source"), await stage.css("#target")
    after = await stage.css("#after")

    drag = asyncio.ensure_future(stage.page.drag(source, target, steps=200))
    await stage.wait("log.includes('dragenter target')")
    drag.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drag
    await stage.page.click(after)

    log = await stage.eval("log")
    assert await stage.eval("got") is None
    assert log.count("dragend source") == 1
    assert log[-3:] == ["mousedown after", "mouseup after", "click after"]


@pytest.mark.row("ROB-24")
@pytest.mark.parametrize("way", ["into the frame", "out of the frame"])
async def test_a_drag_between_processes_that_is_cancelled_ends_in_both(
    make_stage: MakeStage, oracle: PageOracle, way: str
) -> None:
    is_out = way == "out of the frame"
    inner, outer = (CARD, ZONE) if is_out else (ZONE, CARD)
    stage = await make_stage(inner + LOG, "oopif", outer=outer + LOG)
    own = await stage.css("#source" if is_out else "#target")
    number = await oracle.backend_node_id("window.source || window.target")
    other = (await stage.page.snapshot()).get(f"0-{number}").id
    source, target = (own, other) if is_out else (other, own)
    at_source, at_target = (stage, oracle) if is_out else (oracle, stage)

    drag = asyncio.ensure_future(stage.page.drag(source, target, steps=200))
    await at_target.wait("log.includes('dragenter target')")
    drag.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drag
    await at_source.wait("window.effect")
    await stage.page.click(source)

    log = await at_source.eval("log")
    assert await at_target.eval("got") is None
    assert log.count("dragend source") == 1
    assert log[-3:] == ["mousedown source", "mouseup source", "click source"]


async def test_a_zone_that_is_covered_during_the_drag_gets_nothing(
    page: Page, oracle: PageOracle, make_stage: MakeStage
) -> None:
    stage = await make_stage(
        CARD
        + ZONE
        + "<div id=wall style='position:fixed;inset:0;display:none'></div>"
        + LOG
        + "<script>wall.ondragover = e => e.preventDefault();"
        "target.ondragenter = () => { wall.style.display = 'block' }</script>"
    )
    source, target = await stage.css("#source"), await stage.css("#target")

    with pytest.raises(CdpAgentError) as refused:
        await page.drag(source, target, timeout=2)

    assert refused.value.code == "element_obscured"
    assert not [entry for entry in await oracle.eval("log") if entry.startswith("drop")]
    assert await stage.wait("window.effect") == "none"
    await oracle.eval("wall.remove()")


async def test_a_drag_that_its_page_refuses_at_the_start_claims_no_drop(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        """<div id=item draggable=true role=button tabindex=0
          style="width:80px;height:40px">Item</div>
        <div id=zone role=button tabindex=0 style="width:200px;height:100px">Zone</div><script>
        window.drops = 0;
        item.addEventListener('dragstart', (event) => event.preventDefault());
        zone.addEventListener('dragover', (event) => event.preventDefault());
        zone.addEventListener('drop', () => { window.drops += 1; });</script>"""
    )
    outcome = await stage.page.drag(
        await stage.id("button", "Item"), await stage.id("button", "Zone")
    )

    assert await stage.eval("window.drops") == 0
    assert outcome.data["kind"] == "mouse"
    assert "dropped" not in outcome.data
