"""The styled pages hold what they promise, and are the plain ones but for the style."""

from __future__ import annotations

import re
import urllib.request
from urllib.parse import urlsplit

import pytest

from scripts.bench.generated.pages import MAIN_HOST, OTHER_HOSTS, BenchPage, make_pages
from scripts.bench.generated.server import PageServer
from scripts.bench.generated.styled_pages import (
    BOOTSTRAP_PATH,
    BOTH_WAYS,
    FONT_PATH,
    STYLED_NAMES,
    SUFFIX,
    both_ways,
    styled_pages,
)
from scripts.bench.measurement.commands import commands_line, sent_method

PORT = 8123
SHEET = ".btn{color:red}"
PAGES = styled_pages(PORT, SHEET)
STYLED = PAGES["styled"]


def html_of(page: BenchPage) -> dict[str, str]:
    return {path: text for path, text in page.documents.items() if not path.endswith(".css")}


def sources(html: str) -> list[str]:
    return re.findall(r'<iframe [^>]*src="([^"]+)"', html)


def test_the_names_are_known_before_the_style_sheet_is_fetched() -> None:
    assert tuple(PAGES) == STYLED_NAMES


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_a_page_with_bootstrap_is_the_plain_one_with_a_style_sheet(name: str) -> None:
    plain, page = make_pages(PORT)[name], PAGES[name + SUFFIX]

    assert len(html_of(page)) == len(plain.documents)
    assert page.documents[BOOTSTRAP_PATH] == SHEET
    assert (page.interactive, page.out_of_process) == (plain.interactive, plain.out_of_process)
    assert page.step_target == plain.step_target
    assert all(f"href={BOOTSTRAP_PATH}" in html for html in html_of(page).values())
    assert 'class="btn btn-primary"' in page.documents[page.acts_in]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_every_frame_of_a_page_is_one_of_its_documents(page: BenchPage) -> None:
    frames = [src for html in html_of(page).values() for src in sources(html)]

    assert {urlsplit(src).path for src in frames} == set(html_of(page)) - {page.path}


def test_the_styled_page_has_about_1200_elements_and_five_frames() -> None:
    html = html_of(STYLED)
    elements = sum(len(re.findall(r"<[a-z]", text)) for text in html.values())
    main = html[STYLED.path]

    assert 1_100 < elements < 1_300
    assert [urlsplit(src).hostname for src in sources(main)] == [MAIN_HOST] * 5
    assert "spinner-border" in main
    assert "<details " in main
    assert " open" not in re.sub(r">[^<]*<", "><", main)
    assert f'href="http://{OTHER_HOSTS[0]}:{PORT}{FONT_PATH}"' in main


def test_the_styled_page_has_as_many_interactive_elements_as_it_says() -> None:
    found = [re.findall(r"<(?:a|button|input|summary)\b", h) for h in html_of(STYLED).values()]

    assert sum(map(len, found)) == STYLED.interactive


def test_each_chosen_page_is_followed_by_its_other_way() -> None:
    assert both_ways(["form", "list1k"]) == ["form", f"form{SUFFIX}", "list1k", "styled"]


def test_style_sheets_are_served_as_such() -> None:
    with PageServer() as server:
        server.add(STYLED.documents)
        kinds = []
        for path in (STYLED.path, BOOTSTRAP_PATH):
            with urllib.request.urlopen(server.url(path, "127.0.0.1"), timeout=10) as answer:
                kinds.append(answer.headers.get_content_type())

    assert kinds == ["text/html", "text/css"]


LINES = {
    "a command of a session": ("> #12 5F3A DOM.enable {}", "DOM.enable"),
    "a command of the browser": ("> #3  Target.getTargets {}", "Target.getTargets"),
    "a reply": ("< #12 ok", None),
    "an event": ("< 5F3A DOM.documentUpdated", None),
}


@pytest.mark.parametrize(("line", "method"), LINES.values(), ids=LINES.keys())
def test_a_sent_command_is_read_from_the_log(line: str, method: str | None) -> None:
    assert sent_method(line) == method


def test_commands_are_counted_by_method() -> None:
    assert commands_line("form", ["A.b", "C.d", "A.b"]) == (
        "form: 3 CDP commands for the first snapshot: 2 A.b, 1 C.d"
    )
