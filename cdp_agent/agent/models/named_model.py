"""The model that a command line or a batch task names."""

from __future__ import annotations

from cdp_agent.agent.models.anthropic_model import AnthropicModel
from cdp_agent.agent.models.model_interface import Model
from cdp_agent.agent.models.scripted_model import ScriptedModel

_SCRIPT = "script:"


def named_model(name: str | None) -> Model:
    """`script:FILE` plays a file; everything else is a name for the Messages API.

    Raises:
        InvalidParams: the file is not a script.
        ModelError: there is no key to be used.
    """
    path = script_of(name or "")
    return ScriptedModel.load(path) if path is not None else AnthropicModel(name)


def script_of(name: str) -> str | None:
    """The path in `script:FILE`; None for every other name."""
    return name.removeprefix(_SCRIPT) if name.startswith(_SCRIPT) else None
