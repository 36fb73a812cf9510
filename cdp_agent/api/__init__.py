"""The library's face: Browser, Page, launch, connect."""
