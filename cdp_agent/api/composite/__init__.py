"""Composite actions: steps, checked before the first runs."""
