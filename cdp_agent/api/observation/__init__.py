"""Snapshots, pictures, readable text, waits."""
