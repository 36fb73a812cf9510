"""Selectors: elements by what they are rather than by id, looked up when they are needed.

On the wire `{"type": "role", "role": "button", "name": "Send"}`, `{"type": "label", "value":
"Name"}`, `{"type": "id", "value": "0-12"}`; in files also `{"role": "button", "name": "Send"}`,
`{"label": "Name"}`. Each may have `frame` (an index), `exact` and `nth` (from 0). A bare string is
an id or a selector as commands have it, `text=Save` (`selector_text`). Without `frame` all frames
are searched.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from cdp_agent.act.stirs import look_until
from cdp_agent.api.core import PageCore
from cdp_agent.api.selector_match import Purpose, matching, nearest
from cdp_agent.api.selector_text import HINT, find_id, find_selector
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.errors import CdpAgentError, ElementNotFound, InvalidParams, RefInvalid
from cdp_agent.ids import ElementId
from cdp_agent.resolve.search import DomKind, Found, facts_of_node, search_frame
from cdp_agent.snapshot import SnapshotOptions
from cdp_agent.snapshot.options import with_known_names
from cdp_agent.text import one_line, quoted

Kind = Literal["id", "role", "text", "label", "placeholder", "test_id", "css", "xpath"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_DOM_KINDS: tuple[DomKind, ...] = get_args(DomKind)
_OPTIONS = frozenset({"type", "frame", "exact", "nth"})
_LONGEST = 10_000
_SHOWN = 10
#: Decides how many nodes of a large page are captured around what is searched for.
_SEARCH_TOKENS = 12_000
#: Elements of which it is asked whether they are visible; more than these are too many anyway.
_MOST_ASKED = 60
_EXAMPLE = (
    'A selector is an id such as "0-12", or {"type": "role", "role": "button", "name": "Send"}, or '
    '{"type": T, "value": V} with T one of text, label, placeholder, test_id, css, xpath, id.'
)


@dataclass(frozen=True, slots=True)
class Selector:
    """What to look for. For `role`, `value` is the role and `name` the accessible name."""

    kind: Kind
    value: str
    name: str | None = None
    frame: int | None = None
    exact: bool = False
    nth: int | None = None
    #: The purpose of the element; one that suits wins over one that does not.
    purpose: Purpose | None = None

    @classmethod
    def parse(cls, given: Any) -> Selector:
        """Read a selector as the wire or a file has it.

        Raises:
            InvalidParams: it is none.
            RefInvalid: its id does not look like one.
        """
        if isinstance(given, Selector):
            return given
        if isinstance(given, ElementId):
            return cls("id", given)
        if isinstance(given, str):
            given = _fields_of(given)
        if not isinstance(given, Mapping):
            raise InvalidParams(f"{str(given)[:80]!r} is no selector", hint=_EXAMPLE)
        given = with_known_names(given, {*KINDS, *_OPTIONS, "frame_index", "name", "value"})
        if "frame_index" in given:
            if "frame" in given:
                raise InvalidParams("frame and frame_index of a selector are the same")
            given["frame"] = given.pop("frame_index")
        kind, value = _kind_and_value(given)
        if not isinstance(value, str) or not value or len(value) > _LONGEST:
            raise InvalidParams(f"a {kind} selector needs a text", hint=_EXAMPLE)
        if kind == "id":
            value = ElementId.parse(find_id(value) or value)
        selector = cls(
            kind,
            value,
            given.get("name"),
            given.get("frame"),
            given.get("exact", False),
            given.get("nth"),
        )
        selector._require_types()
        return selector

    def _require_types(self) -> None:
        wrong = [
            name
            for name, value, kind in (
                ("name", self.name, str),
                ("frame", self.frame, int),
                ("nth", self.nth, int),
            )
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool))
        ]
        if not isinstance(self.exact, bool):
            wrong.append("exact")
        if wrong:
            raise InvalidParams(f"{wrong[0]} of a selector has the wrong type", hint=_EXAMPLE)

    def __str__(self) -> str:
        if self.kind == "id":
            return self.value
        name = f" {self.name!r}" if self.name is not None else ""
        what = f"{self.value}{name}" if self.kind == "role" else f"{self.kind} {self.value[:80]!r}"
        return what if self.frame is None else f"{what} in frame {self.frame}"


def _fields_of(text: str) -> dict[str, Any]:
    element_id = find_id(text)
    fields = find_selector(text) if element_id is None else {"id": element_id}
    if fields is None:
        shown = repr(text)[:60]
        raise RefInvalid(f"{shown} is not an element id, and no selector", hint=HINT, ref=shown)
    return fields


def _kind_and_value(given: Mapping[str, Any]) -> tuple[Kind, Any]:
    kind = given.get("type")
    if kind is None:
        named = [name for name in KINDS if name in given]
        if len(named) != 1:
            raise InvalidParams("a selector says one way to find the element", hint=_EXAMPLE)
        kind = named[0]
    elif isinstance(kind, str):
        [kind] = with_known_names({kind: None}, KINDS)
    if kind not in KINDS:
        raise InvalidParams(f"there is no selector type {str(kind)[:40]!r}", hint=_EXAMPLE)
    own = {kind, "name"} if kind == "role" else {kind}
    if kind not in given:
        own.add("value")
    unknown = sorted(str(name) for name in set(given) - _OPTIONS - own)
    if unknown:
        raise InvalidParams(f"a {kind} selector has no {unknown[0][:40]!r}", hint=_EXAMPLE)
    return kind, given.get(kind, given.get("value"))


class Finding(PageCore):
    """`find`."""

    async def find(self, selector: Any, *, timeout: float = 5) -> str:
        """The id of the one element that a selector names.

        `"0-12"`, `{"role": "button", "name": "Send"}`, `{"text": …}`, `{"label": …}`,
        `{"placeholder": …}`, `{"test_id": …}`, `{"css": …}`, `{"xpath": …}`; with `frame`, `exact`
        and `nth` where needed. A text or name that is equal wins over one that only contains it.

        Raises:
            ElementNotFound: none fits, or several do; then the error lists them.
        """
        wanted = Selector.parse(selector)
        if wanted.kind == "id":
            return ElementId.parse(wanted.value)
        found = await self._find_all(wanted, timeout)
        if wanted.nth is not None:
            if not -len(found) <= wanted.nth < len(found):
                raise ElementNotFound(
                    f"there is no {wanted} number {wanted.nth}, only {len(found)}",
                    matches=[str(one.id) for one in found],
                )
            return found[wanted.nth].id
        # What is shown is what is meant, where the same thing is also there hidden.
        shown = [one for one in found if one.visible] or found
        is_all = len(found) <= _MOST_ASKED
        if len(shown) == 1 and is_all:
            return shown[0].id
        if not shown:
            raise self._not_found(wanted)
        listed = ", ".join(self.name_of(one.id) for one in shown[:_SHOWN])
        more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        count = f"{len(shown)}" if is_all else f"more than {_MOST_ASKED}"
        raise ElementNotFound(
            f"{count} elements fit {wanted}: {listed}{more}",
            hint="Take one of these ids, or a selector that only one fits (nth=0 takes the first).",
            matches=[str(one.id) for one in shown],
        )

    async def find_soon(self, selector: Any, *, timeout: float = ACTION_TIMEOUT) -> str:
        """As `find`, and waits for an element that is not there yet.

        Raises:
            ElementNotFound: it did not come in time, or several fit, which is not waited for.
        """
        wanted = Selector.parse(selector)
        deadline = time.monotonic() + timeout
        missing: list[ElementNotFound] = []

        async def look() -> str | None:
            try:
                return await self.find(wanted, timeout=max(deadline - time.monotonic(), 1.0))
            except ElementNotFound as error:
                if len(error.data.get("matches", ())) > 1 and wanted.nth is None:
                    raise
                missing[:] = [error]
                return None

        found = await look_until(self._target, look, deadline)
        if found is None:
            raise missing[0]
        return found

    def name_of(self, element_id: str) -> str:
        """What a snapshot or a search called an element: `[0-44] button "Save"`."""
        parsed = ElementId.parse(element_id)
        role, name = self.role_and_name(parsed)
        words = [f"[{parsed}]", role, quoted(one_line(name, 60)) if name else ""]
        return " ".join(word for word in words if word)

    def role_and_name(self, element_id: str) -> tuple[str, str]:
        """Role and name that an element had when it was last seen; empty for an unknown one."""
        try:
            ref = self._book.require(ElementId.parse(element_id))
        except CdpAgentError:
            return "", ""
        return ref.role, ref.name

    def _not_found(self, wanted: Selector) -> ElementNotFound:
        near = nearest(self._last, wanted) if self._last is not None else []
        listed = ", ".join(self.name_of(node.key) for node in near)
        return ElementNotFound(
            f"there is no {wanted} on the page{f'; nearest: {listed}' if listed else ''}",
            hint="" if listed else "browser_snapshot with search shows what is there.",
            nearest=[node.key for node in near],
        )

    async def _find_all(self, selector: Selector, seconds: float) -> list[Found]:
        """Every element that fits, the hidden ones too, in the order of frames and documents."""
        self._require_ready()
        if selector.kind == "id":
            return await self._find_id(ElementId.parse(selector.value), seconds)
        if selector.frame is not None:
            self._resolver.frame(selector.frame)  # a frame that is not there is an error
        if selector.kind in _DOM_KINDS:
            found = await self._search_frames(selector, seconds)
        else:
            found = await self._search_snapshot(selector, seconds)
        for one in found:
            url = self._resolver.frame(one.id.frame_index).url
            self._book.note(one.id, url, one.tag, one.name)
        return found

    async def _find_id(self, element_id: ElementId, seconds: float) -> list[Found]:
        try:
            live = await self._resolver.resolve(element_id, deadline=time.monotonic() + seconds)
        except CdpAgentError as error:
            if error.code == "stale_ref":
                return []
            raise
        live.release()
        node = live.id.backend_node_id
        found = await facts_of_node(self._target, live.frame, node, seconds)
        return [] if found is None else [found]

    async def _search_frames(self, selector: Selector, seconds: float) -> list[Found]:
        found: list[Found] = []
        for frame in list(self._target.frames):
            if selector.frame not in (None, frame.index) or frame.session is None:
                continue
            kind, value = selector.kind, selector.value
            assert kind in _DOM_KINDS
            try:
                found += await search_frame(
                    self._target, frame, kind, value, selector.exact, seconds
                )
            except InvalidParams:
                raise
            except CdpAgentError:
                # A child frame may vanish at any moment; the page itself, or a frame that was
                # named, may not.
                if frame.index == 0 or selector.frame is not None:
                    raise
        return found

    async def _search_snapshot(self, selector: Selector, seconds: float) -> list[Found]:
        # Of a large page only the parts with these words are captured.
        words = selector.name or selector.value
        options = SnapshotOptions(max_tokens=_SEARCH_TOKENS, search=words, timeout=seconds)
        snapshot = (await self._take(options)).unfiltered
        elements = matching(snapshot, selector)
        if len(elements) > _MOST_ASKED and selector.nth is None:
            elements = elements[: _MOST_ASKED + 1]  # too many to be one, however many are hidden
        found = []
        for element in elements:
            frame = self._target.frames.find_index(int(element.key.partition("-")[0]))
            if frame is None or frame.session is None:
                continue
            node = int(element.key.partition("-")[2])
            one = await facts_of_node(self._target, frame, node, seconds)
            if one is not None:
                found.append(replace(one, tag=element.role, name=element.name))
        return found
