"""A control with another one in its middle: clicked there, unless a person sees two controls."""

from __future__ import annotations

import pytest

from tests.support.stage import MakeStage

WIDE = "display:block;width:200px;padding:9px;text-align:center"
TOLD = """<script>addEventListener('click', (event) => {
  event.preventDefault();
  (window.clicked ||= []).push(event.target.id);
});</script>"""

ONE_CONTROL = {
    "tab of jQuery UI": "<ul role=tablist><li id=target role=tab tabindex=0 aria-labelledby=inner>"
    "<a id=inner href='#one' role=presentation tabindex=-1>One</a></li></ul>",
    "tab around a link that has a place in the tab order": "<ul role=tablist>"
    "<li id=target role=tab tabindex=0><a id=inner href='#one'>One</a></li></ul>",
    "menu item around its link": "<ul role=menu><li id=target role=menuitem tabindex=-1>"
    "<a id=inner href='#home' tabindex=-1>Home</a></li></ul>",
    "tree item named by its link": "<ul role=tree><li id=target role=treeitem tabindex=0"
    " aria-labelledby=inner><a id=inner href='#root' tabindex=-1>Root</a></li></ul>",
    "option around an unnamed box": "<ul role=listbox><li id=target role=option tabindex=0"
    " aria-label=Pear><button id=inner tabindex=-1></button></li></ul>",
    "button around a link without a role": "<div id=target role=button tabindex=0>"
    "<a id=inner href='#x' role=none tabindex=-1>Send</a></div>",
    "button around a picture of a button": "<div id=target role=button tabindex=0 aria-label=Send>"
    "<button id=inner tabindex=-1 aria-hidden=true>&gt;</button></div>",
    "check box around a native one": "<div id=target role=checkbox aria-checked=false>"
    "<input id=inner type=checkbox role=switch></div>",
}
TWO_CONTROLS = {
    "tab with a cross": "<ul role=tablist><li id=target role=tab tabindex=0 aria-label=One>"
    "<button id=inner tabindex=-1 aria-label=Close>x</button></li></ul>",
    "row with a button": "<div id=target role=option tabindex=0 aria-label=Report>"
    "<button id=inner>Delete</button></div>",
    "card with a button": "<div id=target role=button tabindex=0>"
    "<button id=inner>Like</button></div>",
    "card with a frame": "<div id=target role=button tabindex=0 aria-label=Film>"
    "<iframe id=inner srcdoc='A film'></iframe></div>",
}


def styled(body: str) -> str:
    # The link of a tab fills it but for a rim; a second control leaves a wide one.
    inner = "width:90%;height:60%;min-height:20px"
    return (
        f"<style>#target {{ {WIDE} }} #inner {{ {WIDE}; box-sizing:border-box; {inner};"
        f" margin:auto }}</style>{TOLD}{body}"
    )


@pytest.mark.parametrize("body", ONE_CONTROL.values(), ids=ONE_CONTROL.keys())
async def test_what_is_one_control_to_a_person_is_clicked_in_its_middle(
    make_stage: MakeStage, body: str
) -> None:
    stage = await make_stage(styled(body))

    await stage.page.click(await stage.css())

    assert await stage.eval("window.clicked") == ["inner"]


@pytest.mark.parametrize("body", TWO_CONTROLS.values(), ids=TWO_CONTROLS.keys())
async def test_a_second_control_is_not_clicked_for_the_one_around_it(
    make_stage: MakeStage, body: str
) -> None:
    stage = await make_stage(styled(body))

    await stage.page.click(await stage.css())

    assert await stage.eval("window.clicked") == ["target"]
