"""Files given to a page: by its input, or by the chooser that something opens."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from cdp_agent import ElementDisabled, InvalidParams, NotEditable, Page
from tests.browser.conformance.attempt import receipt_of
from tests.support.oracle import PageOracle
from tests.support.site import Request, Response, Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

LOG = """<script>window.log = [];
for (const type of ['click', 'input', 'change', 'cancel']) addEventListener(type, event =>
  log.push(type + ' ' + (event.target.id || event.target.localName)), true);
window.read = input => Promise.all([...input.files].map(
  async file => [file.name, file.size, await file.text(), file.webkitRelativePath]));
</script>"""


@pytest.fixture
def letter(folder: Path) -> Path:
    path = folder / "letter.txt"
    path.write_text("Dear Ada")
    return path


@pytest.fixture
def second(folder: Path) -> Path:
    path = folder / "second.csv"
    path.write_text("a,b")
    return path


@pytest.mark.row("UPL-01", "UPL-06", "OOP-27")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_file_input_takes_a_file_and_tells_its_page_once(
    make_stage: MakeStage, letter: Path, frame_kind: str
) -> None:
    stage = await make_stage(f"<input type=file id=target aria-label=Letter>{LOG}", frame_kind)

    outcome = await stage.page.upload(await stage.css(), letter)

    assert outcome.success
    assert receipt_of(outcome).trusted
    assert outcome.data["files"] == [{"name": "letter.txt", "size": 8}]
    assert await stage.eval("read(target)") == [["letter.txt", 8, "Dear Ada", ""]]
    assert await stage.eval("log") == ["input target", "change target"]


@pytest.mark.row("UPL-02")
async def test_several_files_go_into_an_input_that_takes_several(
    make_stage: MakeStage, letter: Path, second: Path
) -> None:
    stage = await make_stage(f"<input type=file id=target multiple>{LOG}")

    await stage.page.upload(await stage.css(), [str(letter), second])

    files = await stage.eval("read(target)")
    assert [file[0] for file in files] == ["letter.txt", "second.csv"]
    assert await stage.eval("log") == ["input target", "change target"]


REFUSED = {
    "two files for one": ("<input type=file id=target>", ["letter.txt", "second.csv"]),
    "a folder for files": ("<input type=file id=target multiple>", ["."]),
    "a file for a folder": ("<input type=file id=target webkitdirectory>", ["letter.txt"]),
    "a file that is not there": ("<input type=file id=target>", ["missing.txt"]),
    "one of two is not there": (
        "<input type=file id=target multiple>",
        ["letter.txt", "missing.txt"],
    ),
    "nothing at all": ("<input type=file id=target>", []),
}


@pytest.mark.row("UPL-02", "UPL-08")
@pytest.mark.parametrize(("html", "names"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_does_not_fit_is_refused_before_the_page_is_touched(
    make_stage: MakeStage, letter: Path, second: Path, html: str, names: list[str]
) -> None:
    stage = await make_stage(html + LOG)
    target = await stage.css()

    with pytest.raises(InvalidParams) as refused:
        await stage.page.upload(target, [letter.parent / name for name in names])

    assert refused.value.hint
    assert await stage.eval("[log, target.files.length]") == [[], 0]


OPENERS = {
    "a button for a hidden input": (
        "<input type=file id=field hidden><button id=target>Attach</button>"
        "<script>target.onclick = () => field.click()</script>"
    ),
    "a label for a hidden input": (
        "<label id=target>Attach<input type=file id=field style='display:none'></label>"
    ),
    "a drop area that asks on a click": (
        "<div id=target role=button tabindex=0 style='width:200px;height:99px'>Drop here"
        "<input type=file id=field style='display:none'></div><script>"
        "target.onclick = event => event.target === field || field.click()</script>"
    ),
    "one that asks only after a while": (
        "<input type=file id=field hidden><button id=target>Attach</button>"
        "<script>target.onclick = () => setTimeout(() => field.click(), 300)</script>"
    ),
}


@pytest.mark.row("UPL-03")
@pytest.mark.parametrize("html", OPENERS.values(), ids=OPENERS.keys())
async def test_what_opens_a_chooser_when_clicked_is_given_the_file(
    make_stage: MakeStage, letter: Path, html: str
) -> None:
    stage = await make_stage(html + LOG)

    outcome = await stage.page.upload(await stage.css(), letter)

    assert "click" in receipt_of(outcome).events
    assert await stage.eval("read(field)") == [["letter.txt", 8, "Dear Ada", ""]]
    changes = await stage.eval("log.filter(line => !line.startsWith('click'))")
    assert changes == ["input field", "change field"]


@pytest.mark.row("UPL-04")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_input_that_is_in_no_document_gets_its_file(
    make_stage: MakeStage, letter: Path, frame_kind: str
) -> None:
    stage = await make_stage(
        """<button id=target>Attach</button><script>window.got = [];
        target.onclick = () => {
          const input = document.createElement('input');
          input.type = 'file';
          input.onchange = async () => got.push(await input.files[0].text());
          input.oncancel = () => got.push('cancelled');
          input.click();
        }</script>""",
        frame_kind,
    )

    await stage.page.upload(await stage.css(), letter)

    await stage.wait("got.length")
    assert await stage.eval("got") == ["Dear Ada"]


async def test_an_input_that_only_its_chooser_knows_is_not_forgotten(
    make_stage: MakeStage, site: Site, letter: Path
) -> None:
    """Nothing of the page holds on to it, and its memory is swept before the file comes."""
    asked, swept = threading.Event(), threading.Event()

    def sweep(_: Request) -> Response:
        asked.set()
        swept.wait(5)
        return Response(200)

    site.route("/sweep", sweep)
    stage = await make_stage(
        """<button id=target>Attach</button><script>window.got = [];
        target.onclick = () => {
          const input = document.createElement('input');
          input.type = 'file';
          input.onchange = event => got.push(event.target.files[0].name);
          input.click();
          fetch('/sweep');
        }</script>"""
    )
    target = await stage.css()

    async def collect() -> None:
        await asyncio.to_thread(asked.wait, 5)
        await stage.oracle.send("HeapProfiler.collectGarbage")
        swept.set()

    await asyncio.gather(stage.page.upload(target, letter), collect())

    assert await stage.eval("got") == ["letter.txt"]


@pytest.mark.row("UPL-05")
async def test_a_folder_is_uploaded_with_the_paths_in_it(
    make_stage: MakeStage, folder: Path
) -> None:
    (folder / "photos" / "old").mkdir(parents=True)
    for name in ("one.jpg", "two.jpg", "old/three.jpg"):
        (folder / "photos" / name).write_text(name)
    stage = await make_stage(f"<input type=file id=target webkitdirectory>{LOG}")

    outcome = await stage.page.upload(await stage.css(), folder / "photos")

    paths = ["photos/old/three.jpg", "photos/one.jpg", "photos/two.jpg"]
    assert sorted(file[3] for file in await stage.eval("read(target)")) == paths
    assert sorted(file["name"] for file in outcome.data["files"]) == paths
    assert await stage.eval("log") == ["input target", "change target"]


@pytest.mark.row("UPL-09")
async def test_the_same_file_again_is_no_change_unless_the_page_has_let_go_of_it(
    make_stage: MakeStage, letter: Path
) -> None:
    stage = await make_stage(f"<input type=file id=target>{LOG}")
    target = await stage.css()

    first = await stage.page.upload(target, letter)
    again = await stage.page.upload(target, letter)
    assert (first.data["changed"], again.data["changed"]) == (True, False)
    assert await stage.eval("log.splice(0)") == ["input target", "change target", "cancel target"]

    await stage.eval("target.value = ''")
    assert (await stage.page.upload(target, letter)).data["changed"]
    assert await stage.eval("log") == ["input target", "change target"]


async def test_a_page_that_takes_the_file_and_empties_its_input_has_had_it(
    make_stage: MakeStage, letter: Path
) -> None:
    stage = await make_stage(
        "<input type=file id=target><script>window.got = [];"
        "target.onchange = () => { got.push(target.files[0].name); target.value = '' }</script>"
    )

    outcome = await stage.page.upload(await stage.css(), letter)

    assert outcome.data["files"] == [{"name": "letter.txt", "size": 8}]
    assert await stage.eval("[got, target.files.length]") == [["letter.txt"], 0]


async def test_a_page_that_leaves_when_it_has_the_file_is_followed(
    page: Page, open_page: OpenPage, letter: Path
) -> None:
    await open_page("<h1>Thanks</h1>", path="/thanks.html")
    await open_page("<input type=file onchange=\"location = '/thanks.html'\">")

    outcome = await page.upload((await page.snapshot()).find("button").id, letter)

    assert outcome.navigated is not None
    assert outcome.navigated.endswith("/thanks.html")


async def test_an_alert_about_the_file_is_reported_with_it(
    make_stage: MakeStage, letter: Path
) -> None:
    stage = await make_stage("<input type=file id=target onchange=\"confirm('Send?')\">")

    outcome = await stage.page.upload(await stage.css(), letter)

    assert [(dialog.message, dialog.open) for dialog in outcome.dialogs] == [("Send?", True)]
    assert stage.page.dialog is not None
    await stage.page.dialog.accept()


@pytest.mark.row("UPL-11")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_on_a_file_input_opens_no_window_and_says_what_to_do(
    make_stage: MakeStage, letter: Path, frame_kind: str
) -> None:
    stage = await make_stage(f"<input type=file id=target>{LOG}", frame_kind)
    target = await stage.css()

    outcome = await stage.page.click(target)

    assert outcome.success
    assert "upload" in outcome.data["file_chooser"]
    assert await stage.eval("log.splice(0)") == ["click target", "cancel target"]
    await stage.page.upload(target, letter)
    assert await stage.eval("log") == ["input target", "change target"]


async def test_files_that_an_input_does_not_name_are_uploaded_and_said_so(
    make_stage: MakeStage, letter: Path, second: Path
) -> None:
    stage = await make_stage("<input type=file id=target multiple accept='image/*, .csv'>")

    outcome = await stage.page.upload(await stage.css(), [letter, second])

    assert outcome.data["not_accepted"] == ["letter.txt"]
    assert await stage.eval("target.files.length") == 2


async def test_a_disabled_input_takes_no_file(make_stage: MakeStage, letter: Path) -> None:
    stage = await make_stage(f"<input type=file id=target disabled aria-label=File>{LOG}")
    await stage.page.snapshot()

    with pytest.raises(ElementDisabled):
        await stage.page.upload(await stage.css(), letter, timeout=0.5)

    assert await stage.eval("[log, target.files.length]") == [[], 0]


async def test_what_opens_no_chooser_is_not_said_to_have_the_file(
    page: Page, oracle: PageOracle, open_page: OpenPage, letter: Path
) -> None:
    await open_page(f"<button id=target>Just a button</button>{LOG}")

    with pytest.raises(NotEditable):
        await page.upload((await page.snapshot()).find("button").id, letter, timeout=1)

    assert await oracle.eval("log") == ["click target"]


async def test_a_chooser_for_one_file_is_not_given_two(
    make_stage: MakeStage, letter: Path, second: Path
) -> None:
    stage = await make_stage(OPENERS["a button for a hidden input"] + LOG)

    with pytest.raises(InvalidParams):
        await stage.page.upload(await stage.css(), [letter, second])

    assert await stage.eval("field.files.length") == 0
