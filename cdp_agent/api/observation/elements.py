"""A page as data: metadata, and interactive elements with their actions."""

from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cdp_agent.api.observation import views
from cdp_agent.api.tab import Tab
from cdp_agent.errors import InvalidParams
from cdp_agent.snapshot import Element, Snapshot, SnapshotOptions

MOST_ELEMENTS = 200


@dataclass(frozen=True, slots=True)
class Observation:
    """`elements` are in document order; `total` counts those that were left out, too.

    Labels of controls and options of closed lists are no elements of their own.
    """

    metadata: dict[str, Any]
    elements: tuple[dict[str, Any], ...]
    total: int
    tree: str | None
    #: PNG.
    picture: bytes | None
    #: None where it was observed over a wire.
    snapshot: Snapshot | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data as on the wire; the picture is in base64."""
        made: dict[str, Any] = {
            "metadata": self.metadata,
            "elements": list(self.elements),
            "total": self.total,
        }
        if self.tree is not None:
            made["tree"] = self.tree
        if self.picture is not None:
            made["picture"] = base64.b64encode(self.picture).decode()
        return made


async def observe_page(
    tab: Tab,
    max_elements: int,
    filter_roles: Sequence[str],
    viewport_only: bool,
    tree: bool,
    picture: bool,
    timeout: float,
) -> Observation:
    """The page's metadata and its interactive elements; see `Page.observe`."""
    is_number = isinstance(max_elements, int) and not isinstance(max_elements, bool)
    if not is_number or not 1 <= max_elements <= MOST_ELEMENTS:
        raise InvalidParams(
            f"max_elements must be from 1 to {MOST_ELEMENTS}, not {str(max_elements)[:40]}"
        )
    roles = (filter_roles,) if isinstance(filter_roles, str) else tuple(filter_roles)
    if not all(isinstance(role, str) for role in roles):
        raise InvalidParams("filter_roles must be a list of role names")
    snapshot = await views.reported(
        tab, SnapshotOptions.make(viewport_only=viewport_only, timeout=timeout)
    )
    fitting = [e for e in snapshot.interactive if not roles or e.role in roles]
    image = await views.picture(tab, None, False, None, None, timeout) if picture else None
    return Observation(
        metadata=_metadata(snapshot),
        elements=tuple(_element(snapshot, e) for e in fitting[:max_elements]),
        total=len(fitting),
        tree=snapshot.text if tree else None,
        picture=image,
        snapshot=snapshot,
    )


def _metadata(snapshot: Snapshot) -> dict[str, Any]:
    view = snapshot.viewport
    return {
        "url": snapshot.page.url,
        "title": snapshot.page.title,
        "loading": snapshot.page.loading,
        "viewport": {"width": view.width, "height": view.height},
        "scroll": {"x": view.scroll_x, "y": view.scroll_y},
        "content": {"width": view.content_width, "height": view.content_height},
        "frames": [
            {"index": f.index, "url": f.url, "name": f.name, "parent": f.parent_index}
            for f in snapshot.frames
        ],
        "dialogs": [dialog.to_dict() for dialog in snapshot.dialogs],
        "lost_values": [value.to_dict() for value in snapshot.lost_values],
        "timestamp": time.time(),
    }


def _element(snapshot: Snapshot, element: Element) -> dict[str, Any]:
    return {
        "ref": str(element.id),
        "selector": selector_of(snapshot, element),
        "role": element.role,
        "name": element.name,
        "value": element.value,
        "state": dict(element.state),
        "hints": list(element.hints),
        "bounds": None if element.bounds is None else list(element.bounds),
        "tag": element.tag,
        "frame": element.frame_index,
    }


def selector_of(snapshot: Snapshot, element: Element) -> dict[str, Any]:
    """A selector that outlives the id: role and name if unique, else the XPath."""
    if element.name and snapshot.is_only_one(element):
        return {"type": "role", "role": element.role, "name": element.name, "exact": True}
    path = snapshot.xpath_map[element.id]
    if path:
        return {"type": "xpath", "value": path, "frame": element.frame_index}
    return {"type": "id", "value": str(element.id)}
