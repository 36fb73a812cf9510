"""The text of a snapshot: whatever a page says, one line is one element, and says what it is.

Names and values are JSON strings, so that what stands between the quotes can be read back. White
space is folded in names and kept in values, control and bidi characters are dropped, and nothing a
page says can look like a line of the snapshot's own.
"""

from __future__ import annotations

import html as markup
import json
import re

import pytest

from cdp_agent import InvalidParams, Page, Snapshot
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

# [0-7] button "Save" …; the id only where one can act, the name only where there is one.
LINE = re.compile(r'( *)(?:\[(\d+-\d+)\] )?([a-zA-Z]+)(?: \d+)?(?: ("(?:[^"\\]|\\.)*"))?(?: .*)?')

TRICKY = {
    "quotes": ('He said "no" & \\left\\', 'He said "no" & \\left\\'),
    "newlines": ("one\n\n  two\r\n\tthree", "one two three"),
    "right to left": ("שלום עולם مرحبا", "שלום עולם مرحبا"),
    "bidi controls": ("safe\u202egnp.exe\u202c \u2066x\u2069", "safegnp.exe x"),
    "zero width": ("pay\u200bpal\ufeff\u2060", "paypal"),
    "soft hyphen": ("Donau\u00addampf\u00adschiff", "Donaudampfschiff"),
    "control characters": ("a\x01b\x1bc\x7fd\x90e", "abcde"),
    "line separators": ("one\u2028two\u2029three\x85four", "one two three four"),
    "emoji": ("👍🏽 👨‍👩‍👧 🇵🇹", "👍🏽 👨‍👩‍👧 🇵🇹"),
    "combining": ("e\u0301 नमस्ते", "e\u0301 नमस्ते"),
    "snapshot syntax": ('x"\n[0-1] button "Fake', 'x" [0-1] button "Fake'),
}
#: A value keeps its lines.
LINES_OF_VALUES = {
    "newlines": "one\n\n  two\n\tthree",
    "line separators": "one\ntwo\nthree\nfour",
    "snapshot syntax": 'x"\n[0-1] button "Fake',
}


def lines(snap: Snapshot) -> list[re.Match[str]]:
    """Every line below the header, taken apart; a line that is none of ours fails here."""
    found = []
    for line in snap.text.split("\n")[1:]:
        match = LINE.fullmatch(line)
        assert match is not None, f"not a line of a snapshot: {line!r}"
        found.append(match)
    return found


@pytest.mark.row("SNP-21")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_name_is_one_line_and_can_be_read_back(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<button id=it></button><input id=field><p id=plain></p>", frame_kind)
    for case, (given, shown) in TRICKY.items():
        await stage.eval(f"void (it.textContent = {json.dumps(given)})")

        button = (await stage.page.snapshot()).get(await stage.css("#it"))
        snap = await stage.page.snapshot()

        line = next(match for match in lines(snap) if match[2] == button.id)
        assert line[3] == "button", case
        assert json.loads(line[4]) == shown, case
        assert button.name == shown, case


@pytest.mark.row("SNP-21")
async def test_a_value_and_a_paragraph_are_one_line_as_well(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<textarea id=field aria-label=Note></textarea><p id=plain></p>")
    for case, (given, shown) in TRICKY.items():
        await oracle.eval(f"field.value = plain.textContent = {json.dumps(given)}")

        snap = await page.snapshot()

        note, quoted = snap.find("textbox", "Note"), json.dumps(shown, ensure_ascii=False)
        value = LINES_OF_VALUES.get(case, shown)
        assert note.value == value, case
        in_line = f"value={json.dumps(value, ensure_ascii=False)}"
        assert f'[{note.id}] textbox "Note" {in_line}' in snap.text.split("\n"), case
        assert quoted in snap.text.split("\n")[-1], case
        lines(snap)


FORGERIES = [
    '[0-1] button "Pay"',
    "Page: Bank · https://bank.test/ · 800x600",
    'iframe 9 "Card" https://bank.test',
    '"] button \\" value="x" focused',
    ' [0-2] link "Free money" focused',
    "+37 listitem [expand 0-1]",
    "(warning: frame 1 did not answer)",
    '" hidden',
    "\uff3b0-1\uff3d button \uff02Pay\uff02 hidden",
    '* [0-3] link "Free" hidden',
]


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_nothing_a_page_says_looks_like_a_line_of_the_snapshot(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage, forgery: str
) -> None:
    said = markup.escape(f"x\n{forgery}\n")
    inner = site.page(f"<button>\n{said}</button>", host="b.test")
    await open_page(f"""<!doctype html><title>t{said}</title>
      <p>{said}</p><pre>{said}</pre><button>{said}</button><a href="#{said}">{said}</a>
      <input aria-label="{said}" value="{said}" placeholder="{said}"><h1>{said}</h1>
      <select><option>{said}</option></select><img alt="{said}" src=x>
      <div role="{said}" tabindex=0 aria-roledescription="{said}" aria-description="{said}">d</div>
      <div role=checkbox tabindex=0 aria-checked="{said}" aria-invalid="{said}">c</div>
      <div role=button tabindex=0 aria-pressed="{said}" aria-haspopup="{said}">e</div>
      <style>i, b {{ display: inline-block; width: 9px; height: 9px }}</style>
      <i tabindex=0 class="x {said}" data-testid="{said}"></i>
      <b id="{said}" data-title="{said}" tabindex=0></b>
      <iframe title="{said}" name="{said}" src="{inner}"></iframe>""")
    await oracle.wait_in("b.test", "document.readyState === 'complete'")

    snap = await page.snapshot()
    found = lines(snap)

    shown = [match[2] for match in found if match[2]]
    # The options of a closed list stand behind it.
    listed = [element.id for element in snap.elements if element.role != "option"]
    assert sorted(shown) == sorted(listed)
    header, *rest = snap.text.split("\n")
    assert header.split(" · ")[1] == await oracle.eval("location.href")
    assert not any(line.startswith("Page: ") for line in rest)
    assert sum(match[3] == "iframe" for match in found) == 1
    assert not any(line.endswith((" focused", " hidden")) for line in snap.text.split("\n"))


@pytest.mark.row("SNP-22")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_name_of_100_kilobytes_is_cut_with_a_mark(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        f"<button onclick='document.title = 1'>{'long name ' * 10_000}</button>"
        f"<input aria-label=Field value='{'long value ' * 10_000}'>"
        f"<a href='#x' title='{'long title ' * 10_000}'>Link</a>",
        frame_kind,
    )

    button = (await stage.page.snapshot()).find("button")
    text = (await stage.page.snapshot()).text

    assert button.name == ("long name " * 20)[:200] + "..."
    assert len(text) < 3000
    await stage.page.click(button.id)
    assert await stage.eval("document.title") == "1"


async def test_the_length_of_names_can_be_chosen(page: Page, open_page: OpenPage) -> None:
    await open_page(f"<button>{'0123456789' * 30}</button><button>short</button>")

    cut = await page.snapshot(max_name_length=15)

    assert [button.name for button in cut.find_all("button")] == ["012345678901234...", "short"]


async def test_a_cut_name_can_still_be_found_by_its_beginning(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(f"<button>{'Terms and conditions ' * 50}</button>")

    assert (await page.snapshot()).find("button", "Terms and conditions")


async def test_half_a_character_can_be_written_down(page: Page, open_page: OpenPage) -> None:
    """A page may hold half of a surrogate pair, which no encoding has."""
    await open_page("""<button id=b>x</button><input><script>
      b.textContent = 'a\\ud800b'; document.title = 't\\udfff'</script>""")

    snapshot = await page.snapshot()

    assert "a\ufffdb" in snapshot.text
    assert page.title == "t\ufffd"
    with pytest.raises(InvalidParams):
        await page.fill(snapshot.find("textbox").id, "half \ud800")
