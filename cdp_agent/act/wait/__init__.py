"""Waiting: for the effects of an action, for a page that loads, for a condition."""
