"""Data out of a page, in the shape of a schema."""
