"""The agent: a goal in, a verified result out, with a human where it matters."""

from cdp_agent.agent.loop import Agent
from cdp_agent.agent.models.anthropic_model import AnthropicModel
from cdp_agent.agent.models.model_interface import (
    Model,
    ModelReply,
    ModelRequest,
    Price,
    ToolUse,
    Usage,
)
from cdp_agent.agent.models.scripted_model import ScriptedModel
from cdp_agent.agent.safety.approvals import Approve, Approver, Decision, Deny, Question
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import SERVICES, Checkpoint, Indicator, ServiceConfig
from cdp_agent.agent.trace.record import RunWatcher, TaskResult, TurnRecord
from cdp_agent.agent.trace.trace_folder import Trace

__all__ = [
    "SERVICES",
    "Agent",
    "AnthropicModel",
    "Approve",
    "Approver",
    "Checkpoint",
    "Decision",
    "Deny",
    "Indicator",
    "Model",
    "ModelReply",
    "ModelRequest",
    "Price",
    "Question",
    "RunWatcher",
    "ScriptedModel",
    "Secrets",
    "ServiceConfig",
    "TaskResult",
    "ToolUse",
    "Trace",
    "TurnRecord",
    "Usage",
]
