"""The text of a tool's result."""
