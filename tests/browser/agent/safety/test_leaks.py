"""Six secrets of awkward shapes on pages that echo them in many ways: no artefact has one.

A seeded search: each run draws which way every secret is echoed. Short here; `--thorough` runs
more seeds, so that each way meets each secret.
"""

from __future__ import annotations

import base64
import html
import io
import json
import logging
import random
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from PIL import Image

from cdp_agent import Browser, Page
from cdp_agent.agent.loop import Agent
from cdp_agent.agent.safety.approvals import AskOnTerminal, Decision, Question
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.trace.trace_folder import Trace
from cdp_agent.cli.agent_command import finish
from cdp_agent.cli.progress import Progress
from tests.browser.agent.conversations import last_text, model_of
from tests.support.messages_api import Turn, use
from tests.support.site import Site

SECRETS = {
    "card": "4929123456781234",
    "quotes": 'p@ss "w\'ord"\\1 <b>&amp;',
    "words": "Zürich-Straße 7 naïve ✓",
    "marks": "!@#$%^&*()_+",
    "token": "eyJhbGciOiJIUzI1NiJ9." + "Ab3dEf6hIj9kLm2n" * 16 + ".x-_y",
    "braces": " 100%25 {{x}} ${y} ",
}
#: Each is given the value as `v` and an empty element as `out`. All that is painted is magenta.
ECHOES = {
    "text": "out.textContent = v",
    "groups": "out.textContent = v.replace(/(.{4})/g, '$1 ')",
    "dashes": "out.textContent = v.replace(/(.{4})/g, '$1-')",
    "upper case": "out.textContent = v.toUpperCase()",
    "letters": "for (const l of v) { const s = document.createElement('b');"
    " s.textContent = l; out.append(s) }",
    "title": "document.title = 'Hello ' + v",
    "name": "out.innerHTML = '<button>x</button>'; out.firstChild.ariaLabel = v",
    "placeholder": "out.innerHTML = '<input>'; out.firstChild.placeholder = v",
    "input": "out.innerHTML = '<input size=40>'; out.firstChild.value = v",
    "textarea": "out.innerHTML = '<textarea cols=40>'; out.firstChild.value = v",
    "select": "out.innerHTML = '<select><option></select>';"
    " out.firstChild.options[0].textContent = v",
    "option label": "out.innerHTML = '<select size=2><option>a<option>b</select>';"
    " out.firstChild.options[1].label = v",
    "button": "out.innerHTML = '<button></button>'; out.firstChild.textContent = v",
    "link": "out.innerHTML = '<a>Go</a>'; out.firstChild.href = '/x?q=' + encodeURIComponent(v)",
    "fragment": "history.replaceState(0, '', '#' + encodeURIComponent(v))",
    "console": "console.error('got ' + v)",
    "error": "setTimeout(() => { throw new Error(v) })",
    "alert": "setTimeout(() => alert('You said ' + v))",
    "alternative text": "out.innerHTML = '<img width=300 height=30>'; out.firstChild.alt = v",
    "drawing": "out.innerHTML = '<canvas width=500 height=40>'; const p ="
    " out.firstChild.getContext('2d'); p.fillStyle = '#f0f'; p.font = '20px serif';"
    " p.fillText(v, 0, 30)",
    "svg image": "out.innerHTML = '<img>'; out.firstChild.src ="
    " 'data:image/svg+xml;base64,' + btoa("
    '\'<svg xmlns="http://www.w3.org/2000/svg" width="500" height="40"><text y="30" fill='
    "\"#f0f\">' + unescape(encodeURIComponent(v.replace(/[<&]/g, '.'))) + '</text></svg>')",
    "css": "out.className = 'echo'; out.dataset.v = v",
    "svg": "out.innerHTML = '<svg width=500 height=40><text y=30 fill=#f0f></text></svg>';"
    " out.querySelector('text').textContent = v",
    "frame": "const f = document.createElement('iframe'); f.width = 600; out.append(f);"
    " f.contentDocument.body.textContent = v; f.contentDocument.body.style.color = '#f0f'",
    "shadow root": "const p = document.createElement('p'); p.textContent = v;"
    " out.attachShadow({mode: 'closed'}).append(p)",
    "JSON": "out.textContent = JSON.stringify({v, w: JSON.stringify({v})})",
    "escaped": "const d = document.createElement('p'); d.textContent = v;"
    " out.textContent = d.innerHTML",
    "address": "out.textContent = encodeURIComponent(v)",
    "base64": "out.textContent = btoa('user:' + unescape(encodeURIComponent(v)))",
    "cut": "out.textContent = v.trim().slice(0, Math.max(8, v.length / 2)) + '…'",
    "start": "out.textContent = v.trim().slice(0, Math.ceil(v.length * 0.75))",
    "backwards": "out.textContent = [...v].reverse().join('')",
    "table": "out.outerHTML = '<table><tr><th>Key<td id=t></table>'; t.textContent = v",
    "editor": "out.contentEditable = 'true'; out.textContent = v",
    "numbers": "out.textContent = [...v].map(l => '&#' + l.codePointAt(0) + ';').join('')",
}
STYLE = """<style>* { color: #f0f !important; background: white; border-color: #ccc;
caret-color: white; font: 20px serif } ::placeholder { color: #f0f; opacity: 1 }
.echo::before { content: attr(data-v) }</style>"""


def page_of(plan: list[tuple[str, str]]) -> str:
    fields = "".join(f"<p><input aria-label='{name} field' id={name}></p>" for name in SECRETS)
    steps = "".join(
        f"try {{ const v = document.getElementById('{name}').value; const out ="
        f" document.body.appendChild(document.createElement('div')); {ECHOES[way]} }} catch (e)"
        " { document.body.append(String(e).slice(0, 20)) }"
        for way, name in plan
    )
    button = "<button id=go style='color: black !important'>Echo</button>"
    return f"{STYLE}{fields}{button}<script>go.onclick = () => {{ {steps} }}</script>"


def policy(body: Mapping[str, Any]) -> Turn:
    """Types all six, has the page echo them, looks at it in every way there is, and ends."""
    number = len(body["messages"]) // 2
    first = "\n".join(part.get("text", "") for part in body["messages"][0]["content"])

    def ref(words: str) -> str:
        found = re.search(rf"\[(\d+-\d+)\] {words}", first)
        assert found is not None, first
        return found[1]

    names = list(SECRETS)
    if number < len(names):
        name = names[number]
        value = f"{{{{secret:{name}}}}}"
        return use("browser_fill", ref=ref(f'textbox "{name} field"'), value=value)
    said = last_text(body)
    rest: list[Turn] = [
        use("browser_screenshot"),
        use("browser_click", ref=ref('button "Echo"')),
        use("browser_snapshot"),
        use("browser_snapshot", interactive_only=True),
        use("browser_screenshot"),
        use("browser_screenshot", full_page=True),
        use(
            "browser_extract", schema={"type": "object", "properties": {"Key": {"type": "string"}}}
        ),
        use("browser_tabs"),
        use("browser_click", ref="0-99999"),
        use("request_human_approval", action=f"Go on with {said[:3000]}", reason=said[-3000:]),
        use("complete_task", success=True, summary=said[:3000]),
    ]
    return rest[number - len(names)]


class Onlooker:
    """Approves, and keeps what it was shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.pictures: list[bytes] = []

    async def ask(self, question: Question) -> Decision:
        terminal = io.StringIO()
        await AskOnTerminal(io.StringIO("yes\n"), terminal).ask(question)
        self.shown.append(terminal.getvalue())
        if question.picture is not None:
            self.pictures.append(question.picture.read_bytes())
        return Decision(True)


# -- an eye of our own, which knows nothing of how values are masked ----------------------------


def letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in folded if letter.isalnum())


def marks(text: str) -> str:
    return "".join(text.split())


def readings(text: str) -> Iterator[str]:
    """The text, and what it says once quoting is taken away."""
    plain = text.replace("\\\\", "\\").replace('\\"', '"').replace("\\'", "'")
    escapes = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), plain)
    numbers = re.sub(r"&#(\d+);?", lambda found: chr(int(found[1]) % 0x110000), text)
    for way in (text, plain, escapes, unquote(text), html.unescape(text), numbers):
        yield way
        yield html.unescape(unquote(way))
    yield text[::-1]


def found_in(text: str, value: str) -> bool:
    encoded = base64.b64encode(b"user:" + value.encode()).decode()[8:-4]
    if encoded in text:
        return True
    for way in readings(text):
        if value.strip() in way or marks(value) in marks(way):
            return True
        bare = letters(value)
        if len(bare) >= 8 and bare[: max(8, len(bare) // 2)] in letters(way):
            return True
    return False


def shows_text(picture: bytes) -> bool:
    with Image.open(io.BytesIO(picture)) as image:
        colours = image.convert("RGB").getcolors(1 << 24) or []
    return any(
        isinstance(colour, tuple) and colour[0] > 180 and colour[2] > 180 and colour[1] < 90
        for _, colour in colours
    )


def texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from texts_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_of(part)


def pictures_of(requests: list[Any]) -> Iterator[bytes]:
    for body in requests[-1:]:
        for message in body["messages"]:
            for block in message["content"]:
                for part in block.get("content", ()) if isinstance(block, dict) else ():
                    if isinstance(part, dict) and part.get("type") == "image":
                        yield base64.b64decode(part["source"]["data"])


def plans(seed: int) -> list[list[tuple[str, str]]]:
    """Pages of a seed: every way once, twelve on a page, the secrets shuffled."""
    chance = random.Random(seed)
    ways = list(ECHOES)
    chance.shuffle(ways)
    names = list(SECRETS) * (len(ways) // len(SECRETS) + 1)
    chance.shuffle(names)
    pairs = list(zip(ways, names, strict=False))
    return [pairs[at : at + 12] for at in range(0, len(pairs), 12)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    seeds = range(1, 13) if metafunc.config.getoption("thorough") else (1,)
    if "plan" in metafunc.fixturenames:
        found = {f"{s}-{n}": plan for s in seeds for n, plan in enumerate(plans(s))}
        metafunc.parametrize("plan", found.values(), ids=found.keys())


async def test_no_artefact_of_a_run_has_a_secret(
    page: Page,
    browser: Browser,
    site: Site,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    plan: list[tuple[str, str]],
) -> None:
    url = site.page(page_of(plan))
    await page.goto(url)
    secrets = Secrets(SECRETS, origins=[url])
    human, progress = Onlooker(), io.StringIO()
    caplog.set_level(logging.DEBUG, "cdp_agent")
    try:
        async with model_of(policy) as (model, api):
            agent = Agent(
                page,
                model,
                approvals=human,
                secrets=secrets,
                trace=Trace(folder / "trace"),
                watchers=[Progress(progress)],
            )
            result = await agent.run("Type the secrets and have a look")
    finally:
        browser.picture_cover = None

    assert result.success, result.summary
    finish(result, as_json=True)
    files = [path for path in (folder / "trace").rglob("*") if path.is_file()]
    artefacts = {str(path.name): path.read_text("utf-8") for path in files if path.suffix != ".png"}
    drawn = {path.name: path.read_bytes() for path in files if path.suffix == ".png"}
    page_text = artefacts["index.html"]
    inline = re.findall(r"data:image/png;base64,([A-Za-z0-9+/=]+)", page_text)
    artefacts["index.html"] = re.sub(r"data:image/png;base64,[A-Za-z0-9+/=]+", "", page_text)
    drawn.update({f"inline {n}": base64.b64decode(one) for n, one in enumerate(inline)})
    drawn.update({f"question {n}": one for n, one in enumerate(human.pictures)})
    drawn.update({f"model {n}": one for n, one in enumerate(pictures_of(api.requests))})
    users = [m for m in api.requests[-1]["messages"] if m["role"] == "user"]
    artefacts["model"] = "\n".join(text for text in texts_of(users) if len(text) < 100_000)
    artefacts["log"] = "\n".join(record.getMessage() for record in caplog.records)
    artefacts["questions"] = "\n".join(human.shown)
    artefacts["progress"] = progress.getvalue()
    artefacts["result"] = capsys.readouterr().out

    assert "{{secret:card}}" in artefacts["model"]
    assert json.loads(artefacts["result"])["success"] is True
    leaks = [
        f"{name} in {where}"
        for where, text in artefacts.items()
        for name, value in SECRETS.items()
        if found_in(text, value)
    ]
    assert leaks == [], plan
    assert drawn
    # The fields' names are not painted: all magenta is a value, or the button.
    assert [name for name, data in drawn.items() if shows_text(data)] == [], plan
