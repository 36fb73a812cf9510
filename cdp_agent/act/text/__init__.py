"""Typing and filling: text and keys, with the value read back."""
