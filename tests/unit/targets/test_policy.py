"""The permissions of a policy, without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cdp_agent import InvalidParams
from cdp_agent.targets.network.gate import body_summary, held_request
from cdp_agent.targets.network.policy import Policy

SHOP = Policy(("https://shop.test", "https://*.cdn.test", "http://localhost:*", "http://a.test:81"))

ADDRESSES = {
    "https://shop.test/": True,
    "https://shop.test:443/x?y#z": True,
    "https://SHOP.test/": True,
    "https://shop.test./": True,
    "wss://shop.test/live": True,
    "http://shop.test/": False,
    "ws://shop.test/": False,
    "https://shop.test:8443/": False,
    "https://shop.test.evil.test/": False,
    "https://evilshop.test/": False,
    "https://shop.test@evil.test/": False,
    "https://evil.test/#https://shop.test/": False,
    "https://cdn.test/": True,
    "https://img.cdn.test/a.png": True,
    "https://a.b.cdn.test/": True,
    "https://evilcdn.test/": False,
    "http://localhost:8000/": True,
    "http://localhost/": True,
    "http://localhost.evil.test/": False,
    "http://a.test:81/": True,
    "http://a.test/": False,
    "about:blank": True,
    "data:text/html,x": True,
    "blob:https://shop.test/1": True,
    "javascript:alert(1)": False,
    "file:///etc/passwd": False,
    "FILE:///etc/passwd": False,
    "chrome://settings": False,
    "devtools://devtools/": False,
    "view-source:https://shop.test/": False,
    "ftp://shop.test/": False,
    "https://[": False,
    "": False,
}


@pytest.mark.parametrize(("url", "allowed"), ADDRESSES.items(), ids=ADDRESSES.keys())
def test_an_address_is_allowed_or_not(url: str, allowed: bool) -> None:
    assert SHOP.allows(url) is allowed


def test_without_origins_the_web_is_open_and_the_machine_is_closed() -> None:
    assert Policy().allows("https://anywhere.test/")
    assert not Policy().allows("file:///etc/passwd")
    assert Policy().launch_args == ()


@pytest.mark.parametrize(
    "origin", ["", "https://", "shop test", "https://a.*.test", "ftp://x.test", "https://x/path",
               "https://a.test; script-src *", "https://a.test:port"],
)  # fmt: skip
def test_what_is_no_origin_is_refused(origin: str) -> None:
    with pytest.raises(InvalidParams):
        Policy((origin,))


def test_one_word_is_no_list() -> None:
    with pytest.raises(InvalidParams):
        Policy("https://shop.test")  # type: ignore[arg-type]


def test_a_browser_of_ours_is_sent_nowhere_for_all_else() -> None:
    proxy, bypass = Policy(("https://*.shop.test", "http://localhost:*")).launch_args

    assert proxy == "--proxy-server=http://127.0.0.1:1"
    assert bypass.partition("=")[2].split(";") == [
        "<-loopback>",
        "https://*.shop.test:443",
        "https://shop.test:443",
        "wss://*.shop.test:443",
        "wss://shop.test:443",
        "http://localhost",
        "ws://localhost",
    ]


def test_uploads_come_from_one_folder(tmp_path: Path) -> None:
    policy = Policy(upload_folder=tmp_path)

    assert policy.allows_upload(tmp_path / "a.txt")
    assert not policy.allows_upload(tmp_path / ".." / "a.txt")
    assert not policy.allows_upload("/etc/passwd")
    assert Policy().allows_upload("/etc/passwd")


BODIES: dict[str, tuple[str, str, bool, str]] = {
    "a form": ("a=1&name=Ada+L.", "application/x-www-form-urlencoded", True, "a=1, name=Ada L."),
    "JSON": ('{"plan": "x", "n": [1]}', "application/json", True, "plan=x, n=[1]"),
    "secrets": ("password=hunter2&csrf_token=x", "", True, "password=***, csrf_token=***"),
    "long values": (f"a={'x' * 50}", "", True, f"a={'x' * 40}…"),
    "no body": ("", "", False, "no body"),
    "an upload": ("", "multipart/form-data", True, "a body that cannot be shown"),
    "something else": ("xyz", "text/plain", True, "3 characters of text/plain"),
}


@pytest.mark.parametrize(("body", "kind", "has", "said"), BODIES.values(), ids=BODIES.keys())
def test_a_body_in_a_line(body: str, kind: str, has: bool, said: str) -> None:
    assert body_summary(body, kind, has) == said


def test_a_held_request_says_where_it_goes() -> None:
    request: dict[str, Any] = {
        "method": "POST",
        "url": "https://shop.test:8443/buy?x=1",
        "headers": {"Content-Type": "application/json"},
        "postData": '{"item": 7}',
    }

    held = held_request(request)

    assert (held.method, held.host, held.summary) == ("POST", "shop.test:8443", "item=7")
