"""Index over one document: elements whose attributes, tag or styles matter to others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cdp_agent.js.shared_lists import REFERRING

#: Attributes that are indexed.
INDEXED = frozenset({*REFERRING, "id", "for", "role", "aria-owns", "aria-haspopup", "draggable"})
#: The first of `COMPUTED_STYLES`, which the index reads.
INDEXED_STYLES = 6
#: Elements with these roles may be selected by the focus.
_FOLLOW_FOCUS = frozenset({"option", "tab", "treeitem", "row", "gridcell", "menuitemradio"})


@dataclass(slots=True)
class AttributeIndex:
    #: Attribute → backend id → value, for those in `INDEXED`.
    attributes: dict[str, dict[int, str]] = field(default_factory=dict)
    labels: set[int] = field(default_factory=set)
    #: Custom elements: their internals may set roles and names that no attribute shows.
    customs: set[int] = field(default_factory=set)
    maps: set[int] = field(default_factory=set)
    #: Elements that scroll when their content is too large: they take the focus then.
    scrollers: set[int] = field(default_factory=set)
    #: Elements with a hand cursor.
    pointers: set[int] = field(default_factory=set)
    #: Elements with `content-visibility: auto`.
    deferred: set[int] = field(default_factory=set)

    def add(
        self,
        backend: int,
        tag: str,
        attributes: Mapping[str, str],
        styles: Sequence[str],
    ) -> bool:
        """Index an element; `styles` as in `COMPUTED_STYLES`, empty where it is not rendered.

        Returns whether its tag or its styles made an entry.
        """
        for name, value in attributes.items():
            if name in INDEXED:
                self.attributes.setdefault(name, {})[backend] = value
        if tag == "label":
            self.labels.add(backend)
        elif tag == "map":
            self.maps.add(backend)
        elif "-" in tag and not tag.startswith("::"):
            self.customs.add(backend)
        elif not styles:
            return False
        else:
            return self._add_styles(backend, tag, styles)
        if styles:
            self._add_styles(backend, tag, styles)
        return True

    def _add_styles(self, backend: int, tag: str, styles: Sequence[str]) -> bool:
        if styles[0] == "pointer":
            self.pointers.add(backend)
        if styles[2] == "auto":
            self.deferred.add(backend)
        scrolls = styles[1] in ("auto", "scroll") or styles[5] in ("auto", "scroll")
        if scrolls and tag not in ("textarea", "select", "html"):  # they take the focus anyway
            self.scrollers.add(backend)
        return scrolls or styles[0] == "pointer" or styles[2] == "auto"

    def selects_by_focus(self, backends: Iterable[int]) -> bool:
        """Returns whether one of these elements may change a selection when it has the focus."""
        active, role = self.having("aria-activedescendant"), self.having("role")
        return any(b in active or role.get(b) in _FOLLOW_FOCUS for b in backends)

    def having(self, attribute: str) -> Mapping[int, str]:
        """Backend ids of the elements that have an attribute, with its value."""
        return self.attributes.get(attribute, {})
