"""Long and parallel load, each part in a process of its own: what it keeps is then its alone."""
