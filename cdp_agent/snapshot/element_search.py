"""Elements by role and name, as `Snapshot.find` and `find_all` want them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cdp_agent.errors import ElementNotFound

if TYPE_CHECKING:
    from cdp_agent.snapshot.model import Element

#: Elements that an error lists.
_MOST_LISTED = 8


def fitting(
    elements: Iterable[Element],
    role: str | None,
    name: str | None,
    *,
    exact: bool,
    frame: int | None,
) -> list[Element]:
    """The elements of that role, name and frame."""
    return [e for e in elements if _fits(e, role, name, exact=exact, frame=frame)]


def choose(
    found: Sequence[Element],
    role: str | None,
    name: str | None,
    *,
    exact: bool,
    nth: int | None,
) -> Element:
    """The one that is meant. A name that is equal wins over one that only contains it.

    Raises:
        ElementNotFound: none fits, or several do and `nth` (from 0) was not given.
    """
    what = f"{role or 'element'}{f' {name!r}' if name is not None else ''}"
    if nth is not None:
        if not -len(found) <= nth < len(found):
            raise ElementNotFound(f"there is no {what} number {nth}, only {len(found)}")
        return found[nth]
    if len(found) > 1 and name is not None and not exact:
        found = [element for element in found if element.name == name] or found
    if len(found) > 1 and role is None:
        # A label only stands for its control.
        found = [element for element in found if element.role != "label"] or found
    if len(found) == 1:
        return found[0]
    if not found:
        raise ElementNotFound(f"there is no {what} in the snapshot", role=role, name=name)
    shown = ", ".join(f"{e.id} {e.role} {e.name[:40]!r}" for e in found[:_MOST_LISTED])
    more = f" and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else ""
    raise ElementNotFound(
        f"{len(found)} elements fit {what}: {shown}{more}",
        hint="Give nth, a frame, or a name that only one has.",
        matches=[str(e.id) for e in found],
    )


def _fits(
    element: Element, role: str | None, name: str | None, *, exact: bool, frame: int | None
) -> bool:
    if role is not None and element.role != role:
        return False
    if frame is not None and element.frame_index != frame:
        return False
    if name is None:
        return True
    return element.name == name if exact else name.casefold() in element.name.casefold()
