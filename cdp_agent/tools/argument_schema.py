"""JSON Schemas for a model: pydantic's, without the parts that only cost tokens."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel

#: What a model need not read: the arguments are checked whatever it says.
_NOISE = ("title", "default", "additionalProperties", "maxLength", "maxItems")


@cache
def compact_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema without titles, defaults and nulls, its definitions inlined.

    Arguments of the type `SkipJsonSchema` are taken and not listed: other names and forms of what
    is listed, which would cost every reader tokens.
    """
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    compact: dict[str, Any] = _compact(schema, definitions)
    compact.pop("description", None)  # the tool's own description says it
    compact.setdefault("properties", {})
    return compact


def _compact(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_compact(part, definitions) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = definitions[node["$ref"].rpartition("/")[2]]
        node = {**target, **{k: v for k, v in node.items() if k != "$ref"}}
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties":
            made[key] = {name: _compact(part, definitions) for name, part in value.items()}
        elif key == "anyOf":
            made.update(_union(value, definitions))
        elif key not in _NOISE:
            made[key] = _compact(value, definitions)
    return made


def _union(options: list[dict[str, Any]], definitions: dict[str, Any]) -> dict[str, Any]:
    kept = [_compact(option, definitions) for option in options if option.get("type") != "null"]
    return kept[0] if len(kept) == 1 else {"anyOf": kept}
