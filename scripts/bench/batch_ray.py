"""Shows that a batch on a Ray cluster survives the loss of a node: each result is there once.

    pip install '.[ray]'
    .venv/bin/python scripts/bench/batch_ray.py
    .venv/bin/python scripts/bench/batch_ray.py --tasks 30

Starts a cluster of three nodes on loopback by Ray's own cluster utility, runs tasks on the demo
site on it, and kills a node that has workers when a third of the results are there.

Exit code 0: all of it holds. 1: not so. 2: ray is missing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import cdp_agent
from cdp_agent.demo import DemoSite
from scripts.bench.demo_tasks import BatchReport, pauses, write_tasks

#: Loopback, and not 127.0.0.1: Ray takes that for a name of the machine's address to others.
_HOST = "127.0.0.2"
_CPUS = 2
_ORPHAN_SECONDS = 30.0


@dataclass
class Report(BatchReport):
    nodes: int = 0
    killed_at: int = 0
    #: Workers that were on the node that was killed.
    workers_lost: int = 0

    def text(self) -> str:
        lost = f"{self.killed_at} results, with {self.workers_lost} workers"
        workers = f"{self.workers} on {self.nodes}"
        return self.table({"workers on nodes": workers, "node killed at": lost})


@contextmanager
def cluster_of(nodes: int, folder: Path) -> Iterator[Any]:
    """A cluster on loopback, whose files are in `folder`; this program is connected to it."""
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_TMPDIR=str(folder))
    ray: Any = import_module("ray")
    make: Any = import_module("ray.cluster_utils").Cluster
    node = {"num_cpus": _CPUS, "node_ip_address": _HOST, "include_dashboard": False}
    cluster = make(initialize_head=True, head_node_args=node)
    try:
        for _ in range(nodes - 1):
            cluster.add_node(**node)
        ray.init(address=cluster.address, _node_ip_address=_HOST, log_to_driver=False)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


async def run_with_node_killed(
    folder: Path, tasks: int, workers: int, nodes: int = 3, *, site: DemoSite, file: Path
) -> Report:
    """Run the tasks of `file` on a cluster, kill a node in the middle, and check what is left."""
    report = Report(tasks, workers, nodes=nodes)
    temporary = folder / "t"
    temporary.mkdir()
    os.environ["TMPDIR"] = str(temporary)  # of the workers: where their browsers have their files
    before, began = pauses(site), time.monotonic()
    out = folder / "results.jsonl"
    seen = 0
    with cluster_of(nodes, folder / "ray") as cluster:
        async with cdp_agent.batch(file, out=out, workers=workers, engine="ray") as run:
            async for _ in run:
                seen += 1
                if seen == max(1, tasks // 3):
                    report.killed_at = seen
                    report.workers_lost = await asyncio.to_thread(_kill_node, cluster)
    report.seconds = time.monotonic() - began
    report.requests = pauses(site) - before
    if seen != tasks:
        report.problems.append(f"{seen} results came back for {tasks} tasks")
    if not report.workers_lost:
        report.problems.append("no worker was on the node that was killed")
    report.check([json.loads(line) for line in out.read_text("utf-8").splitlines()])
    await asyncio.to_thread(_check_orphans, report, temporary)
    return report


def _kill_node(cluster: Any) -> int:
    """Kill the node, not the head, that has the most workers; how many it had."""
    actors: Any = import_module("ray._private.state").actors()
    homes = [actor["Address"]["NodeID"] for actor in actors.values() if actor["State"] == "ALIVE"]
    others = [node for node in cluster.list_all_nodes() if node is not cluster.head_node]
    most = max(others, key=lambda node: homes.count(node.node_id))
    cluster.remove_node(most, allow_graceful=False)
    return homes.count(most.node_id)


def _check_orphans(report: Report, temporary: Path) -> None:
    """Every browser has a folder while it runs, those of the killed node included."""
    deadline = time.monotonic() + _ORPHAN_SECONDS
    while left := [path.name for path in temporary.glob("cdp-agent-*")]:
        if time.monotonic() > deadline:
            report.problems.append(f"folders of browsers were left behind: {left}")
            return
        time.sleep(0.1)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Kill a node of a cluster under a batch.")
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--nodes", type=int, default=3)
    options = parser.parse_args(argv)
    if find_spec("ray") is None:
        print("ray is missing: pip install '.[ray]'", file=sys.stderr)
        return 2
    # Short: Ray and Chromium make sockets in there.
    folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))
    try:
        with DemoSite() as site:
            file = write_tasks(site, folder, options.tasks)
            running = run_with_node_killed(
                folder, options.tasks, options.workers, options.nodes, site=site, file=file
            )
            report = asyncio.run(running)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(report.text())
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
