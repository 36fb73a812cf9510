"""A browser engine for AI agents that speaks the Chrome DevTools Protocol and nothing else.

What brings the engine in is imported when it is first used: `cdp-agent --help` and clients
of a running session do without it, and it takes a quarter of a second to load.
"""

TYPE_CHECKING = False  # as `typing` has it, without the time that it takes
if TYPE_CHECKING:
    from cdp_agent.act import DialogInfo, Outcome, Receipt
    from cdp_agent.agent import (
        Agent,
        AnthropicModel,
        ScriptedModel,
        Secrets,
        ServiceConfig,
        TaskResult,
        Trace,
    )
    from cdp_agent.api.browser import Browser, BrowserContext
    from cdp_agent.api.opening import connect, launch
    from cdp_agent.api.page import Page
    from cdp_agent.errors import (
        ActionTimeout,
        BlockedByPolicy,
        BrowserError,
        BrowserNotFound,
        CdpAgentError,
        CommandTimeout,
        ConditionFailed,
        ConnectionLost,
        DialogOpen,
        ElementDisabled,
        ElementError,
        ElementNotFound,
        ElementNotVisible,
        ElementObscured,
        ElementUnstable,
        FrameDetached,
        HumanRejected,
        InvalidParams,
        ModelError,
        NavigationFailed,
        NotEditable,
        OptionNotFound,
        ProtocolError,
        RefInvalid,
        StaleRef,
        TargetClosed,
        TargetCrashed,
        TargetError,
    )
    from cdp_agent.ids import ElementId
    from cdp_agent.snapshot import Element, FrameInfo, Snapshot, SnapshotDiff
    from cdp_agent.targets.dialog import Dialog
    from cdp_agent.targets.downloads import Download
    from cdp_agent.targets.policy import Policy

__all__ = [
    "ActionTimeout",
    "Agent",
    "AnthropicModel",
    "BlockedByPolicy",
    "Browser",
    "BrowserContext",
    "BrowserError",
    "BrowserNotFound",
    "CdpAgentError",
    "CommandTimeout",
    "ConditionFailed",
    "ConnectionLost",
    "Dialog",
    "DialogInfo",
    "DialogOpen",
    "Download",
    "Element",
    "ElementDisabled",
    "ElementError",
    "ElementId",
    "ElementNotFound",
    "ElementNotVisible",
    "ElementObscured",
    "ElementUnstable",
    "FrameDetached",
    "FrameInfo",
    "HumanRejected",
    "InvalidParams",
    "ModelError",
    "NavigationFailed",
    "NotEditable",
    "OptionNotFound",
    "Outcome",
    "Page",
    "Policy",
    "ProtocolError",
    "Receipt",
    "RefInvalid",
    "ScriptedModel",
    "Secrets",
    "ServiceConfig",
    "Snapshot",
    "SnapshotDiff",
    "StaleRef",
    "TargetClosed",
    "TargetCrashed",
    "TargetError",
    "TaskResult",
    "Trace",
    "connect",
    "launch",
]

_LATER = {
    "cdp_agent.errors": (
        "ActionTimeout",
        "BlockedByPolicy",
        "BrowserError",
        "BrowserNotFound",
        "CdpAgentError",
        "CommandTimeout",
        "ConditionFailed",
        "ConnectionLost",
        "DialogOpen",
        "ElementDisabled",
        "ElementError",
        "ElementNotFound",
        "ElementNotVisible",
        "ElementObscured",
        "ElementUnstable",
        "FrameDetached",
        "HumanRejected",
        "InvalidParams",
        "ModelError",
        "NavigationFailed",
        "NotEditable",
        "OptionNotFound",
        "ProtocolError",
        "RefInvalid",
        "StaleRef",
        "TargetClosed",
        "TargetCrashed",
        "TargetError",
    ),
    "cdp_agent.ids": ("ElementId",),
    "cdp_agent.act": ("DialogInfo", "Outcome", "Receipt"),
    "cdp_agent.agent": (
        "Agent",
        "AnthropicModel",
        "ScriptedModel",
        "Secrets",
        "ServiceConfig",
        "TaskResult",
        "Trace",
    ),
    "cdp_agent.api.browser": ("Browser", "BrowserContext"),
    "cdp_agent.api.opening": ("connect", "launch"),
    "cdp_agent.api.page": ("Page",),
    "cdp_agent.targets.dialog": ("Dialog",),
    "cdp_agent.targets.downloads": ("Download",),
    "cdp_agent.snapshot": ("Element", "FrameInfo", "Snapshot", "SnapshotDiff"),
    "cdp_agent.targets.policy": ("Policy",),
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    for module, names in _LATER.items():
        if name in names:
            value = globals()[name] = getattr(import_module(module), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
