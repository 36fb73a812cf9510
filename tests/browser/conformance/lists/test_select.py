"""Choosing in a native list: exactly the options that were named are selected, or it is an error.

`select` focuses the list and sets it with the events of a person's choice; it works through the
focus, so a cover is not in its way (as for `fill`). What is chosen already is left alone without
events, as in a browser. An option that is missing or disabled is waited for within the timeout.
"""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

LOG = """<script>
window.log = [];
for (const type of ['input', 'change'])
  document.addEventListener(type, e => log.push([type, e.target.value, e.bubbles, e.composed]));
</script>"""
COLORS = "<option value=r>Red<option value=g>Green<option value=b>Blue"
SELECT = f"<select aria-label=Color>{COLORS}</select>"
VALUE = "document.querySelector('select').value"
VALUES = "[...document.querySelector('select').selectedOptions].map(o => o.value)"


async def refusal(page: Page, id: str, **wanted: Any) -> CdpAgentError:
    with pytest.raises(CdpAgentError) as caught:
        await page.select(id, **{"timeout": 0.4} | wanted)
    return caught.value


@pytest.mark.row("SEL-01", "OOP-27")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("by", [{"label": "Green"}, {"value": "g"}, {"index": 1}], ids=str)
async def test_an_option_is_chosen_by_label_value_or_index(
    make_stage: MakeStage, frame_kind: str, by: dict[str, Any]
) -> None:
    stage = await make_stage(SELECT + LOG, frame_kind)

    outcome = await stage.page.select(await stage.id("combobox", "Color"), **by)

    assert await stage.eval(VALUE) == "g"
    assert await stage.eval("log") == [["input", "g", True, True], ["change", "g", True, False]]
    assert dict(outcome.data) == {"value": "g", "label": "Green", "changed": True}
    assert await stage.eval("document.activeElement.localName") == "select"


async def test_what_is_chosen_already_is_left_alone(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(SELECT + LOG)

    outcome = await page.select((await page.snapshot()).find("combobox").id, label="Red")

    assert outcome.success
    assert outcome.data["changed"] is False
    assert await oracle.eval("log") == []


LABELS = {
    "no value attribute": ("<option>One<option>Two", {"value": "Two"}, "Two"),
    "label attribute": (
        "<option>a<option label=Shown value=2>hidden text",
        {"label": "Shown"},
        "2",
    ),
    "folded white space": ("<option>a<option value=2>  New\n  York  ", {"label": "New York"}, "2"),
    "empty value": ("<option>a<option value=''>None", {"value": ""}, ""),
    "quotes": ('<option>a<option value=2>O\'Neil "x"', {"label": 'O\'Neil "x"'}, "2"),
    "equal labels, equal values": (
        "<option>a<option value=2>Two<option value=2>Two",
        {"label": "Two"},
        "2",
    ),
    "in a group": (
        "<option>a<optgroup label=Fruit><option value=2>Fig</optgroup>",
        {"label": "Fig"},
        "2",
    ),
    "enabled twin of a disabled one": (
        "<option>a<option disabled value=1>Two<option value=2>Two",
        {"label": "Two"},
        "2",
    ),
}


@pytest.mark.parametrize(("options", "by", "value"), LABELS.values(), ids=LABELS.keys())
async def test_options_are_found_as_they_are_shown(
    page: Page,
    oracle: PageOracle,
    open_page: OpenPage,
    options: str,
    by: dict[str, Any],
    value: str,
) -> None:
    await open_page(f"<select aria-label=It>{options}</select>")

    await page.select((await page.snapshot()).find("combobox").id, **by)

    assert await oracle.eval(VALUE) == value


@pytest.mark.row("SEL-03")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_exactly_the_named_options_of_a_multiple_list_are_selected(
    make_stage: MakeStage, frame_kind: str
) -> None:
    options = "".join(f"<option value={n}>Option {n}" for n in range(5))
    stage = await make_stage(f"<select multiple aria-label=It>{options}</select>{LOG}", frame_kind)
    select = await stage.id("listbox", "It")

    await stage.page.select(select, value=["0", "2", "4"])
    assert await stage.eval(VALUES) == ["0", "2", "4"]
    outcome = await stage.page.select(select, label="Option 3")
    assert await stage.eval(VALUES) == ["3"]
    assert outcome.data["value"] == "3"
    await stage.page.select(select, index=[])
    assert await stage.eval(VALUES) == []

    assert [entry[0] for entry in await stage.eval("log")] == ["input", "change"] * 3


REFUSED = {
    "no such label": (COLORS, {"label": "Pink"}, "option_not_found"),
    "no such value": (COLORS, {"value": "Green"}, "option_not_found"),
    "no such index": (COLORS, {"index": 3}, "option_not_found"),
    "disabled option": (COLORS + "<option disabled>Pink", {"label": "Pink"}, "element_disabled"),
    "disabled group": (
        COLORS + "<optgroup disabled label=g><option>Pink</optgroup>",
        {"label": "Pink"},
        "element_disabled",
    ),
    "hidden option": (COLORS + "<option hidden>Pink", {"label": "Pink"}, "element_not_visible"),
    "two of that label": (
        COLORS + "<option value=1>Pink<option value=2>Pink",
        {"label": "Pink"},
        "invalid_params",
    ),
    "two in a single list": (COLORS, {"label": ["Red", "Green"]}, "invalid_params"),
    "none in a single list": (COLORS, {"label": []}, "invalid_params"),
    "nothing named": (COLORS, {}, "invalid_params"),
    "named twice": (COLORS, {"label": "Red", "index": 0}, "invalid_params"),
    "index below 0": (COLORS, {"index": -1}, "invalid_params"),
    "a number for a label": (COLORS, {"label": 7}, "invalid_params"),
}


@pytest.mark.parametrize(("options", "by", "code"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_cannot_be_chosen_is_an_error_and_nothing_changes(
    page: Page, oracle: PageOracle, open_page: OpenPage, options: str, by: dict[str, Any], code: str
) -> None:
    await open_page(f"<select aria-label=It>{options}</select>{LOG}")

    error = await refusal(page, (await page.snapshot()).find("combobox").id, **by)

    assert error.code == code
    assert await oracle.eval(VALUE) == "r"
    assert await oracle.eval("log") == []
    if code in ("option_not_found", "element_disabled"):
        assert "'Red', 'Green', 'Blue'" in error.hint


STATES = {
    "disabled": ("disabled", "element_disabled"),
    "in a disabled fieldset": (None, "element_disabled"),
    "display none": ("style='display:none'", "element_not_visible"),
    "visibility hidden": ("style='visibility:hidden'", "element_not_visible"),
}


@pytest.mark.parametrize(("attribute", "code"), STATES.values(), ids=STATES.keys())
async def test_a_list_that_is_disabled_or_hidden_is_not_changed(
    page: Page, oracle: PageOracle, open_page: OpenPage, attribute: str | None, code: str
) -> None:
    await open_page(f"<fieldset>{SELECT}</fieldset>{LOG}")
    id = (await page.snapshot()).find("combobox").id
    where = "'fieldset'" if attribute is None else "'select'"
    name, _, value = (attribute or "disabled").partition("=")
    await oracle.eval(
        f"document.querySelector({where}).setAttribute('{name}', {value or repr('')})"
    )

    error = await refusal(page, id, label="Blue")

    assert error.code == code
    assert await oracle.eval(VALUE) == "r"


@pytest.mark.row("SEL-05")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize(
    "start", ["", "onfocus='fill()'"], ids=["by themselves", "when the list is focused"]
)
async def test_options_that_arrive_late_are_waited_for(
    page: Page, make_stage: MakeStage, frame_kind: str, start: str
) -> None:
    stage = await make_stage(
        f"<select aria-label=It {start}><option>Loading</select><script>"
        "const fill = () => setTimeout(() => {"
        " document.querySelector('select').innerHTML = '<option>Here<option value=t>There' }, 500);"
        "</script>",
        frame_kind,
    )
    id = await stage.id("combobox")
    if not start:
        await stage.eval("fill()")

    await page.select(id, label="There", timeout=2)

    assert await stage.eval(VALUE) == "t"


@pytest.mark.row("SEL-08")
@pytest.mark.parametrize("mode", ["open", "closed"])
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_list_in_a_shadow_tree_is_chosen_from(
    make_stage: MakeStage, frame_kind: str, mode: str
) -> None:
    stage = await make_stage(
        f"""<div id=host></div><script>window.log = [];
        window.root = host.attachShadow({{mode: '{mode}'}});
        root.innerHTML = `<select aria-label=Color>{COLORS}</select>`;
        for (const type of ['input', 'change']) {{
          root.addEventListener(type, e => log.push('root ' + type + ' ' + e.composed));
          document.addEventListener(type, e => log.push('document ' + type));
        }}</script>""",
        frame_kind,
    )

    await stage.page.select(await stage.id("combobox", "Color"), label="Blue")

    assert await stage.eval("root.firstChild.value") == "b"
    assert await stage.eval("log") == ["root input true", "document input", "root change false"]


@pytest.mark.row("SEL-10")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_option_of_a_list_that_stands_open_is_clicked_by_its_id(
    make_stage: MakeStage, frame_kind: str
) -> None:
    options = "".join(f"<option value={n}>Option {n}" for n in range(12))
    stage = await make_stage(f"<select size=4 aria-label=It>{options}</select>{LOG}", frame_kind)

    await stage.page.click(await stage.id("option", "Option 2"))
    assert await stage.eval(VALUE) == "2"
    await stage.page.click(await stage.id("option", "Option 10"))  # below what is in sight

    assert await stage.eval(VALUE) == "10"


@pytest.mark.row("SEL-12")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_list_of_the_pages_own_design_is_opened_and_clicked(
    make_stage: MakeStage, frame_kind: str
) -> None:
    style = "<style>select, ::picker(select) { appearance: base-select }</style>"
    stage = await make_stage(style + SELECT + LOG, frame_kind)
    select = await stage.id("combobox", "Color")

    await stage.page.click(select)
    await stage.page.click(await stage.id("option", "Blue"))
    assert await stage.eval(VALUE) == "b"

    await stage.page.select(select, label="Green")
    assert await stage.eval(VALUE) == "g"


async def test_an_option_of_a_closed_list_cannot_be_clicked_and_the_hint_says_how_instead(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(SELECT)
    option = (await page.snapshot()).find("option", "Blue").id

    with pytest.raises(CdpAgentError) as caught:
        await page.click(option, timeout=0.3)

    assert caught.value.code == "element_not_visible"
    assert "select" in caught.value.hint


@pytest.mark.parametrize("by", [{"value": "Lisbon"}, {"label": "Lisbon"}, {"index": 1}], ids=str)
async def test_what_a_field_suggests_is_filled_in(
    page: Page, oracle: PageOracle, open_page: OpenPage, by: dict[str, Any]
) -> None:
    await open_page(
        "<input list=cities aria-label=City><datalist id=cities>"
        "<option value=Oslo><option value=Lisbon></datalist>"
    )
    id = (await page.snapshot()).find("combobox").id

    await page.select(id, **by)

    assert await oracle.eval("document.querySelector('input').value") == "Lisbon"
    assert (await refusal(page, id, value="Rome")).code == "option_not_found"


async def test_a_label_stands_for_its_list(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        f"<label id=target onclick=''>Color</label>{SELECT}".replace(
            "<select", "<select id=list"
        ).replace("id=target", "id=target for=list")
    )
    snapshot = await page.snapshot()
    number = await oracle.backend_node_id("document.querySelector('#target')")

    await page.select(snapshot.get(f"0-{number}").id, label="Blue")

    assert await oracle.eval(VALUE) == "b"


@pytest.mark.no_after_state("the page's broken built-ins break the control's recorder as well")
async def test_a_page_that_breaks_its_own_built_ins_is_chosen_in_all_the_same(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(f"""{SELECT}<script>
      const broken = () => {{ throw new Error('broken on purpose') }};
      delete window.Node; window.JSON = {{}}; window.Event = broken;
      Element.prototype.getBoundingClientRect = EventTarget.prototype.dispatchEvent = broken;
      Array.prototype.toJSON = Array.prototype.filter = Array.from = broken;
      Object.defineProperty(HTMLSelectElement.prototype, 'selectedIndex', {{ set: broken }});
      Object.defineProperty(HTMLSelectElement.prototype, 'options', {{ get: broken }});
    </script>""")

    await page.select((await page.snapshot()).find("combobox").id, label="Blue")

    assert await oracle.eval(VALUE) == "b"
