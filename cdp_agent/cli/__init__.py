"""The command `cdp-agent`: puts the library's parts together and says what came of it."""
