"""The files to upload, checked before a page is touched."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cdp_agent.action_table.limits import MOST_FILES
from cdp_agent.errors import InvalidParams

Paths = str | Path | Sequence[str | Path]


@dataclass(frozen=True, slots=True)
class UploadPaths:
    """Files to upload, or one folder with all that is in it."""

    paths: tuple[Path, ...]
    folder: Path | None

    @classmethod
    def of(cls, paths: Any) -> UploadPaths:
        """Read the paths of a call.

        Raises:
            InvalidParams: one is missing or cannot be read, or a folder stands beside others.
        """
        given = [paths] if isinstance(paths, str | os.PathLike) else paths
        if not isinstance(given, Sequence) or not given:
            raise InvalidParams("upload needs one path or more", hint="A path, or a list of paths.")
        if len(given) > MOST_FILES:
            raise InvalidParams(f"{len(given)} paths are too many; at most {MOST_FILES}")
        found = tuple(_require_readable(one) for one in given)
        folders = [path for path in found if path.is_dir()]
        if folders and len(found) > 1:
            raise InvalidParams(
                f"{folders[0]} is a folder and was given with others",
                hint="Upload one folder, or files; to send a folder's files, list them.",
            )
        return cls(found, folders[0] if folders else None)

    def contents(self) -> list[tuple[str, int]]:
        """The name of each file as the page sees it, with its size."""
        if self.folder is None:
            return sorted((path.name, path.stat().st_size) for path in self.paths)
        top = self.folder.parent
        found = (Path(where, name) for where, _, names in os.walk(self.folder) for name in names)
        return sorted((str(path.relative_to(top)), path.stat().st_size) for path in found)

    def require_fits(self, takes: Mapping[str, Any], what: str) -> None:
        """Compare with what an input takes.

        Raises:
            InvalidParams: several for one that takes one, a folder for one that takes files, or
                the other way round.
        """
        if takes["directory"] and self.folder is None:
            raise InvalidParams(f"{what} takes a folder, not files", hint="Give a folder's path.")
        if self.folder is not None and not takes["directory"]:
            raise InvalidParams(
                f"{what} takes files, and {self.folder} is a folder", hint="List its files."
            )
        if len(self.paths) > 1 and not takes["multiple"]:
            raise InvalidParams(
                f"{what} takes one file, not {len(self.paths)}", hint="Upload one file."
            )

    def not_accepted(self, accept: str) -> list[str]:
        """Names of files that an input's `accept` does not cover."""
        kinds = [kind.strip().lower() for kind in accept.split(",") if kind.strip()]
        if not kinds or self.folder is not None:
            return []
        return [path.name for path in self.paths if not any(_fits(path, k) for k in kinds)]


def _fits(path: Path, kind: str) -> bool:
    if kind.startswith("."):
        return path.name.lower().endswith(kind)
    mime = mimetypes.guess_type(path.name)[0] or ""
    return mime == kind or (kind.endswith("/*") and mime.startswith(kind[:-1]))


def _require_readable(given: Any) -> Path:
    if not isinstance(given, str | os.PathLike) or not os.fspath(given):
        raise InvalidParams(f"{given!r} is not a path")
    path = Path(given).expanduser().absolute()
    if not path.exists():
        raise InvalidParams(
            f"there is no file {path}", hint="Check the path; nothing was uploaded.", path=str(path)
        )
    if not (path.is_file() or path.is_dir()) or not os.access(path, os.R_OK):
        raise InvalidParams(f"{path} cannot be read", path=str(path))
    return path
