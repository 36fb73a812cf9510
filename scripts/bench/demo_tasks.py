"""Tasks on the demo site for batches, each of which its server can count.

Every task pauses the membership once, which is one POST: as a goal by a scripted model, as steps,
or as a replay of a trace. What was done twice is done with two requests.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cdp_agent
from cdp_agent.demo import DemoSite

_SCRIPT = """
name: pause
steps:
  - tool: browser_click
    target: {role: button, name: Pause for one month}
  - when: {text: Paused for one month}
    tool: complete_task
    arguments: {success: true, summary: Paused.}
"""
_STEPS = [
    {"action": "click", "params": {"selector": {"role": "button", "name": "Pause for one month"}}},
    {"action": "wait", "params": {"text": "Paused for one month"}},
]


@dataclass
class BatchReport:
    """The observations of a batch; `problems` is empty when all holds."""

    tasks: int
    workers: int
    results: int = 0
    success: int = 0
    interrupted: int = 0
    requests: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    def check(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Count the lines of the results file, and note what does not hold."""
        ids = [line["id"] for line in lines]
        self.results = len(set(ids))
        self.success = sum(line["success"] for line in lines)
        self.interrupted = sum(
            attempt["end"] == "interrupted" for line in lines for attempt in line["attempts"]
        )
        begun = sum(len(line["attempts"]) for line in lines)
        if sorted(ids) != list(range(self.tasks)):
            self.problems.append(f"{len(ids)} lines for {self.tasks} tasks")
        if self.success != self.tasks:
            self.problems.append(f"{self.tasks - self.success} tasks failed")
        if not self.tasks <= self.requests <= begun:
            self.problems.append(f"{self.requests} requests in {begun} attempts")

    def table(self, facts: Mapping[str, object]) -> str:
        """The numbers, with `facts` about the run, and the problems."""
        rows = {
            "tasks": self.tasks,
            **facts,
            "results, each once": self.results,
            "success": self.success,
            "attempts interrupted": self.interrupted,
            "requests counted": self.requests,
            "seconds": f"{self.seconds:.0f}",
        }
        lines = [f"{name:<22}{value}" for name, value in rows.items()]
        return "\n".join([*lines, *(f"PROBLEM {problem}" for problem in self.problems)])


def pauses(site: DemoSite) -> int:
    """The number of times a task was carried out, by the server's own count."""
    return site.requests.count("POST 127.0.0.1/offer/pause")


def write_tasks(site: DemoSite, folder: Path, count: int) -> Path:
    """Write `tasks.jsonl` with goals, steps and replays in turn; gives its path."""
    script = folder / "pause.yaml"
    script.write_text(_SCRIPT, "utf-8")
    trace = asyncio.run(_record(_goal("record", site, script), folder / "recorded"))
    lines = []
    for number in range(count):
        kinds = (
            _goal(number, site, script),
            {"id": number, "url": _url(site), "steps": _STEPS},
            {"id": number, "url": _url(site), "replay": trace},
        )
        lines.append(json.dumps(kinds[number % len(kinds)]))
    tasks = folder / "tasks.jsonl"
    tasks.write_text("\n".join(lines) + "\n", "utf-8")
    return tasks


def _url(site: DemoSite) -> str:
    return f"{site.account_origin}/cancel/offers"


def _goal(task_id: str | int, site: DemoSite, script: Path) -> dict[str, Any]:
    goal = {"goal": "Pause my membership", "model": f"script:{script}"}
    return {"id": task_id, "url": _url(site), **goal}


async def _record(task: dict[str, Any], folder: Path) -> str:
    async with cdp_agent.batch([task], workers=1, trace=folder) as run:
        [result] = [result async for result in run]
    if not result.success:
        raise RuntimeError(f"the trace could not be recorded: {result.summary}")
    return result.last.trace
