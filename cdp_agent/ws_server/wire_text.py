"""Texts that go out on a wire."""

from __future__ import annotations


def writable(text: str) -> str:
    """Replaces half surrogate pairs, which JSON may hold, by question marks."""
    return text.encode("utf-8", "replace").decode()
