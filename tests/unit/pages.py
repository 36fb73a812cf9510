"""Small made-up pages: one tree that becomes an accessibility tree and layout facts at once.

Node numbers follow the order of writing. The document is 1, `html` 2, `body` 3; the first element
of a page is 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.snapshot import Element, FrameInfo, Node, PageInfo, Snapshot, Viewport
from cdp_agent.snapshot.ax.tree import AxNode, AxProperty, AxTree, AxValue
from cdp_agent.snapshot.build.build import build
from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.build.line_cache import BuiltPage
from cdp_agent.snapshot.dom.columns import (
    COMPUTED_STYLES,
    Box,
    DocumentColumns,
    DomCapture,
    LayoutColumns,
    NodeColumns,
    RareBoolean,
)
from cdp_agent.snapshot.dom.facts import documents_by_frame
from cdp_agent.snapshot.model import SnapshotSource
from cdp_agent.snapshot.text.snapshot_text import snapshot_text

VIEWPORT = Viewport(800, 600, 0, 0, 800, 2000)
_ELEMENT, _TEXT, _DOCUMENT, _FRAGMENT = 1, 3, 9, 11


@dataclass(frozen=True, eq=False)
class El:
    """One node. `role` is Chromium's word for it; without one it is in the DOM only."""

    role: str
    name: str = ""
    children: tuple[El, ...] = ()
    tag: str = "div"
    value: Any = None
    #: Properties of the accessibility node: checked, focusable …
    props: Mapping[str, Any] = field(default_factory=dict)
    attrs: Mapping[str, str] = field(default_factory=dict)
    #: Inherited, as in CSS, where it is not given.
    cursor: str | None = None
    overflow: str = "visible"
    display: str = "block"
    listens: bool = False
    #: Left, top, width, height; None where it is not rendered.
    box: tuple[float, float, float, float] | None = (10, 10, 100, 20)
    ignored: bool = False


def el(role: str, name: str = "", *children: El, **facts: Any) -> El:
    return El(role, name, children, **facts)


def text(words: str) -> El:
    return El("StaticText", words, tag="#text")


def wrapper(*children: El, **facts: Any) -> El:
    """A plain `div`, which Chromium leaves out of the tree that it speaks."""
    return El("none", "", children, ignored=True, **facts)


def button(name: str, **facts: Any) -> El:
    return El("button", name, (text(name),), **{"tag": "button", **facts})


def textbox(name: str, value: str = "", **facts: Any) -> El:
    return El("textbox", name, (), **{"tag": "input", "value": value, **facts})


class Document:
    """A document in a frame.

    `tree` and `layout` are Chromium's replies, `capture` is what the engine makes of them.
    """

    def __init__(
        self,
        *top: El,
        index: int = 0,
        parent: int | None = None,
        owner: int | None = None,
        origin: str = "https://shop.test",
        url: str = "",
        loader: str = "L",
        scroll: tuple[float, float] = (0, 0),
        offset: tuple[float, float] = (0, 0),
        scale: tuple[float, float] = (1, 1),
        with_layout: bool = True,
    ) -> None:
        body = El("none", "", top, tag="body", ignored=True, box=(0, 0, 800, 600))
        html = El("none", "", (body,), tag="html", ignored=True, box=(0, 0, 800, 600))
        self._root = El("RootWebArea", "Shop", (html,), tag="#document")
        self._numbers = {id(one): number for number, one in enumerate(self._walk(), start=1)}
        self._scroll = scroll
        self.info = FrameInfo(
            index=index,
            frame_id=f"F{index}",
            parent_index=parent,
            session="S",
            loader_id=f"{loader}{index}",
            url=url or f"{origin}/",
            origin=origin,
            name="",
            is_oopif=False,
            owner_backend_node_id=owner,
        )
        self.tree = self._tree()
        self.layout = self._layout()
        self.facts = documents_by_frame(self.layout)[self.info.frame_id]
        dom = self.facts if with_layout else None
        self.capture = FrameCapture(self.info, self.tree, dom, offset, scale)

    def number(self, one: El) -> int:
        """The backend node id of an element."""
        return self._numbers[id(one)]

    def _walk(self) -> Iterator[El]:
        waiting = [self._root]
        while waiting:
            one = waiting.pop()
            yield one
            waiting.extend(reversed(one.children))

    def _tree(self) -> AxTree:
        nodes = [self._ax(one) for one in self._walk() if one.role]
        by_id = {node.nodeId: node for node in nodes}
        for node in nodes:
            for child in node.childIds:
                by_id[child].parentId = node.nodeId
        return AxTree(nodes)

    def _ax(self, one: El) -> AxNode:
        number = self.number(one)
        return AxNode(
            nodeId=str(number),
            ignored=one.ignored,
            role=AxValue(one.role),
            name=AxValue(one.name),
            value=None if one.value is None else AxValue(one.value),
            properties=[AxProperty(name, AxValue(value)) for name, value in one.props.items()],
            childIds=[str(self.number(child)) for child in one.children if child.role],
            backendDOMNodeId=number,
        )

    def _layout(self) -> DomCapture:
        strings = _Strings()
        nodes, layout = NodeColumns(attributes=[]), LayoutColumns(styles=[])
        clickable: list[int] = []
        waiting: list[tuple[El, int, str]] = [(self._root, -1, "auto")]
        while waiting:
            one, parent, inherited = waiting.pop()
            index, cursor = len(nodes.nodeType), one.cursor or inherited
            is_text = one.tag == "#text"
            kinds = {"#text": _TEXT, "#document": _DOCUMENT, "#shadow": _FRAGMENT}
            nodes.parentIndex.append(parent)
            nodes.nodeType.append(kinds.get(one.tag, _ELEMENT))
            nodes.nodeName.append(strings.index(one.tag.upper()))
            nodes.nodeValue.append(strings.index(one.name) if is_text else -1)
            nodes.backendNodeId.append(self.number(one))
            flat = [part for pair in one.attrs.items() for part in pair]
            nodes.attributes.append(tuple(strings.index(part) for part in flat))
            if one.listens:
                clickable.append(index)
            if one.box is not None and one.tag != "#shadow":
                styles = {
                    "cursor": cursor,
                    "overflow-y": one.overflow,
                    "content-visibility": "visible",
                    "visibility": "visible",
                    "display": one.display,
                    "overflow-x": "visible",
                    "interactivity": "auto",
                }
                layout.nodeIndex.append(index)
                layout.bounds.extend([one.box])
                layout.text.append(strings.index(one.name) if is_text else -1)
                layout.styles.append(
                    tuple(strings.index(styles.get(name, "auto")) for name in COMPUTED_STYLES)
                )
            waiting.extend((child, index, cursor) for child in reversed(one.children))
        nodes.isClickable = RareBoolean(list(clickable))
        columns = DocumentColumns(
            strings.index(self.info.frame_id), nodes, layout, *self._scroll, 800, 2000
        )
        return DomCapture([columns], strings.all)


class _Strings:
    """The table of strings that a `DOMSnapshot` refers to by number."""

    def __init__(self) -> None:
        self.all: list[str] = []

    def index(self, word: str) -> int:
        if word not in self.all:
            self.all.append(word)
        return self.all.index(word)


def built(*documents: Document, max_name_length: int = 200) -> BuiltPage:
    captures = {document.info.index: document.capture for document in documents}
    return build(captures, max_name_length)


def snapshot_of(*documents: Document, max_name_length: int = 200) -> Snapshot:
    """The snapshot of a page that consists of these documents, the main one first."""
    found = built(*documents, max_name_length=max_name_length)
    return Snapshot(
        page=PageInfo("Shop", documents[0].info.url),
        viewport=VIEWPORT,
        frames=tuple(document.info for document in documents),
        nodes=tuple(found.nodes),
        elements=tuple(found.elements),
        _source=SnapshotSource({d.info.index: d.facts for d in documents}),
    )


def lines_of(*top: El | Document, max_name_length: int = 200) -> list[str]:
    """The lines of a page, without the header."""
    documents = [one for one in top if isinstance(one, Document)]
    main = [one for one in top if isinstance(one, El)]
    if main:
        documents.insert(0, Document(*main))
    snapshot = snapshot_of(*documents, max_name_length=max_name_length)
    return snapshot_text(snapshot).split("\n")[1:]


def numbered_node(
    number: int, role: str = "button", name: str = "", depth: int = 0, **more: object
) -> Node:
    """A node of the main frame; with an id unless told otherwise."""
    element_id = ElementId(0, number)
    more.setdefault("id", element_id)
    return Node(str(element_id), depth, role, name, **more)  # type: ignore[arg-type]


def plain_snapshot(
    nodes: Sequence[Node],
    *,
    loader: str = "L",
    title: str = "Shop",
    url: str = "https://shop.test/",
) -> Snapshot:
    """A snapshot of given lines, for what needs no page behind them."""
    info = FrameInfo(0, "F0", None, "S", loader, url, "https://shop.test", "", False, None)
    elements = tuple(element_of(node) for node in nodes if node.id is not None)
    return Snapshot(PageInfo(title, url), VIEWPORT, (info,), tuple(nodes), elements)


def element_of(node: Node, *, tag: str = "div", bounds: Box | None = None) -> Element:
    assert node.id is not None
    return Element(
        id=ElementId(node.id.frame_index, node.id.backend_node_id, LoaderId("L")),
        role=node.role,
        name=node.name,
        value=node.value,
        state=node.state,
        tag=tag,
        level=None,
        bounds=bounds,
        frame_index=node.id.frame_index,
        backend_node_id=node.id.backend_node_id,
        hints=(),
    )
