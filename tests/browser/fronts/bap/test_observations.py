"""`BAPClient`'s methods that look, store, emulate and trace, and its agent methods."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
import re
from typing import Any

import pytest
from PIL import Image

from tests.browser.fronts.bap.pages import CONTROLS, frame_page
from tests.browser.fronts.bap.raw import RawClient
from tests.support.site import Site

pytest.importorskip("browseragentprotocol", reason="the test extra is not installed")

from browseragentprotocol import BAPClient, css, label, role


def image_of(data: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data)))


async def test_pictures_have_the_format_and_the_part_that_is_asked_for(
    client: BAPClient, site: Site
) -> None:
    html = "<body style='margin:0;background:#fff'><button style='position:fixed;left:0;top:0;"
    await client.create_page(site.page(html + "width:100px;height:50px'>Save</button>"))
    whole = await client.screenshot()
    shown = image_of(whole.data)
    assert (whole.format.value, shown.format) == ("png", "PNG")
    assert shown.size == (whole.width, whole.height)
    clip = {"x": 10, "y": 10, "width": 120, "height": 60}
    part = await client.screenshot({"format": "jpeg", "quality": 60, "clip": clip, "scale": "css"})
    assert (image_of(part.data).format, part.width, part.height) == ("JPEG", 120, 60)
    webp = await client.screenshot({"format": "webp", "mask": [{"type": "css", "value": "button"}]})
    red, green, blue = image_of(webp.data).convert("RGB").getpixel((30, 20))  # type: ignore[misc]
    assert red > 200
    assert green < 60
    assert blue > 200
    assert (await client.screenshot({"fullPage": True})).height >= whole.height


async def test_trees_documents_and_texts(client: BAPClient, site: Site) -> None:
    """Seed row 31: the accessibility tree is an array of nodes."""
    html = "<main><h1>Shop</h1><form aria-label=Pay><label>Card <input required></label></form>"
    await client.create_page(site.page(html + "<p>Some <b>text</b></main>"))
    tree = (await client.accessibility()).tree
    heading = next(node for node in nodes_of(tree) if node.role == "heading")
    assert (heading.name, heading.level) == ("Shop", 1)
    inside = (await client.accessibility({"root": {"type": "role", "role": "form"}})).tree
    field = next(node for node in nodes_of(inside) if node.role == "textbox")
    assert (field.name, field.required) == ("Card", True)
    assert field.bounding_box is not None
    assert not any(node.role == "heading" for node in nodes_of(inside))

    document = await client.dom()
    assert "<h1>Shop</h1>" in document.html
    assert (document.text.splitlines()[0], document.title) == ("Shop", "Test page")
    assert (await client.content("html")).content == document.html
    assert (await client.content("text")).content == document.text
    assert (await client.content("markdown")).content.startswith("# Shop")
    whole = await client.aria_snapshot()
    assert re.search(r'- heading "Shop" \[level=1\]', whole.snapshot)
    part = await client.aria_snapshot(role("form", "Pay"))
    assert re.search(r'- textbox "Card" \[required\] \[ref=0-\d+\]', part.snapshot)
    assert "Shop" not in part.snapshot


def nodes_of(tree: Any) -> list[Any]:
    return [one for node in tree for one in (node, *nodes_of(node.children or ()))]


async def test_properties_of_an_element(client: BAPClient, site: Site) -> None:
    html = "<label>Key <input type=password value=hidden></label><button disabled id=b>No</button>"
    await client.create_page(site.page(html))
    asked = ["visible", "enabled", "text", "tagName", "attributes", "boundingBox", "computedStyle"]
    button = (await client.element(css("#b"), asked)).properties
    assert (button["visible"], button["enabled"], button["text"]) == (True, False, "No")
    assert (button["tagName"], button["attributes"]["id"]) == ("button", "b")
    assert button["boundingBox"]["width"] > 0
    assert button["computedStyle"]["display"] == "inline-block"
    secret = (await client.element(label("Key"), ["value", "attributes"])).properties
    assert "hidden" not in json.dumps(secret)


async def test_a_pdf_says_how_many_pages_it_has(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page("<p>one<p style='break-before:page'>two"))
    printed = await client.pdf({"format": "A5", "landscape": True, "margin": {"top": "1cm"}})
    assert base64.b64decode(printed.data).startswith(b"%PDF-")
    assert printed.pages == 2


async def test_cookies_and_storage_are_saved_and_put_back(client: BAPClient, site: Site) -> None:
    url = site.page("<script>localStorage.setItem('k', 'v')</script>")
    await client.create_page(url)
    await client.set_cookies([{"name": "a", "value": "1", "url": url}])
    [cookie] = await client.get_cookies([url])
    assert (cookie.name, cookie.value, cookie.domain) == ("a", "1", "a.test")
    assert await client.get_cookies(["http://b.test/"]) == []
    state = await client.get_storage_state()
    await client.clear_cookies()
    assert await client.get_cookies() == []
    await client.create_context("other")
    await client.create_page(url, context_id="other")
    await client.set_storage_state(state)
    assert [one.name for one in await client.get_cookies()] == ["a"]
    [origin] = (await client.get_storage_state()).origins
    assert [(item.name, item.value) for item in origin.local_storage] == [("k", "v")]


async def test_a_page_is_made_to_believe_what_it_is_told(client: BAPClient, site: Site) -> None:
    html = """<p id=p></p><script>async function look() {
      const at = await new Promise(done => navigator.geolocation.getCurrentPosition(
        place => done(place.coords.latitude), error => done(error.message)));
      p.textContent = [innerWidth, innerHeight, navigator.userAgent, navigator.platform, at,
        navigator.onLine].join('|'); }</script><button onclick="look()">Look</button>"""
    await client.create_page(site.page(html, host="localhost"))
    await client.set_viewport(500, 400, device_scale_factor=2, is_mobile=False, has_touch=False)
    await client.set_user_agent("Test/1.0", platform="Plan9")
    await client.set_geolocation(48.5, 9.05, accuracy=5)
    await client.set_offline(True)
    await client.click(role("button", "Look"))
    shown = (await client.element(css("#p"), ["text"])).properties["text"]
    assert shown == "500|400|Test/1.0|Plan9|48.5|false"
    await client.set_offline(False)
    await client.reload()


async def test_a_trace_is_recorded(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page("<p>x"))
    await client.start_tracing({"categories": ["devtools.timeline"]})
    await client.reload()
    recorded = await client.stop_tracing()
    events = json.loads(base64.b64decode(recorded["data"]))["traceEvents"]
    assert any(event["name"] == "ParseHTML" for event in events)


async def test_steps_run_in_one_call(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page(CONTROLS))
    step = BAPClient.step
    name, send = {"type": "label", "value": "Name"}, {"type": "role", "role": "button"}
    done = await client.act(
        [
            step("action/fill", {"selector": name, "value": "Ada"}, label="name"),
            step(
                "action/click",
                {"selector": {**send, "name": "Send"}},
                condition={"selector": name, "state": "visible", "timeout": 1000},
            ),
            step(
                "action/click",
                {"selector": {"type": "css", "value": "#no"}, "options": {"timeout": 100}},
                on_error="skip",
            ),
            step(
                "action/click",
                {"selector": {"type": "css", "value": "#no"}, "options": {"timeout": 100}},
                on_error="retry",
                max_retries=1,
                retry_delay=100,
            ),
            step("page/reload", {}),
        ],
        stop_on_first_error=False,
        continue_on_condition_fail=True,
        timeout=30_000,
    )
    assert (done.completed, done.total, done.success, done.failed_at) == (3, 5, False, 3)
    assert [row.success for row in done.results] == [True, True, False, False, True]
    assert (done.results[0].label, done.results[3].retries) == ("name", 1)


async def test_an_observation_can_be_acted_on(client: BAPClient, site: Site) -> None:
    await client.create_page(frame_page(site))
    seen = await client.observe(
        include_screenshot=True,
        include_bounds=True,
        max_elements=10,
        stable_refs=True,
        refresh_refs=False,
        include_ref_history=True,
        annotate_screenshot={"enabled": True, "labelFormat": "number", "maxLabels": 1},
    )
    assert seen.metadata is not None
    assert seen.metadata.viewport["width"] > 0
    assert seen.interactive_elements is not None
    pay = next(one for one in seen.interactive_elements if one.name == "Pay")
    assert pay.stability is not None
    assert (pay.stability.value, pay.tag_name) == ("new", "button")
    assert "clickable" in [hint.value for hint in pay.action_hints]
    await client.click(pay.selector)
    await client.click({"type": "ref", "ref": pay.ref})
    assert seen.annotation_map is not None
    assert [mark.label for mark in seen.annotation_map] == ["1"]
    assert seen.screenshot is not None
    assert seen.screenshot.annotated
    plain = await client.screenshot()
    assert image_of(plain.data).size == image_of(seen.screenshot.data).size
    assert plain.data != seen.screenshot.data
    again = await client.observe(include_ref_history=True, filter_roles=["button"])
    assert again.interactive_elements is not None
    [button] = again.interactive_elements
    assert button.stability is not None
    assert (button.ref, button.stability.value) == (pay.ref, "stable")


async def test_data_is_extracted_with_its_sources(client: BAPClient, site: Site) -> None:
    html = """<table><tr><th>Item<th>Price<tr><td>Lamp<td>19.90<tr><td>Chair<td>80</table>
      <dl id=d><dt>Total<dd>99.90</dl>"""
    await client.create_page(site.page(html))
    properties = {"item": {"type": "string"}, "price": {"type": "number"}}
    rows = await client.extract(
        "the rows",
        {"type": "object", "properties": properties},
        mode="table",
        include_source_refs=True,
        timeout=5000,
    )
    assert rows.success
    assert rows.data == [{"item": "Lamp", "price": 19.9}, {"item": "Chair", "price": 80}]
    assert rows.sources is not None
    assert len(rows.sources) == 4
    total = {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}
    assert (await client.extract("it", total, selector=css("#d"))).data == {"total": 99.9}
    missing = await client.extract("it", {**total, "required": ["tax"]})
    assert (missing.success, "tax" in (missing.error or "")) == (False, True)


async def test_a_large_result_comes_in_parts(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page(f"<p>{'long ' * 60_000}"))
    chunks: list[Any] = []
    ends: list[Any] = []
    over = asyncio.Event()
    forget = client.on_stream_chunk(chunks.append)

    def ended(end: Any) -> None:
        ends.append(end)
        over.set()

    client.on_stream_end(ended)
    document = await client.dom({"stream": True})
    assert document.html == ""
    async with asyncio.timeout(20):
        await over.wait()
    html = "".join(chunk.data for chunk in chunks)
    assert html.count("long ") == 60_000
    [end] = ends
    assert (end.total_chunks, end.total_size) == (len(chunks), len(html))
    assert end.checksum == hashlib.sha256(html.encode()).hexdigest()
    forget()
    assert (await client.cancel_stream("stream-99")).cancelled is False


async def test_a_stream_that_is_cancelled_has_no_end(raw: RawClient, site: Site) -> None:
    await raw("page/create", url=site.page("<p>x"))
    batch = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "observe/dom",
            "params": {"options": {"stream": True}},
        },
        {"jsonrpc": "2.0", "id": 2, "method": "stream/cancel", "params": {"streamId": "stream-1"}},
    ]
    await raw.send(batch)
    first, second = await raw.answer()
    assert first["result"]["streamId"] == "stream-1"
    assert second["result"] == {"cancelled": True}
    await raw("page/list")
    assert not [one for one in raw.notifications if one["method"].startswith("stream/")]
