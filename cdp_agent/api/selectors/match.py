"""The lines of a snapshot that a selector names, and those like it. Pure.

Names are compared without regard to case and to how they are spaced. One that is equal wins over
one that is equal but for a mark at its end (`Status:`, `Name *`), and that over one that only
contains the words: at the beginning of a word, else anywhere. Where no name fits, the hints of
nameless elements are compared. What suits the purpose (a field for text, a list to choose from)
wins over what only has the name, what is in an open modal dialog over what is behind it, and a
field with that hint over one with that name that is hidden.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from cdp_agent.action_table.entry import Purpose
from cdp_agent.api.selectors.beside import controls_beside
from cdp_agent.api.selectors.selector import Selector
from cdp_agent.snapshot import Element, Node, Snapshot
from cdp_agent.snapshot.ax.roles import ARIA_NAMES, CELLS
from cdp_agent.snapshot.text.fallback_name import fallback_name

_CONTROLS = frozenset(
    {
        *("textbox", "searchbox", "spinbutton", "combobox", "listbox"),
        *("checkbox", "radio", "switch", "slider"),
    }
)
_CHECKED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
_SUITED: dict[Purpose, frozenset[str]] = {
    "text": frozenset({"textbox", "searchbox", "spinbutton", "combobox", "slider", "cell"}),
    "choice": frozenset({"combobox", "listbox", "radiogroup", "menu"}),
    "check": _CHECKED,
}
_SUITED_TAGS: dict[Purpose, frozenset[str]] = {
    "text": frozenset({"input", "textarea"}),
    "choice": frozenset({"select"}),
    "check": frozenset({"input"}),
}
_CONTROL_TAGS = frozenset({"input", "select", "textarea"})
#: Roles that say nothing of what an element does; a control around one is what is meant.
_VAGUE = frozenset({"generic", "text", "label", "cell", "row", "listitem", "image"})
_LISTS = frozenset({"listbox", "menu", "tree"})
_WORDS = frozenset({"text", "generic", "label", "term"}) | CELLS
_REGIONS = frozenset({"region", "group", "radiogroup"})
_MARKS = " :*…\u2009\u00a0"
#: A shorter name is not looked for inside of words: `ok` is not a part of `notebook`.
_SHORTEST_INSIDE = 4
_NEAREST = 4
#: Lines that are compared with a name that was not found.
_MOST_COMPARED = 3000


def suits(role: str, purpose: Purpose) -> bool:
    """Returns whether an action is for elements of this role or, where it has none, of this tag."""
    return role in _SUITED[purpose] or role in _SUITED_TAGS[purpose]


def matching(snapshot: Snapshot, wanted: Selector) -> list[Node]:
    """The lines that fit a role, label or text selector, in the page's order."""
    lines = _lines(snapshot, wanted.frame)
    in_modal = _keys_in_modal(snapshot)
    if in_modal and (found := _suited(snapshot, [n for n in lines if n.key in in_modal], wanted)):
        return found
    return _suited(snapshot, lines, wanted)


def _keys_in_modal(snapshot: Snapshot) -> set[str]:
    """The keys of the nodes inside the last open modal dialog."""
    nodes = snapshot.nodes
    ends = snapshot.ends
    for index in range(len(nodes) - 1, -1, -1):
        if nodes[index].role in ("dialog", "alertdialog") and nodes[index].state.get("modal"):
            return {node.key for node in nodes[index : ends[index]]}
    return set()


def _suited(snapshot: Snapshot, lines: list[Node], wanted: Selector) -> list[Node]:
    found = _best(snapshot, lines, wanted)
    if wanted.kind in ("label", "role") and found and all(map(_is_hidden, found)):
        # The only field of that name is out of sight: a nameless one may be what one sees.
        shown = [node for node in lines if not _is_hidden(node)]
        return _without_name(snapshot, shown, replace(wanted, exact=True)) or found
    return found


def _best(snapshot: Snapshot, lines: list[Node], wanted: Selector) -> list[Node]:
    if wanted.purpose is not None:
        suited = [node for node in lines if node.role in _SUITED[wanted.purpose]]
        if found := _matching(snapshot, suited, wanted) or _by_value(suited, wanted):
            return found
    return (
        _matching(snapshot, lines, wanted)
        or _without_name(snapshot, lines, wanted)
        or _opening_list(lines, wanted)
    )


def _opening_list(lines: list[Node], wanted: Selector) -> list[Node]:
    """Buttons of that name that open a list, for what chooses from one."""
    if wanted.kind != "label" or wanted.purpose != "choice":
        return []
    buttons = [node for node in lines if node.state.get("hasPopup") in _LISTS]
    return _named(buttons, wanted.value, wanted.exact)


def _without_name(snapshot: Snapshot, lines: list[Node], wanted: Selector) -> list[Node]:
    """Nameless elements that the words around them or their hints tell."""
    return (
        _by_hint(snapshot, lines, wanted)
        or _by_region(snapshot, lines, wanted)
        or _by_text_beside(snapshot, lines, wanted)
    )


def _by_value(fields: list[Node], wanted: Selector) -> list[Node]:
    """The fields that hold a text, for what replaces a piece of it."""
    if wanted.purpose != "text" or wanted.kind != "text":
        return []
    folded = _folded(wanted.value)
    return [node for node in fields if folded in _folded(node.value or "")]


def _by_region(snapshot: Snapshot, lines: list[Node], wanted: Selector) -> list[Node]:
    """The only nameless control of a region or group that has the label as its name."""
    if wanted.kind != "label":
        return []
    nodes, ends = snapshot.nodes, snapshot.ends
    regions = _named([n for n in nodes if n.role in _REGIONS], wanted.value, exact=True)
    wanted_roles = _SUITED[wanted.purpose] if wanted.purpose is not None else _CONTROLS
    allowed = {node.key for node in lines}
    found: list[Node] = []
    for index, region in enumerate(nodes):
        if region in regions:
            inside = nodes[index + 1 : ends[index]]
            found += [n for n in inside if not n.name and n.role in wanted_roles and n.id]
    return [node for node in found if node.key in allowed]


def _by_text_beside(snapshot: Snapshot, lines: list[Node], wanted: Selector) -> list[Node]:
    """Nameless controls beside a text that is or begins with the label."""
    if wanted.kind != "label":
        return []
    texts = _named([n for n in lines if n.role in _WORDS and not n.value], wanted.value, exact=True)
    if not texts:
        label = f"{_folded(wanted.value)}:"  # `Count: 5`
        texts = [n for n in lines if n.role in _WORDS and _folded(n.name).startswith(label)]
    roles = _SUITED[wanted.purpose] if wanted.purpose is not None else _CONTROLS
    controls = {node.key for node in lines if node.id and not node.name and node.role in roles}
    return controls_beside(snapshot, {node.key for node in texts}, controls)


def _matching(snapshot: Snapshot, lines: list[Node], wanted: Selector) -> list[Node]:
    if wanted.kind == "role":
        nodes = [node for node in lines if _has_role(node, wanted)]
        # A role may be meant with the name of what it holds: a row by the text of a cell.
        return nodes if wanted.name is None else _named(nodes, wanted.name, wanted.exact)
    if wanted.kind == "label":
        controls = [node for node in lines if _is_control(snapshot, node)]
        return _named(controls, wanted.value, wanted.exact)
    return _by_text(snapshot, lines, wanted)


def _has_role(node: Node, wanted: Selector) -> bool:
    return node.role == ARIA_NAMES.get(wanted.value, wanted.value)


def _by_hint(snapshot: Snapshot, lines: list[Node], wanted: Selector) -> list[Node]:
    """Nameless elements whose hint is the wanted name."""
    name = wanted.name if wanted.kind == "role" else wanted.value
    nameless = [node for node in lines if node.id is not None and not node.name]
    if wanted.kind == "role":
        nameless = [node for node in nameless if _has_role(node, wanted)]
    elif wanted.kind == "label":
        nameless = [node for node in nameless if _is_control(snapshot, node)]
    if not name:
        return []
    hinted = [
        replace(node, name=fallback_name(snapshot, node)) for node in nameless[:_MOST_COMPARED]
    ]
    return _outermost(snapshot, _named(hinted, name, wanted.exact))


def _outermost(snapshot: Snapshot, found: list[Node]) -> list[Node]:
    """The nodes without those inside another of them: the input of a combobox, say."""
    numbers = {node.key: index for index, node in enumerate(snapshot.nodes)}
    ends = snapshot.ends
    kept: list[Node] = []
    end = 0
    for node in sorted(found, key=lambda node: numbers.get(node.key, len(numbers))):
        index = numbers.get(node.key, len(numbers))
        if index >= end:
            kept.append(node)
            end = ends[index] if index < len(ends) else end
    return kept


def _is_control(snapshot: Snapshot, node: Node) -> bool:
    if node.role in _CONTROLS:
        return True
    element = snapshot.find_by_id(node.id) if node.id is not None else None
    return element is not None and element.tag in _CONTROL_TAGS


def _by_text(snapshot: Snapshot, lines: list[Node], wanted: Selector) -> list[Node]:
    """The actable elements with that text; where there is none, the text itself."""
    named = [node for node in lines if node.name]
    actable = _named([n for n in named if n.id is not None], wanted.value, wanted.exact)
    actable = _innermost(snapshot, actable)
    if len(actable) > 1:
        # A box without a line of its own is named after all that is in it.
        listed = {node.key for node in snapshot.nodes}
        actable = [n for n in actable if n.role != "generic" or n.key in listed] or actable
        actable = [n for n in actable if n.role != "label"] or actable
    if actable and not all(n.role in _VAGUE for n in actable):
        return actable
    texts = _named([n for n in named if not n.id], wanted.value, wanted.exact)
    texts = _innermost(snapshot, texts)
    # Of a drawing or a list in a box that listens, the text is meant, not the box around it all.
    is_whole = any(_folded(node.name) == _folded(wanted.value) for node in texts)
    is_part = actable and all(_folded(n.name) != _folded(wanted.value) for n in actable)
    return texts if not actable or (is_part and is_whole) else actable


def _innermost(snapshot: Snapshot, found: list[Node]) -> list[Node]:
    """The nodes that contain no other of them.

    A control wins over a vague element inside it; otherwise the inner one is what is named.
    """
    if len(found) < 2:
        return found
    numbers = {node.key: index for index, node in enumerate(snapshot.nodes)}
    ends = snapshot.ends
    inside = sorted(numbers[node.key] for node in found if node.key in numbers)
    dropped: set[str] = set()
    around: list[int] = []
    for index in inside:
        while around and ends[around[-1]] <= index:
            around.pop()
        for outer in around:
            node, container = snapshot.nodes[index], snapshot.nodes[outer]
            is_part = node.role in _VAGUE and container.role not in _VAGUE
            dropped.add(node.key if is_part else container.key)
        around.append(index)
    return [node for node in found if node.key not in dropped]


def _lines(snapshot: Snapshot, frame: int | None) -> list[Node]:
    """The snapshot's lines, and elements without a line, in the wanted frame."""
    listed = {node.key for node in snapshot.nodes}
    more = [_line_of(element) for element in snapshot.elements if element.id not in listed]
    return [
        node
        for node in (*snapshot.nodes, *more)
        if node.key.partition("-")[2].isdigit()
        and frame in (None, int(node.key.partition("-")[0]))
        and not node.folded
    ]


def _line_of(element: Element) -> Node:
    return Node(str(element.id), 0, element.role, element.name, id=element.id)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _named(nodes: Sequence[Node], name: str, exact: bool) -> list[Node]:
    written, folded = " ".join(name.split()), _folded(name)
    bare = folded.rstrip(_MARKS)
    tests: list[Callable[[Node], bool]] = [
        lambda node: node.name == written,
        lambda node: _folded(node.name) == folded,
    ]
    if not exact:
        begins = re.compile(rf"(?<!\w){re.escape(folded)}")
        tests += [
            lambda node: bool(bare) and _folded(node.name).rstrip(_MARKS) == bare,
            lambda node: begins.search(_folded(node.name)) is not None,
        ]
        if len(folded) >= _SHORTEST_INSIDE or not folded.isascii():
            tests.append(lambda node: folded in _folded(node.name))
    for test in tests:
        found = [node for node in nodes if node.name and test(node)]
        if found:
            return found
    return []


def _is_hidden(node: Node) -> bool:
    return "hidden" in node.state


#: Lines behind a label in which its control is looked for.
_BEHIND_LABEL = 4
#: Names that are less alike are of something else.
_ALIKE = 0.6


def nearest(snapshot: Snapshot, wanted: Selector) -> list[Node]:
    """Lines with an id whose names are most like the one that was not found.

    Controls right behind a label of that name come first: the page does not say whether it is
    theirs.
    """
    name = wanted.name if wanted.kind == "role" else wanted.value
    if wanted.kind in ("css", "xpath", "test_id"):
        return []
    lines = [n for n in _lines(snapshot, wanted.frame) if n.id is not None and n.name]
    if name is None:
        return []
    if wanted.kind in ("label", "placeholder"):
        lines = [node for node in lines if _is_control(snapshot, node)]
    folded = _folded(name)
    scored = ((_likeness(folded, node), node) for node in lines[:_MOST_COMPARED])
    good = [pair for pair in scored if pair[0] > _ALIKE and _may_be_meant(pair[1], wanted, folded)]
    good.sort(key=lambda pair: -pair[0])
    behind = _behind_label(snapshot, folded) if wanted.kind == "label" else []
    near = {node.key: node for node in (*behind, *(node for _, node in good))}
    return list(near.values())[:_NEAREST]


def _may_be_meant(node: Node, wanted: Selector, folded: str) -> bool:
    """Returns whether it has the wanted role, or at least the very name."""
    return wanted.kind != "role" or wanted.value == node.role or _folded(node.name) == folded


def _behind_label(snapshot: Snapshot, folded: str) -> list[Node]:
    """The first controls behind each text of that name."""
    found: list[Node] = []
    nodes = snapshot.nodes
    for index, node in enumerate(nodes):
        if node.role in ("label", "text") and _folded(node.name).rstrip(_MARKS) == folded:
            following = nodes[index + 1 : index + 1 + _BEHIND_LABEL]
            found += [n for n in following if n.id is not None and n.role != "label"][:1]
    return found


def _likeness(folded: str, node: Node) -> float:
    name = _folded(node.name)[:200]
    words, own = set(_words(folded)), set(_words(name))
    shared = len(words & own) / len(words) if words else 0.0
    matcher = difflib.SequenceMatcher(None, folded, name, autojunk=False)
    quick = matcher.quick_ratio()
    return max(shared, matcher.ratio() if quick > 0.5 else 0.0)


def _words(text: str) -> Iterable[str]:
    return (word.strip(_MARKS) for word in text.split())
