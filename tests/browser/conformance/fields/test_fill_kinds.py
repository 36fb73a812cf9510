"""Filling, field by field: every input type.

A value that a typed field cannot hold is refused with `invalid_params` before the field is
touched; the field then keeps what it had.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
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
@pytest.mark.parametrize("kind", [kind for kind, (_, _, bads) in SET_AT_ONCE.items() if bads])
async def test_a_picker_field_refuses_what_it_cannot_hold_and_keeps_what_it_has(
    page: Page, oracle: PageOracle, open_page: OpenPage, kind: str
) -> None:
    _, held, bads = SET_AT_ONCE[kind]
    await open_page(f"<input type={kind} aria-label=It value='{held}'>" + LOG_CHANGES)
    field = (await page.snapshot()).find(name="It").id

    for bad in bads:
        with pytest.raises(CdpAgentError) as caught:
            await page.fill(field, bad)

        assert caught.value.code == "invalid_params", bad
        assert await oracle.eval(VALUE) == held, bad
        assert await oracle.eval("log") == [], bad


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
