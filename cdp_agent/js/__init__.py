"""Scripts that run in the isolated world of every frame, one file per concern."""

from __future__ import annotations

import functools
from importlib import resources

_AGENT = (
    "own_listeners",
    "watch",
    "causes",
    "rest",
    "loading",
    "geometry",
    "guard",
    "key_guard",
    "lock",
    "prepare",
    "edit",
    "choose",
    "held",
    "listbox",
    "files",
    "scroll",
    "find",
    "harvest",
    "carry",
    "elsewhere",
    "await",
    "text_places",
    "cells",
    "slider",
    "page_state",
    "paint",
    "overlap",
    "hidden_text",
    "in_view",
    "partial",
    "partial_versions",
    "readable",
    "export",
)


def _read(name: str) -> str:
    return resources.files(__name__).joinpath(f"{name}.js").read_text("utf-8")


@functools.cache
def agent_source() -> str:
    """The whole of it in one scope, installed once per document.

    In ASCII: one euro sign makes V8 keep and read all of it as two bytes a character, and a tab
    or a frame of another process is 4 ms of processor later.
    """
    text = "\n".join(_read(name) for name in _AGENT)
    body = text.encode("ascii", "backslashreplace").decode("ascii")
    return f'"use strict"; if (!globalThis.cdpAgent) (() => {{\n{body}\n}})();'
