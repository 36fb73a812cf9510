"""What a caller may ask of a snapshot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cdp_agent.errors import InvalidParams
from cdp_agent.ids import ElementId

_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Focus:
    """Only what stands below this element: a CSS selector or an XPath inside one frame."""

    frame_index: int
    selector: str


@dataclass(frozen=True, slots=True)
class SnapshotOptions:
    viewport_only: bool = False
    interactive_only: bool = False
    max_elements: int | None = None
    max_depth: int | None = None
    max_name_length: int = 200
    roles: tuple[str, ...] = field(default=())
    focus: Focus | None = None
    #: Only the subtree of one element of an earlier snapshot.
    root: ElementId | None = None
    timeout: float = 30.0

    @classmethod
    def make(cls, **given: Any) -> SnapshotOptions:
        """Check what a caller wrote.

        Raises:
            InvalidParams: an option is unknown or out of range.
        """
        known = cls.__dataclass_fields__
        unknown = sorted(set(given) - set(known))
        if unknown:
            names = ", ".join(known)
            raise InvalidParams(
                f"unknown snapshot option {unknown[0]!r}", hint=f"Options: {names}."
            )
        values = {name: value for name, value in given.items() if value is not None}
        for name in ("max_elements", "max_depth", "max_name_length"):
            if name in values:
                values[name] = _whole_number(name, values[name])
        if "roles" in values:
            roles = values["roles"]
            if not isinstance(roles, str | list | tuple | set | frozenset):
                raise InvalidParams(f"roles must be a list of names, not {roles!r}")
            values["roles"] = (roles,) if isinstance(roles, str) else tuple(roles)
        if "focus" in values:
            values["focus"] = _focus(values["focus"])
        if "root" in values:
            values["root"] = ElementId.parse(values["root"])
        seconds = values.get("timeout", 1)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
            raise InvalidParams(f"timeout must be a number of seconds, not {seconds!r}")
        return cls(**values)


def _whole_number(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST:
        raise InvalidParams(f"{name} must be a whole number from 1 to {_MOST}, not {value!r}")
    return value


def _focus(value: Any) -> Focus:
    if isinstance(value, Focus):
        return value
    try:
        return Focus(int(value.get("frame_index", 0)), str(value["selector"]))
    except (AttributeError, KeyError, TypeError, ValueError):
        example = '{"frame_index": 3, "selector": "#checkout"}'
        raise InvalidParams(f"focus must look like {example}, not {value!r}") from None
