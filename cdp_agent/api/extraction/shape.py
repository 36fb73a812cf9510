"""Callers' schemas, and data checked by them. Needs pydantic and jsonschema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema
from pydantic import BaseModel, ValidationError

from cdp_agent.api.checked_model import problems
from cdp_agent.api.extraction.extraction import require_schema
from cdp_agent.errors import ConditionFailed, InvalidParams

_HINT = "Ask for what the page shows, make other parts optional, or give root."


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape that the caller asks for: a pydantic model class, or a JSON Schema."""

    json_schema: Mapping[str, Any]
    model: type[BaseModel] | None = None

    @classmethod
    def of(cls, given: Any) -> Shape:
        """Raises: InvalidParams."""
        if isinstance(given, type) and issubclass(given, BaseModel):
            return cls(given.model_json_schema(), given)
        schema = require_schema(given)
        try:
            jsonschema.Draft202012Validator.check_schema(dict(schema))
        except jsonschema.SchemaError as error:
            raise InvalidParams(f"the JSON Schema is wrong: {error.message[:200]}") from None
        return cls(schema)

    @property
    def empty(self) -> Any:
        return [] if self.json_schema.get("type") == "array" else {}

    def validated(self, data: Any) -> Any:
        """Raises: ConditionFailed: what is missing or wrong, part by part."""
        if self.model is not None:
            try:
                return self.model.model_validate(data)
            except ValidationError as error:
                raise ConditionFailed(
                    f"the page does not give what was asked for: {problems(error)}", hint=_HINT
                ) from None
        validator = jsonschema.Draft202012Validator(dict(self.json_schema))
        wrong = [
            f"{'.'.join(str(part) for part in error.path) or 'data'}: {error.message[:150]}"
            for error in validator.iter_errors(data)
        ]
        if wrong or data in ({}, []):
            what = "; ".join(wrong[:5]) or "nothing was found"
            raise ConditionFailed(f"the page does not give what was asked for: {what}", hint=_HINT)
        return data
