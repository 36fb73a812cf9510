"""Lines that are used again: exactly those of which nothing that they tell has changed."""

from __future__ import annotations

from dataclasses import replace

from cdp_agent.snapshot import Snapshot
from cdp_agent.snapshot.changes import compare, touched_by
from cdp_agent.snapshot.kept import MergeCache, Merged
from cdp_agent.snapshot.lines import Delta
from cdp_agent.snapshot.merge import merge
from tests.unit.pages import Document, El, button, el, merged, snapshot_of, text, wrapper


def _row(name: str, **facts: object) -> El:
    return el("listitem", "", text(f"about {name}"), button(f"Edit {name}", **facts), button(name))


def _list(*rows: El) -> Document:
    return Document(el("heading", "Rows", tag="h1"), el("list", "", *rows, tag="ul"), button("End"))


def _again(cache: MergeCache, old: Document, new: Document) -> Merged:
    """The newer document, written with what is left of the older one."""
    delta = Delta(
        old.tree,
        old.facts,
        frozenset(key for key, node in new.tree.by_id.items() if old.tree.by_id.get(key) != node),
        touched_by(compare(old.facts, new.facts), old.facts, new.facts),
        moved=None,
    )
    return merge({0: replace(new.capture, delta=delta)}, cache=cache)


def _snapshot(document: Document, found: Merged) -> Snapshot:
    return replace(
        snapshot_of(document),
        nodes=tuple(found.nodes),
        elements=tuple(found.elements),
        parts=tuple(found.parts),
    )


def test_only_the_row_that_changed_is_written_again() -> None:
    old, new = _list(_row("A"), _row("B"), _row("C")), _list(_row("A"), _row("X"), _row("C"))
    cache = MergeCache()
    first = merge({0: old.capture}, cache=cache)
    second = _again(cache, old, new)

    assert second.nodes == merged(new).nodes
    assert second.elements == merged(new).elements
    same = [
        node.name for node, before in zip(second.nodes, first.nodes, strict=True) if node is before
    ]
    assert same == ["", "about A", "Edit A", "A", "", "about C", "Edit C", "C"]
    assert _snapshot(new, second).text == snapshot_of(new).text
    difference = _snapshot(new, second).diff(_snapshot(old, first))
    assert difference.text == snapshot_of(new).diff(snapshot_of(old)).text
    assert difference.apply(_snapshot(old, first)) == tuple(second.nodes)


def test_what_moved_keeps_its_lines_and_stands_where_it_is() -> None:
    old = _list(_row("A"), _row("B"))
    new = _list(_row("A"), _row("B", box=(10, 500, 100, 20)))
    cache = MergeCache()
    first = merge({0: old.capture}, cache=cache)
    second = _again(cache, old, new)

    assert second.elements == merged(new).elements != first.elements
    assert all(one is other for one, other in zip(second.nodes[1:9], first.nodes[1:9], strict=True))


def test_a_cursor_further_out_is_news_for_what_stands_inside() -> None:
    def page(cursor: str) -> Document:
        inside = el("list", "", _row("A", cursor="pointer"), _row("B"))
        return Document(wrapper(wrapper(inside), cursor=cursor))

    old, new = page("auto"), page("pointer")
    cache = MergeCache()
    merge({0: old.capture}, cache=cache)
    assert _again(cache, old, new) == merged(new)


def test_a_difference_of_which_nobody_knows_writes_everything_again() -> None:
    old, new = _list(_row("A"), _row("B")), _list(_row("A"), _row("X"))
    cache = MergeCache()
    merge({0: old.capture}, cache=cache)
    assert merge({0: new.capture}, cache=cache).nodes == merged(new).nodes


def test_a_frame_in_which_nothing_happened_is_one_part_with_its_text() -> None:
    holder, other = el("Iframe", "A", tag="iframe"), el("Iframe", "B", tag="iframe")
    outer = Document(el("heading", "Frames", tag="h1"), holder, other, button("End"))
    still = Document(button("One"), text("words"), index=1, parent=0, owner=outer.number(holder))
    owner = outer.number(other)
    old, new = (Document(button(name), index=2, parent=0, owner=owner) for name in ("Two", "Three"))
    cache = MergeCache()

    def look(second: Document) -> Snapshot:
        captures = {0: outer.capture, 1: still.capture, 2: second.capture}
        found = merge(captures, cache=cache)
        assert found.nodes == merged(outer, still, second).nodes
        assert found.elements == merged(outer, still, second).elements
        infos = tuple(capture.info for capture in captures.values())
        return replace(_snapshot(outer, found), frames=infos)

    first, second = look(old), look(new)
    kept = {id(part) for _, part in first.parts}
    (start, part), (_, changed) = second.parts
    assert [node.name for node in part.nodes] == ["One", "words"]
    assert second.nodes[start - 1].name == "A"
    assert [id(one) in kept for one in (part, changed)] == [True, False]
    whole = snapshot_of(outer, still, new)
    assert first.text == snapshot_of(outer, still, old).text
    assert second.text == whole.text
    assert second.diff(first).text == whole.diff(snapshot_of(outer, still, old)).text
    assert second.diff(first).text == '~ [2-4] button "Three"'
    assert second.diff(first).apply(first) == second.nodes
