"""Addresses, history, dialogs, and pages that hang."""
