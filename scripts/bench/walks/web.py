"""Plain HTTP requests to the applications: own records before a walk, proofs and undoing after."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener, urlopen

_SECONDS = 30.0
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def get_text(address: str) -> str:
    """Returns the body at an address."""
    with urlopen(address, timeout=_SECONDS) as answer:
        return str(answer.read().decode())


def get_json(address: str) -> Any:
    """Returns the JSON value at an address."""
    return json.loads(get_text(address))


def submit_form(address: str, fields: Mapping[str, str]) -> str:
    """Send a form of Django with its token; returns the page that comes after.

    Raises:
        OSError: it was refused, or there is no such form.
    """
    opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))
    with opener.open(address, timeout=_SECONDS) as answer:
        token = _TOKEN.search(answer.read().decode())
    if token is None:
        raise OSError(f"no form at {address}")
    body = urlencode({**fields, "csrfmiddlewaretoken": token[1]}).encode()
    with opener.open(Request(address, body, {"Referer": address}), timeout=_SECONDS) as answer:
        return str(answer.read().decode())


def record_id(base: str, model: str, text: str) -> str:
    """Returns the number of the only record that Django's list finds for a text, or nothing."""
    page = get_text(f"{base}/admin/shop/{model}/?q={quote(text)}")
    found = set(re.findall(rf"/admin/shop/{model}/(\d+)/change/", page))
    return found.pop() if len(found) == 1 else ""


def delete_record(base: str, model: str, text: str) -> None:
    """Delete the record that Django's list finds for a text, if there is one."""
    if number := record_id(base, model, text):
        submit_form(f"{base}/admin/shop/{model}/{number}/delete/", {"post": "yes"})


def get_tiddler(base: str, title: str) -> dict[str, Any] | None:
    """Returns a tiddler as the server has it, or None."""
    try:
        found: dict[str, Any] = get_json(f"{base}/recipes/default/tiddlers/{quote(title)}")
    except HTTPError as error:
        if error.code == 404:
            return None
        raise
    return found


def delete_tiddler(base: str, title: str) -> None:
    """Delete a tiddler from the server; one that is not there is left alone."""
    address = f"{base}/bags/default/tiddlers/{quote(title)}"
    request = Request(address, method="DELETE", headers={"X-Requested-With": "TiddlyWiki"})
    with urlopen(request, timeout=_SECONDS):
        pass
