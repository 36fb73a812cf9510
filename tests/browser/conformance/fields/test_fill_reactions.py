"""Filling fields that answer back: controlled, formatted, suggested, refused or rendered anew.

A page that formats the value is right: the outcome reports what the field shows in the end. A page
that keeps nothing of it, or only a part, is `not_editable`, with what the field holds.
"""

from __future__ import annotations

import json

import pytest

from cdp_agent import CdpAgentError, Page
from tests.browser.conformance.attempt import attempt
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

VALUE = "document.querySelector('input, textarea').value"

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

    both = "[state, document.querySelector('input').value]"

    await stage.page.fill(name, "abc")
    assert await stage.eval(both) == ["abc", "abc"]
    await stage.page.clear(name)
    assert await stage.eval(both) == ["", ""]
    await stage.page.fill(name, "again")
    assert await stage.eval(both) == ["again", "again"]


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


FORMATS = {
    "upper case": ("value.toUpperCase()", "abc", "ABC"),
    "trimmed": ("value.trim()", "  abc ", "abc"),
    "currency": ("'$' + Number(value.replace('$', '')).toFixed(2)", "5", "$5.00"),
    "country code": ("'+7 ' + value.replace('+7 ', '')", "9123456789", "+7 9123456789"),
    "groups": ("value.match(/[0-9]{1,4}/g).join(' ')", "411122223333", "4111 2222 3333"),
}


@pytest.mark.row("FIL-13")
@pytest.mark.parametrize(("rule", "given", "shown"), FORMATS.values(), ids=FORMATS.keys())
async def test_whatever_a_page_adds_to_a_value_is_its_right(
    page: Page, oracle: PageOracle, open_page: OpenPage, rule: str, given: str, shown: str
) -> None:
    await open_page(f"""<input aria-label=It><script>
      document.querySelector('input').addEventListener('input', event => {{
        const value = event.target.value;
        event.target.value = {rule};
      }});
    </script>""")

    outcome = await page.fill((await page.snapshot()).find("textbox", "It").id, given)

    assert await oracle.eval(VALUE) == shown
    assert outcome.data["value"] == shown


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
async def test_a_text_that_is_too_long_is_refused_and_the_old_one_stays(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<input aria-label=Code maxlength=3 value=old>", frame_kind)

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.fill(await stage.id("textbox", "Code"), "abcdef")

    assert caught.value.code == "invalid_params"
    assert caught.value.data["most"] == 3
    assert await stage.eval(VALUE) == "old"


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

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.fill(await stage.id("textbox", "Name"), "new", timeout=1)

    assert caught.value.code == "not_editable"
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
