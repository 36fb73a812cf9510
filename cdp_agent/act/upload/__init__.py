"""Uploading files."""
