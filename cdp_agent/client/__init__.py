"""The client of `cdp-agent serve`."""
