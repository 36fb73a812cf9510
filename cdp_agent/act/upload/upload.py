"""Upload: files into an input, or into whatever asks for them when it is clicked."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from cdp_agent.act.input.inputs import delivered
from cdp_agent.act.pointer.click import click
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.upload.upload_paths import UploadPaths
from cdp_agent.act.wait.mark import Mark
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import (
    ActionTimeout,
    CdpAgentError,
    DialogOpen,
    FrameDetached,
    InvalidParams,
    NotEditable,
)
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.refs import Ref
from cdp_agent.resolve.worlds import world_of
from cdp_agent.targets.file_choosers import FileChooser
from cdp_agent.targets.remote_objects import resolve_node

if TYPE_CHECKING:
    from cdp_use.cdp.dom.commands import SetFileInputFilesParameters

#: Events that end a choice: files were taken, or they were the ones it held already.
_TOLD = frozenset({"change", "cancel"})


async def upload(stage: Stage, element_id: ElementId, wanted: UploadPaths) -> Performed:
    """Put files into a file input, or into the one whose chooser a click opens.

    Raises:
        InvalidParams: the input takes something else. Nothing was set.
        NotEditable: it is not a file input, and clicking it opened no file chooser.
    """
    live = await stage.resolve(element_id)
    try:
        prepared = await _prepare(stage, live)
        if prepared.get("why") == "detached":
            live = await stage.heal(live)
            prepared = await _prepare(stage, live)
        if not prepared.get("ok"):
            raise await stage.cannot(live, prepared, "take files")
        if prepared["direct"]:
            wanted.require_fits(prepared, f"{live.id} ({live.ref.name[:60]!r})")
            mark = Mark.set(stage.target, live.frame)
            return await _give(stage, live, wanted, mark, None)
    finally:
        live.release()
    return await _through_chooser(stage, live, wanted)


async def _prepare(stage: Stage, live: LiveElement) -> dict[str, Any]:
    options = {"timeoutMs": stage.left_ms}
    answer = await live.call("prepareFiles", options, timeout=stage.reply_timeout)
    return answer if isinstance(answer, dict) else {"why": "hidden"}


async def _through_chooser(stage: Stage, button: LiveElement, wanted: UploadPaths) -> Performed:
    try:
        return await _click_and_give(stage, button, wanted)
    finally:
        stage.target.choosers.let_go(stage.target.sessions)


async def _click_and_give(stage: Stage, button: LiveElement, wanted: UploadPaths) -> Performed:
    target = stage.target
    held = target.choosers.switch(target.sessions, "hold")
    if held:
        await asyncio.wait(held, timeout=stage.reply_timeout)
    before = target.choosers.count
    clicked = await click(stage, button.id)

    def asked() -> bool:
        return bool(target.choosers.since(before)) or target.dialog is not None

    if not await target.until(asked, stage.input_timeout):
        raise NotEditable(
            f"{button.id} ({button.ref.role} {button.ref.name[:60]!r}) is not a file input, and"
            " clicking it opened no file chooser",
            hint="Look for the control that opens the file chooser, or the file input itself.",
            element_id=str(button.id),
        )
    choosers = target.choosers.since(before)
    if not choosers:
        assert target.dialog is not None
        dialog = target.dialog
        raise DialogOpen(
            f"clicking {button.id} opened a {dialog.type} instead of a file chooser:"
            f" {dialog.message[:200]!r}",
            type=dialog.type,
            text=dialog.message,
        )
    input_element = await _input_of(stage, choosers[-1], button.ref)
    try:
        done = await _give(stage, input_element, wanted, clicked.mark, clicked.receipt)
    finally:
        input_element.release()
    done.element_id = button.id
    done.healed = clicked.healed
    return done


async def _input_of(stage: Stage, chooser: FileChooser, ref: Ref) -> LiveElement:
    """The input that a chooser is for. It may be in another frame, or in no document."""
    target = stage.target
    frame = target.frames.find(chooser.frame_id)
    if frame is None or frame.session is not chooser.session:
        raise FrameDetached("the frame that asked for files is gone")
    if chooser.backend_node_id is None:
        raise NotEditable(
            "the page asks for files by the File System Access API, which takes none from here",
            element_id=str(ref.id),
        )
    seconds = stage.input_timeout
    world = await world_of(target, frame, seconds)
    object_id = await resolve_node(chooser.session, chooser.backend_node_id, world, seconds)
    return LiveElement(
        target,
        ref,
        ElementId(frame.index, chooser.backend_node_id),
        frame,
        chooser.session,
        world,
        object_id,
    )


async def _give(
    stage: Stage, live: LiveElement, wanted: UploadPaths, mark: Mark, clicked: Receipt | None
) -> Performed:
    """Set the files, and return once the page has received exactly those."""
    token = stage.new_token()
    try:
        guard = {"token": token, "lifeMs": stage.left_ms + 3000}
        armed = await live.call("armFiles", guard, timeout=stage.reply_timeout)
        wanted.require_fits(armed, "the file chooser" if clicked else f"{live.id}")
        contents = await asyncio.to_thread(wanted.contents)
        if not contents:
            raise InvalidParams(f"there is no file in {wanted.folder}", path=str(wanted.folder))
        log_action("upload", live, f"DOM.setFileInputFiles ({len(wanted.paths)} paths)")
        params: SetFileInputFilesParameters = {
            "files": [str(path) for path in wanted.paths],
            "objectId": live.object_id,
        }
        soon = max(stage.deadline, time.monotonic() + 1.0)
        await delivered(stage.target, [live.session.post("DOM.setFileInputFiles", params)], soon)

        def reported() -> bool:
            return bool(_TOLD & stage.notes(token).keys()) or stage.target.dialog is not None

        await stage.target.until(reported, seconds_until(soon, 0.5), alive=False)
        notes = [n for n in stage.target.receipts.get(token, ()) if "files" in n]
        settled = await stage.finish(live, mark, answers=True)
        data = _judge(stage, live, contents, notes)
        data["not_accepted"] = wanted.not_accepted(armed["accept"])
        data["kept"] = await _holds_files(stage, live)
        receipt = clicked or _receipt(live, notes)
        return Performed(live.id, mark, settled.settled, receipt, live.healed, data)
    except BaseException:  # also when cancelled: the guard may not outlast the action
        stage.disarm(live)
        raise
    finally:
        stage.drop_token(token)


async def _holds_files(stage: Stage, live: LiveElement) -> bool:
    """Returns whether the input still has files: the page may have taken them."""
    if stage.target.dialog is not None:
        return True  # it cannot be asked; the page has not gone on yet
    try:
        return bool(await live.call("holdsFiles", timeout=2))
    except CdpAgentError:
        return False  # its document is gone


def _receipt(live: LiveElement, notes: list[dict[str, Any]]) -> Receipt:
    trusted = all(note["trusted"] for note in notes)
    return Receipt(True, live.id, trusted, False, tuple(note["type"] for note in notes))


def _judge(
    stage: Stage,
    live: LiveElement,
    contents: list[tuple[str, int]],
    notes: list[dict[str, Any]],
) -> dict[str, Any]:
    """Compares the files that the page was given with those that were meant.

    Raises:
        ActionTimeout: it was told nothing.
        NotEditable: it holds other files.
    """
    if not notes:
        stage.target.require_alive()
        raise ActionTimeout(
            f"there is no proof that {live.id} took the files", element_id=str(live.id)
        )
    held = notes[-1]
    got = sorted((str(file["name"]), int(file["size"])) for file in held["files"])
    # Of very many files the page tells only the first ones.
    if held["count"] != len(contents) or not set(got) <= set(contents):
        names = ", ".join(name for name, _ in got[:10]) or "none"
        raise NotEditable(
            f"{live.id} did not keep the files: it holds {names}",
            hint="Look at what the page accepts.",
            element_id=str(live.id),
        )
    return {
        "files": [{"name": file["name"], "size": file["size"]} for file in held["files"]],
        # Chromium tells a page nothing new when the input held these very files already.
        "changed": any(note["type"] == "change" for note in notes),
    }
