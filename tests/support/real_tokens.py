"""A real tokenizer, to hold estimates and budgets against."""

from __future__ import annotations

import warnings
from importlib import import_module


def count_tokens(text: str) -> int:
    """Tokens of o200k_base."""
    with warnings.catch_warnings():
        # Its way of reading its own table is deprecated in Python 3.11.
        warnings.simplefilter("ignore", DeprecationWarning)
        tokenizer = import_module("bpe_openai").get_encoding("o200k_base")
    return len(tokenizer.encode(text))
