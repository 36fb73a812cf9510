"""Mouse and keyboard: the events that Chromium is sent, and the keys of the US keyboard."""
