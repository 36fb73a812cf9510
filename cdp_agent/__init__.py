"""A browser engine for AI agents that speaks the Chrome DevTools Protocol alone.

The public names stand in `__init__.pyi`. Each is imported when it is first used: `cdp-agent --help`
and clients of a running session do without the engine, which takes a quarter of a second to load.
"""


def _public_names() -> dict[str, str]:
    """The module of each public name, as the stub beside this file imports it."""
    import re
    from importlib import resources

    stub = resources.files(__name__).joinpath("__init__.pyi").read_text("utf-8")
    return {
        name: module
        for module, names in re.findall(r"^from (\S+) import ([^#]+?)(?=^\S|\Z)", stub, re.M)
        for name in re.findall(r"(\w+) as \1", names)
    }


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__all__":
        return sorted(_public_names())
    module = None if name.startswith("_") else _public_names().get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_public_names()})
