"""Finding, starting and ending Chromium, as a process: nothing here speaks CDP.

The names are looked up when they are used, so that importing this package costs nothing.
"""

TYPE_CHECKING = False  # as `typing` has it, without the time that it takes
if TYPE_CHECKING:
    from cdp_agent.chromium.find import find_browser
    from cdp_agent.chromium.process import BrowserProcess, LaunchOptions, start_browser

__all__ = ["BrowserProcess", "LaunchOptions", "find_browser", "start_browser"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = "find" if name == "find_browser" else "process"
    return getattr(import_module(f"{__name__}.{module}"), name)
