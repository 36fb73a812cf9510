"""Text whose field loses the focus while it is typed: no other element gets one key of it.

The pages record each key event and each value themselves, in every frame.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.browser.conformance.attempt import attempt
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import HOSTS, MakeStage

TEXT = "correct horse battery staple"
FIELD = "<input id=target aria-label=Code>"
#: Records what a document is given, and tells the main document.
RECORDER = """<script>
  window.heard = [];
  for (const type of ['keydown', 'keypress', 'beforeinput', 'textInput', 'input', 'keyup'])
    addEventListener(type, (event) => { heard.push(type + ':' + (event.key || event.data)) }, true);
</script>"""
THIEF = RECORDER + "<input id=thief autofocus>"
GRAB = "thief.focus()"

OTHERS = [
    "<input id=thief>",
    "<textarea id=thief></textarea>",
    "<div id=thief contenteditable></div>",
]
TAKERS = {
    "at the first key": "target.onkeydown = () => {take}",
    "at the third character": "target.oninput = () => {{ if (target.value.length === 3) {take} }}",
    "all the time": "target.onfocus = () => setInterval(() => {take}, 1)",
    "in the next frame": "target.onfocus = () => requestAnimationFrame(() => {take})",
    "soon": "target.oninput = () => setTimeout(() => {take}, 4)",
}


@pytest.mark.parametrize("when", TAKERS)
@pytest.mark.parametrize("other", OTHERS)
async def test_another_field_of_the_document_gets_no_key(
    make_stage: MakeStage, when: str, other: str
) -> None:
    script = TAKERS[when].format(take=GRAB)
    stage = await make_stage(
        FIELD
        + other
        + f"""<script>
        window.heard = [];
        for (const type of ['keydown', 'keypress', 'beforeinput', 'input'])
          thief.addEventListener(type, (event) => heard.push(type + ':' + event.key));
        {script}</script>"""
    )
    target = await stage.css()

    answer = await attempt(stage.page.type(target, TEXT))

    held = await stage.eval("target.value")
    assert await stage.eval("[thief.value || '', thief.textContent, heard.join()]") == ["", "", ""]
    assert TEXT.startswith(held)
    if held != TEXT:
        assert isinstance(answer, CdpAgentError)
        assert answer.code == "stale_ref"
        assert answer.data["typed"] == len(held)
        assert f"{len(held)} of {len(TEXT)}" in answer.message


@pytest.mark.parametrize("frame_kind", ["same-process", "oopif"])
@pytest.mark.parametrize("when", ["soon", "all the time", "by itself"])
async def test_another_frame_gets_no_key(
    page: Page, oracle: PageOracle, site: Site, frame_kind: str, when: str
) -> None:
    for _ in range(5):
        await _type_beside_a_thief(page, oracle, site, frame_kind, when)


async def _type_beside_a_thief(
    page: Page, oracle: PageOracle, site: Site, frame_kind: str, when: str
) -> None:
    thief = site.page(
        THIEF
        + """<script>
        onmessage = ({ data }) => {
          if (data === 'grab') thief.focus();
          else parent.postMessage({ heard, held: thief.value }, '*');
        };
        if (location.hash === '#self') setTimeout(() => thief.focus(), 20 + Math.random() * 30);
        </script>""",
        host=HOSTS[frame_kind],
    )
    take = "frames[0].postMessage('grab', '*')"
    script = TAKERS[when].format(take=take) if when in TAKERS else ""
    url = site.page(
        f"""{FIELD}<iframe src="{thief}#{"" if script else "self"}"></iframe><script>
        onmessage = ({{ data }}) => {{ window.told = data }};
        {script}</script>"""
    )
    await page.goto(url)
    target = (await page.snapshot()).find("textbox", "Code").id

    answer = await attempt(page.type(target, TEXT, delay_ms=1 if when == "by itself" else 0))

    held = await oracle.eval("target.value")
    await oracle.eval("void frames[0].postMessage('tell', '*')")
    await oracle.wait("window.told")
    assert await oracle.eval("[told.held, told.heard.join()]") == ["", ""]
    assert TEXT.startswith(held)
    if held != TEXT:
        assert isinstance(answer, CdpAgentError)
        assert answer.code == "stale_ref"
        assert answer.data["typed"] == len(held)


@pytest.mark.parametrize("made", ["srcdoc", "blank", "written", "other site"])
async def test_a_frame_that_comes_while_typing_gets_no_key(
    page: Page, oracle: PageOracle, site: Site, made: str
) -> None:
    thief = site.page(
        THIEF
        + """<script>
        setInterval(() => {
          thief.focus();
          parent.postMessage([heard.join(), thief.value], '*');
        }, 1);
        </script>""",
        host="b.test",
    )
    ways = {
        "srcdoc": "f.srcdoc = '<input id=thief autofocus><script>thief.focus()<\\/script>';"
        "document.body.append(f)",
        "blank": "document.body.append(f); const { body } = f.contentDocument;"
        "body.innerHTML = '<input id=thief>'; body.firstChild.focus()",
        "written": "document.body.append(f); const d = f.contentDocument; d.open();"
        "d.write('<input id=thief>'); d.close(); d.querySelector('input').focus()",
        "other site": f"f.src = '{thief}'; document.body.append(f)",
    }
    await page.goto(
        site.page(f"""{FIELD}<script>
        onmessage = ({{ data }}) => {{ window.told = data }};
        target.addEventListener('input', () => {{
          const f = document.createElement('iframe');
          {ways[made]};
        }}, {{ once: true }});
        </script>""")
    )
    target = (await page.snapshot()).find("textbox", "Code").id

    answer = await attempt(page.type(target, TEXT, delay_ms=5))

    held = await oracle.eval("target.value")
    if made == "other site":
        await oracle.wait("window.told")
        assert await oracle.eval("told") == ["", ""]
    else:
        assert await oracle.eval("frames[0].document.querySelector('input').value") == ""
    assert TEXT.startswith(held)
    if held != TEXT:
        assert isinstance(answer, CdpAgentError)
        assert answer.code == "stale_ref"


async def test_the_next_document_gets_no_key(page: Page, oracle: PageOracle, site: Site) -> None:
    following = site.page(THIEF)
    script = f"target.oninput = () => location.assign('{following}')"
    await page.goto(site.page(f"{FIELD}<script>{script}</script>"))
    target = (await page.snapshot()).find("textbox", "Code").id

    answer = await attempt(page.type(target, TEXT, delay_ms=3))

    await oracle.wait("typeof heard === 'object'")
    assert await oracle.eval("[heard.join(), thief.value]") == ["", ""]
    assert isinstance(answer, CdpAgentError)


async def test_a_filled_text_goes_nowhere_else(page: Page, oracle: PageOracle, site: Site) -> None:
    """The frame asks for the focus again and again, and gets all that is not stopped."""
    thief = site.page(
        THIEF
        + """<script>setInterval(() => thief.focus(), 2);
        onmessage = () => parent.postMessage({ heard, held: thief.value }, '*');</script>""",
        host="b.test",
    )
    url = site.page(
        f"""<input id=target type=password aria-label=Code><iframe src="{thief}"></iframe>
        <script>onmessage = ({{ data }}) => {{ window.told = data }};</script>"""
    )
    for _ in range(10):
        await page.goto(url)
        target = (await page.snapshot()).find("textbox", "Code").id

        answer = await attempt(page.fill(target, TEXT))

        await oracle.eval("void frames[0].postMessage('tell', '*')")
        await oracle.wait("window.told")
        assert await oracle.eval("[told.held, told.heard.join()]") == ["", ""]
        held = await oracle.eval("target.value")
        assert (held == TEXT) is not isinstance(answer, CdpAgentError)
