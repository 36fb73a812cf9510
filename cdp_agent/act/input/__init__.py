"""Mouse and keyboard: the events sent to Chromium, and the US keyboard's keys."""
