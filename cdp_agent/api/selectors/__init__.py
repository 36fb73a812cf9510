"""Elements by what they are rather than by id."""
