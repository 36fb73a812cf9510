"""Logs of a page: its console, its requests, and events as they happen."""
