"""`page/*` and `frame/*`, but for the navigations, which are actions; `dialog/handle`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError, ElementNotFound, InvalidParams
from cdp_agent.snapshot import FrameInfo
from cdp_agent.tools.hooks import StepArgs, before_hooks, call_of
from cdp_agent.tools.tool_session import ToolSession
from cdp_agent.ws_server.bap.client_state import (
    DEFAULT_CONTEXT,
    ClientState,
    Method,
    PageCall,
)
from cdp_agent.ws_server.bap.methods.lifecycle import DeviceOptions, apply_device
from cdp_agent.ws_server.bap.selectors import engine_selector
from cdp_agent.ws_server.bap.wire import FRAME_NOT_FOUND, BapError, PageParams, Wire, camel, refused

_OF_CONTEXT = "It belongs to a context: context/create takes it."


class CreateParams(DeviceOptions):
    url: str | None = None
    context_id: str | None = None
    #: The name that the protocol has for `timezoneId` here.
    timezone: str | None = None
    permissions: Annotated[None, refused(_OF_CONTEXT)] = None
    storage_state: Annotated[None, refused(_OF_CONTEXT)] = None


class RequiredPageParams(PageParams):
    page_id: str


class SwitchParams(PageParams):
    frame_id: str | None = None
    selector: Any = None
    url: str | None = Field(None, min_length=1)


class DialogParams(PageParams):
    action: Literal["accept", "dismiss"]
    prompt_text: str | None = None


async def page_facts(page_id: str, page: Page) -> dict[str, Any]:
    """A page as the protocol lists it."""
    width = height = 0
    try:
        metrics = await page._tab.target.session.post("Page.getLayoutMetrics", timeout=2)
        view = metrics["cssVisualViewport"]
        width, height = round(view["clientWidth"]), round(view["clientHeight"])
    except CdpAgentError:
        pass  # a dialog is open, or it hangs: it is listed all the same
    status = "error" if page.is_crashed else "ready"
    if status == "ready" and not page._tab.target.frames.main.dom_ready:
        status = "loading"
    view_size = {"width": width, "height": height}
    about = {"id": page_id, "url": page.url, "title": page.title}
    return {**about, "viewport": view_size, "status": status}


async def _create(state: ClientState, session: ToolSession, params: CreateParams) -> dict[str, Any]:
    if params.context_id in (None, DEFAULT_CONTEXT):
        page_id, page = await session.new_page()
    else:
        page = await state.context(str(params.context_id)).context.new_page()
        page_id = session.adopt(page)
        session.select(page_id)
    state.opened.add(page_id)
    try:
        args = StepArgs.model_construct(page=None, ref=None, to=None, url=params.url)
        await before_hooks(call_of(session, page_id, page, "browser_tabs", args))
        await apply_device(page, params)
        if params.timezone is not None:
            await page.set_timezone(params.timezone)
        if params.url is not None:
            await page.goto(params.url)
    except BaseException:  # also when cancelled: no tab is left behind
        await page.close()
        raise
    return await page_facts(page_id, page)


async def _close(call: PageCall, params: PageParams) -> dict[str, Any]:
    await call.page.close()
    call.state.frame_indices.pop(call.page_id, None)
    call.state.refs.pop(call.page_id, None)
    return {"closed": call.page_id}


async def _list(state: ClientState, session: ToolSession, params: Wire) -> dict[str, Any]:
    pages = [await page_facts(page_id, page) for page_id, page in session.pages.items()]
    return {"pages": pages, "activePage": session.current or ""}


async def _activate(call: PageCall, params: PageParams) -> dict[str, Any]:
    """The page that calls without an id are about; a tab need not be in front for that."""
    call.session.select(call.page_id)
    return {"pageId": call.page_id}


# -- frames ---------------------------------------------------------------------------------------


async def _frames(call: PageCall, params: PageParams) -> dict[str, Any]:
    frames = call.page.frames
    ids = {frame.index: frame.frame_id for frame in frames}
    return {"frames": [_frame(frame, ids) for frame in frames]}


def _frame(frame: FrameInfo, ids: dict[int, str]) -> dict[str, Any]:
    about = {
        "frameId": frame.frame_id,
        "name": frame.name,
        "url": frame.url,
        "isMain": frame.index == 0,
        "frameIndex": frame.index,
    }
    if frame.parent_index is not None:
        about["parentFrameId"] = ids.get(frame.parent_index, "")
    return about


async def _switch(call: PageCall, params: SwitchParams) -> dict[str, Any]:
    """Make this frame the one in which selectors without a frame are searched."""
    given = [n for n in ("frame_id", "selector", "url") if getattr(params, n) is not None]
    if len(given) != 1:
        raise InvalidParams("frame/switch takes one of frameId, selector and url")
    frame = await _wanted_frame(call, params)
    if frame is None:
        shown = params.frame_id or params.url or "the selector"
        raise BapError(
            FRAME_NOT_FOUND,
            f"there is no frame {shown[:100]!r}",
            word="frame_detached",
            hint="frame/list has the frames.",
            identifier=shown,
        )
    call.state.frame_indices[call.page_id] = frame.index
    return {"frameId": frame.frame_id, "url": frame.url}


async def _wanted_frame(call: PageCall, params: SwitchParams) -> FrameInfo | None:
    frames = call.page.frames
    if params.frame_id is not None:
        return next((f for f in frames if f.frame_id == params.frame_id), None)
    if params.url is not None:
        fitting = [f for f in frames if params.url in f.url]
        exact = [f for f in fitting if f.url == params.url] or fitting
        if len(exact) > 1:
            raise InvalidParams(f"{len(exact)} frames have {params.url[:100]!r} in their address")
        return exact[0] if exact else None
    owner = await call.page.find_soon(engine_selector(params.selector, call.frame))
    about = await call.page.describe(owner)
    snapshot = await call.page.capture()
    wanted = about["frame_index"], about["backend_node_id"]
    for frame in snapshot.frames:
        if (frame.parent_index, frame.owner_backend_node_id) == wanted:
            return frame
    if about["tag"] not in ("iframe", "frame"):
        raise ElementNotFound(f"{owner} is a {about['tag']}, which shows no frame")
    return None


async def _main(call: PageCall, params: PageParams) -> dict[str, Any]:
    """Selectors are looked for in all frames again."""
    call.state.frame_indices.pop(call.page_id, None)
    return {"frameId": call.page.frames[0].frame_id}


# -- dialogs --------------------------------------------------------------------------------------


async def _dialog(call: PageCall, params: DialogParams) -> dict[str, Any]:
    """Without `pageId` the active page's dialog, or that of whichever page waits for an answer.

    Where none waits it is the answer to the page's next one, as in the protocol's own server.
    """
    page = call.page
    if page.dialog is None and params.page_id is None:
        page = next((p for p in call.session.pages.values() if p.dialog is not None), page)
    if page.dialog is None:
        page.answer_next_dialog(accept=params.action == "accept", text=params.prompt_text)
        return {"answersNext": True}
    outcome = await page.answer_dialog(accept=params.action == "accept", text=params.prompt_text)
    answered = {k: v for k, v in outcome.data["answered"].items() if v is not None}
    dialogs = [dialog.to_dict() for dialog in outcome.dialogs]
    opened = [call.session.adopt(p) for p in outcome.new_pages if not p.is_closed]
    return camel({**answered, "dialogs": dialogs, "new_pages": opened})  # type: ignore[no-any-return]


METHODS = {
    "page/create": Method(_create, CreateParams, "session"),
    "page/close": Method(_close, RequiredPageParams, tool="browser_tabs"),
    "page/list": Method(_list, Wire, "session"),
    "page/activate": Method(_activate, RequiredPageParams, tool="browser_tabs"),
    "frame/list": Method(_frames, tool="frame_list"),
    "frame/switch": Method(_switch, SwitchParams, tool="frame_switch"),
    "frame/main": Method(_main, tool="frame_main"),
    "dialog/handle": Method(_dialog, DialogParams, tool="browser_dialog"),
}
