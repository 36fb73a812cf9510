"""The same application in many frameworks: whatever renders it, the same steps do the same."""

from __future__ import annotations

import pytest

from cdp_agent.ids import ElementId
from tests.browser.widgets.conftest import OpenWidget, Widget

APPS = ["react", "backbone", "angularjs", "knockoutjs", "mithril", "vanillajs", "emberjs", "vue"]

SHOWN = """[...document.querySelectorAll('#todo-list li, .todo-list li')]
    .filter((item) => item.getClientRects().length > 0)
    .map((item) => item.querySelector('label').textContent.trim()).join()"""


async def _row(widget: Widget, text: str, part: str) -> ElementId:
    """The id of a part of one row, found by the tests' own session."""
    return await widget.node(
        f"""[...document.querySelectorAll('#todo-list li, .todo-list li')]
        .find((item) => item.querySelector('label').textContent.trim() === {text!r})
        .querySelector({part!r})"""
    )


@pytest.mark.widget("todomvc")
@pytest.mark.row("WDG-16")
@pytest.mark.parametrize("app", APPS)
async def test_todomvc(open_widget: OpenWidget, app: str) -> None:
    widget = await open_widget(f"npm/todomvc/examples/{app}/index.html")
    await widget.oracle.wait("document.querySelector('#new-todo, .new-todo') !== null", 10)
    for text in ("buy milk", "walk dog", "pay rent"):
        box = await widget.node("document.querySelector('#new-todo, .new-todo')")
        await widget.page.type(box, text, commit_enter=True)
    assert await widget.eval(SHOWN) == "buy milk,walk dog,pay rent"

    await widget.page.click(await _row(widget, "walk dog", ".toggle"))
    await widget.page.double_click(await _row(widget, "pay rent", "label"))
    edit = await widget.node(
        "[...document.querySelectorAll('.edit')].find((e) => e.getClientRects().length > 0)"
    )
    await widget.page.fill(edit, "pay the rent")
    await widget.page.press("Enter")
    assert await widget.eval(SHOWN) == "buy milk,walk dog,pay the rent"

    await widget.click("link", "Active")
    assert await widget.eval(SHOWN) == "buy milk,pay the rent"
    await widget.click("link", "All")
    await widget.click("button", "Clear completed")
    assert await widget.eval(SHOWN) == "buy milk,pay the rent"
