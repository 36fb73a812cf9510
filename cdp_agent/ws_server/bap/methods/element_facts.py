"""`observe/element`: what a client asks about one element, read in our own world."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from cdp_agent.api.page import Page
from cdp_agent.errors import InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.resolve.live import script_value
from cdp_agent.targets.remote_objects import call_function
from cdp_agent.ws_server.bap.methods.actions import box_of

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.types import CallArgument

#: Each is read by a script of ours; the value of a password field is never given.
_READERS = {
    "visible": "e => e.checkVisibility({opacityProperty: false, visibilityProperty: true})",
    "enabled": "e => !e.matches(':disabled, [aria-disabled=true]')",
    "checked": "e => 'checked' in e ? e.checked : e.getAttribute('aria-checked') === 'true'",
    "text": "e => e.innerText ?? e.textContent",
    "value": "e => e.type === 'password' ? null : e.value ?? null",
    "tagName": "e => e.tagName.toLowerCase()",
    "focused": "e => e.getRootNode().activeElement === e",
    "editable": "e => e.isContentEditable || e.matches('input:read-write, textarea:read-write')",
    "innerHTML": "e => e.innerHTML",
    "outerHTML": "e => e.outerHTML",
    "attributes": "e => Object.fromEntries([...e.attributes].filter(a => a.name !== 'value' ||"
    " e.type !== 'password').map(a => [a.name, a.value]))",
    "computedStyle": "e => Object.fromEntries([...getComputedStyle(e)].map(name =>"
    " [name, getComputedStyle(e).getPropertyValue(name)]))",
}
_SECONDS = 10.0
PROPERTIES = (*_READERS, "boundingBox")


async def element_properties(page: Page, element_id: ElementId, names: list[str]) -> dict[str, Any]:
    """The named properties of an element.

    Raises:
        InvalidParams: there is no property of that name.
    """
    unknown = [name for name in names if name not in PROPERTIES]
    if unknown:
        raise InvalidParams(
            f"there is no property {unknown[0][:40]!r}",
            hint=f"Properties: {', '.join(PROPERTIES)}.",
        )
    live = await page._tab.resolver.resolve(element_id, deadline=time.monotonic() + _SECONDS)
    readers = ", ".join(f"{name}: {_READERS[name]}" for name in names if name in _READERS)
    script = f"e => {{ const all = {{{readers}}}; const made = {{}};"
    script += " for (const name in all) made[name] = all[name](e); return made; }"
    try:
        element: CallArgument = {"objectId": live.object_id}
        reply = await call_function(live.session, live.world, script, [element], seconds=_SECONDS)
    finally:
        live.release()
    made = dict(script_value(reply))
    if "boundingBox" in names:
        made["boundingBox"] = (await box_of(page, live.id))._asdict()
    return made
