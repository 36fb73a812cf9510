"""The first document of a test, without a navigation where it needs none.

Going to an address costs Chromium more than most tests do, nearly all of it in the browser's own
process: sites, policies, the window around the page. The tab that a test gets shows an empty
document of the test before. A `javascript:` address whose script gives a text has the renderer
make a new document of it in that place, with a window, built-ins and timers of its own, at the same
address, and the site serves it there from now on: links in it and loading it again work as ever.

Documents of another host, with headers, or with policies of their own are gone to, and so is
whatever a test opens after its first page.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from cdp_agent import Page
from tests.support.site import Site, whole_document

_SECONDS = 5.0
_PUT = "void (window.text = {html}, location.href = 'javascript:text')"
# As far as a `goto` waits: pictures and frames that do not come hold nothing up for ever.
_LOADED = """new Promise(resolve => {
  if (document.readyState === 'complete') return resolve();
  addEventListener('load', () => resolve(), {once: true});
  setTimeout(resolve, 5000);
})"""
# What the browser's process has to know of a document: policies, and files that it may read.
_NEEDS_BROWSER = ("http-equiv", "file")


async def show(page: Page, site: Site, html: str, **options: Any) -> str:
    """The page shows this, read to its end and as far as possible loaded. Gives its address.

    `options` are those of `Site.page`.
    """
    path = site.path_for_any(page.url) if page._target.frames.main.documents == 1 else None
    is_plain = options.keys() <= {"host"} and not any(words in html for words in _NEEDS_BROWSER)
    if path is None or not is_plain or site.url(path, options.get("host", "a.test")) != page.url:
        url = site.page(html, **options)
        await page.goto(url)
        return url
    site.page(html, path=path)
    await _put(page, whole_document(html))
    return page.url


async def _put(page: Page, text: str) -> None:
    target = page._target
    main, old = target.frames.main, target.frames.main.main_world
    await page.evaluate(_PUT.format(html=json.dumps(text)))
    # No navigation is told of, but the old window and all that could run in it is gone.
    done = await target.until(lambda: main.main_world not in (None, old), _SECONDS)
    assert done, f"the document was not shown within {_SECONDS:g} s"
    loading = asyncio.ensure_future(page.evaluate(_LOADED))
    loading.add_done_callback(lambda _: target.pulse())
    await target.until(lambda: loading.done() or target.dialog is not None, 2 * _SECONDS)
    if target.dialog is None:
        await loading
    else:  # nothing answers until somebody has answered that
        loading.cancel()
