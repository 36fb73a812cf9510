"""Editors that keep a model of their own: what they say they hold is what was typed."""

from __future__ import annotations

import pytest

from tests.browser.widgets.conftest import OpenWidget


@pytest.mark.widget("quill")
@pytest.mark.row("WDG-05")
async def test_quill_takes_bold_text(open_widget: OpenWidget) -> None:
    widget = await open_widget("quill")
    box = await widget.node("quill.root")
    await widget.page.type(box, "Dear ")
    await widget.click("button", "bold")
    await widget.page.type(box, "Ada")

    assert await widget.eval("quill.root.innerHTML") == "<p>Dear <strong>Ada</strong></p>"
    await widget.page.fill(box, "one\ntwo")
    assert await widget.eval("quill.getText()") == "one\ntwo\n"


@pytest.mark.widget("tinymce")
@pytest.mark.row("WDG-05")
async def test_tinymce_takes_bold_text_in_its_frame(open_widget: OpenWidget) -> None:
    widget = await open_widget("tinymce")
    await widget.oracle.wait("window.ready", 20)
    box = await widget.find("textbox", "Rich Text Area")
    await widget.page.type(box.id, "Dear ")
    await widget.click("button", "Bold")
    await widget.page.type(box.id, "Ada")

    assert await widget.eval("tinymce.activeEditor.getContent()") == (
        "<p>Dear <strong>Ada</strong></p>"
    )


CODE_EDITORS = pytest.mark.parametrize(
    "name",
    [
        pytest.param("codemirror", marks=pytest.mark.widget("codemirror")),
        pytest.param("ace", marks=pytest.mark.widget("ace-builds")),
        pytest.param("monaco", marks=pytest.mark.widget("monaco-editor")),
    ],
)


@pytest.mark.row("WDG-06")
@CODE_EDITORS
async def test_a_code_editor_takes_lines_and_undoes_them(
    open_widget: OpenWidget, name: str
) -> None:
    widget = await open_widget(name)
    await widget.oracle.wait("typeof editor === 'object' && editor !== null", 20)
    box = (await widget.look()).find_all("textbox")[0]
    await widget.page.type(box.id, "let a = 1\nlet b = 2")
    assert await widget.eval("editor.getValue()") == "let a = 1\nlet b = 2"

    for _ in range(20):
        await widget.page.press("Control+Z")
        if not await widget.eval("editor.getValue()"):
            break
    assert await widget.eval("editor.getValue()") == ""


@pytest.mark.row("WDG-06")
@CODE_EDITORS
async def test_a_piece_of_a_code_editor_is_replaced(open_widget: OpenWidget, name: str) -> None:
    widget = await open_widget(name)
    await widget.oracle.wait("typeof editor === 'object' && editor !== null", 20)
    box = (await widget.look()).find_all("textbox")[0].id
    await widget.page.fill(box, "let a = 1\nlet b = 2")

    await widget.page.replace(box, "a = 1", "alpha = 10")
    await widget.page.replace(box, "2", "3")
    await widget.page.replace(box, "10\nlet", "7, ")
    await widget.page.replace(box, "let ", "")

    assert "".join((await widget.eval("editor.getValue()")).split()) == "alpha=7,b=3"
