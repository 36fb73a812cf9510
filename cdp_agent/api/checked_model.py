"""The base of all parameters that come from outside: unknown ones are errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, ValidationError, model_validator

from cdp_agent.errors import InvalidParams
from cdp_agent.snapshot.options import with_known_names

_MOST_PROBLEMS = 5
#: Words for what goes wrong most, by pydantic's type of the error.
_PLAIN = {"extra_forbidden": "no such key", "missing": "missing"}


class CheckedModel(BaseModel):
    """Takes `frameIndex` for `frame_index`; a misspelt name must not be ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _both_spellings(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        try:
            return with_known_names(given, _names(cls))
        except InvalidParams as error:
            raise ValueError(error.message) from None


def _names(model: type[BaseModel]) -> set[str]:
    """The names that a model takes in its input."""
    names: set[str] = set()
    for name, field in model.model_fields.items():
        alias = field.validation_alias or name
        if isinstance(alias, AliasChoices):
            names |= {choice for choice in alias.choices if isinstance(choice, str)}
        else:
            names.add(str(alias))
    return names


def problems(error: ValidationError) -> str:
    """The errors, field by field; never with the values themselves."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    shown = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'arguments'}: "
        f"{_PLAIN.get(problem['type'], problem['msg'])}"
        for problem in found[:_MOST_PROBLEMS]
    ]
    more = len(found) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
