"""Changes that cause no mutation, or not where they show, are in the next snapshot."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.fresh_snapshot import fields, fresh_snapshot
from tests.support.site import Site

#: A page, and a change that no mutation of the affected node shows.
_SILENT = {
    "a closed root comes with its host": (
        "<div id=box>Text</div>",
        "const host = document.createElement('div');"
        "host.attachShadow({mode: 'closed'}).innerHTML = '<button>Deep</button>'; box.append(host)",
    ),
    "a custom element with a closed root comes": (
        "<div id=box>Text</div><script>customElements.define('x-shut', class extends HTMLElement {"
        "constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML ="
        "'<button>Deep</button>' } })</script>",
        "box.append(document.createElement('x-shut'))",
    ),
    "a custom element is defined late": (
        "<x-late>light</x-late><p id=p>Text</p>",
        "p.className = 'upgraded'; customElements.define('x-late', class extends HTMLElement {"
        "constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML ="
        "'<button>Deep</button><slot></slot>' } })",
    ),
    "a closed root comes to an element that gets a class": (
        "<div id=box></div>",
        "box.className = 'on'; box.attachShadow({mode: 'closed'}).innerHTML = '<a href=#x>In</a>'",
    ),
    "a closed root comes while others come": (
        "<div id=box></div><ul id=list><li>One</ul>",
        "list.innerHTML += '<li>Two<li>Three<li>Four';"
        "box.attachShadow({mode: 'closed'}).innerHTML = '<a href=#x>In</a>'",
    ),
    "an open root comes with its host": (
        "<div id=box>Text</div>",
        "const host = document.createElement('div');"
        "host.attachShadow({mode: 'open'}).innerHTML = '<button>Deep</button>'; box.append(host)",
    ),
    "a label set by script says something else": (
        "<button id=b>Go</button><span id=s>First</span><script>b.ariaLabelledByElements = [s]"
        "</script>",
        "s.firstChild.data = 'Second'",
    ),
    "a description set by script comes": (
        "<button id=b>Go</button><span id=s>First</span>",
        "b.ariaLabelledByElements = [s]",
    ),
    "a counter counts one more": (
        "<style>h2 { counter-increment: n } h2::before { content: counter(n) '. ' }</style>"
        "<div id=box><h2>Alpha</h2><h2>Beta</h2><h2>Gamma</h2></div><p>Rest</p>",
        "document.querySelector('h2').style.counterIncrement = 'n 5'",
    ),
    "a heading goes and a counter counts one less": (
        "<style>h2 { counter-increment: n } h2::before { content: counter(n) '. ' }</style>"
        "<div id=box><h2>Alpha</h2><h2>Beta</h2><h2>Gamma</h2></div><p>Rest</p>",
        "document.querySelector('h2').remove()",
    ),
    "an attribute is written by CSS": (
        "<style>b::after { content: attr(data-n) }</style><p><b id=b data-n=1>Word</b></p>"
        "<button>Go</button>",
        "b.dataset.n = '2'",
    ),
    "a list begins elsewhere": (
        "<ol id=o><li><a href=#a>A</a><li><a href=#b>B</a></ol>",
        "o.start = 7",
    ),
    "a variable is another": (
        "<style>:root { --shown: block } p { display: var(--shown) }</style><p>Text</p>"
        "<button>Go</button>",
        "document.documentElement.style.setProperty('--shown', 'none')",
    ),
    "a custom state is set": (
        "<style>x-s:state(off) { display: none }</style><x-s id=x><button>In</button></x-s>"
        "<script>customElements.define('x-s', class extends HTMLElement {"
        "constructor() { super(); this.inner = this.attachInternals() } })</script>",
        "x.inner.states.add('off')",
    ),
    "a custom element says what it is": (
        "<x-r id=x tabindex=0>Word</x-r>"
        "<script>customElements.define('x-r', class extends HTMLElement {"
        "constructor() { super(); this.inner = this.attachInternals() } })</script>",
        "x.inner.role = 'switch'; x.inner.ariaChecked = 'true'; x.inner.ariaLabel = 'Wifi'",
    ),
    "a cursor that no rule names": (
        "<p id=p><b>Word</b> <i>more</i></p><button>Go</button>",
        "p.style.cursor = 'pointer'",
    ),
    "a box that scrolls although no rule says so": (
        "<div id=d style='height:20px'><p>One<p>Two<p>Three</div><button>Go</button>",
        "d.style.overflow = 'auto'",
    ),
    "a form is reset": (
        "<form id=f><label>Name <input id=i value=a></label><select id=s><option>1<option>2"
        "</select></form><script>i.value = 'b'; s.selectedIndex = 1</script>",
        "f.reset()",
    ),
    "a highlighted option is another": (
        "<input role=combobox aria-controls=l id=i aria-label=City><ul role=listbox id=l>"
        "<li role=option id=o1>Bonn<li role=option id=o2>Kiel</ul><script>i.focus()</script>",
        "i.ariaActiveDescendantElement = o2",
    ),
    "another option is highlighted by its id": (
        "<input role=combobox aria-controls=l id=i aria-label=City aria-activedescendant=o1>"
        "<ul role=listbox id=l><li role=option id=o1>Bonn<li role=option id=o2>Kiel</ul>"
        "<script>i.focus()</script>",
        "i.setAttribute('aria-activedescendant', 'o2')",
    ),
    "a label set by script is another": (
        "<button id=b>Go</button><span id=s>First</span><i id=t>Second</i>"
        "<script>b.ariaLabelledByElements = [s]</script>",
        "b.ariaLabelledByElements = [t]",
    ),
    "a dialog is shown modally": (
        "<button>Under</button><dialog id=d><button>In</button></dialog>",
        "d.showModal()",
    ),
    "a shared sheet is filled": (
        "<div id=box></div><script>sheet = new CSSStyleSheet();"
        "box.attachShadow({mode: 'open'}).innerHTML = '<button>In</button><b>Bold</b>';"
        "box.shadowRoot.adoptedStyleSheets = [sheet]</script>",
        "sheet.replaceSync('b { display: none }')",
    ),
    "a slot takes others": (
        "<div id=box><b id=one>One</b><button id=two>Two</button></div><script>"
        "box.attachShadow({mode: 'open', slotAssignment: 'manual'}).innerHTML ="
        "'<p><slot></slot></p>'; box.shadowRoot.querySelector('slot').assign(one)</script>",
        "box.shadowRoot.querySelector('slot').assign(two)",
    ),
    "slots in another order": (
        "<div id=box><b slot=x>One</b><button slot=y>Two</button></div><script>"
        "box.attachShadow({mode: 'open'}).innerHTML = '<slot name=x></slot><slot name=y></slot>'"
        "</script>",
        "box.children[0].slot = 'y'; box.children[1].slot = 'x'",
    ),
    "listeners come in bulk": (
        "<div id=app><p>One</p><p>Two</p><div><span>Three</span></div></div>",
        "for (const e of app.querySelectorAll('p, span')) e.addEventListener('click', () => 1)",
    ),
    "a frame comes": (
        "<p id=p>Text</p>",
        "new Promise((done) => { const f = document.createElement('iframe');"
        "f.srcdoc = '<button>In</button>'; f.onload = () => done(1); p.after(f) })",
    ),
    "a frame goes": (
        "<p>Text</p><iframe id=f srcdoc='<button>In</button>'></iframe>",
        "f.remove()",
    ),
    "words are typed by a command": (
        "<div id=e contenteditable>Old words</div><button>Go</button>",
        "e.focus(); getSelection().selectAllChildren(e);"
        "document.execCommand('insertText', false, 'New')",
    ),
    "an empty group of options has no label any more": (
        "<label>Pick <select><option>One<optgroup id=g label=More></optgroup></select></label>",
        "g.removeAttribute('label')",
    ),
    "options are others": (
        "<label>Pick <select id=s><option>One<option>Two</select></label>",
        "s.options[0].text = 'Uno'; s.add(new Option('Three')); s.remove(1)",
    ),
}


@pytest.mark.parametrize(("html", "change"), _SILENT.values(), ids=_SILENT.keys())
async def test_a_silent_change_is_seen(page: Page, site: Site, html: str, change: str) -> None:
    await page.goto(site.page(f"<main>{html}</main>"))
    first = await page.snapshot()
    assert first == await page.snapshot()

    await page.evaluate(change)

    assert fields(await page.snapshot()) == fields(await fresh_snapshot(page))


#: Elements of the tree that have no layout of their own, and changes of them.
_WITHOUT_LAYOUT = {
    "a text in a canvas": "one.firstChild.data = 'New'",
    "a cell in a canvas": "one.innerHTML = 'New <b>words</b>'",
    "a state in a canvas": "one.ariaSelected = 'true'",
    "a row in a canvas": "row.after(row.cloneNode(true))",
    "a label of a box without layout": "inner.ariaLabel = 'New'",
    "a role of a box without layout": "inner.role = 'region'",
}


@pytest.mark.parametrize("change", _WITHOUT_LAYOUT.values(), ids=_WITHOUT_LAYOUT.keys())
async def test_a_change_of_what_has_no_layout_is_seen_on_a_page_of_many_nodes(
    page: Page, site: Site, change: str
) -> None:
    await page.goto(
        site.page(
            "<canvas tabindex=0><table role=grid><tr role=row id=row><td role=gridcell id=one>Old"
            "<td role=gridcell>Two</table></canvas><style>.none{display:contents}</style>"
            "<div role=group aria-label=Outer class=none><div role=group aria-label=Old class=none"
            f" id=inner><p>Words</p></div></div>{'<p>More <a href=#x>link</a></p>' * 200}"
        )
    )
    await page.snapshot()

    await page.evaluate(f"{change}; 0")

    assert fields(await page.snapshot()) == fields(await fresh_snapshot(page))
