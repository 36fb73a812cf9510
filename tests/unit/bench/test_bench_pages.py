"""The benchmark's pages are what their names promise, and their server serves them all."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest

from scripts.bench.generated.pages import MAIN_HOST, BenchPage, make_pages
from scripts.bench.generated.server import PageServer

PORT = 8123
PAGES = make_pages(PORT)
INTERACTIVE = {"a", "button", "input", "select", "textarea"}


class Outline(HTMLParser):
    """The parts of a document that the pages promise."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.interactive = 0
        self.frames: list[str] = []
        self.ids: list[str] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.interactive += tag in INTERACTIVE
        if tag == "iframe":
            self.frames.append(attributes["src"] or "")
        if "id" in attributes:
            self.ids.append(attributes["id"] or "")

    def handle_data(self, data: str) -> None:
        self.words += data


def documents(page: BenchPage) -> Iterator[tuple[str, str | None, Outline]]:
    """URL, host of the document around it, and outline: the page's own, then its frames'."""
    waiting: list[tuple[str, str | None]] = [(f"http://{MAIN_HOST}:{PORT}{page.path}", None)]
    while waiting:
        url, around = waiting.pop()
        outline = Outline(page.documents[urlsplit(url).path])
        yield url, around, outline
        waiting += [(src, urlsplit(url).hostname) for src in outline.frames]


every_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())


@every_page
def test_a_page_has_as_many_interactive_elements_as_it_says(page: BenchPage) -> None:
    assert sum(outline.interactive for _, _, outline in documents(page)) == page.interactive


@every_page
def test_only_frames_of_another_site_than_around_them_are_out_of_process(page: BenchPage) -> None:
    hosts = [(urlsplit(url).hostname, around) for url, around, _ in documents(page)]

    assert sum(around is not None and host != around for host, around in hosts) == (
        page.out_of_process
    )


@every_page
def test_the_number_of_clicks_is_said_in_one_place_only(page: BenchPage) -> None:
    places = [url for url, _, outline in documents(page) if page.said(0) in outline.words]

    assert [urlsplit(url).path for url in places] == [page.acts_in]


@every_page
def test_the_document_to_act_in_has_the_button_and_the_field(page: BenchPage) -> None:
    outline = Outline(page.documents[page.acts_in])

    assert [outline.ids.count(name) for name in ("go", "note", "said")] == [1, 1, 1]
    assert page.button in outline.words
    assert page.field in outline.words


def test_what_is_said_after_one_click_is_not_part_of_what_is_said_after_more() -> None:
    form = PAGES["form"]

    assert not any(form.said(1) in form.said(clicks) for clicks in range(2, 200))


def test_the_sizes_are_those_that_the_peers_were_measured_at() -> None:
    assert {name: page.interactive for name, page in PAGES.items()} == {
        "form": 30,
        "list1k": 2003,
        "article": 23,
        "frames10": 200,
        "oopifs10": 200,
        "nested3": 12,
    }


def test_every_document_is_served_and_nothing_else() -> None:
    with PageServer() as server:
        for page in make_pages(server.port).values():
            server.add(page.documents)
            for path, html in page.documents.items():
                with urllib.request.urlopen(server.url(path, "127.0.0.1"), timeout=10) as answer:
                    assert answer.read().decode() == html
        with pytest.raises(urllib.error.HTTPError, match="404") as refused:
            urllib.request.urlopen(server.url("/other", "127.0.0.1"), timeout=10)
        refused.value.close()
