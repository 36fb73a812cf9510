"""Batches: many tasks on a pool of browsers, recorded to survive a kill."""

from cdp_agent.batches.batch import batch
from cdp_agent.batches.batch_result import Attempt, AttemptResult, BatchResult
from cdp_agent.batches.batch_run import Batch, BatchWatcher
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.batches.summary import Summary

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
