"""Which nodes of a document have something that is asked about again and again, by backend id.

Made in one pass over all nodes, and carried on from there: a document of which little changed
has the registers of the one before it, but for that little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

#: Attributes whose value names other elements by their ids.
REFERRING = (
    "aria-labelledby",
    "aria-describedby",
    "aria-controls",
    "aria-activedescendant",
    "aria-details",
    "aria-errormessage",
    "aria-flowto",
    "popovertarget",
    "commandfor",
    "interestfor",
    "list",
)
REGISTERED = frozenset({*REFERRING, "id", "for", "role", "aria-owns"})
#: Among elements that a page gives these roles, what is selected may follow the focus.
_FOLLOW_FOCUS = frozenset({"option", "tab", "treeitem", "row", "gridcell", "menuitemradio"})
_ELEMENT = 1


@dataclass(slots=True)
class Registers:
    #: Attribute → backend id → value, for those in `REGISTERED`.
    attributes: dict[str, dict[int, str]] = field(default_factory=dict)
    labels: set[int] = field(default_factory=set)
    #: Custom elements: what their internals say is visible to nobody.
    customs: set[int] = field(default_factory=set)
    maps: set[int] = field(default_factory=set)
    #: Elements that scroll when their content is too large: they take the focus then.
    scrollers: set[int] = field(default_factory=set)
    #: With a hand cursor; with `content-visibility: auto`.
    pointers: set[int] = field(default_factory=set)
    put_off: set[int] = field(default_factory=set)

    def add(
        self,
        backend: int,
        tag: str,
        attributes: Mapping[str, str],
        styles: Sequence[str] | None,
    ) -> bool:
        """An element; `styles` as in `COMPUTED_STYLES`, None where it is not rendered.

        Answers whether its tag or its styles are worth an entry.
        """
        for name, value in attributes.items():
            if name in REGISTERED:
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
            self.put_off.add(backend)
        scrolls = styles[1] in ("auto", "scroll") or styles[5] in ("auto", "scroll")
        if scrolls and tag not in ("textarea", "select", "html"):  # they take the focus anyway
            self.scrollers.add(backend)
        return scrolls or styles[0] == "pointer" or styles[2] == "auto"

    def without(self, backends: Iterable[int]) -> Registers:
        """A copy that knows nothing of these."""
        gone = set(backends)
        return Registers(
            {
                name: {key: value for key, value in known.items() if key not in gone}
                if not gone.isdisjoint(known)
                else dict(known)
                for name, known in self.attributes.items()
            },
            self.labels - gone,
            self.customs - gone,
            self.maps - gone,
            self.scrollers - gone,
            self.pointers - gone,
            self.put_off - gone,
        )

    @property
    def follow_focus(self) -> bool:
        """Whether what is selected may follow the focus."""
        if self.having("aria-activedescendant"):
            return True
        return not _FOLLOW_FOCUS.isdisjoint(self.having("role").values())

    def having(self, attribute: str) -> Mapping[int, str]:
        """Backend ids of the elements that have an attribute, with its value."""
        return self.attributes.get(attribute, {})
