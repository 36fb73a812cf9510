"""The session: a background process with a browser, and the commands sent to it."""
