"""While a page has locked the pointer, every press goes to the element that holds the lock."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.support.stage import MakeStage

LOCKS = """<canvas id=view width=200 height=100 style='background: silver'></canvas>
<button id=target>Other</button>
<script>
window.seen = [];
for (const type of ['mousedown', 'click'])
  addEventListener(type, event => seen.push(`${type} ${event.target.id}`));
view.onclick = () => document.pointerLockElement || view.requestPointerLock();
</script>"""


@pytest.mark.parametrize("verb", ["click", "hover"])
async def test_another_element_cannot_be_pointed_at_and_the_error_names_the_lock(
    make_stage: MakeStage, verb: str
) -> None:
    stage = await make_stage(LOCKS)
    view, other = await stage.css("#view"), await stage.css()
    await stage.page.click(view)
    await stage.wait("document.pointerLockElement === view")
    await stage.eval("seen.length = 0")

    with pytest.raises(CdpAgentError, match="locked the pointer") as refused:
        await getattr(stage.page, verb)(other, timeout=1.5)

    assert refused.value.code == "element_obscured"
    assert '<canvas id="view">' in refused.value.message
    assert await stage.eval("seen") == []
    await stage.eval("document.exitPointerLock()")
    await stage.wait("document.pointerLockElement === null")
    await stage.page.click(other)
    assert await stage.eval("seen") == ["mousedown target", "click target"]


async def test_the_element_that_holds_the_lock_is_clicked(make_stage: MakeStage) -> None:
    stage = await make_stage(LOCKS)
    view = await stage.css("#view")
    await stage.page.click(view)
    await stage.wait("document.pointerLockElement === view")
    await stage.eval("seen.length = 0")

    await stage.page.click(view)

    assert await stage.eval("seen") == ["mousedown view", "click view"]
    await stage.eval("document.exitPointerLock()")
    await stage.wait("document.pointerLockElement === null")
