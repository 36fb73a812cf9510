"""Selectors: elements by what they are rather than by id, looked up when they are needed.

On the wire `{"type": "role", "role": "button", "name": "Send"}`, `{"type": "label", "value":
"Name"}`, `{"type": "id", "value": "0-12"}`; in files also `{"role": "button", "name": "Send"}`,
`{"label": "Name"}`, and a bare string for an id. Each may have `frame` (an index), `exact` and
`nth` (from 0). Without `frame` all frames are searched.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from cdp_agent.api.core import PageCore
from cdp_agent.errors import CdpAgentError, ElementNotFound, InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.resolve.search import DomKind, Found, facts_of_node, search_frame
from cdp_agent.snapshot import Element, Node, Snapshot, SnapshotOptions
from cdp_agent.snapshot.options import with_known_names

Kind = Literal["id", "role", "text", "label", "placeholder", "test_id", "css", "xpath"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_DOM_KINDS: tuple[DomKind, ...] = get_args(DomKind)
_OPTIONS = frozenset({"type", "frame", "exact", "nth"})
_LONGEST = 10_000
_SHOWN = 8
#: Decides how many nodes of a large page are captured around what is searched for.
_SEARCH_TOKENS = 12_000
_CONTROLS = frozenset(
    {
        "textbox",
        "searchbox",
        "spinbutton",
        "combobox",
        "listbox",
        "checkbox",
        "radio",
        "switch",
        "slider",
    }
)
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

    @classmethod
    def parse(cls, given: Any) -> Selector:
        """Read a selector as the wire or a file has it.

        Raises:
            InvalidParams: it is none.
            RefInvalid: its id does not look like one.
        """
        if isinstance(given, Selector):
            return given
        if isinstance(given, str):
            return cls("id", ElementId.parse(given))
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
            value = ElementId.parse(value)
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
                raise ElementNotFound(f"there is no {wanted} number {wanted.nth}")
            return found[wanted.nth].id
        # What is shown is what is meant, where the same thing is also there hidden.
        shown = [one for one in found if one.visible] or found
        if len(shown) == 1:
            return shown[0].id
        if not shown:
            raise ElementNotFound(f"there is no {wanted} on the page")
        listed = ", ".join(str(one) for one in shown[:_SHOWN])
        more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        raise ElementNotFound(
            f"{len(shown)} elements fit {wanted}: {listed}{more}",
            hint="Give frame, nth, or a selector that only one fits.",
            matches=[str(one.id) for one in shown],
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
        if selector.kind == "role":
            elements = by_role(snapshot, selector)
        elif selector.kind == "label":
            elements = by_label(snapshot, selector)
        else:
            elements = by_text(snapshot, selector)
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


def by_role(snapshot: Snapshot, selector: Selector) -> list[Node]:
    """Lines of that role, interactive or not (a heading can be waited for), and their names."""
    lines = _lines(snapshot, selector)
    return _named([n for n in lines if n.role == selector.value], selector.name, selector)


def by_label(snapshot: Snapshot, selector: Selector) -> list[Node]:
    """Controls whose accessible name, which is what their label says, fits."""
    lines = _lines(snapshot, selector)
    return _named([n for n in lines if n.role in _CONTROLS], selector.value, selector)


def by_text(snapshot: Snapshot, selector: Selector) -> list[Node]:
    """What one can act on by that text; where there is no such thing, the text itself."""
    lines = [n for n in _lines(snapshot, selector) if n.name]
    actable = _named([n for n in lines if n.id is not None], selector.value, selector)
    if len(actable) > 1:
        actable = [n for n in actable if n.role != "label"] or actable
    return actable or _named([n for n in lines if n.id is None], selector.value, selector)


def _lines(snapshot: Snapshot, selector: Selector) -> list[Node]:
    """Lines of the snapshot, and elements that have none of their own, in the wanted frames."""
    listed = {node.key for node in snapshot.nodes}
    more = [_line_of(element) for element in snapshot.elements if element.id not in listed]
    return [
        node
        for node in (*snapshot.nodes, *more)
        if node.key.partition("-")[2].isdigit()
        and selector.frame in (None, int(node.key.partition("-")[0]))
    ]


def _line_of(element: Element) -> Node:
    return Node(str(element.id), 0, element.role, element.name, id=element.id)


def _named(nodes: list[Node], name: str | None, selector: Selector) -> list[Node]:
    if name is None:
        return nodes
    wanted = " ".join(name.split())
    equal = [node for node in nodes if node.name == wanted]
    if equal or selector.exact:
        return equal
    return [node for node in nodes if wanted.casefold() in node.name.casefold()]
