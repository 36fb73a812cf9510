"""A part of a large page that is looked at again is what a first look shows, field by field."""

from __future__ import annotations

from cdp_agent import Page
from tests.support.fresh_snapshot import fields, fresh_snapshot
from tests.support.oracle import PageOracle
from tests.support.stage import OpenPage

_TOKENS = 8000
_STYLE = """<style>
#flag:checked ~ #box b{display:none} .up{text-transform:uppercase} .low{text-transform:lowercase}
b.mark::after{content:attr(data-n)} .gone{display:none} .clear{visibility:hidden}
.box{height:60px;overflow:auto} li.far{height:24px}
</style>"""
_HEAD = (
    "<h1 id=head>Shop</h1><input id=flag type=checkbox aria-label=Flag><div id=box><b id=bold"
    " class=mark data-n=1>Bold</b> <span id=said>never</span></div>"
    "<label id=near for=name>Name</label><input id=name>"
    "<input id=other aria-labelledby='far1 near'>"
    "<input id=third aria-label=Third><select id=list aria-label=Pick><option>One<option>Two"
    "</select><p id=shout class=up>Shout</p><a id=link href=#x><span>Link</span> "
    "<i id=inner>one</i></a><details id=more><summary>More</summary><p>Inside</p></details>"
    "<div id=scroll class=box><p>In a box</p></div><x-own id=own tabindex=0>Own</x-own>"
    "<dialog id=ask><button>Yes</button></dialog>"
    "<button id=go aria-describedby=far2>Go</button><button id=plain>Plain</button>"
)
_SCRIPT = (
    "<script>customElements.define('x-own', class extends HTMLElement {"
    "constructor() { super(); this.inner = this.attachInternals() } })</script>"
)
_FAR = "<label id=late for=third>Late</label><p id=far1>Far</p><p id=far2>Away</p>"
_LIST = "".join(
    f"<li class=far><a href=#{n}>Row {n}</a> <span>{n} g</span> <button>Drop {n}</button></li>"
    for n in range(920)
)
_ROWS = "".join(
    f"<tr><td>Cell {n}</td><td><a href=#{n}>To {n}</a></td><td>{n}</td></tr>" for n in range(740)
)

#: What happens to a list of 520 rows below a few controls, one after the other.
_CHANGES = {
    "nothing": "",
    "words": "said.textContent = 'once'",
    "an edited text": "said.firstChild.data = 'twice'",
    "words in a link": "inner.textContent = 'two'",
    "a name": "go.setAttribute('aria-label', 'Start')",
    "a name that goes": "go.removeAttribute('aria-label')",
    "words of a label": "near.textContent = 'Full name'",
    "words far away that name something": "far1.textContent = 'Far off'",
    "words far away that describe something": "far2.textContent = 'Away off'",
    "a label far away": "late.textContent = 'Later'; third.removeAttribute('aria-label')",
    "a label far away says something else": "late.textContent = 'Latest'",
    "a state that hides": "flag.checked = true",
    "a state that shows": "flag.checked = false",
    "words that CSS writes": "bold.dataset.n = '2'",
    "a rule for words that CSS writes": "document.styleSheets[0].insertRule("
    "'#said::before { content: \"so \" }')",
    "another case of letters": "shout.className = 'low'",
    "letters as they are": "shout.className = ''",
    "a value set by script": "document.getElementById('name').value = 'Ada'",
    "a choice set by script": "list.selectedIndex = 1",
    "a field that is required": "document.getElementById('third').required = true",
    "the focus": "document.getElementById('third').focus()",
    "the focus elsewhere": "plain.focus()",
    "no focus": "document.activeElement.blur()",
    "something disabled": "plain.disabled = true",
    "something enabled": "plain.disabled = false",
    "a class that hides": "plain.className = 'gone'",
    "a class that makes invisible": "plain.className = 'clear'",
    "a class no more": "plain.className = ''",
    "an edited rule": "document.styleSheets[0].insertRule('#link { display: none }')",
    "a deleted rule": "document.styleSheets[0].deleteRule(0)",
    "more to scroll to": "scroll.innerHTML = '<p>In a box</p>'.repeat(9)",
    "a box that opens": "more.open = true",
    "a listener": "document.getElementById('head').addEventListener('click', () => 1)",
    "internals": "own.inner.role = 'switch'; own.inner.ariaChecked = 'true'",
    "a row in view": "rows.children[3].after(Object.assign(document.createElement('li'),"
    "{innerHTML: '<a href=#n>New</a>'}))",
    "a row in view that goes": "rows.children[2].remove()",
    "a row far away": "rows.append(document.createElement('li'))",
    "a row far away that goes": "rows.children[500].remove()",
    "a row far away that is hidden": "rows.children[450].hidden = true",
    "words of a row far away": "rows.children[400].firstChild.textContent = 'Another'",
    "another order": "rows.prepend(rows.children[5])",
    "another title": "document.title = 'Other'",
    "hidden from readers": "box.setAttribute('aria-hidden', 'true')",
    "shown to readers": "box.removeAttribute('aria-hidden')",
    "another role": "box.setAttribute('role', 'alert')",
    "a place in the tab order": "box.tabIndex = 0",
    "a label set by script": "go.ariaLabelledByElements = [far1]",
    "its words": "far1.textContent = 'Far out'",
    "an owner": "box.setAttribute('aria-owns', 'far2')",
    "no owner": "box.removeAttribute('aria-owns')",
    "scrolled": "scrollTo(0, 3000)",
    "scrolled back": "scrollTo(0, 0)",
    "a modal dialog": "ask.showModal()",
    "no dialog": "ask.close()",
    "a closed root": "head.attachShadow({mode: 'closed'}).innerHTML = '<b>Deep</b>'",
    "words in an open root": "box.attachShadow({mode: 'open'}).innerHTML = '<i>Shade</i>'",
    "other words in an open root": "box.shadowRoot.firstChild.textContent = 'Shadow'",
}

#: The same for a table of 420 rows.
_IN_TABLE = {
    "words of a cell": "table.rows[1].cells[0].textContent = 'Other'",
    "words of a link in a cell": "table.rows[2].cells[1].firstChild.textContent = 'Other link'",
    "something in a cell": "table.rows[3].cells[2].innerHTML = '<button>Buy</button>'",
    "an attribute in a cell": "table.rows[3].querySelector('button').title = 'Now'",
    "an attribute of a cell": "table.rows[4].cells[0].setAttribute('scope', 'row')",
    "a row": "table.insertRow(2).insertCell().textContent = 'Short'",
    "a row far away": "table.insertRow().insertCell().textContent = 'Last'",
    "a header far away": "table.rows[400].innerHTML = '<th>Head<th>Of<th>Some'",
    "a caption": "table.createCaption().textContent = 'Prices'",
    "no table": "table.setAttribute('role', 'presentation')",
}


#: And for one that only places things side by side, until something far down says otherwise.
_GRID = (
    "<table id=grid><tr><td>One<td><a href=#a>Two</a><tr><td><ul>{}</ul><td><tr><td>A<td>B</table>"
)
_IN_GRID = {
    "words of a cell": "grid.rows[0].cells[0].textContent = 'Uno'",
    "a header far away": "grid.rows[2].cells[1].outerHTML = '<th>Head'",
    "words of a cell again": "grid.rows[0].cells[0].textContent = 'Ein'",
}


async def _equal_snapshot(page: Page, said: str) -> None:
    seen = fields(await page.snapshot(max_tokens=_TOKENS))
    afresh = fields(await fresh_snapshot(page, max_tokens=_TOKENS))
    for key, value in afresh.items():
        assert seen[key] == value, f"{key} after {said}"


async def _look_after_each(page: Page, oracle: PageOracle, changes: dict[str, str]) -> None:
    assert (await page.snapshot(max_tokens=_TOKENS)).is_partial
    for said, change in changes.items():
        await oracle.eval(f"(() => {{ {change} }})()")
        await _equal_snapshot(page, said)


async def test_a_part_of_a_list_is_seen_anew_after_each_change(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page(f"{_STYLE}{_HEAD}<ul id=rows>{_LIST}</ul>{_FAR}{_SCRIPT}")
    await _look_after_each(page, oracle, _CHANGES)


async def test_a_part_of_a_table_is_seen_anew_after_each_change(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page(f"<h1>Prices</h1><table id=table>{_ROWS}</table>")
    await _look_after_each(page, oracle, _IN_TABLE)
    await open_page(_GRID.format(_LIST))
    await _look_after_each(page, oracle, _IN_GRID)
