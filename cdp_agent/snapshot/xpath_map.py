"""The XPath of each element, computed when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.model import Element


class XPathMap(Mapping[str, str]):
    """By element id; a path is inside the element's own document.

    `document` has the facts of the document with a frame's index.
    """

    def __init__(
        self, elements: Mapping[str, Element], document: Callable[[int], DomFacts | None]
    ) -> None:
        self._elements = elements
        self._document = document
        self._paths: dict[str, str] = {}

    def __getitem__(self, element_id: str) -> str:
        path = self._paths.get(element_id)
        if path is None:
            element = self._elements[element_id]
            facts = self._document(element.frame_index)
            path = facts.xpath(element.backend_node_id) if facts is not None else ""
            self._paths[element_id] = path
        return path

    def __iter__(self) -> Iterator[str]:
        return iter(self._elements)

    def __len__(self) -> int:
        return len(self._elements)
