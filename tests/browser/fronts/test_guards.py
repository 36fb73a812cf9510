"""Secrets and allowed places, by the doors of a shell and of a WebSocket: no value comes out."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from websockets.asyncio.client import connect

from tests.browser.fronts.bap.raw import RawClient
from tests.browser.fronts.conftest import TOKEN, Shell, ref, served
from tests.browser.fronts.test_session import pid_of
from tests.support.site import Site

VALUE = 'xyzzy-"plugh"/9'
SECRET = "{{secret:key}}"
#: The page shouts what is typed: as text, in its title, its address, a name, its console.
PAGE = """<label>Key <input id=k></label><button onclick="const v = k.value;
document.title = v; p.textContent = v; b.setAttribute('aria-label', v); console.error(v);
history.replaceState(0, '', '?' + encodeURIComponent(v)); alertless()">Shout</button>
<p id=p></p><button id=b>Quiet</button>"""


@pytest.fixture
def url(site: Site) -> str:
    return site.page(PAGE, path="/shout.html")


@pytest.fixture
def guards(url: str) -> list[str]:
    return ["--allow-origin", url.rpartition("/")[0], "--secret", "key=SECRET_OF_THE_TEST"]


def require_masked(text: str) -> None:
    for spelling in (VALUE, json.dumps(VALUE)[1:-1], quote(VALUE, safe=""), "xyzzy"):
        assert spelling not in text


async def test_a_session_types_a_secret_that_no_output_shows(
    shell: Shell, site: Site, endpoint: str, url: str, guards: list[str]
) -> None:
    shell.variables["SECRET_OF_THE_TEST"] = VALUE
    opened = await shell("open", url, "--connect", endpoint, "--debug", *guards)
    assert opened.code == 0, opened.err
    said = [opened]
    said.append(await shell("fill", ref(opened.out, "textbox"), "{{secret:key}}"))
    assert "{{secret:key}}" in said[-1].out
    said.append(await shell("click", ref(opened.out, 'button "Shout"')))
    assert "{{secret:key}}" in said[-1].out
    said.append(await shell("snapshot", "--json"))
    said.append(await shell("sessions", "--json"))
    said.append(await shell("tabs"))
    picture = shell.folder / "a.png"
    said.append(await shell("screenshot", str(picture)))
    assert (said[-1].code, said[-1].err[:17]) == (1, "blocked_by_policy")
    assert not picture.exists()
    steps = '[{"action": "fill", "params": {"selector": {"label": "Key"}, "value": "%s"}}]'
    said.append(await shell("act", "-", given=steps % "{{secret:key}}{{secret:key}}"))
    assert said[-1].code == 0, said[-1].err
    said.append(await shell("open", site.page("<p>x").replace("a.test", "b.test")))
    assert said[-1].err.startswith("blocked_by_policy")
    out = site.url("/out", "b.test")
    trap = await shell("open", site.page(f"<a href='{out}'>Prize</a>", path="/trap.html"))
    said.append(await shell("click", ref(trap.out, "link")))
    assert f"blocked_by_policy: GET {out}" in said[-1].out
    files = [path.read_bytes() for path in shell.folder.iterdir() if path.is_file()]
    log = next(data.decode() for data in files if b"Input.insertText" in data)
    assert re.search(r"\[CDPAction\] click 0-\d+ → .*quads \[\[\d+, .*\(frame \w+, node \d+, ", log)
    require_masked(repr(said))
    for data in files:
        require_masked(data.decode())


async def test_a_session_keeps_its_guards_until_it_is_closed(
    shell: Shell, site: Site, endpoint: str, url: str, guards: list[str]
) -> None:
    shell.variables["SECRET_OF_THE_TEST"] = VALUE
    await shell("open", url, "--connect", endpoint)
    late = await shell("open", url, *guards)
    assert (late.code, "runs already" in late.err) == (2, True)
    await shell("close")

    assert (await shell("open", url, "--connect", endpoint, *guards)).code == 0
    assert (await shell("open", url, *guards)).code == 0
    os.kill(pid_of((await shell("sessions")).out), signal.SIGKILL)
    elsewhere = site.page("<p>x").replace("a.test", "b.test")
    again = await shell("open", elsewhere, "--connect", endpoint)
    assert again.err.startswith("blocked_by_policy"), again
    await shell("close")
    del shell.variables["SECRET_OF_THE_TEST"]
    unset = await shell("open", url, "--connect", endpoint, *guards)
    assert (unset.code, "SECRET_OF_THE_TEST" in unset.err) == (2, True)
    assert "hint: export" in unset.err
    assert (await shell("open", elsewhere, "--connect", endpoint)).code == 0


async def test_a_session_uploads_from_its_folder_alone(
    shell: Shell, site: Site, endpoint: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    (shell.folder / "other.txt").write_text("other")
    url = site.page("<label>File <input type=file></label>")
    opened = await shell("open", url, "--connect", endpoint, "--upload-folder", str(tmp_path))
    file = ref(opened.out, "button")
    refused = await shell("upload", file, str(shell.folder / "other.txt"))
    assert (refused.code, refused.err[:17]) == (1, "blocked_by_policy")
    assert (await shell("upload", file, str(tmp_path / "mine.txt"))).code == 0
    nowhere = await shell("open", url, "--session", "two", "--upload-folder", "not-there")
    assert (nowhere.code, "there is no folder" in nowhere.err) == (2, True)


async def test_the_websocket_servers_answers_show_no_secret(
    site: Site, endpoint: str, url: str, guards: list[str]
) -> None:
    served_with = ["serve", "--port", "0", "--connect", endpoint, "--debug", *guards]
    heard: list[Any] = []
    async with served(*served_with, SECRET_OF_THE_TEST=VALUE) as (address, process):
        assert process.stderr is not None
        logged = asyncio.create_task(process.stderr.read())  # a full pipe would hold it up
        async with RawClient.connected(address, TOKEN) as raw:

            async def told(method: str, **params: Any) -> Any:
                heard.append(await raw(method, **params))
                return heard[-1]

            await told("events/subscribe", events=["page", "console", "network", "dialog"])
            await told("page/navigate", url=url)
            key, shout = {"label": "Key"}, {"role": "button", "name": "Shout"}
            filled = await told("action/fill", selector=key, value="{{secret:key}}")
            assert filled["data"]["value"] == "{{secret:key}}"
            await told("action/click", selector=shout)
            seen = await told("agent/observe", includeAccessibility=True)
            names = [element["name"] for element in seen["interactiveElements"]]
            assert "{{secret:key}}" in names
            for picture in ("observe/screenshot", "observe/pdf", "agent/observe"):
                more = {"includeScreenshot": True} if picture == "agent/observe" else {}
                withheld = await told(picture, **more)
                assert withheld["data"]["code"] == "blocked_by_policy"
            steps = [{"action": "action/type", "params": {"selector": key, "text": SECRET}}]
            assert (await told("agent/act", steps=steps))["completed"] == 1
            await told("agent/extract", schema={"properties": {"key": {"type": "string"}}})
            for method in ("page/list", "observe/dom", "observe/content", "observe/ariaSnapshot"):
                await told(method)
            value = await told("observe/element", selector=key, properties=["value", "text"])
            assert "{{secret:key}}" in value["properties"]["value"]
            await told("storage/getState")
            await told("action/fill", selector=key, value="unwritten words")
            await told("action/click", selector={"role": "link", "name": VALUE})
            nowhere = site.page("<p>x").replace("a.test", "b.test")
            refused = await told("page/navigate", url=nowhere)
            assert refused["data"]["code"] == "blocked_by_policy"
            said = [one["params"].get("text") for one in raw.notifications]
            assert "{{secret:key}}" in said
            heard.extend(raw.notifications)
        async with connect(f"{address}action?token={TOKEN}") as wire:

            async def command(**data: Any) -> Any:
                await wire.send(json.dumps({"type": "ActionCommand", "data": data}))
                heard.extend((json.loads(await wire.recv()), json.loads(await wire.recv())))
                return heard[-2]["data"]

            heard.append(json.loads(await wire.recv()))
            await command(type="navigate_to", url=url)
            typed = await command(type="type_text", ref=1, text="{{secret:key}}")
            assert typed["data"]["value"] == "{{secret:key}}"
            await command(type="click_element", ref=2)
            assert "{{secret:key}}" in repr(heard[-1])
        process.terminate()
        log = (await logged).decode()
    assert "Input.insertText" in log
    assert "***" in log
    assert "unwritten words" not in log
    require_masked(repr(heard))
    require_masked(log)
