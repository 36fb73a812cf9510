"""Texts that go out on a wire."""

from __future__ import annotations


def writable(text: str) -> str:
    """Half a surrogate pair, which JSON may hold, is no text that can be sent: a question mark."""
    return text.encode("utf-8", "replace").decode()
