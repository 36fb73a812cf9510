"""The rule that holds after every row: the page can still be used, and nothing is held down."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from cdp_agent import Page
from tests.support.oracle import PageOracle

# Inside what is in the top layer when something is: the rest of the page is under it, or inert.
ADD_CONTROL = """(() => {
  const button = document.createElement('button');
  button.id = 'control-after-row';
  button.textContent = 'Control after row';
  button.style.cssText = 'all: revert; position: fixed; left: 0; top: 0; width: 120px;'
    + 'height: 40px; margin: 0; z-index: 2147483647; pointer-events: auto;'
    + 'visibility: visible; opacity: 1';
  const seen = window.controlEvents = [];
  for (const type of ['mousedown', 'mouseup', 'click', 'auxclick'])
    button.addEventListener(type, event => seen.push({
      type, trusted: event.isTrusted, button: event.button, buttons: event.buttons,
      held: ['alt', 'ctrl', 'meta', 'shift'].filter(key => event[key + 'Key']),
    }));
  const raised = document.querySelectorAll('dialog:modal, :popover-open');
  (raised[raised.length - 1] ?? document.documentElement).append(button);
})()"""
CONTROL = "document.getElementById('control-after-row')"
IS_NORMAL_DOCUMENT = (
    "document.contentType === 'text/html' && document.body?.localName === 'body'"
    " && location.protocol === 'http:'"
)
ONE_CLEAN_CLICK = [
    {"type": "mousedown", "trusted": True, "button": 0, "buttons": 1, "held": []},
    {"type": "mouseup", "trusted": True, "button": 0, "buttons": 0, "held": []},
    {"type": "click", "trusted": True, "button": 0, "buttons": 0, "held": []},
]


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def after_state(
    request: pytest.FixtureRequest, page: Page, oracle: PageOracle
) -> AsyncIterator[None]:
    """After each row, failed or not, a click on a fresh button arrives once and clean."""
    yield
    if request.node.get_closest_marker("no_after_state") is not None:
        return
    if not await oracle.is_alive() or not await oracle.eval(IS_NORMAL_DOCUMENT):
        return
    await oracle.eval(ADD_CONTROL)
    number = await oracle.backend_node_id(CONTROL)
    control = (await page.snapshot()).get(f"0-{number}")
    await page.click(control.id)
    assert await oracle.eval("window.controlEvents") == ONE_CLEAN_CLICK
    await oracle.eval(f"{CONTROL}.remove()")
