"""The public names, once: the package imports each from here when it is first used."""

from cdp_agent.act import Receipt as Receipt
from cdp_agent.agent import (
    Agent as Agent,
    AnthropicModel as AnthropicModel,
    ScriptedModel as ScriptedModel,
    Secrets as Secrets,
    ServiceConfig as ServiceConfig,
    TaskResult as TaskResult,
    Trace as Trace,
)
from cdp_agent.api.browser import Browser as Browser
from cdp_agent.api.composite.steps import (
    CompositeResult as CompositeResult,
    Step as Step,
    StepResult as StepResult,
)
from cdp_agent.api.context import BrowserContext as BrowserContext
from cdp_agent.api.devtools.resolved_element import ResolvedElement as ResolvedElement
from cdp_agent.api.extraction.extraction import Extraction as Extraction
from cdp_agent.api.launcher import connect as connect, launch as launch
from cdp_agent.api.observation.elements import Observation as Observation
from cdp_agent.api.outcome import Outcome as Outcome
from cdp_agent.api.page import Page as Page
from cdp_agent.batches import Batch as Batch, BatchResult as BatchResult, batch as batch
from cdp_agent.client.client import Client as Client
from cdp_agent.client.events import RemoteEvent as RemoteEvent
from cdp_agent.errors import (
    ActionTimeout as ActionTimeout,
    BlockedByPolicy as BlockedByPolicy,
    BrowserError as BrowserError,
    BrowserNotFound as BrowserNotFound,
    CdpAgentError as CdpAgentError,
    CommandTimeout as CommandTimeout,
    ConditionFailed as ConditionFailed,
    ConnectionLost as ConnectionLost,
    DialogOpen as DialogOpen,
    ElementDisabled as ElementDisabled,
    ElementError as ElementError,
    ElementNotFound as ElementNotFound,
    ElementNotVisible as ElementNotVisible,
    ElementObscured as ElementObscured,
    ElementUnstable as ElementUnstable,
    FrameDetached as FrameDetached,
    HumanRejected as HumanRejected,
    InvalidParams as InvalidParams,
    ModelError as ModelError,
    NavigationFailed as NavigationFailed,
    NotEditable as NotEditable,
    OptionNotFound as OptionNotFound,
    ProtocolError as ProtocolError,
    RefInvalid as RefInvalid,
    StaleRef as StaleRef,
    TargetClosed as TargetClosed,
    TargetCrashed as TargetCrashed,
    TargetError as TargetError,
)
from cdp_agent.ids import ElementId as ElementId
from cdp_agent.snapshot import (
    Element as Element,
    FrameInfo as FrameInfo,
    Snapshot as Snapshot,
    SnapshotDiff as SnapshotDiff,
)
from cdp_agent.targets.dialog import Dialog as Dialog, DialogInfo as DialogInfo
from cdp_agent.targets.logs.console_log import ConsoleMessage as ConsoleMessage
from cdp_agent.targets.logs.event_stream import EventStream as EventStream, PageEvent as PageEvent
from cdp_agent.targets.logs.request_log import NetworkRequest as NetworkRequest
from cdp_agent.targets.network.downloads import Download as Download
from cdp_agent.targets.network.policy import Policy as Policy

__all__: list[str]
