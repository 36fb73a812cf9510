"""Scrolling: elements into view, pages and boxes by distance, until a text appears."""
