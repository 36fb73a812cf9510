"""The browser's own tools: printing, cookies, devices, recordings."""
