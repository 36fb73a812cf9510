"""The agent: a goal in, a verified result out, with a human where it matters."""

from cdp_agent.agent.anthropic_model import AnthropicModel
from cdp_agent.agent.approvals import Approve, Approver, Decision, Deny, Question
from cdp_agent.agent.loop import Agent
from cdp_agent.agent.model import Model, ModelReply, ModelRequest, Price, ToolUse, Usage
from cdp_agent.agent.record import TaskResult, TurnRecord, Watcher
from cdp_agent.agent.scripted import ScriptedModel
from cdp_agent.agent.secrets import Secrets
from cdp_agent.agent.service import SERVICES, Checkpoint, Indicator, ServiceConfig
from cdp_agent.agent.trace import Trace

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
    "ScriptedModel",
    "Secrets",
    "ServiceConfig",
    "TaskResult",
    "ToolUse",
    "Trace",
    "TurnRecord",
    "Usage",
    "Watcher",
]
