"""The facts of a document with what it told since the last look in them. Pure."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cdp_agent.snapshot.changes import Changes, note_attributes, shape_changes
from cdp_agent.snapshot.columns import (
    BoxSides,
    DocumentColumns,
    Ints,
    LayoutColumns,
    NodeColumns,
    Numbers,
    RareBoolean,
)
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.splice import Misfit, Splice, marks, renumbered, with_columns
from cdp_agent.snapshot.told import Row, Told

_ELEMENT, _TEXT = 1, 3


@dataclass(slots=True)
class Renewal:
    """Facts of a document that was told of, and how they differ from those before."""

    dom: DomFacts
    changes: Changes
    touched: frozenset[int]
    moved: frozenset[int]
    #: Nothing was rendered anew.
    looks_the_same: bool = False
    #: Elements, their attributes, styles and listeners are what they were.
    only_words: bool = False
    #: What of it cannot be seen, asked for in the same breath.
    unseen: asyncio.Future[dict[str, Any]] | None = None


def renewed(old: DomFacts, told: Told, ids: list[int], listening: frozenset[int]) -> Renewal | None:
    """The facts as they are now; `listening` are the nodes that listen for clicks.

    None: what was told does not fit, everything has to be looked at.
    """
    try:
        return _Renewing(old, told, ids, listening).run()
    except Misfit:
        return None


@dataclass(slots=True)
class _Renewing:
    old: DomFacts
    told: Told
    ids: list[int]
    listening: frozenset[int]
    #: Backend ids.
    touched: set[int] = field(default_factory=set)
    deep: set[int] = field(default_factory=set)
    parents: set[int] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    lost_ids: set[str] = field(default_factory=set)
    clickable: set[int] = field(default_factory=set)
    fresh: dict[int, Row] = field(default_factory=dict)
    only_words: bool = False

    def run(self) -> Renewal:
        old, told = self.old, self.told
        swapped = self._swapped()
        others = told.attributes or told.styled or told.states
        self.only_words = swapped is not None and not others
        if not self.only_words:
            self.clickable = old.clickable_ids()
        dom = self._restructured() if swapped is None else self._same_shape(swapped)
        numbers = dom.document.nodes
        self._texts_and_attributes(dom, numbers)
        self._styles(dom)
        moved = self._boxes(dom)
        for state in told.states:
            self._state(self.ids[state.node], state.clicks, state.off)
        if swapped is None or (not self.only_words and self.clickable != old.clickable_ids()):
            indices = sorted(i for one in self.clickable if (i := dom.position(one)) >= 0)
            numbers.isClickable = RareBoolean(Ints(indices))
            dom.__dict__.pop("_clickable", None)
        self._registers(dom)
        return self._renewal(dom, moved)

    def _renewal(self, dom: DomFacts, moved: set[int]) -> Renewal:
        position = dom.position
        touched = {i for one in self.touched if (i := position(one)) >= 0}
        changes = Changes(
            touched=touched,
            parents={i for one in self.parents if (i := position(one)) >= 0},
            deep={i for one in self.deep if (i := position(one)) >= 0},
            lost_ids=self.lost_ids,
        )
        same_frame = (dom.scroll, dom.content_size) == (self.old.scroll, self.old.content_size)
        if changes.is_empty and not moved and same_frame:
            changes.identical = True
            return Renewal(self.old, changes, frozenset(), frozenset())
        if any(dom.texts_in(one) for one in dom.registers.scrollers if one in dom):
            raise Misfit  # how far its texts reach was not measured
        shaped: set[int] = set()
        if moved or changes.parents or not same_frame or self.fresh:
            shaped = shape_changes(self.old, dom)
        known = frozenset(self.touched | self.deep | shaped)
        return Renewal(dom, changes, known, frozenset(moved), only_words=self.only_words)

    # -- nodes that came and went -----------------------------------------------------------------

    def _swapped(self) -> dict[int, Row] | None:
        """Texts that stand where another stood, alone in their parent; by the place of the other.

        It is what `textContent` does. None: nodes came or went in other ways.
        """
        told, old = self.told, self.old
        if told.replaced or len(told.removed) != len(told.added):
            return None
        went = {old.parent(one): one for n in told.removed if (one := self.ids[n]) in old}
        found: dict[int, Row] = {}
        for new in told.added:
            parent, row = self.ids[new.parent], new.rows[0]
            former = went.pop(parent, 0)
            alone = old.texts_in(parent) == [former] and old.child_count(parent) == 1
            if row.type != _TEXT or new.after >= 0 or not alone or self.ids[row.node] in old:
                return None
            found[old.position(former)] = row
            self.parents.add(parent)
        return found if not went else None

    def _same_shape(self, swapped: dict[int, Row]) -> DomFacts:
        old = self.old
        nodes, layout = old.document.nodes, old.document.layout
        ids = nodes.backendNodeId.copy() if swapped else nodes.backendNodeId
        values = nodes.nodeValue.copy()
        attributes = nodes.attributes[:] if self.told.attributes else nodes.attributes
        styles = layout.styles[:] if self.told.styled else layout.styles
        rows = LayoutColumns(layout.nodeIndex, layout.bounds.copy(), styles, layout.text.copy())
        made = with_columns(nodes, backendNodeId=ids, nodeValue=values, attributes=attributes)
        dom = DomFacts(self._document(made, rows), old.strings)
        dom.carry(old, same_shape=True)
        for index, row in swapped.items():
            backend, former = self.ids[row.node], ids[index]
            place = dom.layout_row(former)
            ids[index], values[index] = backend, self._number(row.value or "")
            if (place is None) != (row.box is None):
                raise Misfit  # words where there were only spaces, or the other way round
            if place is not None and row.box is not None:
                rows.bounds[place], rows.text[place] = row.box, values[index]
            self.touched.add(backend)
            self.gone.add(former)
        dom.renumber({ids[index]: index for index in swapped}, self.gone)
        return dom

    def _document(self, nodes: NodeColumns, layout: LayoutColumns) -> DocumentColumns:
        (left, top), (width, height) = self.told.scroll, self.told.size
        frame = self.old.document.frameId
        return DocumentColumns(frame, nodes, layout, left, top, width, height)

    def _restructured(self) -> DomFacts:
        nodes, layout = self.old.document.nodes, self.old.document.layout
        ids = nodes.backendNodeId
        columns = Splice(
            ids.copy(),
            nodes.nodeType.copy(),
            nodes.nodeName.copy(),
            nodes.nodeValue.copy(),
            nodes.attributes[:],
            Ints([ids[parent] if parent >= 0 else 0 for parent in nodes.parentIndex]),
        )
        for number in self.told.removed:
            self._remove(columns, self.ids[number])
        for one in self.told.replaced:
            start = columns.find(self.ids[one.node])
            parent = columns.parents[start]
            self._drop(columns, start)
            self._put(columns, start, parent, one.rows)
        for new in self.told.added:
            self._remove(columns, self.ids[new.rows[0].node])
            parent = self.ids[new.parent]
            self._put(columns, self._place(columns, parent, new.after), parent, new.rows)
            self.parents.add(parent)
        index = dict(zip(columns.ids, range(len(columns.ids)), strict=True))
        document = self._document(
            NodeColumns(
                Ints([index[parent] if parent else -1 for parent in columns.parents]),
                columns.types,
                columns.names,
                columns.values,
                columns.ids,
                columns.attributes,
                shadowRootType=nodes.shadowRootType,
                textValue=renumbered(nodes.textValue, ids, index),
                inputValue=renumbered(nodes.inputValue, ids, index),
                inputChecked=marks(nodes.inputChecked, ids, index),
                optionSelected=marks(nodes.optionSelected, ids, index),
                contentDocumentIndex=renumbered(nodes.contentDocumentIndex, ids, index),
            ),
            self._rows_in_order(layout, ids, index),
        )
        dom = DomFacts(document, self.old.strings)
        dom.carry(self.old, same_shape=False)
        return dom

    def _rows_in_order(self, old: LayoutColumns, ids: Ints, index: dict[int, int]) -> LayoutColumns:
        """The layout of what is left and of what is new; `index` says where each node is now."""
        gone = self.gone
        if gone:
            left = {backend: place for backend, place in index.items() if backend not in gone}
        else:
            left = index
        places = [left.get(backend, -1) for backend in map(ids.__getitem__, old.nodeIndex)]
        numbers = [number for number, place in enumerate(places) if place >= 0]
        new = list(self._new_rows(index))
        numbers += range(len(places), len(places) + len(new))
        places += [row[0] for row in new]
        numbers.sort(key=places.__getitem__)
        bounds = old.bounds.copy()
        bounds.extend(row[1] for row in new)
        styles = [*old.styles, *[row[2] for row in new]]
        text = [*old.text, *[row[3] for row in new]]
        return LayoutColumns(
            Ints([places[number] for number in numbers]),
            bounds.picked(numbers),
            [styles[number] for number in numbers],
            Ints([text[number] for number in numbers]),
        )

    def _remove(self, columns: Splice, backend: int) -> None:
        """Something that is no longer where it was, if it was anywhere."""
        if backend not in self.old or backend in self.gone:
            return
        self.parents.add(self.old.parent(backend))
        self._drop(columns, columns.find(backend))

    def _drop(self, columns: Splice, start: int) -> None:
        for backend in columns.cut(start, columns.end(start)):
            self.gone.add(backend)
            self.clickable.discard(backend)
            attributes = self.old.attributes(backend)
            self.lost_ids |= {attributes[k] for k in ("id", "for") if k in attributes}

    def _place(self, columns: Splice, parent: int, after: int) -> int:
        if after >= 0:
            return columns.end(columns.find(self.ids[after]))
        start = columns.find(parent) + 1
        while start < len(columns.ids) and columns.parents[start] == parent:
            if not self.old.strings[columns.names[start]].startswith("::"):
                break
            start += 1  # what CSS writes before and after comes first
        return start

    def _put(self, columns: Splice, start: int, parent: int, rows: list[Row]) -> None:
        number = self._number
        backends = [self.ids[row.node] for row in rows]
        columns.ids[start:start] = Ints(backends)
        columns.types[start:start] = Ints(row.type for row in rows)
        columns.names[start:start] = Ints(number(row.name) for row in rows)
        columns.values[start:start] = Ints(
            number(row.value) if row.value is not None else -1 for row in rows
        )
        columns.attributes[start:start] = [self._flat(row.attributes) for row in rows]
        columns.parents[start:start] = Ints(
            backends[row.parent] if row.parent >= 0 else parent for row in rows
        )
        for backend, row in zip(backends, rows, strict=True):
            self.fresh[backend] = row
            self.touched.add(backend)
            if row.type == _ELEMENT:
                self._state(backend, row.clicks, row.off)

    def _new_rows(self, index: dict[int, int]) -> Iterator[tuple[int, BoxSides, Numbers, int]]:
        for backend, row in self.fresh.items():
            if backend in index and row.box is not None:
                styles = self._flat(row.styles or ())
                text = self._number(row.value) if row.value is not None else -1
                yield index[backend], row.box, styles, text

    # -- nodes that are others --------------------------------------------------------------------

    def _texts_and_attributes(self, dom: DomFacts, nodes: NodeColumns) -> None:
        for text in self.told.texts:
            index = dom.position(self.ids[text.node])
            if index >= 0:
                number = nodes.nodeValue[index] = self._number(text.value)
                self.touched.add(self.ids[text.node])
                row = dom.layout_row(self.ids[text.node])
                if row is not None:
                    dom.document.layout.text[row] = number
        for one in self.told.attributes:
            backend = self.ids[one.node]
            index = dom.position(backend)
            if index < 0:
                continue
            before = self.old.attributes(backend)
            nodes.attributes[index] = self._flat(one.attributes)
            after = dom.attributes(backend)
            if before == after:
                continue
            if before.get("contenteditable") != after.get("contenteditable"):
                raise Misfit  # all below answers clicks now, or no longer
            self.touched.add(backend)
            if note_attributes(before, after, self.lost_ids):
                self.deep.add(backend)
            self._state(backend, one.clicks, one.off)

    def _styles(self, dom: DomFacts) -> None:
        layout = dom.document.layout
        for one in self.told.styled:
            backend = self.ids[one.node]
            row = dom.layout_row(backend)
            if row is None or one.styles is None:
                raise Misfit
            layout.styles[row] = self._flat(one.styles)
            self.touched.add(backend)
            self.touched.update(dom.texts_in(backend))

    def _boxes(self, dom: DomFacts) -> set[int]:
        moved: set[int] = set()
        if not self.told.moved:
            return moved
        order = dom.elements_in_order()
        if len(order) != self.told.count:
            raise Misfit
        bounds = dom.document.layout.bounds
        for one in self.told.moved:
            backend = order[one.place]
            row = dom.layout_row(backend)
            if row is None:
                raise Misfit
            if bounds[row] != one.box:
                bounds[row] = one.box
                moved.add(backend)
        return moved

    def _state(self, backend: int, clicks: bool, off: bool) -> None:
        """A control or an element whose attributes changed."""
        self.touched.add(backend)
        answers = not off and (clicks or backend in self.listening)
        if answers != (backend in self.clickable):
            self.deep.add(backend)  # whether a label inside is worth a node depends on it
            (self.clickable.add if answers else self.clickable.discard)(backend)

    def _registers(self, dom: DomFacts) -> None:
        told = self.told
        other = {self.ids[one.node] for one in told.attributes} | set(self.fresh)
        other |= {self.ids[one.node] for one in told.styled}
        if not other and not self.gone:
            dom.__dict__["registers"] = self.old.registers
            return
        registers = self.old.registers.without(other | self.gone)
        for backend in other:
            if backend in dom and dom.is_element(backend):
                registers.add(
                    backend, dom.tag(backend), dom.attributes(backend), dom.styles_of(backend)
                )
        dom.__dict__["registers"] = registers

    # -- strings, which only become more --------------------------------------------------------

    def _number(self, text: str) -> int:
        numbers, strings = self.old.numbers, self.old.strings
        number = numbers.get(text)
        if number is None:
            number = numbers[text] = len(strings)
            strings.append(text)
        return number

    def _flat(self, texts: Iterable[str]) -> Numbers:
        return tuple([self._number(text) for text in texts])
