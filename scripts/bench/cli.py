"""Measures what a session command adds to its action: `scripts/bench/cli.py [--rounds N]`.

Beside it `python -c pass`, which is the part that no command in Python can be without, and npm's
`agent-browser` where it is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = "data:text/html,<title>Bench</title><button>Go</button>"
LIMIT_MS = 60.0


def timed(command: list[str], environment: dict[str, str]) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    return (time.perf_counter() - began) * 1000, done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    rounds = parser.parse_args().rounds
    folder = tempfile.mkdtemp(prefix="s")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CDP_AGENT_SESSIONS": folder}
    command = [sys.executable, "-m", "cdp_agent.cli.main"]
    try:
        _, shown = timed([*command, "open", PAGE], environment)
        found = re.search(r"\[(\d+-\d+)\] button", shown)
        if found is None:
            print(shown, file=sys.stderr)
            return 2
        rows: dict[str, list[float]] = {"python -c pass": [], "click, whole": [], "click, own": []}
        for _ in range(rounds):
            rows["python -c pass"].append(timed([sys.executable, "-c", "pass"], environment)[0])
            whole, answer = timed([*command, "click", found[1], "--json"], environment)
            rows["click, whole"].append(whole)
            rows["click, own"].append(whole - json.loads(answer)["seconds"] * 1000)
    finally:
        timed([*command, "close"], environment)
        shutil.rmtree(folder, ignore_errors=True)
    rows |= _agent_browser(rounds)
    medians = {name: round(statistics.median(times), 1) for name, times in rows.items()}
    if "--json" in sys.argv:
        print(json.dumps({"rounds": rounds, "median_ms": medians}))
    else:
        for name, median in medians.items():
            print(f"{name:<24} {median:7.1f} ms")
        over = medians["click, own"] - medians["python -c pass"]
        print(f"{'own cost over python':<24} {over:7.1f} ms (at most {LIMIT_MS:g})")
    return 0


def _agent_browser(rounds: int) -> dict[str, list[float]]:
    """The same click by agent-browser, action included: it does not tell them apart."""
    program = shutil.which("agent-browser")
    if program is None:
        return {}
    environment = dict(os.environ)
    timed([program, "open", PAGE], environment)
    timed([program, "snapshot"], environment)
    times = [timed([program, "click", "@e1"], environment)[0] for _ in range(rounds)]
    timed([program, "close"], environment)
    return {"agent-browser, whole": times}


if __name__ == "__main__":
    sys.exit(main())
