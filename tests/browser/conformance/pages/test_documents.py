"""Documents other than ordinary HTML pages: something sensible is shown, nothing breaks."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from cdp_agent import CdpAgentError, InvalidParams, Outcome, Page
from tests.browser.conformance.attempt import attempt
from tests.support.oracle import PageOracle
from tests.support.site import Request, Response, Site
from tests.support.stage import OpenPage

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
DOCUMENTS = {
    "xhtml": (
        "application/xhtml+xml",
        b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title>'
        b"</head><body><button>Order</button></body></html>",
        "Order",
    ),
    "svg": (
        "image/svg+xml",
        b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">'
        b'<text x="5" y="20">Drawn words</text></svg>',
        "Drawn words",
    ),
    "text": ("text/plain", b"Nothing but words", "Nothing but words"),
    "xml": ("application/xml", b"<list><item>First of all</item></list>", "First of all"),
    "broken xml": ("application/xml", b"<list><item>Unclosed", "error"),
    "json": ("application/json", b'{"answer": "forty-two"}', "forty-two"),
    "image": ("image/png", PIXEL, "picture"),
    "css": ("text/css", b"body { color: red }", "color: red"),
    "empty": ("text/html", b"", ""),
    "unknown characters": ("text/html", b"<button>Order</button>\xff\xfe\x00", "Order"),
}


@pytest.mark.row("ROB-13")
@pytest.mark.parametrize(("kind", "body", "shown"), DOCUMENTS.values(), ids=DOCUMENTS.keys())
async def test_what_is_no_html_page_is_shown_all_the_same(
    page: Page, site: Site, kind: str, body: bytes, shown: str
) -> None:
    path = f"/documents/{quote(kind)}-{len(body)}-picture"
    site.route(path, lambda _: Response(200, {"Content-Type": kind}, body))

    await page.goto(site.url(path))
    snap = await page.snapshot()

    assert site.url(path) in snap.text
    assert shown in snap.text
    assert len(await page.screenshot()) > 0


@pytest.mark.row("ROB-13")
async def test_an_xhtml_page_and_a_drawing_take_clicks(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    xhtml = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title>'
        "</head><body><p style='height:1500px'/><input id='name'/>"
        "<button onclick=\"document.title = 'clicked'\">Order</button></body></html>"
    )
    await page.goto(site.page(xhtml, content_type="application/xhtml+xml"))
    snap = await page.snapshot()

    await page.fill(snap.find("textbox").id, "typed")
    await page.click(snap.find("button", "Order").id)

    assert await oracle.eval("[document.title, document.getElementById('name').value]") == [
        "clicked",
        "typed",
    ]
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle cx="100" cy="100"'
        ' r="40" tabindex="0" role="button" aria-label="Disc"'
        " onclick=\"this.setAttribute('fill', 'red')\"/></svg>"
    )
    await page.goto(site.page(drawing, content_type="image/svg+xml"))
    await page.click((await page.snapshot()).find("button", "Disc").id)
    assert await oracle.eval("document.querySelector('circle').getAttribute('fill')") == "red"


@pytest.mark.row("ROB-14")
async def test_a_page_in_quirks_mode_is_clicked_and_scrolled(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    quirks = (
        "<html><title>Old</title><body><div style='height:3000px'></div>"
        "<table height=100%><tr><td><button onclick=\"document.title = 'clicked'\">Order</button>"
    )
    await page.goto(site.page(quirks))
    button = (await page.snapshot()).find("button", "Order").id

    await page.click(button)

    assert await oracle.eval("[document.compatMode, document.title, scrollY > 2000]") == [
        "BackCompat",
        "clicked",
        True,
    ]
    await oracle.eval("scrollTo(0, 0)")
    await page.scroll_into_view(button)
    assert await oracle.eval("scrollY > 2000")


ADDRESSES = {
    "about:blank": "about:blank",
    "data": "data:text/html,<button onclick=\"document.title='clicked'\">Order</button>",
    "chrome": "chrome://version",
    "view-source": "view-source:http://a.test:{port}/source-seen",
    "about:srcdoc": "about:srcdoc",
    "blob": "blob:http://a.test/0",
    "javascript": "javascript:document.title",
    "chrome-error": "chrome-error://chromewebdata/",
}


@pytest.mark.row("ROB-16")
@pytest.mark.no_after_state("pages of the browser itself take no button of ours")
@pytest.mark.fresh_tab("pages of the browser itself leave its own process behind")
@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES.keys())
async def test_addresses_that_are_no_web_pages_work_or_are_refused_in_words(
    page: Page, site: Site, address: str
) -> None:
    site.page("<button>In the source</button>", path="/source-seen")
    url = address.format(port=site.port)

    answer = await attempt(page.goto(url, timeout=5))
    snap = await page.snapshot(timeout=5)

    if isinstance(answer, CdpAgentError):
        assert answer.code in {"navigation_failed", "invalid_params", "timeout"}
        assert answer.hint
    assert snap.text.startswith("Page: ")
    await page.goto(site.page("<button onclick=\"this.textContent = 'Done'\">Order</button>"))
    await page.click((await page.snapshot()).find("button", "Order").id)
    assert (await page.snapshot()).find("button", "Done")


SCRIPTS = [
    "javascript:document.title='ran'",
    "JavaScript:document.title='ran'",
    " \x01javascript:document.title='ran'",
    "java\tscr\nipt:document.title='ran'",
    "view-source:javascript:document.title='ran'",
]


@pytest.mark.parametrize("script", SCRIPTS)
async def test_a_script_is_no_address(page: Page, open_page: OpenPage, script: str) -> None:
    await open_page("<input type=password value=xyzzy>")

    with pytest.raises(InvalidParams):
        await page.goto(script)
    with pytest.raises(InvalidParams):
        await page.browser.new_page(script)

    assert await page.evaluate("document.title") == "Test page"


@pytest.mark.row("ROB-16")
async def test_a_data_page_takes_a_click(page: Page, oracle: PageOracle) -> None:
    await page.goto(ADDRESSES["data"])

    await page.click((await page.snapshot()).find("button", "Order").id)

    assert await oracle.eval("document.title") == "clicked"


@pytest.mark.row("ROB-17")
@pytest.mark.parametrize("size", [(1, 1), (8000, 8000)], ids=["1x1", "8000x8000"])
async def test_a_window_of_any_size_takes_a_click_or_says_why_not(
    page: Page, oracle: PageOracle, open_page: OpenPage, size: tuple[int, int]
) -> None:
    await open_page(
        "<div style='height:9000px'></div>"
        "<button onclick=\"document.title = 'clicked'\">Order</button>"
    )
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    await oracle.send("Emulation.setDeviceMetricsOverride", metrics)
    button = (await page.snapshot()).find("button", "Order").id

    answer = await attempt(page.click(button))

    is_clicked = await oracle.eval("document.title") == "clicked"
    if isinstance(answer, CdpAgentError):
        assert answer.code in {"element_not_visible", "element_obscured"}
    assert is_clicked is isinstance(answer, Outcome)


@pytest.mark.row("ROB-12")
async def test_a_page_that_forbids_scripts_takes_choices_and_files_too(
    page: Page, oracle: PageOracle, site: Site, tmp_path: Path
) -> None:
    policy = "default-src 'none'; script-src 'none'; require-trusted-types-for 'script'"
    file = tmp_path / "letter.txt"
    file.write_text("Dear all")
    await page.goto(
        site.page(
            "<label>Size <select id=size><option>S<option>M<option>L</select></label>"
            "<label>Letter <input type=file id=letter></label>"
            "<label><input type=checkbox id=gift> Gift</label>",
            headers={"Content-Security-Policy": policy},
        )
    )
    snap = await page.snapshot()

    await page.select(snap.find("combobox", "Size").id, label="M")
    await page.upload(snap.find(name="Letter").id, file)
    await page.check(snap.find("checkbox", "Gift").id)

    state = "[size.value, letter.files[0].name, gift.checked]"
    assert await oracle.eval(state) == ["M", "letter.txt", True]


@pytest.mark.row("ROB-22")
async def test_a_load_that_never_ends_times_out_and_leaves_what_came(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    def forever(_: Request) -> Response:
        def parts() -> Iterator[bytes]:
            yield (
                b"<!doctype html><title>Slow</title>"
                b"<button onclick=\"document.title = 'clicked'\">Order</button>" + b" " * 4096
            )
            while not site._closing.wait(0.2):
                yield b" "

        return Response(200, {"Content-Type": "text/html"}, parts())

    site.route("/forever", forever)

    with pytest.raises(CdpAgentError) as error:
        await page.goto(site.url("/forever"), timeout=1)
    await page.click((await page.snapshot()).find("button", "Order").id)

    assert error.value.code == "timeout"
    assert await oracle.eval("document.title") == "clicked"


@pytest.mark.row("ROB-22")
async def test_a_page_that_stops_its_own_loading_can_be_used(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<button onclick=\"document.title = 'clicked'\">Order</button><script>window.stop()"
        "</script><p>Not reached</p><iframe src=/never></iframe>"
    )

    await page.click((await page.snapshot()).find("button", "Order").id)

    assert await oracle.eval("document.title") == "clicked"
