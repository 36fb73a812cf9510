"""Arguments and help of the shell commands that act, from the action table."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin

from cdp_agent.action_table.entry import REQUIRED, Coordinates, ElementParameter, Parameter
from cdp_agent.action_table.table import ACTION_TABLE

_METAVARS = {ElementParameter: "ID", Coordinates: "X,Y", int: "N"}


def describe(action: str) -> str:
    """The help of the command that stands for an action."""
    said = ACTION_TABLE[action].description
    return said[0].lower() + said[1:]


def add_parameters(
    parser: argparse.ArgumentParser, action: str, *words: str, **metavars: str
) -> None:
    """Add parameters of an action: `ref` is positional, `--ref` is an option.

    `--gone:text_gone` is the parameter `text_gone` under another name.
    """
    for word in words:
        option, _, name = word.partition(":")
        name = name or option.lstrip("-").replace("-", "_")
        parameter = ACTION_TABLE[action].parameter(name)
        settings = _settings(parameter)
        if name in metavars:
            settings["metavar"] = metavars[name]
        if option.startswith("-"):
            parser.add_argument(option, dest=name, **settings)
            continue
        settings.pop("action", None)
        if parameter.default is not REQUIRED:
            settings["nargs"] = "?"
        elif get_origin(parameter.type) is list:
            settings["nargs"] = "+"
        parser.add_argument(name, **settings)


def arguments_of(*names: str) -> Callable[[Any], dict[str, Any]]:
    """A reader of those parameters from what was typed; what was not typed is None."""
    return lambda args: {name: getattr(args, name) for name in names}


def _settings(parameter: Parameter) -> dict[str, Any]:
    kind = parameter.type
    settings: dict[str, Any] = {"help": _help(parameter) or None}
    members = get_args(kind)
    if kind is bool:
        return {**settings, "action": "store_true"}
    if get_origin(kind) is Literal:
        return {**settings, "choices": members}
    if kind is Coordinates:
        settings["type"] = _point
    elif kind in (int, float):
        settings["type"] = kind
    elif get_origin(kind) is tuple:  # of words, each given by an option of its own
        settings |= {"action": "append", "choices": get_args(members[0]), "default": []}
        return settings
    elif members:  # one or a list
        settings |= {"action": "append", "type": members[0]}
    metavar = _METAVARS.get(kind)
    if metavar is None:
        metavar = "S" if parameter.name == "timeout" else parameter.in_tools.upper()
    return {**settings, "metavar": metavar}


def _help(parameter: Parameter) -> str:
    said = parameter.shell_help or parameter.description
    said = said[:1].lower() + said[1:] if said[1:2].islower() else said
    limits = parameter.limits
    if "ge" in limits and "le" in limits:
        return f"{said} ({limits['ge']:g} to {limits['le']:g})"
    if parameter.name == "timeout" and parameter.default is not None:
        return f"{said} (default {parameter.default:g})"
    return said


def _point(text: str) -> list[str]:
    """Both numbers as they are written; the tool reads them."""
    return text.split(",")
