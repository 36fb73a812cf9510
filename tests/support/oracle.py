"""The tests' own session: a raw CDP client that shares nothing with the package under test.

What an action did is read here, over a WebSocket of its own, so that the engine never
vouches for itself. It only looks (and prepares pages); it dispatches no input.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from dataclasses import dataclass
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.support.oracle_errors import GONE, Gone, OracleError, bound
from tests.support.sessions import Attached, FrameSeen

COMMAND_TIMEOUT = 10.0
POLL_SECONDS = 0.01


class Oracle:
    """One WebSocket to the browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._replies: dict[int, _Pending] = {}
        self._sessions: dict[str, Attached] = {}
        self._following: set[str] = set()
        self._cpu_rate = 1
        self._throttling: set[asyncio.Task[None]] = set()
        self._reader = asyncio.create_task(self._read(), name="oracle-reader")

    @classmethod
    async def open(cls, ws_url: str) -> Self:
        return cls(await connect(ws_url, max_size=None, compression=None, ping_interval=None))

    async def aclose(self) -> None:
        for task in self._throttling:
            task.cancel()
        await self._socket.close()
        self._reader.cancel()
        await asyncio.wait([self._reader, *self._throttling])

    async def send(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        session_id: str | None = None,
        *,
        timeout: float = COMMAND_TIMEOUT,
    ) -> dict[str, Any]:
        """One command and its result.

        Raises:
            Gone: the session or document is no more.
            OracleError: refused for another reason, or no answer in time.
        """
        number, wire = self._encode(method, params, session_id)
        reply: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._replies[number] = _Pending(reply, session_id)
        try:
            await self._socket.send(wire)
            async with asyncio.timeout(timeout):
                return await reply
        except TimeoutError:
            raise OracleError(f"{method}: no answer in {timeout:g} s") from None
        finally:
            del self._replies[number]

    async def attach(self, target_id: str) -> PageOracle:
        answer = await self.send("Target.attachToTarget", {"targetId": target_id, "flatten": True})
        session_id = answer["sessionId"]
        page = self._sessions.setdefault(session_id, Attached(session_id, target_id))
        await self.send("Inspector.enable", None, session_id)
        return PageOracle(self, page)

    async def hear_frames(self, attached: Attached) -> None:
        """Be told of its frames and their worlds from now on, and of those that are there.

        Only once somebody looks into a frame: Chromium sends each client every event again, and
        a page that adds a thousand frames or writes to its console would be paid for twice.
        """
        if attached.hears_frames:
            return
        attached.hears_frames = True
        # One that is busy answers later, and is heard all the same.
        with contextlib.suppress(OracleError):
            replies = [self.send(m, None, attached.session_id, timeout=1) for m in _HEAR]
            for answer in await asyncio.gather(*replies):
                attached.holds_tree(answer)

    async def stop_hearing(self, attached: Attached) -> None:
        if attached.hears_frames:
            for method in _DEAF:
                await self.send(method, None, attached.session_id)
            attached.hears_frames = False
            attached.frames.clear()
            attached.contexts.clear()

    async def attach_frames(self, page: Attached) -> None:
        """Attach to the page's frames of other processes that are not attached to yet.

        Only when somebody wants to look into them, one by one: a second client that attaches to
        every frame as it comes makes Chromium leave nested ones paused for good now and then.
        """
        parents = {attached.target_id: attached for attached in page.tree()}
        listed = await self.send("Target.getTargets", {"filter": [{"type": "iframe"}]})
        waiting = listed["targetInfos"]
        while found := [info for info in waiting if info.get("parentId") in parents]:
            waiting = [info for info in waiting if info not in found]
            new = [info for info in found if info["targetId"] not in parents]
            for child in await asyncio.gather(
                *(self._attach_frame(info["targetId"], parents[info["parentId"]]) for info in new)
            ):
                if child is not None:
                    parents[child.target_id] = child

    async def _attach_frame(self, target_id: str, parent: Attached) -> Attached | None:
        """None when it went away meanwhile, or hangs."""
        try:
            answer = await self.send(
                "Target.attachToTarget", {"targetId": target_id, "flatten": True}
            )
        except OracleError:
            return None
        session_id = answer["sessionId"]
        child = self._sessions.setdefault(session_id, Attached(session_id, target_id))
        child.parent, parent.children[session_id] = parent, child
        await self.hear_frames(child)
        return child

    async def follow_frames(self, page: PageOracle) -> None:
        """Attach to every frame of a page as it comes, as DevTools does."""
        self._following.add(page._page.session_id)
        await page.send("Target.setAutoAttach", _FOLLOW)

    def holds(self, page: Attached) -> bool:
        return page.session_id in self._sessions

    async def slow_down(self, rate: int) -> None:
        """From now on every page and frame gets one part in `rate` of the processor."""
        self._cpu_rate = rate
        wanted = [{"type": "page"}, {"type": "iframe"}]
        await self.send("Target.setDiscoverTargets", {"discover": True, "filter": wanted})

    async def _throttle(self, target_id: str) -> None:
        where = {"targetId": target_id, "flatten": True}
        with contextlib.suppress(OracleError):  # gone already
            session_id = (await self.send("Target.attachToTarget", where))["sessionId"]
            rate = {"rate": self._cpu_rate}
            await self.send("Emulation.setCPUThrottlingRate", rate, session_id)

    async def live_targets(self) -> list[dict[str, Any]]:
        """The targets that the browser lists, of every type."""
        infos: list[dict[str, Any]] = (await self.send("Target.getTargets"))["targetInfos"]
        return infos

    def _encode(
        self, method: str, params: dict[str, Any] | None, session_id: str | None
    ) -> tuple[int, str]:
        number = next(self._numbers)
        command: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
        if session_id is not None:
            command["sessionId"] = session_id
        return number, json.dumps(command)

    async def _read(self) -> None:
        # A browser that is killed closes nothing properly, and some tests kill it.
        with contextlib.suppress(ConnectionClosed):
            async for text in self._socket:
                message = json.loads(text)
                if "id" in message:
                    self._settle(message)
                else:
                    self._event(message)
                    await self._follow(message)
        self._fail_all(OracleError("the browser closed the connection"))

    def _fail_all(self, error: OracleError, session_id: str | None = None) -> None:
        """Chromium answers no command of a session that has ended."""
        for pending in self._replies.values():
            if session_id in (None, pending.session_id) and not pending.reply.done():
                pending.reply.set_exception(error)

    def _settle(self, message: dict[str, Any]) -> None:
        pending = self._replies.get(message["id"])
        if pending is None or pending.reply.done():
            return
        reply = pending.reply
        if "error" not in message:
            reply.set_result(message["result"])
            return
        reason = message["error"]["message"]
        gone = any(words in reason for words in GONE)
        reply.set_exception(Gone(reason) if gone else OracleError(reason))

    def _event(self, message: dict[str, Any]) -> None:
        method, params = message["method"], message["params"]
        here = self._sessions.get(message.get("sessionId", ""))
        if method == "Target.attachedToTarget":
            # Before the answer to the command, and events of the session may come before it too.
            session_id, target_id = params["sessionId"], params["targetInfo"]["targetId"]
            self._sessions[session_id] = Attached(session_id, target_id)
        elif method == "Target.targetCreated" and self._cpu_rate > 1:
            task = asyncio.create_task(self._throttle(params["targetInfo"]["targetId"]))
            self._throttling.add(task)
            task.add_done_callback(self._throttling.discard)
        elif method == "Target.detachedFromTarget":
            self._fail_all(Gone("the session has ended"), params["sessionId"])
            gone = self._sessions.pop(params["sessionId"], None)
            if gone is not None and gone.parent is not None:
                gone.parent.children.pop(gone.session_id, None)
        elif here is not None:
            here.told(method, params)

    async def _follow(self, message: dict[str, Any]) -> None:
        if message["method"] != "Target.attachedToTarget":
            return
        session_id = message["params"]["sessionId"]
        if message.get("sessionId") in self._following:
            self._following.add(session_id)
            for method, params in (("Page.enable", None), ("Target.setAutoAttach", _FOLLOW)):
                # Posted, not awaited: the reader must go on to read the answers.
                await self._socket.send(self._encode(method, params, session_id)[1])


@dataclass(frozen=True)
class _Pending:
    reply: asyncio.Future[dict[str, Any]]
    session_id: str | None


_FOLLOW = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
_HEAR = ("Page.enable", "Page.getFrameTree", "Runtime.enable")
_DEAF = ("Runtime.disable", "Page.disable")


class PageOracle:
    """One tab and the frames in it, of whatever process."""

    def __init__(self, oracle: Oracle, page: Attached) -> None:
        self.oracle = oracle
        self._page = page
        self.commanded = False

    @property
    def target_id(self) -> str:
        return self._page.target_id

    @property
    def is_attached(self) -> bool:
        return self.oracle.holds(self._page) and not self._page.crashed

    async def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """A command on the page's own session."""
        self.commanded = True
        return await self.oracle.send(method, params, self._page.session_id)

    async def detach(self) -> None:
        """Let go of the tab and its frames, which may be gone already."""
        await self._detach(list(self._page.tree()))

    async def detach_frames(self) -> None:
        """Let go of its frames, and hear of none until somebody looks into one again."""
        await self._detach(list(self._page.tree())[1:])
        with contextlib.suppress(OracleError):
            await self.oracle.stop_hearing(self._page)

    async def _detach(self, sessions: list[Attached]) -> None:
        for attached in sessions:
            with contextlib.suppress(OracleError):
                await self.oracle.send(
                    "Target.detachFromTarget", {"sessionId": attached.session_id}
                )

    async def is_alive(self) -> bool:
        """Returns whether the tab still exists and has not crashed."""
        if self._page.crashed:
            return False
        return any(t["targetId"] == self.target_id for t in await self.oracle.live_targets())

    async def eval(self, js: str) -> Any:
        """The JSON value of an expression in the main frame's own world; promises are awaited."""
        return await self._evaluate(self._page, {"expression": js})

    async def eval_in(self, part: str, js: str) -> Any:
        """The same in the child frame whose URL or name contains `part`, once it is there."""
        frame = await self._frame(part)
        return await self._evaluate(frame.owner, {"expression": js} | await self._world(frame))

    async def wait(self, js: str, timeout: float = 5) -> Any:
        """Poll until the expression is truthy, across navigations; gives its value.

        Raises:
            AssertionError: it did not become so in time.
        """
        return await self._poll(None, js, timeout)

    async def wait_in(self, part: str, js: str, timeout: float = 5) -> Any:
        return await self._poll(part, js, timeout)

    async def frames(self) -> list[FrameSeen]:
        """Every frame of the tab: as its process lists them, or as events told when it is busy."""
        await self.oracle.hear_frames(self._page)
        await self.oracle.attach_frames(self._page)
        sessions = list(self._page.tree())
        await asyncio.gather(*(self._list_frames(attached) for attached in sessions))
        return [frame for attached in self._page.tree() for frame in attached.frames.values()]

    async def _list_frames(self, attached: Attached) -> None:
        with contextlib.suppress(OracleError):
            attached.holds_tree(
                await self.oracle.send("Page.getFrameTree", None, attached.session_id, timeout=0.3)
            )

    async def frame_urls(self) -> list[str]:
        return [frame.url for frame in await self.frames()]

    async def backend_node_id(self, js: str, part: str | None = None) -> int:
        """The number of the node that an expression gives, as every session of its process has it.

        It is how a test names an element without trusting the engine to find it.
        """
        if part is None:
            owner, world = self._page, dict[str, Any]()
        else:
            frame = await self._frame(part)
            owner, world = frame.owner, await self._world(frame)
        object_id = (await self._result(owner, {"expression": js} | world)).get("objectId")
        if object_id is None:
            raise OracleError(f"{js} is not a node")
        described = await self.oracle.send(
            "DOM.describeNode", {"objectId": object_id}, owner.session_id
        )
        await self.oracle.send("Runtime.releaseObject", {"objectId": object_id}, owner.session_id)
        return int(described["node"]["backendNodeId"])

    async def _frame(self, part: str, timeout: float = 5) -> FrameSeen:
        async with bound(timeout, lambda: f"no frame whose URL or name contains {part!r}"):
            while True:
                for frame in await self.frames():
                    is_child = frame.frame_id != self.target_id
                    if is_child and (part in frame.url or part in frame.name):
                        return frame
                await asyncio.sleep(POLL_SECONDS)

    async def _world(self, frame: FrameSeen) -> dict[str, Any]:
        context = frame.owner.contexts.get(frame.frame_id)
        if context is None:
            # A frame that may run no script has no world of its own, but it takes one of ours.
            made = await self.oracle.send(
                "Page.createIsolatedWorld", {"frameId": frame.frame_id}, frame.owner.session_id
            )
            context = made["executionContextId"]
        return {"contextId": context}

    async def _evaluate(self, owner: Attached, params: dict[str, Any]) -> Any:
        by_value = {"returnByValue": True, "awaitPromise": True}
        return (await self._result(owner, by_value | params)).get("value")

    async def _result(self, owner: Attached, params: dict[str, Any]) -> dict[str, Any]:
        answer = await self.oracle.send("Runtime.evaluate", params, owner.session_id)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            thrown = details.get("exception", {}).get("description", details["text"])
            raise OracleError(f"{params['expression'][:200]}: {thrown}")
        result: dict[str, Any] = answer["result"]
        return result

    async def _poll(self, part: str | None, js: str, timeout: float) -> Any:
        last: Any = None
        where = f" in {part}" if part else ""
        async with bound(timeout, lambda: f"never truthy{where}: {js} (last: {last!r})"):
            while True:
                try:
                    last = await (self.eval(js) if part is None else self.eval_in(part, js))
                except Gone as gone:
                    last = gone
                else:
                    if last not in (None, False, 0, ""):  # as JavaScript has it: {} and [] are true
                        return last
                await asyncio.sleep(POLL_SECONDS)
