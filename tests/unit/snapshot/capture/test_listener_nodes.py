"""Single nodes that are asked for their listeners."""

from __future__ import annotations

from cdp_agent.snapshot.fetch.listeners import (
    LEVELS,
    TARGET_TYPES,
    Listener,
    new_nodes,
    nodes_at_levels,
    nodes_with,
)


def test_one_node_of_a_chain_is_asked_about_at_each_level() -> None:
    count = 2 * LEVELS + 10
    parents = list(range(-1, count - 1))
    backends = [1000 + index for index in range(count)]

    assert nodes_at_levels(parents, backends) == [1000 + LEVELS, 1000 + 2 * LEVELS]


def test_a_flat_document_has_no_such_nodes() -> None:
    assert nodes_at_levels([-1, 0, 0, 0], [1, 2, 3, 4]) == []


def test_a_node_at_a_level_without_children_is_left_out() -> None:
    parents = list(range(-1, LEVELS))

    assert nodes_at_levels(parents, list(range(LEVELS + 1))) == []


def test_new_nodes_are_the_outermost_ones() -> None:
    parents, backends = [-1, 0, 1, 0, 3, 4], [1, 2, 3, 9, 8, 7]

    assert new_nodes(parents, backends, {1, 2, 3}) == [9]
    assert new_nodes(parents, backends, {1, 2, 9}) == [3, 8]


def test_nodes_listen_for_one_of_the_types() -> None:
    listeners = [Listener("drop", 4), Listener("keydown", 5), Listener("dblclick", 6)]

    assert nodes_with(listeners, TARGET_TYPES) == {4, 6}
