"""A client of `cdp-agent serve`, with the names and units of `Page`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from cdp_agent.api.composite.steps import CompositeResult, OnStep, Rules, Step, plan
from cdp_agent.api.extraction.extraction import Extraction
from cdp_agent.api.extraction.shape import Shape
from cdp_agent.api.observation.elements import Observation
from cdp_agent.api.tab import Observe
from cdp_agent.client.events import EventListener, RemoteEvent
from cdp_agent.client.server_connection import WireConnection
from cdp_agent.client.step_reports import StepReports
from cdp_agent.client.wire_form import (
    composite_result,
    observation,
    snake,
    wire_options,
    wire_step,
)
from cdp_agent.errors import ConditionFailed, InvalidParams

#: Added to what a call may take on the server, for the way there and back.
_SLACK = 10.0


class Client:
    """A client to use in `async with`; `act` is that of `Page`.

    It connects when it is first needed, and again when the connection broke; a call that was
    under way then raises `ConnectionLost` and is not repeated. The server closes this client's
    pages when its connection ends, but not those of a browser that it serves with `--shared`.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 30.0) -> None:
        self._timeout = timeout
        self._listeners: list[EventListener] = []
        self._step_reports = StepReports()
        self._wire = WireConnection(url, token, self._notified)
        self._wire.on_connect = self._subscriptions

    async def __aenter__(self) -> Self:
        await self._wire.ensure()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connection, and with it this client's pages. May be called twice."""
        for listener in list(self._listeners):
            listener.close()
        await self._wire.aclose()

    async def call(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
    ) -> Any:
        """Call any method of the protocol, with its own names and units in `params`.

        `timeout` is how many seconds its answer is waited for.

        Raises:
            CdpAgentError: what the server says went wrong, in the class that it has there.
        """
        given = {name: value for name, value in (params or {}).items() if value is not None}
        seconds = self._timeout if timeout is None else timeout
        return await self._wire.request(method, given, seconds)

    # -- pages --------------------------------------------------------------------------------

    async def new_page(self, url: str | None = None) -> str:
        """Open a page, which is the active one from now on; its id."""
        return str((await self.call("page/create", {"url": url}))["id"])

    async def goto(self, url: str, *, page: str | None = None) -> dict[str, Any]:
        """Show an address in the active page or in another one."""
        return dict(snake(await self.call("page/navigate", {"url": url, "pageId": page})))

    async def pages(self) -> list[dict[str, Any]]:
        """The pages there are, each with `id`, `url`, `title`, `viewport` and `status`."""
        return list(snake((await self.call("page/list"))["pages"]))

    async def select_page(self, page: str) -> None:
        """Make a page the active one."""
        await self.call("page/activate", {"pageId": page})

    async def close_page(self, page: str) -> None:
        await self.call("page/close", {"pageId": page})

    # -- the agent's methods ------------------------------------------------------------------

    async def act(
        self,
        steps: Sequence[Mapping[str, Any] | Step],
        *,
        timeout: float = Rules().timeout,
        stop_on_first_error: bool = True,
        continue_on_condition_fail: bool = False,
        observe: Observe = False,
        before_step: None = None,
        on_step: OnStep | None = None,
        page: str | None = None,
    ) -> CompositeResult:
        """As `Page.act`: 1 to 50 steps, all checked before the first one runs.

        `on_step` is called with each row in order; the next step does not wait for it, and what it
        raises is raised when all steps are over. The snapshot of `observe` has text, elements and
        a picture; `diff` is None.

        Raises:
            InvalidParams: a step is wrong, and none was run; or `before_step` is given, which
                only a page in this process can call. What fails later is in the rows.
            BlockedByPolicy: the token has no scope for a step; none was run.
        """
        planned = plan(steps)
        if before_step is not None:
            raise InvalidParams(
                "before_step does not run over a wire",
                hint="`cdp-agent serve --ask METHOD` has each call of a method approved.",
            )
        params = {
            "pageId": page,
            "steps": [wire_step(step) for step in planned],
            "stopOnFirstError": stop_on_first_error,
            "continueOnConditionFail": continue_on_condition_fail,
            "timeout": timeout * 1000,
            "observe": wire_options(observe),
        }
        seconds = timeout + _SLACK
        if on_step is None:
            return composite_result(planned, await self.call("agent/act", params, timeout=seconds))
        async with self._step_reports.open(planned, on_step) as name:
            answer = await self.call("agent/act", {**params, "reportSteps": name}, timeout=seconds)
        return composite_result(planned, answer)

    #: Its name in the protocol's first version.
    execute = act

    async def observe(
        self,
        *,
        max_elements: int | None = None,
        filter_roles: Sequence[str] = (),
        viewport_only: bool = False,
        tree: bool = False,
        picture: bool = False,
        page: str | None = None,
    ) -> Observation:
        """As `Page.observe`: metadata and interactive elements; `snapshot` of it is None."""
        params = {
            "pageId": page,
            "maxElements": max_elements,
            "filterRoles": list(filter_roles),
            "viewportOnly": viewport_only,
            "includeAccessibility": tree,
            "includeScreenshot": picture,
            "includeBounds": True,
        }
        return observation(await self.call("agent/observe", params))

    #: Its name in the protocol's first version.
    snapshot = observe

    async def extract(
        self,
        schema: Any,
        *,
        root: str | None = None,
        instruction: str = "",
        page: str | None = None,
    ) -> Extraction:
        """As `Page.extract`: data in the shape of a JSON Schema or a pydantic class.

        Raises:
            InvalidParams: it is not a schema.
            ConditionFailed: the page does not give what the schema requires; it says what.
        """
        shape = Shape.of(schema)
        params = {
            "pageId": page,
            "schema": dict(shape.json_schema),
            "instruction": instruction,
            "selector": None if root is None else {"type": "ref", "ref": str(root)},
            "includeSourceRefs": True,
        }
        answer = await self.call("agent/extract", params)
        if not answer["success"]:
            raise ConditionFailed(answer["error"])
        sources = {source["path"]: source["ref"] for source in answer["sources"]}
        return Extraction(shape.validated(answer["data"]), sources, answer["method"])

    @staticmethod
    def step(
        action: str,
        params: Mapping[str, Any] | None = None,
        *,
        label: str = "",
        condition: Mapping[str, Any] | None = None,
        on_error: Literal["stop", "skip", "retry"] | None = None,
        **more: Any,
    ) -> Step:
        """One step for `act`; `more` are `max_retries` and `retry_delay` (milliseconds)."""
        given = {"action": action, "params": dict(params or {}), "label": label, **more}
        if condition is not None:
            given["condition"] = condition
        if on_error is not None:
            given["on_error"] = on_error
        return Step.model_validate(given)

    # -- events -------------------------------------------------------------------------------

    def events(self, *kinds: str) -> EventListener:
        """Hear what happens to this client's pages, from the `async with` on.

            async with client.events("console", "dialog") as events:
                async for event in events: ...

        Kinds are `page`, `console`, `network`, `dialog` and `download`.
        """
        return EventListener(frozenset(kinds), self._listen, self._forget)

    async def _listen(self, listener: EventListener) -> None:
        self._listeners.append(listener)
        try:
            await self.call("events/subscribe", {"events": sorted(listener.kinds)})
        except BaseException:  # also when cancelled: nobody listens any more
            self._forget(listener)
            raise

    def _forget(self, listener: EventListener) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    def _subscriptions(self) -> list[tuple[str, dict[str, Any]]]:
        """The subscriptions that a new connection begins with."""
        kinds = sorted({kind for listener in self._listeners for kind in listener.kinds})
        return [("events/subscribe", {"events": kinds})] if kinds else []

    def _notified(self, method: str, params: dict[str, Any]) -> None:
        if method == "agent/step":
            self._step_reports.put(params)
            return
        family, _, kind = method.partition("/")
        if family != "event":
            return
        data = {
            name: value for name, value in params.items() if name not in ("pageId", "timestamp")
        }
        event = RemoteEvent(kind, params["pageId"], params["timestamp"] / 1000, snake(data))
        for listener in self._listeners:
            if kind in listener.kinds:
                listener.put(event)
