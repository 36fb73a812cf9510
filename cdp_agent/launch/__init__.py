"""Finding, starting and ending Chromium. Whole processes only: nothing here speaks CDP."""

from cdp_agent.launch.find import find_browser
from cdp_agent.launch.process import BrowserProcess, LaunchOptions, start_browser

__all__ = ["BrowserProcess", "LaunchOptions", "find_browser", "start_browser"]
