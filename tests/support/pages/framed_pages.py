"""Pages made of frames, and what each of those frames saw.

The recorder listens on `window` in the capture phase: it sees an event before any other
listener of the document can stop it, and it sees the ones that hit nothing of interest. A
click beside the target is therefore recorded as a click on `miss`, not lost.
"""

from __future__ import annotations

import asyncio
import html as markup

from tests.support.oracle import PageOracle

FRAME_HOSTS = ("a.test", "b.test")
"""Where a frame in a page of a.test comes from: the same process, and another one."""

RECORDER = """<script>
window.seen = [];
for (const type of ["mousedown", "mouseup", "click", "auxclick", "contextmenu", "keydown", "input"])
  addEventListener(type, event => {
    const hit = event.composedPath()[0];
    seen.push(`${type} ${hit.id || hit.localName}${event.isTrusted ? "" : " untrusted"}`);
  }, true);
</script>"""

SENSOR = """<script>
window.seen = [];
const pointer = ["down", "up", "move", "over", "out", "enter", "leave", "cancel"];
for (const type of [
  ...pointer.map(name => "pointer" + name), "pointerrawupdate", "gotpointercapture",
  ...pointer.map(name => "mouse" + name), "click", "dblclick", "auxclick", "contextmenu", "wheel",
  "keydown", "keypress", "keyup", "beforeinput", "input", "change", "compositionstart", "paste",
  "focus", "blur", "focusin", "focusout", "select", "submit", "reset", "toggle", "scroll",
  "touchstart", "touchend", "dragstart", "dragover", "drop",
]) addEventListener(type, event => event.target === window || seen.push(type), true);
</script>"""
"""Every event that input could cause, for pages in which there must be none at all.

Focus events reach `window` in the capture phase although they do not bubble. Those of the
window itself are left out: a tab gets the focus when it loads, whoever drives it.
"""

CLICKED = ["mousedown target", "mouseup target", "click target"]
"""What a frame records of one click on its element with the id `target`."""


def iframe(src: str, *, name: str, style: str = "", attrs: str = "") -> str:
    """An iframe 400x300 without a border, unless `style` says otherwise."""
    return (
        f'<iframe name="{name}" src="{markup.escape(src)}" '
        f'style="width:400px;height:300px;border:0;{style}" {attrs}></iframe>'
    )


def target_page(*, left: int = 60, top: int = 50, size: int = 20) -> str:
    """A document with a button `Target`; a click anywhere else is recorded as `miss`."""
    return f"""<!doctype html><meta charset=utf-8><title>target</title>{RECORDER}
<style>
  html, body {{ margin: 0; height: 100% }}
  #miss {{ position: absolute; inset: 0 }}
  #target {{ position: absolute; left: {left}px; top: {top}px; width: {size}px; height: {size}px;
             padding: 0; border: 0; background: #c33 }}
</style>
<div id=miss></div><button id=target aria-label=Target></button>"""


async def presses(oracle: PageOracle, frame: str | None = None) -> list[str]:
    """The presses and clicks that a frame saw, in order, each with the id or tag that it hit.

    `frame` is a part of the frame's name or URL; None is the main frame.
    """
    expression = "(window.seen || []).filter(line => /^(mousedown|mouseup|click) /.test(line))"
    if frame is None:
        return list(await oracle.eval(expression))
    return list(await oracle.eval_in(frame, expression))


async def slow_down(oracle: PageOracle, rate: int) -> None:
    """Give every process of the page only one part in `rate` of the processor."""
    for session_id in {frame.owner.session_id for frame in await oracle.frames()}:
        await oracle.oracle.send("Emulation.setCPUThrottlingRate", {"rate": rate}, session_id)


async def crash(oracle: PageOracle, frame: str) -> None:
    """End the process of a frame as a bug in Chromium would."""
    owner = next(seen.owner for seen in await oracle.frames() if frame in seen.name)
    # A process that crashes answers nothing more, so the command is given up on.
    command = asyncio.create_task(oracle.oracle.send("Page.crash", None, owner.session_id))
    try:
        for _ in range(500):
            if owner.crashed:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"the process of {frame} did not crash")
    finally:
        command.cancel()
        await asyncio.wait([command])
