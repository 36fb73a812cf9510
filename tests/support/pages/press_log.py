"""Documents that write down every press, and what they wrote.

The listeners stand on `window` in the capture phase, so nothing in the document can hide an
event from them. An event counts for the nearest element that has an id: a click on the text
inside `#target` is a click on `target`, one beside it is on `body` or `html`.
"""

from __future__ import annotations

from tests.support.oracle import PageOracle
from tests.support.stage import Stage

WATCH = """<style>html, body { margin: 0 }</style><script>
window.seen = [];
for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'])
  addEventListener(type, event => {
    const hit = event.composedPath()[0];
    const on = hit.closest?.('[id]')?.id ?? hit.localName ?? 'document';
    seen.push({
      type, on, trusted: event.isTrusted, x: event.clientX, y: event.clientY,
      button: event.button, buttons: event.buttons, detail: event.detail,
    });
  }, true);
</script>"""

CLICKED = ["mousedown target", "mouseup target", "click target"]
"""What a document writes of one click on its element `#target`."""

SEEN = "(window.seen ?? []).map(event => event.type + ' ' + event.on)"


def watched(body: str, head: str = "") -> str:
    """A whole document, without margins, that writes down the presses it gets."""
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>Watched</title>{WATCH}{head}</head>"
        f"<body>{body}</body></html>"
    )


async def presses(at: Stage | PageOracle) -> list[str]:
    """Every press in the document, in order: `mousedown target`, `mouseup target` …"""
    return list(await at.eval(SEEN))


async def frames_pass(at: Stage | PageOracle, count: int = 2) -> None:
    """Let the page draw: a wait by what the page does, not by the clock."""
    await at.eval(
        f"""new Promise(done => {{
          let left = {count};
          const next = () => left-- > 0 ? requestAnimationFrame(next) : done(true);
          next();
        }})"""
    )
