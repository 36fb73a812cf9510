"""Clicks, hovers and the focus: the point on an element, and the check of what it took."""
