"""Filling, field by field: every input type, and fields that rewrite what they are given.

A value that a typed field cannot hold is refused with `invalid_params` before the field is
touched; the field then keeps what it had. A page that rewrites the value is right: the outcome
reports what the field shows in the end. A page that lets nothing in is an error.
"""

from __future__ import annotations

import json

import pytest

from cdp_agent import CdpAgentError, Page
from tests.browser.conformance.attempt import attempt
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

LOG_CHANGES = """<script>
window.log = [];
for (const type of ['input', 'change'])
  document.addEventListener(type, e => log.push([type, e.target.value, e.bubbles, e.composed]));
</script>"""

VALUE = "document.querySelector('input, textarea').value"


@pytest.mark.row("FIL-06")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(
    ("text", "number"), [("12.5", 12.5), ("-3e2", -300), ("0", 0), ("007", 7), ("", None)]
)
async def test_a_number_field_holds_the_number(
    make_stage: MakeStage, frame_kind: str, text: str, number: float | None
) -> None:
    stage = await make_stage(
        "<input type=number step=any aria-label=Amount value=42>" + LOG_CHANGES, frame_kind
    )

    await stage.page.fill(await stage.id("spinbutton", "Amount"), text)

    # NaN is not JSON: an empty field is null here.
    as_number = "(n => isNaN(n) ? null : n)(document.querySelector('input').valueAsNumber)"
    assert await stage.eval(as_number) == number
    assert (await stage.eval("log"))[-1][1] == text


@pytest.mark.row("FIL-06")
@pytest.mark.parametrize("text", ["abc", "12,5", "1.2.3", "--1", "12 apples"])
async def test_what_is_no_number_is_refused_and_the_old_number_is_not_taken_for_it(
    page: Page, oracle: PageOracle, open_page: OpenPage, text: str
) -> None:
    await open_page("<input type=number aria-label=Amount value=42>" + LOG_CHANGES)

    with pytest.raises(CdpAgentError) as caught:
        await page.fill((await page.snapshot()).find("spinbutton", "Amount").id, text)

    assert caught.value.code == "invalid_params"
    assert await oracle.eval(VALUE) == "42"
    assert await oracle.eval("log") == []


SET_AT_ONCE = {
    "color": ("#AABBCC", "#aabbcc", ["red-ish", "#12", ""]),
    "date": ("2027-03-17", "2027-03-17", ["17.03.2027", "2027-13-05", "soon"]),
    "time": ("13:15", "13:15", ["25:05", "1 pm"]),
    "datetime-local": ("2027-03-17T13:15", "2027-03-17T13:15", ["2027-03-17", "abc"]),
    "month": ("2027-03", "2027-03", ["2027-13", "March"]),
    "week": ("2027-W11", "2027-W11", ["2027-W60", "11"]),
    "range": ("42", "42", ["loud", "200", "15.5"]),
}


@pytest.mark.row("FIL-08")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("kind", SET_AT_ONCE)
async def test_a_picker_field_takes_its_value_and_reports_it_like_a_person_had_picked_it(
    make_stage: MakeStage, frame_kind: str, kind: str
) -> None:
    given, held, _ = SET_AT_ONCE[kind]
    stage = await make_stage(f"<input type={kind} aria-label=It>" + LOG_CHANGES, frame_kind)

    outcome = await stage.page.fill(await stage.id(name="It"), given)

    assert await stage.eval(VALUE) == held
    assert outcome.data["value"] == held
    assert await stage.eval("log") == [["input", held, True, True], ["change", held, True, False]]


@pytest.mark.row("FIL-08")
@pytest.mark.parametrize(
    ("kind", "bad"),
    [(kind, bad) for kind, (_, _, bads) in SET_AT_ONCE.items() for bad in bads],
)
async def test_a_picker_field_refuses_what_it_cannot_hold_and_keeps_what_it_has(
    page: Page, oracle: PageOracle, open_page: OpenPage, kind: str, bad: str
) -> None:
    _, held, _ = SET_AT_ONCE[kind]
    await open_page(f"<input type={kind} aria-label=It value='{held}'>" + LOG_CHANGES)

    with pytest.raises(CdpAgentError) as caught:
        await page.fill((await page.snapshot()).find(name="It").id, bad)

    assert caught.value.code == "invalid_params"
    assert await oracle.eval(VALUE) == held
    assert await oracle.eval("log") == []


@pytest.mark.parametrize("kind", ["date", "time", "datetime-local", "month", "week"])
async def test_a_date_field_can_be_emptied(
    page: Page, oracle: PageOracle, open_page: OpenPage, kind: str
) -> None:
    _, held, _ = SET_AT_ONCE[kind]
    await open_page(f"<input type={kind} aria-label=It value='{held}'>")

    await page.fill((await page.snapshot()).find(name="It").id, "")

    assert await oracle.eval(VALUE) == ""


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("text", "  spaces kept  "),
        ("search", "cats & dogs"),
        ("tel", "+351 912 345 678"),
        ("url", "https://a.test/?q=1#x"),
        ("email", "ada@example.com"),
        ("password", 'p"a\\ss<w>ord'),
        ("unknown-type", "text"),
    ],
)
async def test_every_kind_of_text_field_takes_text(
    page: Page, oracle: PageOracle, open_page: OpenPage, kind: str, text: str
) -> None:
    await open_page(f"<input type={kind} aria-label=It value=old>")

    await page.fill((await page.snapshot()).find(name="It").id, text)

    assert await oracle.eval(VALUE) == text


REACT = """<input aria-label=Name><script>
  // As React does it: the node's own value property remembers what the program wrote, and an
  // input event that shows nothing new is dropped. What is typed only lasts if state takes it.
  const node = document.querySelector('input');
  const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  let tracked = '';
  Object.defineProperty(node, 'value', {
    configurable: true,
    get() { return native.get.call(this) },
    set(value) { tracked = value; native.set.call(this, value) },
  });
  window.state = 'initial';
  window.renders = 0;
  const render = () => { renders++; node.value = state };
  node.addEventListener('input', () => {
    const shown = native.get.call(node);
    if (shown !== tracked) { state = shown; tracked = shown }
    render();
  });
  render();
</script>"""


@pytest.mark.row("FIL-11")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_state_behind_a_controlled_field_follows(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(REACT, frame_kind)
    name = await stage.id("textbox", "Name")

    for value in ("abc", "", "again"):
        await stage.page.fill(name, value)
        assert await stage.eval("[state, document.querySelector('input').value]") == [value, value]


THOUSANDS = """<input aria-label=Amount><script>
  const field = document.querySelector('input');
  field.addEventListener('input', () => {
    const digits = field.value.replace(/[^0-9]/g, '');
    field.value = digits.replace(/\\B(?=(\\d{3})+$)/g, ',');
    field.setSelectionRange(field.value.length, field.value.length);
  });
</script>"""


@pytest.mark.row("FIL-13")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("verb", ["type", "fill"])
async def test_a_field_that_formats_its_value_shows_it_formatted(
    make_stage: MakeStage, frame_kind: str, verb: str
) -> None:
    stage = await make_stage(THOUSANDS, frame_kind)
    amount = await stage.id("textbox", "Amount")

    act = stage.page.type if verb == "type" else stage.page.fill
    outcome = await act(amount, "1234567")

    assert await stage.eval(VALUE) == "1,234,567"
    assert outcome.data["value"] == "1,234,567"


@pytest.mark.row("FIL-14")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_suggestion_that_comes_later_can_be_clicked(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<input role=combobox aria-label=Country><ul role=listbox id=list></ul><script>
          const field = document.querySelector('input');
          field.addEventListener('input', () => setTimeout(() => {
            const match = ['Afghanistan', 'Albania'].filter(name => name.startsWith(field.value));
            list.replaceChildren(...match.map(name => {
              const item = document.createElement('li');
              item.role = 'option';
              item.textContent = name;
              item.onclick = () => { field.value = name; list.replaceChildren() };
              return item;
            }));
          }, 300));
          field.addEventListener('blur', () => setTimeout(() => list.replaceChildren(), 200));
          list.addEventListener('mousedown', event => event.preventDefault());
        </script>""",
        frame_kind,
    )

    await stage.page.fill(await stage.id("combobox", "Country"), "Afgh")
    await stage.wait("list.children.length === 1")
    await stage.page.click(await stage.id("option", "Afghanistan"))

    assert await stage.eval(VALUE) == "Afghanistan"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_value_cut_at_maxlength_is_reported_as_it_is(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=Code maxlength=3 value=old>", frame_kind)

    outcome = await stage.page.fill(await stage.id("textbox", "Code"), "abcdef")

    assert await stage.eval(VALUE) == "abc"
    assert outcome.data["value"] == "abc"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_field_whose_page_lets_nothing_in_is_an_error(
    make_stage: MakeStage, frame_kind: str
) -> None:
    """Success without effect is the worst answer there is."""
    stage = await make_stage(
        """<input aria-label=Name value=old><script>
        document.addEventListener('beforeinput', event => event.preventDefault());
        </script>""",
        frame_kind,
    )

    with pytest.raises(CdpAgentError):
        await stage.page.fill(await stage.id("textbox", "Name"), "new", timeout=1)

    assert await stage.eval(VALUE) == "old"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_was_selected_in_a_rich_text_does_not_matter(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<p id=outside>outside</p>
        <div contenteditable role=textbox aria-label=Note>some <b>rich <i>old</i></b> text</div>
        <script>getSelection().selectAllChildren(document.querySelector('b'))</script>""",
        frame_kind,
    )

    await stage.page.fill(await stage.id("textbox", "Note"), "replaced")

    assert await stage.eval("document.querySelector('div').textContent") == "replaced"
    assert await stage.eval("outside.textContent") == "outside"


async def test_a_long_text_arrives_whole(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    text = "".join(f"line {n} — “quotes” \t tab \\ end\n" for n in range(300))
    await open_page("<textarea aria-label=Note></textarea>")

    await page.fill((await page.snapshot()).find("textbox", "Note").id, text)

    assert await oracle.eval(f"{VALUE} === {json.dumps(text)}")


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("refocus", ["next.focus();", ""], ids=["focus restored", "focus lost"])
async def test_a_field_that_is_rendered_anew_while_it_is_filled_holds_the_value_or_is_stale(
    make_stage: MakeStage, frame_kind: str, refocus: str
) -> None:
    stage = await make_stage(
        f"""<input aria-label=Name value=old><script>
        document.addEventListener('input', event => {{
          const next = event.target.cloneNode();
          next.value = event.target.value;
          event.target.replaceWith(next);
          {refocus}
        }});
        </script>""",
        frame_kind,
    )

    result = await attempt(stage.page.fill(await stage.id("textbox", "Name"), "new"))

    if isinstance(result, CdpAgentError):
        assert result.code == "stale_ref"
    else:
        assert await stage.eval(VALUE) == "new"
        assert result.data["value"] == "new"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_field_far_below_is_scrolled_into_view(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<div style='height:5000px'></div><input aria-label=Name>", frame_kind)

    await stage.page.fill(await stage.id("textbox", "Name"), "found")

    assert await stage.eval(VALUE) == "found"
    assert await stage.eval(
        "document.querySelector('input').getBoundingClientRect().top < innerHeight"
    )
