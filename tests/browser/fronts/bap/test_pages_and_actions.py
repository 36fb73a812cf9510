"""`BAPClient`'s methods for browsers, pages, frames and actions, on real Chromium."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.browser.fronts.bap.pages import CONTROLS, frame_page
from tests.support.site import Request, Response, Site

pytest.importorskip("browseragentprotocol", reason="the test extra is not installed")

from browseragentprotocol import (
    BAPClient,
    BAPContextNotFoundError,
    BAPError,
    ErrorCodes,
    coords,
    css,
    label,
    placeholder,
    ref,
    role,
    semantic,
    test_id,
    text,
    xpath,
)


def titled(title: str) -> str:
    return f"<!doctype html><title>{title}</title><p>{title}"


async def log_of(client: BAPClient) -> str:
    return str((await client.element(css("#log"), ["text"])).properties["text"])


async def test_connecting_tells_version_and_capabilities(address: str, token: str) -> None:
    client = BAPClient(address, token=token)
    try:
        told = await client.connect()
        assert (told.protocol_version, told.server_info.name) == ("0.2.0", "cdp-agent")
        assert told.capabilities.browsers == ["chromium"]
        assert "click" in (told.capabilities.actions or [])
        assert client.capabilities is not None
        assert client.capabilities["events"] == ["page", "console", "network", "dialog", "download"]
    finally:
        await client.close()


async def test_a_browser_is_launched_and_closed(client: BAPClient, site: Site) -> None:
    launched = await client.launch(browser="chromium", headless=True)
    assert (launched.browser, launched.version.startswith(("Chrome", "Headless"))) == (
        "chromium",
        True,
    )
    page = await client.create_page(site.page("<p>one"))
    await client.close_browser(launched.browser_id)
    again = await client.launch()
    assert again.browser_id != launched.browser_id
    assert page.id not in [one["id"] for one in (await client.list_pages())["pages"]]


@pytest.mark.parametrize("other", ["firefox", "webkit"])
async def test_another_browser_is_refused(client: BAPClient, other: Any) -> None:
    with pytest.raises(BAPError, match="chromium") as caught:
        await client.launch(browser=other)
    assert caught.value.code == ErrorCodes.InvalidParams


async def test_pages_are_opened_moved_listed_and_closed(client: BAPClient, site: Site) -> None:
    first, second = site.page(titled("One")), site.page(titled("Two"))
    page = await client.create_page(first)
    assert (page.url, page.title, page.status.value) == (first, "One", "ready")
    assert (page.viewport.width, page.viewport.height) > (0, 0)

    went = await client.navigate(second, wait_until="networkidle", timeout=20_000)  # type: ignore[arg-type]
    assert (went.url, went.status) == (second, 200)
    await client.go_back(wait_until="load")  # type: ignore[arg-type]
    assert (await client.dom()).url == first
    await client.go_forward(timeout=10_000)
    assert (await client.dom()).title == "Two"
    await client.reload()

    other = await client.create_page(first)
    listed = await client.list_pages()
    assert [one["id"] for one in listed["pages"]] == [page.id, other.id]
    assert listed["activePage"] == other.id
    await client.activate_page(page.id)
    assert (await client.dom()).title == "Two"
    await client.close_page(other.id)
    assert len((await client.list_pages())["pages"]) == 1


async def test_the_status_of_an_answer_is_told(client: BAPClient, site: Site) -> None:
    await client.create_page()
    assert (await client.navigate(site.page("<p>gone", status=404))).status == 404


async def test_a_navigation_has_the_referer_it_is_given(client: BAPClient, site: Site) -> None:
    heard: list[str] = []

    def serve(request: Request) -> Response:
        heard.append(request.headers.get("Referer", ""))
        return Response(200, {"Content-Type": "text/html"}, b"<p>x")

    site.route("/referred.html", serve)
    origin = site.url("/").rstrip("/")
    await client.create_page()
    await client.navigate(site.url("/referred.html"), referer=f"{origin}/from")
    assert heard == [f"{origin}/from"]


SELECTORS: dict[str, Any] = {
    "css": css("#name"),
    "xpath": xpath("//input[@id='name']"),
    "role": role("textbox", "Name"),
    "label": label("Name"),
    "semantic": semantic("the name field"),
    "an object": {"type": "css", "value": "#name"},
}


@pytest.mark.parametrize("selector", SELECTORS.values(), ids=SELECTORS.keys())
async def test_a_field_is_filled_by_every_selector(
    client: BAPClient, site: Site, selector: Any
) -> None:
    await client.create_page(site.page(CONTROLS))
    await client.fill(selector, "Ada")
    assert (await client.element(css("#name"), ["value"])).properties == {"value": "Ada"}


async def test_selectors_of_texts_places_and_refs(client: BAPClient, site: Site) -> None:
    """Seed row 19: the type is spelled testId."""
    await client.create_page(site.page(CONTROLS))
    await client.fill(placeholder("Search here"), "a")
    await client.fill(test_id("search"), "ab")
    await client.click(text("Send"))
    box = (await client.element(text("Hover"), ["boundingBox"])).properties["boundingBox"]
    await client.hover(coords(box["x"] + 5, box["y"] + 5))
    seen = await client.observe(filter_roles=["checkbox"])
    assert seen.interactive_elements is not None
    await client.click(ref(seen.interactive_elements[0].ref))
    assert await log_of(client) == "sent ;hovered;check true;"


async def test_actions_do_what_they_say(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page(CONTROLS))
    send = role("button", "Send")
    await client.fill(label("Name"), "Ada")
    await client.type(label("Name"), " L", {"delay": 1})
    await client.click(
        send, {"timeout": 5000, "modifiers": ["Shift"], "position": {"x": 3, "y": 3}}
    )
    await client.dblclick(send)
    await client.click(send, {"button": "right"})
    await client.hover(role("button", "Hover"))
    await client.check(label("Agree"))
    await client.uncheck(label("Agree"))
    await client.select(label("Size"), "l")
    await client.select(label("Size"), ["s"])
    await client.press("a", label("Note"))
    await client.type(label("Note"), "b", {"clear": True})
    assert (await client.element(label("Note"), ["value"])).properties["value"] == "b"
    await client.clear(label("Name"))
    await client.click(send)
    await client.drag(css("#drag"), {"type": "css", "value": "#drop"})
    steps = (
        *("sent Ada L", "sent Ada L", "sent Ada L", "double", "menu", "hovered"),
        *("check true", "check false", "size l", "size s", "key a"),
    )
    said = await log_of(client)
    assert said.startswith("".join(f"{step};" for step in steps)), said
    assert said.endswith("sent ;dropped;"), said


async def test_a_drag_ends_at_a_point(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page(CONTROLS))
    box = (await client.element(css("#drop"), ["boundingBox"])).properties["boundingBox"]
    await client.drag(css("#drag"), {"x": box["x"] + 10, "y": box["y"] + 10})
    assert await log_of(client) == "dropped;"


async def test_a_click_at_a_point_lands_there(client: BAPClient, site: Site) -> None:
    html = """<canvas width=300 height=200 style="position:absolute;left:0;top:0"
      onclick="document.title = event.clientX + ',' + event.clientY"></canvas>"""
    await client.create_page(site.page(html))
    await client.click(coords(37, 121))
    assert (await client.dom()).title == "37,121"


async def test_scrolling_by_pixels_pages_and_to_an_element(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page(CONTROLS))

    async def top() -> float:
        seen = await client._request("agent/observe", {"includeInteractiveElements": False})
        return float(seen["metadata"]["scroll"]["y"])

    await client.scroll(options={"direction": "down", "amount": 300})
    assert await top() == 300
    await client.scroll(options={"direction": "up", "amount": 100})
    assert await top() == 200
    await client.scroll(options={"direction": "down", "amount": "page"})
    assert await top() > 400
    await client.scroll(role("button", "Below"), {"amount": "toElement"})
    assert await top() > 2000


async def test_files_are_uploaded_from_the_message(client: BAPClient, site: Site) -> None:
    await client.create_page(site.page(CONTROLS))
    content = base64.b64encode(b"hello file").decode()
    file = {"name": "../a.txt", "mimeType": "text/plain", "buffer": content}
    await client.upload(label("File"), [file])
    said = await log_of(client)
    assert said.startswith("file ")
    assert said.endswith("a.txt hello file;")
    with pytest.raises(BAPError, match="base64"):
        await client.upload(label("File"), [{"name": "a", "buffer": "!"}])


async def test_contexts_keep_apart_what_pages_store(client: BAPClient, site: Site) -> None:
    url = site.page("<p>x")
    await client.create_page(url)
    made = await client.create_context("mine", {"viewport": {"width": 640, "height": 480}})
    assert made.context_id == "mine"
    page = await client.create_page(url, context_id="mine")
    assert (page.viewport.width, page.viewport.height) == (640, 480)
    await client.set_cookies([{"name": "a", "value": "1", "url": url}])
    assert [cookie.name for cookie in await client.get_cookies()] == ["a"]
    listed = await client.list_contexts()
    assert {one.id: one.page_count for one in listed.contexts} == {"default": 1, "mine": 1}
    assert (await client.destroy_context("mine")).pages_destroyed == 1
    assert await client.get_cookies() == []
    with pytest.raises(BAPContextNotFoundError):
        await client.destroy_context("mine")
    with pytest.raises(BAPContextNotFoundError):
        await client.create_page(url, context_id="mine")


async def test_frames_of_another_process_are_listed_and_switched_to(
    client: BAPClient, site: Site
) -> None:
    await client.create_page(frame_page(site))
    frames = (await client.list_frames()).frames
    main, card = frames
    assert (main.is_main, card.is_main, card.parent_frame_id) == (True, False, main.frame_id)
    assert card.name == "card"

    assert (await client.switch_frame(frame_id=card.frame_id)).url == card.url
    await client.fill(css("input"), "4242")
    await client.click(role("button", "Pay"))
    assert "paid 4242" in (await client.content()).content
    assert (await client.main_frame()).frame_id == main.frame_id
    assert (await client.content()).content.startswith("Shop")

    assert (await client.switch_frame(selector=css("iframe"))).frame_id == card.frame_id
    assert (await client.switch_frame(url="b.test")).frame_id == card.frame_id
    await client.main_frame()
    # Without a switch every frame is searched, and a point goes through to the frame under it.
    await client.fill(label("Card"), "77")
    box = (await client.element(role("button", "Pay"), ["boundingBox"])).properties["boundingBox"]
    await client.click(coords(box["x"] + 4, box["y"] + 4))
    seen = await client.observe(include_accessibility=True)
    assert seen.accessibility is not None
    assert "paid 77" in seen.accessibility["text"]
