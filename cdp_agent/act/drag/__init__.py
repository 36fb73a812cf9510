"""Dragging elements, and dropping files."""
