"""Scripts that run in the isolated world of every frame, one file per concern."""

from __future__ import annotations

import functools
from importlib import resources

from cdp_agent.js.shared_lists import declarations

_AGENT = (
    "watch/own_listeners",
    "watch/watch",
    "watch/causes",
    "watch/rest",
    "watch/loading",
    "input/geometry",
    "input/guard",
    "input/frame_guard",
    "input/key_guard",
    "input/lock",
    "input/prepare",
    "input/edit",
    "controls/choose",
    "watch/held",
    "controls/listbox",
    "controls/plain_list",
    "read/shown_choice",
    "controls/files",
    "input/scroll_boxes",
    "input/scroll",
    "read/find",
    "read/harvest",
    "drag/carry",
    "drag/drag_effect",
    "input/elsewhere",
    "read/await",
    "read/text_places",
    "controls/cells",
    "controls/slider",
    "snapshot/page_state",
    "snapshot/paint",
    "snapshot/overlap",
    "snapshot/clipping",
    "snapshot/hidden_text",
    "snapshot/in_view",
    "snapshot/partial",
    "snapshot/partial_start",
    "snapshot/partial_versions",
    "read/readable",
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
    text = "\n".join([declarations(), *(_read(name) for name in _AGENT)])
    body = text.encode("ascii", "backslashreplace").decode("ascii")
    return f'"use strict"; if (!globalThis.cdpAgent) (() => {{\n{body}\n}})();'
