"""A seeded search for answers that are not what the page holds.

Fields and widgets of 40 kinds, each on a page that reacts to input in one of many ways: prevents,
reverts, reformats, collapses, blurs, replaces, navigates. Whatever is called a success is what the
page holds, as the tests' own session reads it; and no other field ever holds anything.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

import pytest

from cdp_agent import CdpAgentError, Outcome
from cdp_agent.ids import ElementId
from tests.browser.conformance.attempt import attempt
from tests.support.stage import MakeStage, Stage

SEEDS = range(4)
CASES, MANY_CASES = 14, 250
SECONDS = 1.0


@dataclass(frozen=True)
class Kind:
    """`get` reads what the element holds, `put` sets `v` as its page would."""

    html: str
    wanted: str = "new words 42"
    get: str = "t.value"
    put: str = "t.value = v"
    verbs: tuple[str, ...] = ("fill", "type")


def field(attributes: str, wanted: str = "new words 42", **more: Any) -> Kind:
    return Kind(f"<input id=target aria-label=It {attributes}>", wanted, **more)


def rich(attributes: str, inner: str = "old words") -> Kind:
    return Kind(
        f"<div id=target role=textbox aria-label=It {attributes}>{inner}</div>",
        get="t.innerText.replace(/\\u00a0/g, ' ').replace(/\\n$/, '')",
        put="t.textContent = v",
    )


def picker(kind: str, wanted: str, old: str) -> Kind:
    return field(f"type={kind} value={old}", wanted, verbs=("fill",))


def box(html: str, get: str, put: str) -> Kind:
    return Kind(html, "true", get, put, ("check", "uncheck"))


def aria_box(role: str, attribute: str = "aria-checked") -> Kind:
    flip = f"this.setAttribute('{attribute}', this.getAttribute('{attribute}') !== 'true')"
    return box(
        f'<div id=target role={role} tabindex=0 {attribute}=false onclick="{flip}">It</div>',
        f"t.getAttribute('{attribute}')",
        f"t.setAttribute('{attribute}', v)",
    )


def controlled(draw: str) -> Kind:
    html = f"""<input id=target aria-label=It value=old><script>
    target.addEventListener('input', () => {{ const v = target.value; target.value = {draw} }});
    </script>"""
    return Kind(html)


OPTIONS = "<option>Small<option>Medium<option>Large"
LISTBOX = """<div id=target role=listbox aria-label=It tabindex=0>
  <div role=option aria-selected=true>Small</div><div role=option aria-selected=false>Medium</div>
</div><script>target.addEventListener('click', ({ target: option }) => {
  for (const o of target.children) o.ariaSelected = String(o === option);
})</script>"""
COMBOBOX = """<button id=target role=combobox aria-expanded=false aria-controls=pop>Small</button>
<div id=pop role=listbox hidden><div role=option>Small</div><div role=option>Medium</div></div>
<script>
  const show = (is) => { pop.hidden = !is; target.ariaExpanded = String(is) };
  target.addEventListener('click', () => show(pop.hidden));
  pop.addEventListener('click', (e) => {
    target.textContent = e.target.textContent;
    target.dispatchEvent(new Event('change'));
    show(false);
  });
</script>"""
CODE = """<div id=editor style="width:300px;height:60px;position:relative">
<textarea id=target aria-label=It style="opacity:0;position:absolute;width:9px"></textarea>
<div id=line style="white-space:pre">old words</div></div><script>
let all = false;
target.addEventListener('keydown', (e) => {
  if (e.ctrlKey && e.key === 'a') { all = true; e.preventDefault() }
  if (e.key === 'Delete' && all) line.textContent = '';
});
target.addEventListener('input', () => {
  line.textContent = (all ? '' : line.textContent) + target.value;
  target.value = '';
  all = false;
});
</script>"""

KINDS = {
    "text": field("value=old"),
    "empty text": field(""),
    "search": field("type=search value=old"),
    "url": field("type=url value=http://old.test", "http://new.test/a"),
    "tel": field("type=tel value=0123", "0456 789"),
    "email": field("type=email value=old@a.test", "ada@a.test"),
    "password": field("type=password value=old"),
    "number": field("type=number value=7", "42"),
    "decimal": field("type=number step=any value=7.5", "4.25"),
    "limited": field("maxlength=20 value=old"),
    "suggested": field("list=l value=old"),
    "in a form": Kind("<form><input id=target aria-label=It value=old></form>"),
    "in a label": Kind("<label>It <input id=target value=old></label>"),
    "area": Kind("<textarea id=target aria-label=It>old words</textarea>"),
    "area of lines": Kind("<textarea id=target aria-label=It>old\nwords</textarea>", "a\nb\nc"),
    "rich": rich("contenteditable"),
    "rich and marked": rich("contenteditable", "<p>old <b>wo</b>rds</p>"),
    "rich and empty": rich("contenteditable", ""),
    "plain": rich("contenteditable=plaintext-only"),
    "rich, editable parent": rich("contenteditable style='white-space:pre-wrap'"),
    "date": picker("date", "2027-03-17", "2020-01-01"),
    "time": picker("time", "14:30", "01:00"),
    "month": picker("month", "2027-03", "2020-01"),
    "week": picker("week", "2027-W11", "2020-W01"),
    "date and time": picker("datetime-local", "2027-03-17T14:30", "2020-01-01T01:00"),
    "colour": picker("color", "#aabbcc", "#000000"),
    "slider": picker("range", "25", "10"),
    "fine slider": picker("range step=0.5", "25.5", "10"),
    "code": Kind(CODE, get="line.textContent", put="line.textContent = v"),
    "upper case": controlled("v.toUpperCase()"),
    "trimmed": controlled("v.trim()"),
    "grouped": controlled("v.replace(/(.{4})(?=.)/g, '$1 ').replace(/  +/g, ' ')"),
    "controlled": controlled("v"),
    "checkbox": box(
        "<label><input id=target type=checkbox> It</label>",
        "String(t.checked)",
        "t.checked = v === 'true'",
    ),
    "role checkbox": aria_box("checkbox"),
    "switch": aria_box("switch"),
    "toggle": aria_box("button", "aria-pressed"),
    "menu item": aria_box("menuitemcheckbox"),
    "list": Kind(
        f"<select id=target aria-label=It>{OPTIONS}</select>",
        "Medium",
        verbs=("select",),
    ),
    "several": Kind(
        f"<select id=target aria-label=It multiple>{OPTIONS}</select>",
        "Medium",
        verbs=("select",),
    ),
    "listbox": Kind(
        LISTBOX,
        "Medium",
        "t.querySelector('[aria-selected=true]')?.textContent ?? ''",
        "for (const o of t.children) o.ariaSelected = String(o.textContent === v)",
        ("select",),
    ),
    "combobox": Kind(COMBOBOX, "Medium", "t.textContent", "t.textContent = v", ("select",)),
}

NOTHING = "nothing"
REACTIONS = {
    NOTHING: "",
    "prevents keys": "on('keydown', (e) => e.preventDefault())",
    "prevents letters": "on('keydown', (e) => { if (e.key === 'w') e.preventDefault() })",
    "prevents input": "on('beforeinput', (e) => e.preventDefault())",
    "prevents clicks": "on('click', (e) => e.preventDefault())",
    "prevents the mouse": "on('mousedown', (e) => e.preventDefault())",
    "reverts at once": "on('input', revert); on('change', revert); on('click', revert)",
    "reverts in a frame": "later((f) => requestAnimationFrame(f))",
    "reverts in 20 ms": "later((f) => setTimeout(f, 20))",
    "reverts in 60 ms": "later((f) => setTimeout(f, 60))",
    "reverts in 110 ms": "later((f) => setTimeout(f, 110))",
    "reverts twice": "later((f) => { f(); setTimeout(f, 40) })",
    "shouts": "on('input', () => { const v = get() + '!'; put(v) })",
    "empties": "on('input', () => put(''))",
    "collapses": "on('focus', collapse)",
    "collapses soon": "on('focus', () => setTimeout(collapse))",
    "collapses always": "document.addEventListener('selectionchange', collapse)",
    "blurs": "on('input', () => t.blur())",
    "blurs on focus": "on('focus', () => t.blur())",
    "blurs soon": "on('focus', () => setTimeout(() => t.blur(), 3))",
    "gives the focus away": "on('keydown', () => other.focus())",
    "gives the focus away at once": "on('focus', () => other.focus())",
    "gives the focus away soon": "on('focus', () => setTimeout(() => other.focus(), 2))",
    "gives the focus away on input": "on('input', () => other.focus())",
    "is replaced": "on('input', () => { const c = t.cloneNode(true); t.replaceWith(c); t = c })",
    "is removed": "on('input', () => t.remove())",
    "is disabled": "on('focus', () => { t.disabled = true; t.ariaDisabled = 'true' })",
    "is read-only": "on('focus', () => { t.readOnly = true; t.ariaReadOnly = 'true' })",
    "hides": "on('input', () => { t.hidden = true })",
    "throws": "on('input', () => { throw new Error('no') })",
    "swallows": "for (const n of ['keydown', 'beforeinput', 'input', 'click'])"
    " addEventListener(n, (e) => e.stopImmediatePropagation(), true)",
    "goes on": "on('input', () => { location.hash = 'x' })",
    "leaves": "on('input', () => location.assign('/left'))",
}

PAGE = """{html}<input id=other aria-label=Other><datalist id=l><option>x</datalist><script>
let t = target;
const get = () => {get};
const put = (v) => {{ {put} }};
const first = get();
const on = (type, f) => t.addEventListener(type, f);
const revert = () => put(first);
const later = (wait) => {{
  for (const type of ['input', 'change', 'click']) on(type, () => wait(revert));
}};
const collapse = () => {{
  if (t.setSelectionRange) try {{ t.setSelectionRange(0, 0) }} catch {{}}
  else if (t.isContentEditable) getSelection().collapse(t, 0);
}};
{reaction}
</script>"""


@pytest.mark.parametrize("seed", SEEDS)
async def test_what_is_reported_is_what_the_page_holds(
    make_stage: MakeStage, seed: int, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(seed)
    count = MANY_CASES if request.config.getoption("thorough") else CASES
    wrong = []
    for number in range(count):
        name = chance.choice(list(KINDS))
        verb = chance.choice(KINDS[name].verbs)
        reaction = NOTHING if number == 0 else chance.choice(list(REACTIONS))
        stage = await make_stage(
            PAGE.format(
                html=KINDS[name].html,
                get=KINDS[name].get,
                put=KINDS[name].put,
                reaction=REACTIONS[reaction],
            )
        )
        try:
            await _try(stage, KINDS[name], verb, reaction)
        except AssertionError as error:
            wrong.append(f"{verb} of {name} that {reaction}: {str(error).splitlines()[0]}")
    assert not wrong, "\n".join(wrong)


async def _try(stage: Stage, kind: Kind, verb: str, reaction: str) -> None:
    page, target = stage.page, await stage.css()
    acts = {
        "fill": lambda: page.fill(target, kind.wanted, timeout=SECONDS),
        "type": lambda: page.type(target, kind.wanted, timeout=SECONDS),
        "check": lambda: page.check(target, timeout=SECONDS),
        "uncheck": lambda: page.uncheck(target, timeout=SECONDS),
        "select": lambda: page.select(target, label=kind.wanted, timeout=SECONDS),
    }
    if verb == "uncheck":
        await stage.eval("put('true')")

    answer = await attempt(acts[verb]())

    if isinstance(answer, CdpAgentError):
        assert answer.code != "browser_error", answer
        assert reaction != NOTHING, f"refused: {answer}"
    if not await stage.eval("typeof t === 'object'"):
        return  # the page left: nothing is held any more
    assert await stage.eval("other.value") == "", "another field got text"
    if isinstance(answer, Outcome) and await stage.eval("t.isConnected"):
        _compare(answer, await stage.eval("get()"), kind, verb)


def _compare(outcome: Outcome, held: str, kind: Kind, verb: str) -> None:
    data = outcome.data
    if verb in ("check", "uncheck"):
        assert held == str(verb == "check").lower(), f"holds {held}, reported {dict(data)}"
        return
    if data["value"] is not None and not set(data["value"]) <= {"•", "*"}:
        assert data["value"] == held, f"holds {held!r}, reported {dict(data)}"
    if data.get("exact") or verb == "select":
        assert held.strip() == kind.wanted, f"holds {held!r}, reported {dict(data)}"


#: Later than any action waits for the page's reaction.
LATE = "later((f) => setTimeout(f, 450))"


@pytest.mark.parametrize("share", range(4))
async def test_what_is_taken_back_later_is_told(make_stage: MakeStage, share: int) -> None:
    """An error, or a success that the next snapshot calls lost: for every kind, and once."""
    wrong = []
    for name in list(KINDS)[share::4]:
        kind = KINDS[name]
        html = PAGE.format(html=kind.html, get=kind.get, put=kind.put, reaction=LATE)
        stage = await make_stage(html)
        target = await stage.css()
        answer = await attempt(_give(stage, kind, target))
        if isinstance(answer, CdpAgentError):
            continue
        await stage.wait("get() === first")
        told = [value["id"] for value in answer.data.get("lost_values", ())]
        told += [value.id for value in (await stage.page.snapshot()).lost_values]
        if told != [str(target)]:
            wrong.append(f"{kind.verbs[0]} of {name}: {answer.data} and {told}")
    assert not wrong, "\n".join(wrong)


def _give(stage: Stage, kind: Kind, target: ElementId) -> Awaitable[Outcome]:
    if kind.verbs[0] == "check":
        return stage.page.check(target)
    if kind.verbs[0] == "select":
        return stage.page.select(target, label=kind.wanted)
    return stage.page.fill(target, kind.wanted)
