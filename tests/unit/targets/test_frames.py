"""The frames of a page, told by several sessions in no fixed order."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from hypothesis import given, settings, strategies as st

from cdp_agent.errors import FrameDetached, TargetClosed
from cdp_agent.ids import FrameId
from cdp_agent.protocol import Connection, Session
from cdp_agent.targets import Frame, FrameTree, World
from tests.unit.memory_transport import MemoryTransport

MAIN = FrameId("MAIN")


@pytest_asyncio.fixture
async def connection() -> AsyncIterator[Connection]:
    connection = Connection(MemoryTransport())
    yield connection
    await connection.aclose()


def new_session(connection: Connection, target_id: str) -> Session:
    kind = "page" if target_id == MAIN else "iframe"
    return Session(
        connection,
        f"session of {target_id}",
        target_id=target_id,
        target_type=kind,
        parent=connection.root,
    )


@pytest.fixture
def tab(connection: Connection) -> Session:
    return new_session(connection, MAIN)


@pytest.fixture
def tree(tab: Session) -> FrameTree:
    tree = FrameTree(MAIN, tab)
    show(tree, "MAIN", None, tab)
    return tree


def show(
    tree: FrameTree, frame_id: str, parent: str | None, session: Session, loader: str = "L"
) -> Frame:
    """A document of that loader is shown in the frame."""
    return tree.committed(
        FrameId(frame_id),
        FrameId(parent) if parent else None,
        session,
        loader_id=loader,
        url=f"https://{frame_id.lower()}.test/",
        name="",
        origin=f"https://{frame_id.lower()}.test",
        error_url="",
    )


def leave(tree: FrameTree, frame_id: str, session: Session, *, swapped: bool = False) -> None:
    tree.detached(FrameId(frame_id), session, swapped=swapped)


def indices(tree: FrameTree) -> list[int]:
    return [frame.index for frame in tree]


# -- numbers ------------------------------------------------------------------------------------


def test_frames_are_numbered_as_they_are_first_seen(tree: FrameTree, tab: Session) -> None:
    a = tree.attached(FrameId("A"), MAIN, tab)
    b = show(tree, "B", "MAIN", tab)
    again = show(tree, "A", "MAIN", tab)

    assert (tree.main.index, a.index, b.index) == (0, 1, 2)
    assert again is a
    assert tree.find("B") is b
    assert tree.find_index(1) is a
    assert indices(tree) == [0, 1, 2]


def test_a_number_is_never_given_twice(tree: FrameTree, tab: Session) -> None:
    show(tree, "A", "MAIN", tab)
    leave(tree, "A", tab)

    assert show(tree, "B", "MAIN", tab).index == 2
    assert show(tree, "A", "MAIN", tab).index == 3  # it left for good: this is another frame
    assert tree.find_index(1) is None
    assert tree.was_issued(1)
    assert not tree.was_issued(4)
    assert not tree.was_issued(-1)


def test_a_frame_keeps_its_number_when_it_navigates(tree: FrameTree, tab: Session) -> None:
    frame = show(tree, "A", "MAIN", tab, "L1")

    assert show(tree, "A", "MAIN", tab, "L2") is frame
    assert (frame.index, frame.loader_id, frame.documents) == (1, "L2", 2)


@pytest.mark.parametrize("order", ["shown there first", "gone here first"])
def test_a_frame_keeps_its_number_when_it_changes_process_and_back(
    tree: FrameTree, tab: Session, connection: Connection, order: str
) -> None:
    frame = show(tree, "A", "MAIN", tab, "L1")
    show(tree, "B", "MAIN", tab)
    other = new_session(connection, "A")

    if order == "shown there first":
        show(tree, "A", "MAIN", other, "L2")
        leave(tree, "A", tab, swapped=True)
    else:
        leave(tree, "A", tab, swapped=True)
        assert tree.find("A") is None
        show(tree, "A", "MAIN", other, "L2")

    assert tree.find("A") is frame
    assert (frame.index, frame.session, frame.is_oopif) == (1, other, True)

    if order == "shown there first":
        show(tree, "A", "MAIN", tab, "L3")
        tree.session_ended(other)
    else:
        tree.session_ended(other)
        show(tree, "A", "MAIN", tab, "L3")

    assert tree.find_index(1) is frame
    assert (frame.session, frame.loader_id, frame.is_oopif) == (tab, "L3", False)
    assert indices(tree) == [0, 1, 2]  # in the order in which they were first seen


def test_a_frame_that_is_removed_while_it_changes_process_does_not_come_back(
    tree: FrameTree, tab: Session, connection: Connection
) -> None:
    show(tree, "A", "MAIN", tab)
    leave(tree, "A", tab, swapped=True)
    leave(tree, "A", tab)

    assert tree.find("A") is None
    assert show(tree, "A", "MAIN", new_session(connection, "A")).index == 2


# -- going --------------------------------------------------------------------------------------


def test_a_removed_frame_takes_its_children_along(
    tree: FrameTree, tab: Session, connection: Connection
) -> None:
    outer = show(tree, "A", "MAIN", tab)
    inner = show(tree, "B", "A", new_session(connection, "B"))
    deepest = tree.attached(FrameId("C"), FrameId("B"), tab)

    leave(tree, "A", tab)

    assert indices(tree) == [0]
    assert [frame.session for frame in (outer, inner, deepest)] == [None, None, None]
    assert tree.main.children == {}


def test_a_new_document_has_none_of_the_old_ones_frames(tree: FrameTree, tab: Session) -> None:
    child = show(tree, "A", "MAIN", tab)

    show(tree, "MAIN", None, tab, "L2")

    assert indices(tree) == [0]
    assert child.session is None


def test_a_session_that_let_a_frame_go_cannot_take_it_from_its_new_owner(
    tree: FrameTree, tab: Session, connection: Connection
) -> None:
    other = new_session(connection, "A")
    frame = show(tree, "A", "MAIN", other)

    leave(tree, "A", tab, swapped=True)

    assert tree.find("A") is frame
    assert frame.session is other


def test_the_main_frame_stays_when_its_session_ends(tree: FrameTree, tab: Session) -> None:
    show(tree, "A", "MAIN", tab)

    lost = tree.session_ended(tab)

    assert [frame.id for frame in lost] == ["MAIN", "A"]
    assert indices(tree) == [0]
    assert tree.main.session is None


def test_a_frame_that_was_told_of_before_its_parent_finds_its_place(
    tree: FrameTree, tab: Session, connection: Connection
) -> None:
    """Two processes answer in no fixed order: the inner one may be the faster."""
    inner = show(tree, "B", "A", new_session(connection, "B"))
    outer = show(tree, "A", "MAIN", new_session(connection, "A"))

    assert inner.parent is outer
    assert outer.parent is tree.main
    assert [frame.id for frame in tree] == ["MAIN", "A", "B"]


def test_only_a_frame_with_a_living_session_can_be_talked_to(
    tree: FrameTree, tab: Session, connection: Connection
) -> None:
    other = new_session(connection, "A")
    frame = show(tree, "A", "MAIN", other)
    assert frame.require_session() is other

    other.ended = TargetClosed("gone")
    with pytest.raises(FrameDetached):
        frame.require_session()

    leave(tree, "A", tab)
    with pytest.raises(FrameDetached, match="frame 1"):
        frame.require_session()


# -- what a document brings -----------------------------------------------------------------------


def test_scripts_of_the_old_process_are_not_those_of_the_new_one(
    tree: FrameTree, tab: Session, connection: Connection
) -> None:
    frame = show(tree, "A", "MAIN", tab)
    frame.world, frame.main_world = World(6, "U6"), World(5, "U5")

    show(tree, "A", "MAIN", new_session(connection, "A"), "L2")

    worlds: list[World | None] = [frame.world, frame.main_world]
    assert worlds == [None, None]


def test_a_new_document_is_not_read_yet_and_ends_the_navigation_that_brought_it(
    tree: FrameTree, tab: Session
) -> None:
    main = tree.main
    main.dom_ready = main.loaded = True
    main.pending_loader, main.navigation_requested = "L2", True

    show(tree, "MAIN", None, tab, "L2")

    assert (main.dom_ready, main.loaded) == (False, False)
    assert (main.pending_loader, main.navigation_requested) == ("", False)


def test_the_local_root_is_the_topmost_frame_of_the_same_session(
    tree: FrameTree, tab: Session, connection: Connection
) -> None:
    """tab: MAIN > A;  session of B: B > C;  session of D: D inside C."""
    of_b, of_d = new_session(connection, "B"), new_session(connection, "D")
    a = show(tree, "A", "MAIN", tab)
    b = show(tree, "B", "A", of_b)
    c = show(tree, "C", "B", of_b)
    d = show(tree, "D", "C", of_d)

    roots = {frame.id: frame.local_root.id for frame in tree}
    assert roots == {"MAIN": "MAIN", "A": "MAIN", "B": "B", "C": "B", "D": "D"}
    assert {frame.id for frame in tree if frame.is_oopif} == {"B", "D"}
    assert list(d.ancestors()) == [c, b, a, tree.main]


# -- memory and order -----------------------------------------------------------------------------


def living_frames() -> int:
    gc.collect()
    return sum(isinstance(thing, Frame) for thing in gc.get_objects())


def test_a_thousand_frames_that_came_and_went_leave_nothing(tree: FrameTree, tab: Session) -> None:
    before = living_frames()

    for number in range(1000):
        show(tree, f"F{number}", "MAIN", tab)
        show(tree, f"G{number}", f"F{number}", tab)
        leave(tree, f"F{number}", tab)

    assert living_frames() == before
    assert len(tree) == 1


def test_a_thousand_frames_that_never_came_back_are_not_all_remembered(
    tree: FrameTree, tab: Session
) -> None:
    before = living_frames()

    for number in range(1000):
        show(tree, f"F{number}", "MAIN", tab)
        leave(tree, f"F{number}", tab, swapped=True)

    assert living_frames() - before <= 300


NAMES = ["A", "B", "C"]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["attached", "shown", "swapped", "removed", "session ended"]),
        st.sampled_from(NAMES),
        st.sampled_from(["MAIN", *NAMES]),
        st.sampled_from(["MAIN", *NAMES]),
    ),
    max_size=15,
)


@settings(deadline=None)
@given(steps=STEPS)
async def test_whatever_is_told_in_whatever_order_the_tree_is_a_tree(
    steps: list[tuple[str, str, str, str]],
) -> None:
    connection = Connection(MemoryTransport())
    sessions = {name: new_session(connection, name) for name in ["MAIN", *NAMES]}
    tree = FrameTree(MAIN, sessions["MAIN"])
    numbers: dict[int, Frame] = {0: tree.main}
    for what, name, parent, owner in steps:
        session = sessions[owner]
        if name == parent:
            continue  # no frame is inside itself
        if what == "attached":
            tree.attached(FrameId(name), FrameId(parent), session)
        elif what == "shown":
            show(tree, name, parent, session)
        elif what == "session ended":
            tree.session_ended(session)
        else:
            leave(tree, name, session, swapped=what == "swapped")

        listed = list(tree)
        assert listed[0] is tree.main
        for frame in listed[1:]:
            assert numbers.setdefault(frame.index, frame) is frame
            assert tree.find(frame.id) is frame
            assert tree.find_index(frame.index) is frame
            assert frame.session is not None
            assert frame.parent in listed[: listed.index(frame)]
            assert frame.parent is not None
            assert frame.parent.children[frame.id] is frame
    await connection.aclose()
