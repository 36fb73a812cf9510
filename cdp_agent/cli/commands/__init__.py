"""One file per command that is not a session command."""
