"""Files that a command is given: steps, schemas; JSON or YAML."""

from __future__ import annotations

import os
from typing import Any

from cdp_agent.errors import InvalidParams

_LARGEST = 5_000_000


def read_data(source: str) -> Any:
    """The data of a file (`-`: standard input), or of a JSON text.

    Raises:
        InvalidParams: it cannot be read, or is neither JSON nor YAML; says where.
    """
    if source.lstrip()[:1] in ("{", "["):
        return parse_data(source, "the text")
    return parse_data(read_text(source), source)


def read_lines(source: str) -> list[str]:
    """The lines of a file (`-`: standard input) without empty ones and comments.

    Raises:
        InvalidParams: it cannot be read.
    """
    lines = (line.strip() for line in read_text(source).splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def read_text(source: str) -> str:
    """Raises: InvalidParams: it cannot be read."""
    try:
        if source == "-":
            import sys

            text = sys.stdin.read(_LARGEST + 1)
        else:
            with open(os.path.expanduser(source), encoding="utf-8") as file:
                text = file.read(_LARGEST + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InvalidParams(f"cannot read {source}: {reason}") from None
    return text


def parse_data(text: str, name: str) -> Any:
    """Raises: InvalidParams."""
    if len(text) > _LARGEST:
        raise InvalidParams(f"{name} is longer than {_LARGEST // 1_000_000} MB")
    import json

    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            if not name.endswith((".yaml", ".yml")):
                raise InvalidParams(f"{name} is not valid JSON: {str(error)[:200]}") from None
    import yaml

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        words = " ".join(str(error).split())[:300]
        raise InvalidParams(f"{name} is not valid YAML: {words}") from None
