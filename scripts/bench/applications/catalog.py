"""The applications, and what is done on each of them. Pure.

Elements are named by CSS that the application itself brings along, not by seeded data, so the same
rows serve our own installations and those that run elsewhere (`--running`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit


@dataclass(frozen=True, slots=True)
class Target:
    """One element of a page: the match number `nth` of a CSS selector, counted from 0."""

    css: str
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Application:
    """One page of one application, and the elements that the steps act on."""

    name: str
    #: Path of the measured page in our own installation.
    path: str
    #: The first text field.
    field: Target
    #: A click on it opens something; a click on `undo`, or Escape, closes it again.
    opener: Target
    #: This text is visible only while that is open.
    shows: str
    hovered: Target
    undo: Target | None = None
    #: Whether Tab leads from the field to an element that snapshots show. A nameless container that
    #: takes the focus only because it can be scrolled is none.
    shows_focus: bool = True
    #: Clicked once after the page was opened.
    prepare: Target | None = None
    #: Says why we do not install it; it can still be measured where it runs.
    not_installed: str = ""


_CATALOG = (
    Application(
        name="django",
        path="/admin/auth/user/",
        field=Target("#nav-filter"),
        opener=Target("input.action-select"),
        undo=Target("input.action-select"),
        shows="1 of ",
        hovered=Target("#result_list th a", 1),
    ),
    Application(
        name="jupyter",
        path="/lab",
        prepare=Target('[data-command="filebrowser:toggle-file-filter"]'),
        field=Target('input[placeholder="Filter files by name"]'),
        opener=Target("#jp-MainMenu .lm-MenuBar-item"),
        shows="Close All Tabs",
        hovered=Target(".jp-SideBar .lm-TabBar-tab", 1),
    ),
    Application(
        name="streamlit",
        path="/",
        field=Target("[data-testid=stMain] input[type=text]"),
        opener=Target("[data-testid=stMainMenu] button"),
        shows="Rerun",
        hovered=Target("[role=tab]", 1),
    ),
    Application(
        name="gradio",
        path="/",
        field=Target("main textarea, main input[role=combobox]"),
        opener=Target("[role=tablist] [role=tab]", 1),
        undo=Target("[role=tablist] [role=tab]", 0),
        shows="Parcels",
        hovered=Target("[role=tablist] [role=tab]", 2),
    ),
    Application(
        name="datasette",
        path="/library/books",
        field=Target("input.filter-value"),
        opener=Target("th .dropdown-menu-icon"),
        undo=Target("h1"),
        shows="Sort descending",
        hovered=Target("table.rows-and-columns td a"),
    ),
    Application(
        name="nodered",
        path="/",
        field=Target("#red-ui-palette-search input"),
        opener=Target("#red-ui-header-button-sidemenu"),
        undo=Target("#red-ui-header-button-sidemenu"),
        shows="Manage palette",
        shows_focus=False,
        hovered=Target('.red-ui-palette-node[data-palette-type="debug"]'),
    ),
    Application(
        name="wagtail",
        path="/cms/",
        field=Target("input[name=q]"),
        opener=Target("nav button.sidebar-menu-item__link", 2),
        undo=Target("nav button.sidebar-menu-item__link", 2),
        shows="Workflow tasks",
        hovered=Target("main section a, main a"),
    ),
    Application(
        name="tiddlywiki",
        path="/",
        field=Target(".tc-sidebar-search input"),
        opener=Target(".tc-sidebar-tabs-main .tc-tab-buttons button", 3),
        undo=Target(".tc-sidebar-tabs-main .tc-tab-buttons button", 0),
        shows="Orphans",
        hovered=Target(".tc-titlebar button"),
    ),
    Application(
        name="optuna",
        path="/dashboard/",
        field=Target("#search-study"),
        opener=Target("main button", 1),
        shows="New Study",
        hovered=Target("a[href*=compare]"),
    ),
    Application(
        name="mediawiki",
        path="/index.php/Special:AllPages",
        field=Target("input[name=from]"),
        opener=Target(".oo-ui-dropdownWidget-handle"),
        undo=Target("input[name=search]"),
        shows="User talk",
        hovered=Target("#mw-content-text li a"),
        not_installed="it needs PHP from the system's packages; give its address with --running",
    ),
)
CATALOG = {application.name: application for application in _CATALOG}


def parse_running(texts: Iterable[str]) -> dict[str, str]:
    """Names and page addresses out of `name=address` texts.

    An address without a path gets the catalog's path.

    Raises:
        ValueError: a text has no `=`, an unknown name or no http address.
    """
    pages = {}
    for text in texts:
        name, separator, address = text.partition("=")
        if not separator or name not in CATALOG:
            raise ValueError(f"{text!r} is not NAME=ADDRESS with a name of {', '.join(CATALOG)}")
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address!r} is not an http address")
        whole = parts.path not in ("", "/") or parts.query
        pages[name] = address if whole else urljoin(address, CATALOG[name].path)
    return pages
