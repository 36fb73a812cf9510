"""Scrolling: elements into view, boxes by distance, or until a text appears."""
