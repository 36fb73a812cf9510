"""Clicks, hovers and the focus: aimed at an element, with proof of arrival."""
