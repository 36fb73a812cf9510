"""Addresses as a person types them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_agent.cli.options.address import complete_endpoint, complete_url
from cdp_agent.errors import InvalidParams

URLS = {
    "a scheme stays": ("http://example.com/x?y#z", "http://example.com/x?y#z"),
    "a scheme without slashes stays": ("about:blank", "about:blank"),
    "data stays": ("data:text/html,<p>1:2</p>", "data:text/html,<p>1:2</p>"),
    "a public host gets https": ("example.com/path", "https://example.com/path"),
    "localhost gets http": ("localhost", "http://localhost"),
    "a port is not a scheme": ("localhost:8000", "http://localhost:8000"),
    "a port before a path is not a scheme": ("localhost:8000/a:b", "http://localhost:8000/a:b"),
    "a host with a port gets http": ("example.com:8080/x", "http://example.com:8080/x"),
    "an address in numbers gets http": ("192.168.0.7/x", "http://192.168.0.7/x"),
    "an address in version 6 gets http": ("[::1]/x", "http://[::1]/x"),
    "a name without a dot gets http": ("intranet/wiki", "http://intranet/wiki"),
    "a test host gets http": ("shop.test/pay", "http://shop.test/pay"),
    "a port in the query is none": ("example.com/?at=1:2", "https://example.com/?at=1:2"),
    "blanks around are dropped": ("  example.com ", "https://example.com"),
}


@pytest.mark.parametrize(("typed", "url"), URLS.values(), ids=URLS.keys())
def test_what_is_missing_in_front_is_added(typed: str, url: str) -> None:
    assert complete_url(typed) == url


def test_a_file_that_is_there_is_opened_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my page.html").write_text("<p>")
    expected = (tmp_path / "my page.html").resolve().as_uri()

    assert complete_url("my page.html") == expected
    assert complete_url("./my page.html") == expected
    assert complete_url(str(tmp_path / "my page.html")) == expected


@pytest.mark.parametrize("typed", ["./nothing.html", "/nothing/there", "~/nothing-there-at-all"])
def test_a_path_to_nothing_is_refused(typed: str) -> None:
    with pytest.raises(InvalidParams, match="no such file"):
        complete_url(typed)


def test_an_empty_url_is_refused() -> None:
    with pytest.raises(InvalidParams):
        complete_url("  ")


ENDPOINTS = {
    "port": ("9222", "http://127.0.0.1:9222"),
    "host and port": ("box:9222", "http://box:9222"),
    "http": ("http://box:9222", "http://box:9222"),
    "websocket": ("ws://box:9222/devtools/browser/1", "ws://box:9222/devtools/browser/1"),
}


@pytest.mark.parametrize(("typed", "endpoint"), ENDPOINTS.values(), ids=ENDPOINTS.keys())
def test_an_endpoint_may_be_short(typed: str, endpoint: str) -> None:
    assert complete_endpoint(typed) == endpoint
