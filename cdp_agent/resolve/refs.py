"""Every id that was handed out, with what it named. State that never sends.

An id is bound to the document it was issued for. The book keeps the last few documents of each
frame, so that an old id is known to be old instead of being taken for another element.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from cdp_agent.errors import RefInvalid, StaleRef
from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.snapshot import Box, Element, Snapshot
from cdp_agent.snapshot.dom.facts import DomFacts

_DOCUMENTS_PER_FRAME = 4


@dataclass(slots=True)
class Ref:
    """The element that an id named when it was last captured."""

    id: ElementId
    loader_id: LoaderId
    url: str
    role: str
    name: str
    tag: str
    #: Whether it was the only one of that role, name and tag in its frame.
    unique: bool
    dom: DomFacts | None
    _xpath: str | None = None

    @property
    def xpath(self) -> str:
        if self._xpath is None:
            self._xpath = self.dom.xpath(self.id.backend_node_id) if self.dom is not None else ""
        return self._xpath

    @property
    def box(self) -> Box | None:
        """The box in the last snapshot, in the coordinates of its document."""
        return self.dom.bounds(self.id.backend_node_id) if self.dom is not None else None

    def release_dom(self) -> None:
        """Keep the path, let go of the document it came from."""
        _ = self.xpath
        self.dom = None


@dataclass(slots=True)
class _Document:
    loader_id: LoaderId
    refs: dict[int, Ref]


class RefBook:
    def __init__(self) -> None:
        self._frames: dict[int, list[_Document]] = {}
        self._newest: Snapshot | None = None
        #: The snapshot whose elements are not yet in the documents: they are looked up in it, for
        #: of thousands few are ever asked about.
        self._open: Snapshot | None = None
        self._asked: dict[ElementId, Ref] = {}

    @property
    def is_empty(self) -> bool:
        return not self._frames

    def remember(self, snapshot: Snapshot) -> None:
        """Take note of all ids of a snapshot. Earlier ids of the same documents stay good."""
        frames = {element.frame_index for element in snapshot.elements}
        self._file(snapshot, frames)
        self._newest = self._open = snapshot
        for index in frames:
            self._document(index, LoaderId(snapshot.frame_map[index].loader_id))

    def _file(self, newer: Snapshot | None, frames: Container[int]) -> None:
        """File the elements that only the former snapshot shows into its documents."""
        former, self._open, self._asked = self._open, None, {}
        if former is None:
            return
        present = newer.backend_node_map if newer is not None else {}
        loaders = {f.index: f.loader_id for f in newer.frames} if newer is not None else {}
        before = {frame.index: frame.loader_id for frame in former.frames}
        same_documents = {i for i, loader in before.items() if loaders.get(i) == loader}
        for element in former.elements:
            index = element.frame_index
            same = index in same_documents
            if same and element.id in present:
                continue
            loader = before[index]
            ref = self._made(former, element)
            for document in self._frames[index]:
                if document.loader_id == loader:
                    document.refs[element.backend_node_id] = ref
            if same and index in frames:
                ref.release_dom()

    def _made(self, snapshot: Snapshot, element: Element) -> Ref:
        frame = snapshot.frame_map[element.frame_index]
        return Ref(
            element.id,
            LoaderId(frame.loader_id),
            frame.url,
            element.role,
            element.name,
            element.tag,
            snapshot.is_unique(element),
            snapshot.document(element.frame_index),
        )

    def _find_open(self, element_id: ElementId, loader_id: LoaderId) -> Ref | None:
        """The element of the id in the newest snapshot, if that shows it in this document."""
        snapshot = self._open
        element = snapshot.find_by_id(element_id) if snapshot is not None else None
        if snapshot is None or element is None or element.id.loader_id != loader_id:
            return None
        ref = self._asked.get(element.id)
        if ref is None:
            ref = self._asked[element.id] = self._made(snapshot, element)
        return ref

    def note(self, element_id: ElementId, url: str, tag: str, name: str) -> None:
        """Take note of an element that no snapshot lists; it never heals."""
        document = self._document(element_id.frame_index, element_id.loader_id or LoaderId(""))
        if element_id.backend_node_id not in document.refs:
            document.refs[element_id.backend_node_id] = Ref(
                element_id, document.loader_id, url, tag, name, tag, False, None, ""
            )

    def _note_readable(self, element: Element) -> Ref:
        frame = self._newest.frame_map[element.frame_index] if self._newest is not None else None
        self.note(element.id, frame.url if frame is not None else "", element.tag, element.name)
        return self._frames[element.frame_index][-1].refs[element.backend_node_id]

    def _document(self, frame_index: int, loader_id: LoaderId) -> _Document:
        documents = self._frames.setdefault(frame_index, [])
        if documents and documents[-1].loader_id == loader_id:
            return documents[-1]
        for document in documents:
            if document.loader_id == loader_id:  # back from the back/forward cache
                documents.remove(document)
                documents.append(document)
                return document
        if documents:
            for ref in documents[-1].refs.values():
                if ref.dom is not None:
                    ref.release_dom()
        document = _Document(loader_id, {})
        documents.append(document)
        del documents[:-_DOCUMENTS_PER_FRAME]
        return document

    def retire(self) -> None:
        """The tab itself was replaced: no id of before names anything, nor is found again."""
        self._file(None, ())
        for documents in self._frames.values():
            for document in documents:
                for ref in document.refs.values():
                    ref.dom = None
                    ref.unique = False

    def adopt(self, ref: Ref) -> None:
        """Take note of an element that was found otherwise, unless it is known already."""
        document = self._document(ref.id.frame_index, ref.loader_id)
        document.refs.setdefault(ref.id.backend_node_id, ref)

    def add(self, ref: Ref) -> None:
        """Take note of an element that was found again, in its frame's document."""
        self._document(ref.id.frame_index, ref.loader_id).refs[ref.id.backend_node_id] = ref

    def require(self, element_id: ElementId) -> Ref:
        """The element that the id named; the newest document wins where the id names none.

        Raises:
            RefInvalid: no snapshot of this page has shown it.
        """
        for document in reversed(self._frames.get(element_id.frame_index, [])):
            if element_id.loader_id in (None, document.loader_id):
                ref = self._find_open(element_id, document.loader_id)
                ref = ref or document.refs.get(element_id.backend_node_id)
                if ref is not None:
                    return ref
        shown = self._newest.readable.get(element_id) if self._newest is not None else None
        if shown is not None and element_id.loader_id in (None, shown.id.loader_id):
            return self._note_readable(shown)
        if element_id.loader_id is not None:
            raise StaleRef(f"the document of {element_id} is gone", ref=str(element_id))
        raise RefInvalid(
            f"{element_id} is not an id of any snapshot of this page", ref=str(element_id)
        )
