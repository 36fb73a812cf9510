"""The rule that holds after every row: the page can still be used, and nothing is held down."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.oracle_errors import OracleError

# Gives whether there is a button now: some documents cannot hold one. It stands inside what is in
# the top layer when something is: the rest of the page is under that, or inert.
ADD_CONTROL = """(() => {
  if (document.contentType !== 'text/html' || document.body?.localName !== 'body'
      || location.protocol !== 'http:') return false;
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
  // A click that changes nothing is given time to change something.
  button.addEventListener('click', () => button.dataset.clicked = '');
  const raised = document.querySelectorAll('dialog:modal, :popover-open');
  (raised[raised.length - 1] ?? document.documentElement).append(button);
  return true;
})()"""
TAKE_CONTROL_AWAY = """(() => {
  document.getElementById('control-after-row').remove();
  return window.controlEvents;
})()"""
ONE_CLEAN_CLICK = [
    {"type": "mousedown", "trusted": True, "button": 0, "buttons": 1, "held": []},
    {"type": "mouseup", "trusted": True, "button": 0, "buttons": 0, "held": []},
    {"type": "click", "trusted": True, "button": 0, "buttons": 0, "held": []},
]


async def _add_control(oracle: PageOracle) -> bool:
    """False where there can be none: in some documents, and in a tab that is closed or crashed."""
    if not oracle.is_attached:
        return False
    try:
        return bool(await oracle.eval(ADD_CONTROL))
    except OracleError:
        if await oracle.is_alive():
            raise
        return False


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def after_state(
    request: pytest.FixtureRequest, page: Page, oracle: PageOracle
) -> AsyncIterator[None]:
    """After each row, failed or not, a click on a fresh button arrives once and clean."""
    yield
    if request.node.get_closest_marker("no_after_state") is not None:
        return
    if not await _add_control(oracle):
        return
    control = (await page.snapshot()).find("button", "Control after row", exact=True, frame=0)
    await page.click(control.id)
    assert await oracle.eval(TAKE_CONTROL_AWAY) == ONE_CLEAN_CLICK
