"""Every way a document can stand inside another: srcdoc, blob:, data:, sandboxed, plugin-like …"""

from __future__ import annotations

import html as markup
import json
from base64 import b64encode
from urllib.parse import quote

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import CLICKED, FRAME_HOSTS, iframe, presses, target_page
from tests.support.site import Site
from tests.support.stage import OpenPage

BUTTON = '<button onclick="window.hits = (window.hits || 0) + 1">Target</button>'
AS_SCRIPT = json.dumps(BUTTON)


def srcdoc(content: str, *, name: str = "subject", attrs: str = "") -> str:
    return (
        f'<iframe name={name} {attrs} style="width:400px;height:200px" '
        f'srcdoc="{markup.escape(content)}"></iframe>'
    )


KINDS = {
    "srcdoc": srcdoc(BUTTON),
    "about-blank-filled": (
        "<iframe name=subject></iframe>"
        f"<script>frames.subject.document.body.innerHTML = {AS_SCRIPT}</script>"
    ),
    "blob": (
        "<iframe name=subject></iframe><script>document.querySelector('iframe').src = "
        f"URL.createObjectURL(new Blob([{AS_SCRIPT}], {{type: 'text/html'}}))</script>"
    ),
    "data": f'<iframe name=subject src="data:text/html,{quote(BUTTON)}"></iframe>',
    "document-write": (
        "<iframe name=subject></iframe><script>const inner = frames.subject.document;"
        f"inner.open(); inner.write({AS_SCRIPT}); inner.close()</script>"
    ),
    "javascript-url": (
        f'<iframe name=subject src="javascript:{quote(json.dumps(BUTTON))}"></iframe>'
    ),
    "sandboxed-with-scripts": srcdoc(BUTTON, attrs='sandbox="allow-scripts"'),
    "credentialless": srcdoc(BUTTON, attrs="credentialless"),
    "srcdoc-in-srcdoc": srcdoc(srcdoc(BUTTON), name="outer"),
    # In base64, so that the inner frame's name is not a part of the outer frame's address.
    "srcdoc-in-data": (
        '<iframe name=outer style="width:400px;height:200px" src="data:text/html;base64,'
        + b64encode(srcdoc(BUTTON).encode()).decode()
        + '"></iframe>'
    ),
}


@pytest.mark.row("IFR-13")
@pytest.mark.parametrize("html", KINDS.values(), ids=KINDS.keys())
async def test_a_frame_without_an_address_of_its_own_is_listed_and_clickable(
    page: Page, oracle: PageOracle, open_page: OpenPage, html: str
) -> None:
    await open_page(html)
    await oracle.wait_in("subject", "document.querySelector('button') !== null")
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert target.id.frame_index > 0
    assert await oracle.eval_in("subject", "window.hits") == 1


@pytest.mark.row("IFR-14")
async def test_a_link_in_a_sandboxed_frame_without_scripts_is_followed_inside_the_frame(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    arrival = site.page("<p>Arrived</p>")
    child = site.page(
        f'<script>document.title = "ran"</script><a href="{arrival}" target=_self>Go</a>'
    )
    await open_page(iframe(child, name="subject", attrs='sandbox="allow-same-origin"'))
    link = (await page.snapshot()).find("link", "Go")

    await page.click(link.id)

    await oracle.wait_in("subject", "document.body?.innerText.includes('Arrived')")
    assert "Arrived" in (await page.snapshot()).text
    assert len(await oracle.frame_urls()) == 2


@pytest.mark.row("IFR-15")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_frame_with_an_opaque_origin_is_driven_like_any_other(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(
        "<label><input type=checkbox> Agree</label><input aria-label=Email>", host=host
    )
    await open_page(iframe(child, name="subject", attrs='sandbox=""'))
    snap = await page.snapshot()

    await page.click(snap.find("checkbox", "Agree").id)
    await page.fill(snap.find("textbox", "Email").id, "ada@example.com")

    assert await oracle.eval_in("subject", "document.querySelector(':checked') !== null")
    email = await oracle.eval_in("subject", "document.querySelector('[aria-label]').value")
    assert email == "ada@example.com"


@pytest.mark.row("IFR-20")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_the_title_of_an_iframe_is_its_name(
    page: Page, site: Site, open_page: OpenPage, host: str
) -> None:
    child = site.page("<p>Card form</p>", host=host)
    await open_page(iframe(child, name="pay", attrs='id=pay-frame title="Card details"'))

    snap = await page.snapshot()

    assert f'iframe {snap.frames[1].index} "Card details"' in snap.text
    assert snap.frames[1].name == "pay"
    assert snap.frames[1].url == child


@pytest.mark.row("IFR-22")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_an_iframe_that_is_moved_and_reloads_makes_its_ids_stale(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(f"<div>{iframe(child, name='subject')}</div><section></section>")
    old = (await page.snapshot()).find("button", "Target")
    await oracle.eval(
        """new Promise(resolve => {
            const frame = document.querySelector('iframe');
            frame.onload = () => resolve();
            document.querySelector('section').appendChild(frame);
        })"""
    )

    with pytest.raises(CdpAgentError) as error:
        await page.click(old.id)
    assert error.value.code == "stale_ref"
    assert await presses(oracle, "subject") == []

    new = (await page.snapshot()).find("button", "Target")
    await page.click(new.id)

    assert new.id.frame_index != old.id.frame_index
    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.row("IFR-23")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_an_iframe_that_is_moved_without_reloading_keeps_its_ids(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(
        f"<div>{iframe(child, name='subject')}</div><section style='padding:50px'></section>"
    )
    target = (await page.snapshot()).find("button", "Target")
    await oracle.eval(
        "document.querySelector('section').moveBefore(document.querySelector('iframe'), null)"
    )

    outcome = await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED
    assert not outcome.healed


@pytest.mark.row("IFR-24")
@pytest.mark.parametrize("host", FRAME_HOSTS)
@pytest.mark.parametrize(
    "element",
    [
        '<object name=subject data="{url}" type="text/html" width=400 height=300></object>',
        '<embed name=subject src="{url}" type="text/html" width=400 height=300>',
    ],
    ids=("object", "embed"),
)
async def test_a_page_in_an_object_or_embed_element_is_listed_and_clickable(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, element: str, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(element.format(url=child))
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert target.id.frame_index > 0
    assert await presses(oracle, child) == CLICKED


@pytest.mark.no_after_state("a frameset has no body that a control button could stand in")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_the_frames_of_a_frameset_are_listed_and_clickable(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    left = site.page(target_page(), host=host)
    right = site.page(target_page(left=150), host=host)
    await open_page(
        "<html><frameset cols='50%,50%'>"
        f"<frame name=left src='{left}'><frame name=right src='{right}'></frameset></html>"
    )
    snap = await page.snapshot()
    right_index = next(frame.index for frame in snap.frames if frame.url == right)

    await page.click(snap.find("button", "Target", frame=right_index).id)

    assert await presses(oracle, "right") == CLICKED
    assert await presses(oracle, "left") == []


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_lazy_iframe_is_listed_and_clickable_once_it_has_loaded(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(
        "<div style='height:9000px'></div>" + iframe(child, name="subject", attrs="loading=lazy")
    )
    assert (await page.snapshot()).find_all("button", "Target") == []

    await oracle.eval("document.querySelector('iframe').scrollIntoView()")
    await oracle.wait_in("subject", "document.readyState === 'complete' && !!window.seen")
    await page.click((await page.snapshot()).find("button", "Target").id)

    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.parametrize("host", FRAME_HOSTS)
@pytest.mark.parametrize(
    ("style", "attrs"),
    [("display:none", ""), ("visibility:hidden", ""), ("", "inert")],
    ids=("display-none", "visibility-hidden", "inert"),
)
async def test_what_a_hidden_iframe_holds_is_not_offered(
    page: Page, site: Site, open_page: OpenPage, style: str, attrs: str, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(
        "<button>Here</button>" + iframe(child, name="subject", style=style, attrs=attrs)
    )

    snap = await page.snapshot()

    assert snap.find("button", "Here")
    assert snap.find_all("button", "Target") == []


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_target_in_an_iframe_that_lets_the_pointer_through_is_not_clicked(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(iframe(child, name="subject", style="pointer-events:none"))
    target = (await page.snapshot()).find("button", "Target")

    with pytest.raises(CdpAgentError) as error:
        await page.click(target.id, timeout=1)

    assert error.value.code == "element_obscured"
    assert await presses(oracle, "subject") == []
