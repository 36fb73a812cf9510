"""The command `cdp-agent`: the library's parts put together for a shell."""
