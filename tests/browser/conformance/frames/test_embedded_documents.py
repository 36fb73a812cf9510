"""The document in an object or embed element is acted on as one in an iframe is."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.site import Site

INNER = (
    "<body style='margin:0'><button style='width:300px;height:200px'"
    " onclick=\"parent.postMessage('clicked', '*')\">In</button>"
    "<script>addEventListener('wheel', () => parent.postMessage('turned', '*'));"
    "addEventListener('mousemove', () => parent.postMessage('moved', '*'))</script>"
)
OUTER = (
    "<body style='margin:0'><script>window.heard = [];"
    "onmessage = event => heard.includes(event.data) || heard.push(event.data)</script>"
)
TAGS = {
    "object": "<object data='{url}' type=text/html width=300 height=200></object>",
    "embed": "<embed src='{url}' type=text/html width=300 height=200>",
    "embed without a type": "<embed src='{url}' width=300 height=200>",
}


@pytest.mark.parametrize("host", ["a.test", "b.test"])
@pytest.mark.parametrize("tag", TAGS.values(), ids=TAGS.keys())
async def test_the_element_that_shows_a_document_takes_the_pointer_in_that(
    page: Page, oracle: PageOracle, site: Site, tag: str, host: str
) -> None:
    url = site.page(INNER, host=host)
    await page.goto(site.page(OUTER + tag.format(url=url), host="a.test"))
    element = await page.find({"css": "object, embed"})

    clicked = await page.click(element)
    await page.hover(element)
    await page.wheel(0, 10, element)

    assert clicked.data["inside"] == "<button>"
    await oracle.wait("['clicked', 'moved', 'turned'].every(one => heard.includes(one))")


@pytest.mark.parametrize("tag", ["embed", "object"])
async def test_the_element_that_shows_a_picture_takes_the_pointer_itself(
    page: Page, oracle: PageOracle, site: Site, tag: str
) -> None:
    picture = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAW"
        "jR9awAAAABJRU5ErkJggg=="
    )
    name = "src" if tag == "embed" else "data"
    await page.goto(
        site.page(
            f"{OUTER}<{tag} {name}='{picture}' type=image/png width=100 height=50></{tag}>"
            f"<script>document.querySelector('{tag}').onclick = () => heard.push('own')</script>"
        )
    )

    await page.click(await page.find({"css": tag}))

    assert await oracle.eval("heard") == ["own"]
