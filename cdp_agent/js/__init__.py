"""Scripts that run in the isolated world of every frame, one file per concern."""

from __future__ import annotations

import functools
from importlib import resources

_AGENT = (
    "watch",
    "geometry",
    "guard",
    "prepare",
    "edit",
    "choose",
    "listbox",
    "files",
    "scroll",
    "find",
    "harvest",
    "carry",
    "await",
    "vitals",
    "paint",
    "overlap",
    "unseen",
    "parts",
    "ledger",
    "words",
    "export",
)


def _read(name: str) -> str:
    return resources.files(__name__).joinpath(f"{name}.js").read_text("utf-8")


@functools.cache
def agent_source() -> str:
    """The whole of it in one scope, installed once per document."""
    body = "\n".join(_read(name) for name in _AGENT)
    return f'"use strict"; if (!globalThis.cdpAgent) (() => {{\n{body}\n}})();'
