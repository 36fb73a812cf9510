"""Batches: many tasks on a pool of browsers, recorded to survive a kill."""

from cdp_agent.batches.entry import batch
from cdp_agent.batches.result import Attempt, AttemptResult, BatchResult
from cdp_agent.batches.run import Batch, BatchWatcher
from cdp_agent.batches.summary import Summary
from cdp_agent.batches.task import BatchTask

__all__ = [
    "Attempt",
    "AttemptResult",
    "Batch",
    "BatchResult",
    "BatchTask",
    "BatchWatcher",
    "Summary",
    "batch",
]
