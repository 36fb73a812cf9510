"""Values, states and structure in a snapshot, and that they follow what happens in the page."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

# html of one element named "It", what to do to it, and its state before and after
STATES: dict[str, tuple[str, str, str, Any, Any]] = {
    "checkbox": ("<input type=checkbox aria-label=It>", "click", "checked", False, True),
    "radio": ("<input type=radio aria-label=It>", "click", "checked", False, True),
    "switch": (
        "<button role=switch aria-checked=false aria-label=It"
        " onclick='this.ariaChecked = true'></button>",
        "click", "checked", False, True,
    ),
    "indeterminate": (
        "<input type=checkbox aria-label=It onclick='setTimeout(() => this.indeterminate = true)'>",
        "click", "checked", False, "mixed",
    ),
    "expanded": (
        "<button aria-expanded=false onclick='this.ariaExpanded = true'>It</button>",
        "click", "expanded", False, True,
    ),
    "details": ("<details><summary>It</summary>More</details>", "click", "expanded", False, True),
    "pressed": (
        "<button aria-pressed=false onclick='this.ariaPressed = true'>It</button>",
        "click", "pressed", False, True,
    ),
    "selected": (
        "<div role=tablist><div role=tab tabindex=0 aria-selected=false aria-label=It"
        " onclick='this.ariaSelected = true'>It</div></div>",
        "click", "selected", False, True,
    ),
    "disabled": (
        "<button onclick='this.disabled = true'>It</button>", "click", "disabled", False, True,
    ),
    "required": (
        "<input aria-label=It onclick='this.required = true'>", "click", "required", False, True,
    ),
    "readonly": (
        "<input aria-label=It onclick='this.readOnly = true'>", "click", "readonly", False, True,
    ),
    "invalid": (
        "<input aria-label=It aria-invalid=false onclick='this.ariaInvalid = true'>",
        "click", "invalid", False, True,
    ),
}  # fmt: skip


@pytest.mark.row("SNP-17")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("case", STATES.values(), ids=STATES.keys())
async def test_a_state_is_shown_and_follows_the_page(
    make_stage: MakeStage, frame_kind: str, case: tuple[str, str, str, Any, Any]
) -> None:
    html, verb, state, before, after = case
    stage = await make_stage(html, frame_kind)
    it = await stage.id(name="It")
    first = await stage.page.snapshot()

    await getattr(stage.page, verb)(it)
    second = await stage.page.snapshot()

    assert _state(first.get(it).state, state) == before
    assert _state(second.get(it).state, state) == after
    assert state not in _words(first.text, it)
    assert (state if after is True else f"{state}={after}") in _words(second.text, it)


def _state(states: Any, name: str) -> Any:
    """Absent is false: a snapshot names what holds."""
    value = states.get(name, False)
    return {"true": True, "false": False}.get(value, value)


def _line(text: str, element_id: str) -> str:
    return next(line for line in text.splitlines() if f"[{element_id}]" in line)


def _words(text: str, element_id: str) -> list[str]:
    return _line(text, element_id).split()


async def test_a_heading_has_its_level(page: Page, open_page: OpenPage) -> None:
    await open_page("<h1>Pay</h1><h3>Card</h3><div role=heading aria-level=5>Fine print</div>")

    lines = (await page.snapshot()).text.splitlines()

    assert lines[1:] == ['heading "Pay" 1', 'heading "Card" 3', 'heading "Fine print" 5']


@pytest.mark.row("SNP-17")
async def test_values_follow_what_is_typed_and_moved(page: Page, open_page: OpenPage) -> None:
    await open_page("""<input aria-label=Name value=old><textarea aria-label=Note>old</textarea>
      <input type=range aria-label=Volume value=10><input type=number aria-label=Count value=1>
      <div contenteditable role=textbox aria-label=Rich>old</div>
      <progress aria-label=Done value=30 max=100></progress>""")
    snap = await page.snapshot()

    await page.fill(snap.find("textbox", "Name").id, "new")
    await page.fill(snap.find("textbox", "Note").id, "new note")
    await page.fill(snap.find("slider", "Volume").id, "70")
    await page.fill(snap.find("spinbutton", "Count").id, "7")
    await page.fill(snap.find("textbox", "Rich").id, "new rich")
    after = await page.snapshot()

    names = ("Name", "Note", "Volume", "Count", "Rich")
    assert [snap.find(name=name).value for name in names] == ["old", "old", "10", "1", "old"]
    assert [after.find(name=name).value for name in names] == [
        "new", "new note", "70", "7", "new rich",
    ]  # fmt: skip
    assert 'value="new note"' in _line(after.text, after.find(name="Note").id)


@pytest.mark.row("SNP-18")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_placeholder_is_no_value_and_a_password_is_never_shown(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<input aria-label=Filled value=text placeholder=hint>
        <input aria-label=Empty placeholder='Type here'><input placeholder='Only hint'>
        <input type=password aria-label=Secret value=hunter2>
        <input type=password aria-label=Blank>""",
        frame_kind,
    )
    await stage.page.fill(await stage.id("textbox", "Blank"), "swordfish")

    snap = await stage.page.snapshot()

    assert snap.find("textbox", "Filled").value == "text"
    assert not snap.find("textbox", "Empty").value
    assert snap.find("textbox", "Only hint")
    assert 'value="•••"' in _line(snap.text, snap.find("textbox", "Secret").id)
    for secret in ("hunter2", "swordfish"):
        assert secret not in snap.text
        assert secret not in str(snap.model_dump())


@pytest.mark.row("SNP-23")
async def test_wrappers_without_meaning_go_and_their_children_stay(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("""<table role=presentation><tr><td><button>In table</button></td></tr></table>
      <ul role=none><li role=none><a href='#x'>In list</a></li></ul>
      <ul aria-label=Real style='display:contents'><li style='display:contents'>First</li>
      <li style='display:contents'>Second</li></ul>""")

    snap = await page.snapshot()
    roles = [line.strip().split('"')[0].split("]")[-1].split()[0] for line in _body(snap.text)]

    assert snap.find("button", "In table")
    assert snap.find("link", "In list")
    assert not {"table", "row", "cell", "none", "presentation", "generic"} & set(roles)
    assert roles.count("list") == 1
    assert roles.count("listitem") == 2


def _body(text: str) -> list[str]:
    return text.splitlines()[1:]


@pytest.mark.row("SNP-24")
@pytest.mark.parametrize(
    "html",
    [
        "<div role=group aria-label=O aria-owns=far></div><div><button id=far>Far</button></div>",
        "<div id=a aria-owns=b>A<button id=far>Far</button></div><div id=b aria-owns=a>B</div>",
        "<div id=a aria-owns=a>A<button id=far>Far</button></div>",
        "<div aria-owns=far>1</div><div aria-owns=far>2</div><p><button id=far>Far</button></p>",
    ],
    ids=["moved", "circle", "itself", "two owners"],
)
async def test_an_element_that_another_owns_is_listed_once(
    page: Page, oracle: PageOracle, open_page: OpenPage, html: str
) -> None:
    await open_page(html + "<script>onclick = event => document.title = event.target.id</script>")

    snap = await page.snapshot()

    assert [element.name for element in snap.find_all("button")] == ["Far"]
    assert snap.text.count("Far") == 1
    await page.click(snap.find("button", "Far").id)
    assert await oracle.eval("document.title") == "far"


@pytest.mark.row("SNP-27")
async def test_a_table_keeps_its_rows_and_headers(page: Page, open_page: OpenPage) -> None:
    head = "".join(f"<th>Head {c}</th>" for c in range(10))
    rows = "".join(
        f"<tr>{''.join(f'<td>r{r}c{c}.</td>' for c in range(10))}</tr>" for r in range(50)
    )
    await open_page(f"<table aria-label=Grid><tr>{head}</tr>{rows}</table>")

    text = (await page.snapshot()).text

    words = [f"Head {c}" for c in range(10)]
    words += [f"r{r}c{c}." for r in range(50) for c in range(10)]
    assert [text.count(word) for word in words] == [1] * len(words)
    assert sorted(words, key=text.index) == words
    lines = _body(text)
    assert sum(line.strip().startswith("row header: Head 0 | Head 1 |") for line in lines) == 1
    assert sum(line.strip().startswith("row") for line in lines) == 51


@pytest.mark.row("SNP-28")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_editor_keeps_the_links_and_words_inside_it(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<div contenteditable role=textbox aria-multiline=true aria-label=Editor>
        <h2>Head</h2><p>Plain <b>bold</b> and <a href='#there'>a link</a>.</p></div>""",
        frame_kind,
    )

    snap = await stage.page.snapshot()

    editor, link = snap.find("textbox", "Editor"), snap.find("link", "a link")
    assert "editable" in editor.hints
    lines = snap.text.splitlines()
    at = {name: next(n for n, line in enumerate(lines) if name in line) for name in
          ("Editor", "Head", "bold", f"[{link.id}]")}  # fmt: skip
    assert list(at.values()) == sorted(at.values())


async def test_text_that_names_an_element_is_not_said_twice(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("""<button><span>Pay</span> <b>now</b></button><a href='#x'>Terms</a>
      <label>Coupon <input></label><h2>Total</h2>""")

    text = (await page.snapshot()).text

    assert [text.count(words) for words in ("Pay now", "Terms", "Total")] == [1, 1, 1]
    assert 'textbox "Coupon"' in text


async def test_text_that_only_occurs_in_a_name_above_it_is_said(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("""<ul aria-label='Step 1 of 30'><li>30</li><li>Step</li></ul>
      <table aria-label='Top 10'><tr><td>10</td><td>1</td></tr></table>
      <section aria-label='Cart of 3'><p>3</p></section>""")

    shown = [line.strip() for line in (await page.snapshot()).text.splitlines()[1:]]

    assert shown == [
        'list "Step 1 of 30"',
        'listitem "30"',
        'listitem "Step"',
        'table "Top 10"',
        "row 10 | 1",
        'region "Cart of 3"',
        'text "3"',
    ]
