"""Files that a client sends to be uploaded: kept until its connection ends.

Chromium reads a chosen file when the page asks for it, which may be at the submit of its form.
"""

from __future__ import annotations

import base64
import binascii
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cdp_agent.errors import InvalidParams
from cdp_agent.targets.network.downloads import safe_name

#: Bytes of all files of one connection together.
MOST_BYTES = 100 * 1024 * 1024
_FIELDS = {"name", "mimeType", "buffer"}


class ReceivedFiles:
    """The files of one connection, in a folder of its own that ends with it."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._count = self._bytes = 0

    def keep(self, given: Any) -> list[str]:
        """Write files as they came, `{"name", "mimeType", "buffer"}`, and return their paths.

        Raises:
            InvalidParams: a file has not that shape, or they are too large together.
        """
        if not isinstance(given, list) or not given:
            raise InvalidParams("files must be a list of objects with name and buffer")
        contents = [_read(file) for file in given]
        total = self._bytes + sum(len(content) for _, content in contents)
        if total > MOST_BYTES:
            raise InvalidParams(f"the files of a connection have at most {MOST_BYTES} bytes")
        self._bytes = total
        return [self._write(name, content) for name, content in contents]

    def _write(self, name: str, content: bytes) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="cdp-agent-files-")
        self._count += 1
        folder = Path(self._folder.name) / str(self._count)
        folder.mkdir()
        path = folder / name
        path.write_bytes(content)
        return str(path)

    def close(self) -> None:
        """Delete the files. May be called twice."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _read(file: Any) -> tuple[str, bytes]:
    if not isinstance(file, Mapping) or set(file) - _FIELDS:
        raise InvalidParams("a file has name, mimeType and buffer", hint="buffer is base64.")
    name, buffer = file.get("name"), file.get("buffer")
    if not isinstance(name, str) or not name or not isinstance(buffer, str):
        raise InvalidParams("a file needs its name and its buffer, both texts")
    try:
        return safe_name(name), base64.b64decode(buffer, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidParams(f"the buffer of {name[:80]!r} is not base64") from None
