"""Downloads: Chromium saves the files, we hear of them and name them.

Chromium writes each under a number of its own. When it is whole it gets the name that the page
suggested, made safe, and another one where that is taken: nothing is ever overwritten.

Chromium has one folder for each context, whoever set it last, and takes it back when that client
leaves. The default context is everybody's: a client without a folder of its own leaves it alone,
and one that has a folder sets it again (`set_again`) when others may have changed it.
"""

from __future__ import annotations

import asyncio
import os
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cdp_agent import log
from cdp_agent.errors import ActionTimeout, BrowserError, ProtocolError
from cdp_agent.protocol import Session

if TYPE_CHECKING:
    from cdp_use.cdp.browser.commands import CancelDownloadParameters, SetDownloadBehaviorParameters

_log = log.get("targets")

DownloadState = Literal["in_progress", "completed", "cancelled"]

_LONGEST_NAME = 150
_MOST_NAMED_ALIKE = 10_000
#: What no system takes in a name, and what leads out of a folder.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')


def safe_name(suggested: str) -> str:
    """A file's name without folders, control characters or leading dots; never empty."""
    plain = unicodedata.normalize("NFC", suggested)
    plain = "".join(c for c in plain if unicodedata.category(c) not in ("Cf", "Cs"))
    plain = _UNSAFE.sub("_", plain).strip(" ").lstrip(". ").rstrip(". ")
    stem, dot, ending = plain.rpartition(".")
    if dot and len(ending) <= 20:
        room = _LONGEST_NAME - len(ending.encode()) - 1
        plain = _cut(stem, room) + "." + ending
    return _cut(plain, _LONGEST_NAME) or "download"


def _cut(text: str, most_bytes: int) -> str:
    return text.encode()[:most_bytes].decode(errors="ignore")


class Download:
    """One file on its way, or there, or given up."""

    def __init__(self, root: Session, guid: str, url: str, suggested: str, context_id: str) -> None:
        self._root = root
        self._guid = guid
        self._context_id = context_id
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.url = url
        #: What the page called it, made safe for a folder.
        self.name = safe_name(suggested)
        #: Where it lies, once it is completed.
        self.path: Path | None = None
        #: Bytes: all of them once it is completed, before that those that have come.
        self.size = 0
        #: Bytes that the server announced; 0 where it did not.
        self.total = 0
        self.state: DownloadState = "in_progress"

    @property
    def id(self) -> str:
        """Chromium's own name for it."""
        return self._guid

    def __repr__(self) -> str:
        return f"<Download {self.name} {self.state} {self.size} bytes>"

    async def wait(self, timeout: float = 30.0) -> Path:
        """Wait until it is there; where it lies.

        Raises:
            ActionTimeout: it is still on its way.
            BrowserError: it was cancelled, or the server broke it off.
        """
        await asyncio.wait([self._over], timeout=timeout)
        if self.state == "in_progress":
            raise ActionTimeout(
                f"{self.name} is still on its way: {self.size} bytes after {timeout:g} s",
                hint="Wait longer: await download.wait(timeout).",
            )
        if self.path is None:
            raise BrowserError(
                f"{self.name} was not downloaded: cancelled, or broken off by the server",
                url=self.url,
            )
        return self.path

    async def cancel(self) -> None:
        """Give it up. Does nothing once it is over."""
        if self.state != "in_progress":
            return
        params: CancelDownloadParameters = {"guid": self._guid}
        if self._context_id:
            params["browserContextId"] = self._context_id
        await self._root.post("Browser.cancelDownload", params, timeout=5)
        await asyncio.wait([self._over], timeout=5)

    def progressed(self, params: dict[str, Any], folder: Path | None) -> None:
        self.size = int(params.get("receivedBytes", self.size))
        self.total = int(params.get("totalBytes", self.total))
        state = params.get("state")
        if state == "inProgress" or self.state != "in_progress":
            return
        if state == "completed":
            self._complete(params.get("filePath"), folder)
        else:
            self.state = "cancelled"
        if not self._over.done():
            self._over.set_result(None)

    def _complete(self, file_path: str | None, folder: Path | None) -> None:
        self.state = "completed"
        saved = (
            Path(file_path) if file_path else (folder / self._guid if folder is not None else None)
        )
        if saved is None or folder is None or saved.name != self._guid:
            self.path = saved  # the browser's own folder, under a name of its own
            return
        if saved.parent.resolve() != folder.resolve():
            self.path = saved  # another program's folder: that program names its files
            return
        try:
            self.path = _named(saved, folder, self.name)
            self.size = self.path.stat().st_size
        except OSError as error:
            # The browser runs on another machine, or the folder is full or gone.
            _log.debug("%s stays where Chromium put it: %s", self.name, error)
            self.path = saved


def _named(saved: Path, folder: Path, name: str) -> Path:
    """Give a whole file its name, or that name with a number."""
    stem, ending = os.path.splitext(name)
    for number in range(_MOST_NAMED_ALIKE):
        path = folder / (name if number == 0 else f"{stem} ({number}){ending}")
        try:
            os.link(saved, path)  # unlike a rename it never replaces what is there
        except FileExistsError:
            continue
        except OSError:  # a file system without links
            if path.exists():
                continue
            os.rename(saved, path)
            return path
        os.unlink(saved)
        return path
    return saved


class Downloads:
    """All downloads of a browser, the newest last, and where each context's are saved."""

    def __init__(self, root: Session) -> None:
        self._root = root
        self._folders: dict[str, Path] = {}
        self._by_guid: dict[str, Download] = {}

    async def save_to(self, folder: Path | None, context_id: str = "") -> None:
        """Hear of a context's downloads, and save them in `folder`; None: the browser's own."""
        if folder is None and not context_id:
            await self._hear()
            return
        if folder is not None:
            self._folders[context_id] = folder
        await self._set(context_id)

    def set_again(self) -> None:
        """Save the default context's files in its folder again: another client may differ."""
        if "" in self._folders:
            self._root.send_only("Browser.setDownloadBehavior", self._behavior(""))

    async def _set(self, context_id: str) -> None:
        params = self._behavior(context_id)
        await self._root.post("Browser.setDownloadBehavior", params, timeout=10)

    def _behavior(self, context_id: str) -> SetDownloadBehaviorParameters:
        params: SetDownloadBehaviorParameters = {"behavior": "default", "eventsEnabled": True}
        if context_id in self._folders:
            params["behavior"] = "allowAndName"
            params["downloadPath"] = str(self._folders[context_id])
        if context_id:
            params["browserContextId"] = context_id
        return params

    async def _hear(self) -> None:
        """Hear of all downloads, and leave the folder of the default context as it is.

        The command that asks for the events sets a folder too. So it is sent for a context that
        nobody uses and that is gone at once; Chromium then tells of every context's downloads.
        """
        try:
            made = await self._root.post(
                "Target.createBrowserContext", {"disposeOnDetach": True}, timeout=10
            )
        except ProtocolError:  # a browser without contexts, such as an application's own
            await self._set("")
            return
        context_id = made["browserContextId"]
        try:
            await self._set(context_id)
        finally:
            self._root.send_only("Target.disposeBrowserContext", {"browserContextId": context_id})

    def folder_of(self, context_id: str) -> Path | None:
        """The folder of a context's files; None: the browser's own folder."""
        return self._folders.get(context_id)

    def began(self, params: dict[str, Any], context_id: str) -> Download:
        known = context_id if context_id in self._folders else ""
        download = Download(
            self._root,
            params["guid"],
            params.get("url", ""),
            params.get("suggestedFilename", ""),
            known,
        )
        self._by_guid[params["guid"]] = download
        return download

    def progressed(self, params: dict[str, Any]) -> Download | None:
        """Take a `Browser.downloadProgress`; the download it is about, if it is known."""
        download = self._by_guid.get(params["guid"])
        if download is not None:
            folder = self._folders.get(download._context_id)
            download.progressed(params, folder)
            if download.state != "in_progress":
                del self._by_guid[params["guid"]]
        return download

    def ended(self) -> None:
        """The browser is gone: nothing more will come."""
        for download in self._by_guid.values():
            download.progressed({"state": "canceled"}, None)
        self._by_guid.clear()
