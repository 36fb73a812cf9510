"""Two secrets in a whole run by the command line, one of them shouted by the page: no leak."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess, run
from typing import Any
from urllib.parse import quote

import pytest

import cdp_agent
from cdp_agent.agent.safety.secrets import Secrets
from tests.support.messages_api import MessagesApi, Turn, use
from tests.support.site import Request, Response, Site

PASSWORD = "hunter2-Zürich&more"
TOKEN = "tok_9f8e7d6c5b4a"

FORM = """<title>Sign in</title><form action=/echo>
<label>Token <input name=token></label>
<label>Password <input type=password name=password></label><button>Sign in</button></form>"""


def echo(request: Request) -> Response:
    """A page that shouts the token: in its title, its text, a link, its console."""
    token = request.query["token"]
    html = (
        f"<!doctype html><meta charset=utf-8><title>Hello {token}</title>"
        f"<h1>Your token is <b>{token[:6]}</b>{token[6:]}</h1><p>{token}</p>"
        f"<a href='/next?t={quote(token)}' title='{token}'>Use {token}</a>"
        f"<script>console.error('leaked {token}'); throw new Error('{token}')</script>"
    )
    return Response(200, {"Content-Type": "text/html"}, html.encode())


def newest(body: Mapping[str, Any]) -> str:
    blocks = body["messages"][-1]["content"]
    return "\n".join(
        part.get("text", "") for block in blocks for part in block.get("content", [block])
    )


def policy(body: Mapping[str, Any]) -> Turn:
    """Signs in with both secrets, looks at the picture, and ends."""
    text = newest(body)
    seen = "\n".join(newest({"messages": [message]}) for message in body["messages"])

    def ref(words: str) -> str:
        found = re.findall(rf"\[(\d+-\d+)\] {words}", seen)
        assert found, seen
        return str(found[-1])

    if "withheld" in text:
        return use("complete_task", success=True, summary=f"The token is {TOKEN}, I am in.")
    if "Hello" in text:
        return use("browser_screenshot")
    count = len(body["messages"])
    if count == 1:
        return use("browser_fill", ref=ref('textbox "Token'), value="{{secret:token}}")
    if count == 3:
        return use("browser_fill", ref=ref('textbox "Password'), value="{{ secret:password }}")
    return use("browser_click", ref=ref('button "Sign in'))


def command(api: MessagesApi, *args: str, **environment: str) -> CompletedProcess[str]:
    return run(
        [sys.executable, "-m", "cdp_agent.cli.main", "run", *args],
        capture_output=True,
        text=True,
        timeout=80,
        check=False,
        env={
            **os.environ,
            "ANTHROPIC_BASE_URL": api.url,
            "ANTHROPIC_API_KEY": "k",
            "MY_PASSWORD": PASSWORD,
            "MY_TOKEN": TOKEN,
            **environment,
        },
    )


def test_no_artefact_of_a_run_contains_a_value(site: Site, tmp_path: Path) -> None:
    site.route("/echo", echo)
    url = site.page(FORM, host="127.0.0.1")
    with MessagesApi(policy) as api:
        done = command(
            api,
            "Sign in",
            "--url",
            url,
            "--secret",
            "password=MY_PASSWORD",
            "--secret",
            "token=MY_TOKEN",
            "--trace",
            str(tmp_path),
            "--debug",
        )

    assert done.returncode == 0, done.stderr[-3000:]
    written = {str(path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    written["stdout"] = done.stdout.encode()
    written["stderr"] = done.stderr.encode()
    written["model"] = repr(api.requests).encode()
    for value in (PASSWORD, TOKEN, quote(PASSWORD), TOKEN[6:]):
        found = [name for name, data in written.items() if value.encode() in data]
        assert not found, f"{value} is in {found}"
    assert "{{secret:token}}" in newest(api.requests[-1]) + repr(api.requests)
    assert b"a secret can be read on the page" in written[str(tmp_path / "trace.jsonl")]
    # The page itself got both.
    asked = [r for r in site.requests if r.path == "/echo"]
    assert asked
    assert "withheld" in newest(api.requests[-1])


def test_a_secret_is_not_typed_into_another_origin(site: Site, tmp_path: Path) -> None:
    """The frame is of another origin than the page the run was started on."""
    frame = site.page(FORM, host="localhost")
    url = site.page(f"<iframe src='{frame}' width=600 height=300></iframe>", host="127.0.0.1")
    told: list[str] = []

    def try_it(body: Mapping[str, Any]) -> Turn:
        told.append(newest(body))
        seen = "\n".join(newest({"messages": [message]}) for message in body["messages"])
        found = re.findall(r'\[(\d+-\d+)\] textbox "Token', seen)
        if not found:
            return use("browser_snapshot")
        if "blocked_by_policy" in told[-1]:
            return use("complete_task", success=False, summary="Not allowed.")
        return use("browser_fill", ref=found[-1], value="{{secret:token}}")

    with MessagesApi(try_it) as api:
        done = command(api, "Sign in", "--url", url, "--secret", "token=MY_TOKEN")

    assert done.returncode == 1, done.stderr
    assert "may not be typed into a document of http://localhost" in told[-1]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_no_variable_with_a_secret_reaches_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LUMEN_WORD", "COPY_OF_IT", "ANTHROPIC_API_KEY", "CDP_AGENT_TOKEN"):
        monkeypatch.setenv(name, f"xyzzy-{PASSWORD}" if "COPY" in name else PASSWORD)
    monkeypatch.setenv("PLAIN_WORD", "plugh")
    Secrets.from_environment(["password=LUMEN_WORD"])

    async with cdp_agent.launch(env={"GIVEN_TOKEN": "given"}) as browser:
        read = _environments(browser.pid or 0)

    assert len(read) > 1
    assert any(b"PLAIN_WORD=plugh" in environ for environ in read)
    assert any(b"GIVEN_TOKEN=given" in environ for environ in read)
    assert not [environ for environ in read if PASSWORD.encode() in environ]


def _environments(pid: int) -> list[bytes]:
    return [Path(f"/proc/{one}/environ").read_bytes() for one in _family(pid)]


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in _family(int(child)))]


USAGE = {
    "no goal": ([" ", "--url", "x.test"], "the goal is empty"),
    "no address": (["goal"], "where to begin"),
    "an unknown service": (["goal", "--service", "nope"], "there is no service"),
    "a secret that is not set": (
        ["goal", "--url", "x.test", "--secret", "a=NOT_SET_AT_ALL"],
        "not set",
    ),
    "an origin that is none": (
        ["goal", "--url", "x.test", "--allow-origin", "a b"],
        "is not an origin",
    ),
    "a first page outside": (
        ["goal", "--url", "https://x.test", "--allow-origin", "https://y.test"],
        "does not allow the first page",
    ),
    "no script there": (["goal", "--url", "x.test", "--model", "script:nope.yaml"], "cannot read"),
}


@pytest.mark.parametrize(("args", "said"), USAGE.values(), ids=USAGE.keys())
def test_a_wrong_command_line_is_said_before_a_browser_starts(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from cdp_agent.cli.main import main

    assert main(["run", *args]) == 2
    assert said in capsys.readouterr().err
