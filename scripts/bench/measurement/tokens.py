"""Counts tokens with a real tokenizer, which the bench extra installs."""

from __future__ import annotations

import warnings
from importlib import import_module

#: The tokenizer refuses very long texts; it gets this many lines at a time.
_LINES = 1000


def count_tokens(text: str) -> int:
    """Returns the number of o200k_base tokens."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        tokenizer = import_module("bpe_openai").get_encoding("o200k_base")
    lines = text.splitlines(keepends=True)
    pieces = ("".join(lines[at : at + _LINES]) for at in range(0, len(lines), _LINES))
    return sum(len(tokenizer.encode(piece)) for piece in pieces)
