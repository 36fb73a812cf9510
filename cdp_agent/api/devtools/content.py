"""The HTML of a document, read and replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cdp_agent.errors import ActionTimeout, InvalidParams
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets import Frame, PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.page.commands import SetDocumentContentParameters

#: As a frame may be changed while it is read, in one script of our own world.
_READ = """(() => {
  const type = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "";
  const root = document.documentElement;
  return type + (root ? root.outerHTML : "");
})()"""


async def read_content(target: PageTarget, frame: Frame, seconds: float) -> str:
    """The HTML of a frame's document now, without the documents of its frames.

    Raises:
        FrameDetached: the frame is gone.
    """
    return str(await evaluate_in_frame(target, frame, _READ, seconds))


async def replace_content(target: PageTarget, html: Any, seconds: float) -> None:
    """Replace the page's document, at the same address, and wait until it has loaded.

    Raises:
        InvalidParams: it is not a text.
        ActionTimeout: what it refers to was not loaded in time.
    """
    if not isinstance(html, str):
        raise InvalidParams(f"html must be a text, not {type(html).__name__}")
    main = target.frames.main
    main.dom_ready = main.loaded = False
    params: SetDocumentContentParameters = {"frameId": main.id, "html": html}
    loader = main.loader_id
    await main.require_session().post("Page.setDocumentContent", params, timeout=seconds)

    def is_over() -> bool:
        return main.loaded or main.loader_id != loader or target.dialog is not None

    if not await target.until(is_over, seconds):
        raise ActionTimeout(
            f"the document did not load within {seconds:g} s",
            hint="It is there in part. Take a snapshot, or retry with a longer timeout.",
        )
