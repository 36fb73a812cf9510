"""Bringing things into sight."""

from __future__ import annotations

from cdp_agent.act.settle import Mark
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.errors import CdpAgentError, ElementNotVisible
from cdp_agent.ids import ElementId
from cdp_agent.protocol.chrome_errors import has_no_layout


async def scroll_into_view(stage: Stage, element_id: ElementId) -> Performed:
    """Scroll everything that needs it, parent documents too, until the element is in the viewport.

    Raises:
        ElementNotVisible: it has no box, or no scrolling brings it into view.
    """
    live = await stage.resolve(element_id)
    try:
        if not (await live.call("inView", timeout=max(stage.left, 0.2)))["connected"]:
            live = await stage.heal(live)
        mark = Mark.set(stage.target, live.frame)
        log_action("scroll_into_view", live, "DOM.scrollIntoViewIfNeeded")
        try:
            await live.session.post(
                "DOM.scrollIntoViewIfNeeded",
                {"objectId": live.object_id},
                timeout=max(stage.left, 0.2),
            )
        except CdpAgentError as error:
            if has_no_layout(error):
                raise ElementNotVisible(
                    f"{live.id} is not shown", element_id=str(live.id)
                ) from None
            raise live.explain(error) from None
        seen = await live.call("inView", timeout=max(stage.left, 0.2))
        if not seen["inView"]:
            raise ElementNotVisible(
                f"{live.id} cannot be scrolled into the viewport", element_id=str(live.id)
            )
        data = {"scroll_x": seen["scrollX"], "scroll_y": seen["scrollY"]}
        return Performed(live.id, mark, True, None, live.healed, data)
    finally:
        live.release()
