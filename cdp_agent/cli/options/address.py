"""The URL that a person means by what they type: pure but for looking at files."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path

from cdp_agent.errors import InvalidParams

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:(?!\d+(/|\?|#|$))")
_FILE_START = re.compile(r"\.{0,2}/|~")
_LOCAL_ENDINGS = ("localhost", ".test", ".local", ".internal", ".home.arpa")


def complete_url(text: str) -> str:
    """Add what is missing in front.

    - What has a scheme stays as it is: `http://…`, `about:blank`, `data:…`.
    - What begins like a path or names a file that is there becomes `file://…`.
    - Hosts that rarely have a certificate get `http://`: localhost, addresses in numbers,
      names without a dot, names that end in `.test` or `.local`, and any host with a port.
    - Everything else gets `https://`.

    Raises:
        InvalidParams: it is empty, or a path to nothing.
    """
    text = text.strip()
    if not text:
        raise InvalidParams("the URL is empty")
    if _SCHEME.match(text):
        return text
    path = Path(text).expanduser()
    if _FILE_START.match(text) and not path.exists():
        raise InvalidParams(f"no such file: {text}")
    if _FILE_START.match(text) or path.is_file():
        return path.resolve().as_uri()
    host, port = _host_and_port(text)
    return f"http://{text}" if port or _is_local(host) else f"https://{text}"


def complete_endpoint(text: str) -> str:
    """`9222`, `host:9222`, `http://…` or `ws://…` → what `connect` takes."""
    text = text.strip()
    if text.isdigit():
        return f"http://127.0.0.1:{text}"
    return text if "://" in text else f"http://{text}"


def _host_and_port(text: str) -> tuple[str, str]:
    authority = re.split(r"[/?#]", text, maxsplit=1)[0]
    if authority.startswith("["):
        host, _, port = authority[1:].partition("]")
        return host, port.removeprefix(":")
    host, _, port = authority.partition(":")
    return host, port


def _is_local(host: str) -> bool:
    if "." not in host or host.endswith(_LOCAL_ENDINGS):
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
