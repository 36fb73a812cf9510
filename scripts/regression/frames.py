"""Documents around the controls, on hosts that are sites of their own."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from scripts.bench.generated.server import PageServer
from scripts.regression.cases import CONTROLS

MAIN, OTHER, THIRD = "a.test", "b.test", "c.test"
HOST_RULES = "--host-resolver-rules=MAP *.test 127.0.0.1"
#: The frame that shows the controls is found by its name, whatever stands around it.
FRAME_NAME = "controls"

_IFRAME = (
    "<!doctype html><meta charset=utf-8><title>Around</title><body style='margin:20px'>"
    "<p>Around</p><iframe {attributes} style='width:700px;height:480px;border:3px solid'></iframe>"
)


def _around(source: str, name: str = FRAME_NAME) -> str:
    return _IFRAME.format(attributes=f'name="{name}" src="{escape(source)}"')


def _add(server: PageServer, path: str, html: str, host: str) -> str:
    server.add({path: html})
    return server.url(path, host)


def main_frame(server: PageServer) -> str:
    return _add(server, "/controls", CONTROLS, MAIN)


def same_process(server: PageServer) -> str:
    inner = _add(server, "/controls", CONTROLS, MAIN)
    return _add(server, "/same-process", _around(inner), MAIN)


def other_process(server: PageServer) -> str:
    inner = _add(server, "/controls", CONTROLS, OTHER)
    return _add(server, "/other-process", _around(inner), MAIN)


def nested(server: PageServer) -> str:
    inner = _add(server, "/controls", CONTROLS, THIRD)
    middle = _add(server, "/middle", _around(inner), OTHER)
    return _add(server, "/nested", _around(middle, "middle"), MAIN)


def srcdoc(server: PageServer) -> str:
    attributes = f'name="{FRAME_NAME}" srcdoc="{escape(CONTROLS)}"'
    return _add(server, "/srcdoc", _IFRAME.format(attributes=attributes), MAIN)


Place = Callable[[PageServer], str]
PLACES: dict[str, dict[str, Place]] = {
    "actions": {"page": main_frame},
    "iframes": {
        "same process": same_process,
        "other process": other_process,
        "nested": nested,
        "srcdoc": srcdoc,
    },
}
