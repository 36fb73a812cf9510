"""All that the live page shows: the panes, the overview of a batch, and who looks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.live.overview import Overview
from cdp_agent.live.pane import Pane
from cdp_agent.tools.host import BrowserHost, ToolClient


class Viewer(Protocol):
    """Somebody who looks. `widths` has the panes that they look at now."""

    widths: Mapping[str, int]

    def put(self, key: str, message: dict[str, Any]) -> None:
        """Take a message; the latest of a key is the one that counts."""


class Board:
    """Make one for a command; `open_live` shows it."""

    def __init__(self, secrets: Secrets | None = None) -> None:
        self._secrets = secrets
        self.panes: dict[str, Pane] = {}
        self.overview: Overview | None = None
        self._numbers = itertools.count(1)
        self._viewers: list[Viewer] = []

    # -- what is watched ------------------------------------------------------------------------

    def open_pane(self, title: str, secrets: Secrets | None = None) -> Pane:
        """A pane for one more browser, context or task."""
        number = next(self._numbers)
        pane = Pane(str(number), title, self.publish, secrets or self._secrets)
        self.panes[pane.id] = pane
        self.publish(f"pane {pane.id}", dict(pane.messages()[0][1]))
        self.look_again()
        return pane

    async def close_pane(self, pane: Pane) -> None:
        """Forget a pane. May be called twice."""
        if self.panes.pop(pane.id, None) is not None:
            self.publish(f"pane {pane.id}", {"type": "gone", "pane": pane.id})
        await pane.aclose()

    def new_client(self, host: BrowserHost, hooks: Mapping[str, Any]) -> Callable[[], ToolClient]:
        """Makes clients of a server, each in a pane of its own that ends with the client."""
        numbers = itertools.count(1)

        def make() -> ToolClient:
            pane = self.open_pane(f"client {next(numbers)}")

            async def closed() -> None:
                await self.close_pane(pane)

            return ToolClient(host, **pane.around(hooks), on_close=closed)

        return make

    def open_overview(self, total: int) -> Overview:
        """The overview of a batch of `total` tasks."""
        self.overview = Overview(total, self._overview_changed)
        self._overview_changed()
        return self.overview

    def _overview_changed(self) -> None:
        self.publish("overview", self._overview_message())

    def _overview_message(self) -> dict[str, Any]:
        facts = self.overview.to_dict() if self.overview is not None else {}
        message = {"type": "overview", **facts}
        return self._secrets.mask_data(message) if self._secrets else message

    # -- who looks ------------------------------------------------------------------------------

    def publish(self, key: str, message: dict[str, Any]) -> None:
        for viewer in self._viewers:
            if message["type"] != "frame" or message["pane"] in viewer.widths:
                viewer.put(key, message)

    def add_viewer(self, viewer: Viewer) -> None:
        """Send a viewer the present state, and every change from now on."""
        self._viewers.append(viewer)
        if self.overview is not None:
            viewer.put("overview", self._overview_message())
        for pane in self.panes.values():
            for key, message in pane.messages():
                if message["type"] != "frame":
                    viewer.put(key, message)
        self.look_again()

    def remove_viewer(self, viewer: Viewer) -> None:
        """Forget a viewer; a browser that they drove goes back to its agent."""
        if viewer in self._viewers:
            self._viewers.remove(viewer)
        for pane in self.panes.values():
            pane.control.give(viewer)
        self.look_again()

    def look_again(self) -> None:
        """Begin and end pictures by what viewers look at now."""
        for pane in self.panes.values():
            widths = [viewer.widths.get(pane.id, 0) for viewer in self._viewers]
            pane.set_width(max(widths) if widths else None)

    def show_last_frames(self, viewer: Viewer, pane_ids: set[str]) -> None:
        """Give a viewer the last pictures of panes: one that does not change sends no other."""
        for pane_id in pane_ids & self.panes.keys():
            for key, message in self.panes[pane_id].messages():
                if message["type"] == "frame":
                    viewer.put(key, message)

    async def aclose(self) -> None:
        """Close all panes. May be called twice."""
        for pane in list(self.panes.values()):
            await pane.aclose()
