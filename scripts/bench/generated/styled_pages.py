"""Pages that look like the web's: a real style sheet, a web font, animation, frames. Pure.

`with_bootstrap` gives the generated pages Bootstrap's style sheet and class names, so that the same
page can be measured plain and styled. The caller brings the style sheet: see `bootstrap.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scripts.bench.generated.pages import (
    MAIN_HOST,
    OTHER_HOSTS,
    BenchPage,
    counter,
    make_pages,
)

#: Generated pages that exist plain and with Bootstrap.
BOTH_WAYS = ("form", "frames10", "oopifs10", "nested3")
SUFFIX = "-bootstrap"
BOOTSTRAP_PATH = "/bootstrap.min.css"
FONT_PATH = "/font.css"
STYLED_NAMES = ("styled", *(name + SUFFIX for name in BOTH_WAYS))

_FRAMES = 5
_TABLE_ROWS = 70
_FRAME_ROWS = 22
_CLOSED = 10
_MENU = ("Start", "Orders", "Customers", "Stock", "Reports", "Help")
#: No file is loaded: what matters is a style sheet whose rules the page's scripts may not read.
_FONT = '@font-face{font-family:"Bench Sans";font-display:swap;src:local("Liberation Sans")}'


def both_ways(names: Iterable[str]) -> list[str]:
    """Adds to each name its page with Bootstrap, where there is one, and `styled` at the end."""
    pairs = [(n, n + SUFFIX) if n in BOTH_WAYS else (n,) for n in names]
    return list(dict.fromkeys([*(name for pair in pairs for name in pair), "styled"]))


def styled_pages(port: int, bootstrap: str) -> dict[str, BenchPage]:
    """All pages with Bootstrap's style sheet by name, for a server on that port."""
    plain = make_pages(port)
    pages = (_styled(port, bootstrap), *(with_bootstrap(plain[n], bootstrap) for n in BOTH_WAYS))
    return {page.name: page for page in pages}


def with_bootstrap(page: BenchPage, bootstrap: str) -> BenchPage:
    """The same page with Bootstrap's style sheet and class names, under paths of its own."""
    prefix = f"/{page.name}{SUFFIX}"
    documents = {
        prefix + path: _bootstrapped(html, prefix) for path, html in page.documents.items()
    }
    return replace(
        page,
        name=page.name + SUFFIX,
        about=f"{page.about}, with Bootstrap",
        documents={**documents, BOOTSTRAP_PATH: bootstrap},
        path=prefix + page.path,
        acts_in=prefix + page.acts_in,
    )


def _bootstrapped(html: str, prefix: str) -> str:
    link = f"<meta charset=utf-8><link rel=stylesheet href={BOOTSTRAP_PATH}>"
    html = html.replace("<meta charset=utf-8>", link, 1)
    for old, new in (
        ("<button ", '<button class="btn btn-primary" '),
        ("<input type=checkbox", "<input class=form-check-input type=checkbox"),
        ("<input type=radio", "<input class=form-check-input type=radio"),
        ("<input id=", '<input class="form-control form-control-sm" id='),
        ("<input name=", '<input class="form-control form-control-sm" name='),
        ("<select>", "<select class=form-select>"),
        ("<textarea>", "<textarea class=form-control>"),
    ):
        html = html.replace(old, new)
    head, *frames = html.split('src="http://')
    return head + "".join('src="http://' + frame.replace("/", f"{prefix}/", 1) for frame in frames)


def _styled(port: int, bootstrap: str) -> BenchPage:
    """Some 1,200 elements in a document and five frames, with an endless spinner."""
    place = "the styled page"
    frames = {f"/styled/{n}": _frame_document(n) for n in range(1, _FRAMES + 1)}
    iframes = "".join(
        f'<iframe class="border rounded" title="Panel {path[-1]}" width=236 height=200'
        f' src="http://{MAIN_HOST}:{port}{path}"></iframe>'
        for path in frames
    )
    menu = "".join(
        f'<li class=nav-item><a class=nav-link href="#{word.lower()}">{word}</a></li>'
        for word in _MENU
    )
    body = (
        '<nav class="navbar navbar-expand bg-body-tertiary"><div class=container-fluid>'
        f"<ul class=navbar-nav>{menu}</ul>"
        '<div class="spinner-border spinner-border-sm text-primary" role=status>'
        "<span class=visually-hidden>Working</span></div></div></nav>"
        f"<main class=container-fluid><h1 class=h3>Orders</h1>{_styled_counter(place)}"
        f"<div class=d-flex>{iframes}</div>{_closed_details()}{_table()}</main>"
    )
    return BenchPage(
        name="styled",
        about="Bootstrap, a web font, a spinner, 5 frames, closed details",
        documents={
            "/styled": _styled_document("Styled", body, port),
            **frames,
            BOOTSTRAP_PATH: bootstrap,
            FONT_PATH: _FONT,
        },
        path="/styled",
        place=place,
        acts_in="/styled",
        interactive=len(_MENU) + 2 + _CLOSED + 2 * _TABLE_ROWS + _FRAMES * 2 * _FRAME_ROWS,
    )


def _styled_counter(place: str) -> str:
    return (
        counter(place)
        .replace("<input ", '<input class="form-control form-control-sm" ')
        .replace("<button ", '<button class="btn btn-primary" ')
    )


def _styled_document(title: str, body: str, port: int | None = None) -> str:
    font = f'<link rel=stylesheet href="http://{OTHER_HOSTS[0]}:{port}{FONT_PATH}">'
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
        f"<link rel=stylesheet href={BOOTSTRAP_PATH}>{font if port is not None else ''}"
        '<style>body{font-family:"Bench Sans",sans-serif}</style>'
        f"<body>{body}</body></html>"
    )


def _closed_details() -> str:
    lines = "".join(f"<p class=mb-1>Line {n} of a closed section.</p>" for n in range(1, 7))
    return "".join(
        f"<details class=card><summary class=card-header>Section {n}</summary>"
        f"<div class=card-body>{lines}</div></details>"
        for n in range(1, _CLOSED + 1)
    )


def _table() -> str:
    rows = "".join(
        f"<tr><td><a href=#order{n}>Order {n}</a></td><td>{n * 7 % 90} pieces</td>"
        f"<td><span class=badge>{'open' if n % 3 else 'closed'}</span></td>"
        f'<td><button type=button class="btn btn-sm btn-outline-secondary">Cancel {n}</button></td>'
        "</tr>"
        for n in range(1, _TABLE_ROWS + 1)
    )
    return f'<table class="table table-striped table-hover"><tbody>{rows}</tbody></table>'


def _frame_document(number: int) -> str:
    items = "".join(
        f"<li class=list-group-item><a href=#item{n}>Panel {number} item {n}</a>"
        f' <span class="badge text-bg-light">{n * 3 % 50}</span>'
        f' <button type=button class="btn btn-sm btn-link">Open {number}.{n}</button></li>'
        for n in range(1, _FRAME_ROWS + 1)
    )
    return _styled_document(f"Panel {number}", f"<ul class=list-group>{items}</ul>")
