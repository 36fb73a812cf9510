"""Makes checked models of parameters in the action table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import AliasChoices, Field, create_model
from pydantic.json_schema import SkipJsonSchema

from cdp_agent.action_table.entry import REQUIRED, Parameter
from cdp_agent.action_table.limits import MOST_ITEMS
from cdp_agent.api.checked_model import CheckedModel

#: Types that are made at run time, which no type checker can follow.
_ANNOTATED: Any = Annotated
_SKIPPED: Any = SkipJsonSchema
M = TypeVar("M", bound=CheckedModel)


def make_model(
    name: str,
    base: type[M],
    parameters: Iterable[tuple[str, Parameter]],
    types: Mapping[Any, Any],
) -> type[M]:
    """A model with a field for each parameter, under the name that stands before it.

    `types` has the types of the front that stand for those of the table (`Element`).
    """
    fields: dict[str, Any] = {
        field: (_annotation(parameter, types), _field(field, parameter))
        for field, parameter in parameters
    }
    return create_model(name, __base__=base, **fields)


def _field(name: str, parameter: Parameter) -> Any:
    others = tuple(alias for alias in parameter.aliases if alias != name)
    return Field(
        ... if parameter.default is REQUIRED else parameter.default,
        description=parameter.description or None,
        validation_alias=AliasChoices(name, *others) if others else None,
    )


def _annotation(parameter: Parameter, types: Mapping[Any, Any]) -> Any:
    made = _limited(types.get(parameter.type, parameter.type), parameter.limits)
    if parameter.default is None:
        made = made | None
    return made if parameter.is_listed else _SKIPPED[made]


def _limited(kind: Any, limits: Mapping[str, Any]) -> Any:
    """The type within limits; of a union, those members that they concern."""
    if not limits or get_origin(kind) is Literal:
        return kind
    if get_origin(kind) not in (Union, UnionType):
        return _ANNOTATED[kind, Field(**limits)]
    return reduce(or_, (_member(member, limits) for member in get_args(kind)))


def _member(kind: Any, limits: Mapping[str, Any]) -> Any:
    """One of the types of a union; the limits of a list are those of its items."""
    if get_origin(kind) is not list:
        return _limited(kind, limits)
    items: Any = _limited(get_args(kind)[0], limits)
    return _ANNOTATED[GenericAlias(list, (items,)), Field(max_length=MOST_ITEMS)]
