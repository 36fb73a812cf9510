"""Forms of the tools' arguments that the seed documents use, taken beside ours.

The numbers are rows of fixtures/seed_rows.txt.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_agent.tools import schemas
from tests.browser.tools.conftest import Use
from tests.browser.tools.test_table import ref
from tests.support.oracle import PageOracle
from tests.support.site import Site

PAGE = """<title>Forms</title><label>Name <input id=who value=Ada></label>
<select aria-label=Size id=size><option value=s>Small<option value=l>Large
<option value=Small>Odd</select>
<div style="width:9000px;height:3000px"></div><button id=far>Far</button>
<p style="height:2000px"></p>"""


async def opened(use: Use, site: Site, html: str = PAGE) -> str:
    return (await use("navigate", url=site.page(html))).text


async def test_row_90_fill_may_keep_what_is_there(use: Use, site: Site, oracle: PageOracle) -> None:
    name = ref(await opened(use, site), "textbox")

    added = await use("fill", ref=name, value=" L.", clear_first=False)
    assert added.text.startswith(f'[{name}] textbox "Name" holds "Ada L."')
    replaced = await use("fill", ref=name, value="Grace", clear_first=True)
    assert replaced.data["value"] == await oracle.eval("who.value") == "Grace"
    refused = await use("fill", ref=name, value="x", old="G", clear_first=False)
    assert refused.code == "invalid_params"


async def test_row_67_typing_may_clear_first(use: Use, site: Site, oracle: PageOracle) -> None:
    name = ref(await opened(use, site), "textbox")

    assert (await use("type", ref=name, text="!")).data["value"] == "Ada!"
    assert (await use("type", ref=name, text="Bob", clearFirst=True)).data["value"] == "Bob"
    assert await oracle.eval("who.value") == "Bob"
    nowhere = await use("type", text="x", clear_first=True)
    assert (nowhere.code, "needs ref" in nowhere.text) == ("invalid_params", True)


async def test_row_91_a_value_is_a_value_or_else_the_visible_text(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    size = ref(await opened(use, site), "combobox")

    assert (await use("select", ref=size, value="Large")).data["value"] == "l"
    # The value wins over another option's text.
    assert (await use("select", ref=size, value="Small")).data["label"] == "Odd"
    assert await oracle.eval("size.value") == "Small"
    step = {"action": "select", "params": {"ref": size, "value": "Large"}}
    assert (await use("execute", steps=[step])).text.startswith("1 of 1")
    assert await oracle.eval("size.value") == "l"
    missing = await use("select", ref=size, value="Lar")
    assert missing.code == "option_not_found"
    assert "'Small', 'Large'" in missing.text


async def test_row_92_a_ref_alone_is_brought_into_view(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    far = ref(await opened(use, site), "button")

    shown = await use("scroll", ref=far)

    assert shown.text.startswith(f'[{far}] button "Far" is in view; its page is scrolled to ')
    box = "(({top, bottom}) => [top, bottom, innerHeight])(far.getBoundingClientRect())"
    top, bottom, height = await oracle.eval(box)
    assert 0 <= top <= bottom <= height


@pytest.mark.parametrize("amount", [300, "half"])
async def test_rows_69_and_93_an_amount_is_a_word_or_pixels(
    use: Use, site: Site, oracle: PageOracle, amount: Any
) -> None:
    await opened(use, site)

    moved = await use("scroll", direction="down", amount=amount)

    expected = 300 if amount == 300 else await oracle.eval("innerHeight / 2")
    assert moved.data["y"] == await oracle.eval("scrollY") == pytest.approx(expected, abs=1)
    assert (await use("scroll", direction="top", amount=300)).data["y"] == 0
    step = {"action": "scroll", "params": {"direction": "down", "amount": 120}}
    assert (await use("execute", steps=[step])).text.startswith("1 of 1")
    assert await oracle.eval("scrollY") == 120


async def test_row_93_a_scroll_that_says_nothing_is_refused(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    await opened(use, site)

    refused = await use("scroll")

    assert refused.code == "invalid_params"
    assert "direction, ref or until" in refused.text
    assert (await use("scroll", direction="down", amount=-5)).code == "invalid_params"
    assert await oracle.eval("scrollY") == 0


async def test_row_45_a_snapshot_with_a_picture_and_with_controls_alone(
    use: Use, site: Site
) -> None:
    await opened(use, site, f"<h1>Hello</h1>{PAGE}")

    whole = await use("snapshot", includeScreenshot=True, includeAccessibility=True)
    assert [image[:8] for image in whole.images] == [b"\x89PNG\r\n\x1a\n"]
    assert "Hello" in whole.text
    controls = await use("snapshot", includeAccessibility=False)
    assert "Hello" not in controls.text
    assert ref(controls.text, "combobox")
    assert controls.images == ()


async def test_row_46_a_snapshot_counts_what_it_shows_and_what_there_is(
    use: Use, site: Site
) -> None:
    # Three controls, of which one has a label, and a closed list of three options.
    await opened(use, site)

    some = await use("snapshot", maxElements=2)
    assert some.text.splitlines()[-1] == "(2 of 3 elements)"
    assert some.data["total"] == 3
    every = await use("snapshot", maxElements=50)
    assert every.text.splitlines()[-1] == "(3 of 3 elements)"


async def test_row_42_steps_may_be_flat_and_named_by_method(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    steps = [
        {"action": "page/navigate", "url": site.page(PAGE)},
        {"label": "name", "action": "action/fill", "selector": "label=Name", "value": "Zoe"},
        {"action": "action/select", "selector": "label=Size", "value": "Large", "onError": "skip"},
        {"action": "action/press", "selector": "label=Name", "value": "End"},
    ]

    done = await use("execute", steps=steps, stopOnFirstError=True)

    assert done.text.startswith("4 of 4 steps done"), done.text
    assert await oracle.eval("[who.value, size.value]") == ["Zoe", "l"]
    refused = await use("execute", steps=[{"action": "action/click", "colour": "red"}])
    assert refused.code == "invalid_params"
    assert "hint: click takes timeout?, selector," in refused.text
    twice = [{"action": "fill", "value": "a", "params": {"value": "b"}}]
    assert (await use("execute", steps=twice)).code == "invalid_params"


@pytest.mark.parametrize("form", ["[{}]", " {} ", "ref={}"])
async def test_row_55_an_id_is_taken_as_it_was_copied(
    use: Use, site: Site, oracle: PageOracle, form: str
) -> None:
    name = ref(await opened(use, site), "textbox")

    assert (await use("fill", ref=form.format(name), value="Eve")).data["value"] == "Eve"
    assert await oracle.eval("who.value") == "Eve"


@pytest.mark.parametrize("form", ["@e1", "e1", "ref=e1"])
async def test_row_55_refs_of_another_numbering_are_refused_with_a_hint(
    use: Use, site: Site, oracle: PageOracle, form: str
) -> None:
    await opened(use, site)

    refused = await use("fill", ref=form, value="Eve")

    assert refused.code in ("ref_invalid", "invalid_params")
    assert "0-" in refused.text
    assert await oracle.eval("who.value") != "Eve"


def test_the_other_forms_are_not_listed() -> None:
    text = json.dumps(schemas())
    assert not [w for w in ("clear_first", "include_", "pixels", "action/") if f'"{w}' in text]
