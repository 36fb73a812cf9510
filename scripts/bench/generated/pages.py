"""The pages that are measured: generated, so that anybody gets the same ones. Pure.

Every document that is acted in has one button that counts its clicks, in words that name the
number and the place. So an observation either holds the new number or is out of date, and a click
that was lost, doubled or given to another frame shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: The site that is opened, and the one that out-of-process frames come from. Nested ones go on.
MAIN_HOST = "a.test"
OTHER_HOSTS = ("b.test", "c.test", "d.test")
#: What a step may take of Playwright's time where it is promised.
STEP_TARGET = 0.5

FRAMES = 10
CONTROLS_PER_FRAME = 20

_STYLE = (
    "body{font:14px sans-serif;margin:8px} label{display:inline-block;margin:2px 8px 2px 0}"
    "iframe{width:236px;height:320px;border:1px solid #999} input{width:110px}"
)


@dataclass(frozen=True, slots=True)
class BenchPage:
    """One page, with the documents it is made of and where in it to act."""

    name: str
    about: str
    #: Path → document. The host only decides which process Chromium gives it.
    documents: Mapping[str, str]
    path: str
    #: The words after "in": they name the document to act in.
    place: str
    #: Path of that document.
    acts_in: str
    interactive: int
    out_of_process: int = 0
    step_target: float | None = None
    #: Takes the better part of a second per look: fewer rounds will do.
    large: bool = False

    @property
    def button(self) -> str:
        """The accessible name of the button that counts."""
        return f"Go in {self.place}"

    @property
    def field(self) -> str:
        """The accessible name of the field that is filled."""
        return f"Note in {self.place}"

    def said(self, clicks: int) -> str:
        """The text that the page shows after that many clicks, and at no other time."""
        return f"Clicked {clicks} times in {self.place}"


def make_pages(port: int) -> dict[str, BenchPage]:
    """All pages by name, for a server on that port."""
    pages = (
        _form(),
        _list(),
        _article(),
        _frames("frames10", "10 same-origin iframes", MAIN_HOST, port),
        _frames("oopifs10", "10 out-of-process iframes", OTHER_HOSTS[0], port),
        _nested(port),
    )
    return {page.name: page for page in pages}


def more_pages() -> dict[str, BenchPage]:
    """Pages that only looks are measured on."""
    pages = (_list(10_000), _shadow(), _later())
    return {page.name: page for page in pages}


def _document(title: str, body: str) -> str:
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
        f"<style>{_STYLE}</style><body>{body}</body></html>"
    )


def counter(place: str) -> str:
    """A field and a button: 2 interactive elements, as everywhere one acts."""
    return (
        f"<label>Note in {place} <input id=note></label>"
        f"<button id=go type=button onclick=count()>Go in {place}</button>"
        f"<p id=said>Clicked 0 times in {place}</p>"
        "<script>var clicks = 0; function count() { clicks += 1;"
        f' said.textContent = "Clicked " + clicks + " times in {place}"; }}</script>'
    )


def _fields(count: int, first: int = 1) -> str:
    return "".join(
        f"<label>Field {n} <input name=f{n}></label>" for n in range(first, first + count)
    )


def _form() -> BenchPage:
    place = "the form"
    body = (
        f"<h1>Form</h1>{counter(place)}<form>{_fields(20)}"
        "<p><label>Country <select><option>Chile<option>Ghana<option>Nepal</select></label>"
        "<label>Remarks <textarea></textarea></label></p>"
        "<p><label>Terms <input type=checkbox></label>"
        "<label>Post <input type=radio name=r></label>"
        "<label>Mail <input type=radio name=r></label></p>"
        "<a href=#help>Help</a> <button type=button>Save</button>"
        " <button type=button disabled>Send</button></form>"
    )
    return BenchPage(
        name="form",
        about="a form",
        documents={"/form": _document("Form", body)},
        path="/form",
        place=place,
        acts_in="/form",
        interactive=30,
        step_target=STEP_TARGET,
    )


def _rows(count: int) -> str:
    return "".join(
        f"<li><a href=#row{n}>Row {n}</a> <span>{n * 7 % 100} pieces, {n * 13 % 900} g</span>"
        f" <button type=button>Delete {n}</button></li>"
        for n in range(1, count + 1)
    )


def _list(count: int = 1000) -> BenchPage:
    place = "the list"
    body = f"<h1>List</h1>{counter(place)}<a href=#end>To the end</a><ul>{_rows(count)}</ul>"
    name = f"list{count // 1000}k"
    return BenchPage(
        name=name,
        about=f"a list of {count:,} rows",
        documents={f"/{name}": _document("List", body)},
        path=f"/{name}",
        place=place,
        acts_in=f"/{name}",
        interactive=3 + 2 * count,
        large=True,
    )


def _later() -> BenchPage:
    """The button's effect comes 50 ms after the click."""
    place = "the later list"
    at_once = counter(place)
    later = at_once.replace("said.textContent", "setTimeout(() => said.textContent").replace(
        '"; }', '", 50); }'
    )
    body = f"<h1>Later</h1>{later}<a href=#end>To the end</a><ul>{_rows(1000)}</ul>"
    return BenchPage(
        name="later",
        about="a list of 1,000 rows whose button takes 50 ms",
        documents={"/later": _document("Later", body)},
        path="/later",
        place=place,
        acts_in="/later",
        interactive=2003,
        large=True,
    )


def _shadow() -> BenchPage:
    """Half of the controls stand in open shadow roots, half in closed ones."""
    place = "the shadow"
    hosts = "".join(f"<div class=host title={n}></div>" for n in range(1, 23))
    script = (
        "<script>for (const host of document.querySelectorAll('.host')) {"
        "const mode = host.title % 2 ? 'open' : 'closed';"
        "host.attachShadow({mode}).innerHTML = '<button type=button>' + mode + ' ' + host.title"
        "+ '</button>'; }</script>"
    )
    body = f"<h1>Shadow</h1>{counter(place)}<a href=#more>More</a>{hosts}{script}"
    return BenchPage(
        name="shadow",
        about="open and closed shadow roots",
        documents={"/shadow": _document("Shadow", body)},
        path="/shadow",
        place=place,
        acts_in="/shadow",
        interactive=25,
    )


def _article() -> BenchPage:
    place = "the article"
    words = "Every sentence of a long text is read by somebody who is looking for something else."
    paragraphs = "".join(
        f"<p>Paragraph {n}. {words}"
        + (f" <a href=#note{n}>Note {n}</a>" if n % 100 == 0 else "")
        + "</p>"
        for n in range(1, 2001)
    )
    body = f"<h1>Article</h1>{counter(place)}<a href=#end>To the end</a>{paragraphs}"
    return BenchPage(
        name="article",
        about="an article of 2,000 paragraphs",
        documents={"/article": _document("Article", body)},
        path="/article",
        place=place,
        acts_in="/article",
        interactive=23,
        large=True,
    )


def _frames(name: str, about: str, host: str, port: int) -> BenchPage:
    """All frames are in view at 1280x720: out of view they get no animation frames."""
    documents = {}
    iframes = []
    for number in range(1, FRAMES + 1):
        path = f"/{name}/{number}"
        body = counter(f"frame {number}") + _fields(CONTROLS_PER_FRAME - 2)
        documents[path] = _document(f"Frame {number}", body)
        iframes.append(f'<iframe title="Frame {number}" src="http://{host}:{port}{path}"></iframe>')
    documents[f"/{name}"] = _document("Frames", f"<h1>Frames</h1>{''.join(iframes)}")
    return BenchPage(
        name=name,
        about=about,
        documents=documents,
        path=f"/{name}",
        place="frame 7",
        acts_in=f"/{name}/7",
        interactive=FRAMES * CONTROLS_PER_FRAME,
        out_of_process=0 if host == MAIN_HOST else FRAMES,
        step_target=STEP_TARGET,
    )


def _nested(port: int) -> BenchPage:
    """Each document holds the next in an iframe, each of another site than all around it."""
    documents = {}
    inner = ""
    for level in reversed(range(len(OTHER_HOSTS) + 1)):
        path = f"/nested/{level}"
        body = f"<h1>Level {level}</h1>{counter(f'level {level}')}<a href=#more>More</a>{inner}"
        documents[path] = _document(f"Level {level}", body)
        size = 900 - 200 * level, 560 - 150 * level
        if level:
            inner = (
                f'<p><iframe title="Level {level}" style="width:{size[0]}px;height:{size[1]}px"'
                f' src="http://{OTHER_HOSTS[level - 1]}:{port}{path}"></iframe></p>'
            )
    deepest = len(OTHER_HOSTS)
    return BenchPage(
        name="nested3",
        about="an OOPIF in an OOPIF in an OOPIF",
        documents=documents,
        path="/nested/0",
        place=f"level {deepest}",
        acts_in=f"/nested/{deepest}",
        interactive=3 * (deepest + 1),
        out_of_process=deepest,
        step_target=STEP_TARGET,
    )
