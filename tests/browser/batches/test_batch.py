"""`cdp_agent.batch`: tasks of every kind, their isolation, retries and secrets."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

import cdp_agent
from cdp_agent import BatchResult, BrowserNotFound, InvalidParams, ModelError
from cdp_agent.batches import BatchTask, BatchWatcher
from cdp_agent.batches.batch_task import TaskDefaults, check_tasks
from cdp_agent.batches.worker_options import WorkerOptions
from cdp_agent.batches.workers.worker import BrowserWorker
from cdp_agent.demo import DemoSite
from tests.browser.batches.conftest import pause_task
from tests.support.devtools import devtools_port_and_path
from tests.support.messages_api import MessagesApi, use
from tests.support.site import Site

SCRIPT = """
steps:
  - {tool: browser_click, target: {role: button, name: Pause for one month}}
  - {when: {text: Paused for one month}, tool: complete_task,
     arguments: {success: true, summary: Paused.}}
"""


async def results_of(tasks: Any, **options: Any) -> list[BatchResult]:
    async with cdp_agent.batch(tasks, **options) as run:
        return [result async for result in run]


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def pauses(site: DemoSite) -> int:
    return site.requests.count("POST 127.0.0.1/offer/pause")


async def test_goals_steps_and_replays_are_carried_out_and_traced(
    demo_site: DemoSite, folder: Path
) -> None:
    script = folder / "pause.yaml"
    script.write_text(SCRIPT)
    url = f"{demo_site.account_origin}/cancel/offers"
    goal = {"id": "goal", "url": url, "goal": "Pause it", "model": f"script:{script}"}

    [made] = await results_of([goal], workers=1, trace=folder / "traces")
    tasks = [pause_task(demo_site, "steps"), {"id": "again", "replay": made.last.trace}]
    others = await results_of(tasks, workers=1, trace=folder / "traces")

    assert [(r.id, r.kind, r.success) for r in (made, *others)] == [
        ("goal", "goal", True),
        ("steps", "steps", True),
        ("again", "replay", True),
    ]
    assert (made.last.turns, made.summary) == (2, "Paused.")
    assert others[0].summary == "1 of 1 steps done"
    assert others[1].last.steps[0]["status"] == "same"
    assert pauses(demo_site) == 3
    for name in ("goal", "steps", "again"):
        trace = folder / "traces" / name
        first, *_, last = map(json.loads, (trace / "trace.jsonl").read_text().splitlines())
        assert (first["type"], first["task"]) == ("start", name)
        assert (last["type"], last["success"]) == ("result", True)
        assert (trace / "index.html").read_text().startswith("<!doctype html>")
        assert (trace / "pictures" / "001.png").read_bytes().startswith(b"\x89PNG")


async def test_goals_of_a_model_run_side_by_side_and_tell_what_they_cost(
    demo_site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = use("complete_task", success=True, summary="Nothing to do.")
    with MessagesApi(lambda _: over) as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        monkeypatch.setenv("CDP_AGENT_PRICE", "10/100")
        goal = {"url": demo_site.account_url, "goal": "Look"}
        tasks = [{"id": n, **goal} for n in range(3)]
        async with cdp_agent.batch(tasks, workers=2) as run:
            results = [result async for result in run]

    assert [(r.success, r.last.turns, r.last.tokens) for r in results] == [(True, 1, 170)] * 3
    row = run.summary.rows()[-1]
    assert (row["turns"], row["tokens"]) == (3, 510)
    assert row["cost"] == pytest.approx(3 * (105 * 10 + 20 * 100) / 1_000_000)


async def test_what_a_model_cannot_be_asked_for_lack_of_a_key_is_said_before_a_task_begins(
    demo_site: DemoSite, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    tasks = [{"id": 1, "url": demo_site.account_url, "goal": "Look"}]

    for _ in range(2):  # and nothing is left that would keep a second run from beginning
        with pytest.raises(ModelError, match="no API key"):
            await results_of(tasks, out=folder / "r.jsonl")

    assert demo_site.requests == []


async def test_tasks_do_not_share_cookies(site: Site) -> None:
    url = site.page("<p id=p></p><script>p.textContent = 'seen: ' + document.cookie;"
                    "document.cookie = 'mark=1'</script>", host="127.0.0.1")  # fmt: skip
    step = {"action": "wait", "params": {"text": "seen:"}}
    tasks = [{"id": n, "url": url, "steps": [step]} for n in range(3)]

    results = await results_of(tasks, workers=1)

    lines = [result.last.steps[0]["result"]["lines"] for result in results]
    assert lines == [["seen:"]] * 3


async def test_a_page_that_lacks_something_fails_once_with_its_reason(site: Site) -> None:
    url = site.page("<button>Save</button>", host="127.0.0.1")
    missing = {"action": "click", "params": {"selector": {"text": "Send"}, "timeout": 0.2}}

    [result] = await results_of([{"id": 1, "url": url, "steps": [missing]}], workers=1)

    assert (result.success, result.status) == (False, "failed")
    assert result.last.error is not None
    assert result.last.error["code"] == "element_not_found"
    assert [attempt.end for attempt in result.attempts] == ["failed"]


class Reasons(BatchWatcher):
    """Keeps why tasks were tried again."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    def retried(self, task: BatchTask, reason: str) -> None:
        self.reasons.append(reason)


async def test_a_task_whose_address_answers_nobody_is_tried_again_with_a_reason() -> None:
    watcher = Reasons()
    step = {"action": "press", "params": {"key": "Enter"}}
    task = {"id": 1, "url": "http://127.0.0.1:1/", "steps": [step]}

    [result] = await results_of([task], workers=1, retries=1, watcher=watcher)

    assert [attempt.end for attempt in result.attempts] == ["failed", "failed"]
    assert all("navigation_failed" in attempt.reason for attempt in result.attempts)
    assert len(watcher.reasons) == 1
    assert "navigation_failed" in watcher.reasons[0]


def checked(*tasks: dict[str, Any]) -> list[BatchTask]:
    return check_tasks([("task", task) for task in tasks], TaskDefaults())


async def test_a_browser_that_died_is_replaced(demo_site: DemoSite) -> None:
    first, second = checked(pause_task(demo_site, 1), pause_task(demo_site, 2))
    worker = BrowserWorker(WorkerOptions())
    try:
        await worker.ready()
        assert worker.browser is not None
        assert worker.browser.pid is not None
        os.killpg(worker.browser.pid, signal.SIGKILL)
        lost = await worker.attempt(first, 1)
        await worker.ready()
        done = await worker.attempt(second, 1)
    finally:
        await worker.aclose()

    assert lost.can_retry
    assert lost.error is not None
    assert lost.error["code"] == "connection_lost"
    assert done.success


RECYCLED = {
    "after so many tasks": (WorkerOptions(recycle_tasks=2), [False, True]),
    "beyond so much memory": (WorkerOptions(recycle_megabytes=1), [True, True]),
    "never, when it is small": (WorkerOptions(), [False, False]),
}


@pytest.mark.parametrize(("options", "expected"), RECYCLED.values(), ids=RECYCLED.keys())
async def test_a_browser_is_recycled(
    options: WorkerOptions, expected: list[bool], demo_site: DemoSite
) -> None:
    tasks = checked(pause_task(demo_site, 1), pause_task(demo_site, 2))
    worker = BrowserWorker(options)
    replaced = []
    try:
        for task in tasks:
            await worker.ready()
            before = worker.browser
            assert (await worker.attempt(task, 1)).success
            await worker.ready()
            replaced.append(worker.browser is not before)
    finally:
        await worker.aclose()

    assert replaced == expected
    assert worker.browser is None


async def test_a_secret_is_typed_and_shown_nowhere(
    site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATCH_PIN", "correct-horse")
    url = site.page("<label>Pin <input id=i oninput=\"p.textContent = 'got ' + i.value\"></label>"
                    "<p id=p></p>", host="127.0.0.1")  # fmt: skip
    pin = {"selector": {"label": "Pin"}, "value": "{{secret:pin}}"}
    steps = [
        {"action": "fill", "params": pin},
        {"action": "wait", "params": {"text": "got correct-horse"}},
    ]
    tasks = [{"id": 1, "url": url, "steps": steps, "secrets": ["pin"]}]

    [result] = await results_of(
        tasks, workers=1, out=folder / "r.jsonl", secrets=["pin=BATCH_PIN"], trace=folder / "t"
    )

    assert result.last.steps[0]["success"]
    written = files_in(folder)
    assert {path.name for path in written} >= {"r.jsonl", "r.jsonl.sqlite", "trace.jsonl"}
    for path in written:
        assert b"correct-horse" not in path.read_bytes(), path
    assert "correct-horse" not in str(result)


async def test_what_is_missing_is_said_before_a_task_begins(folder: Path) -> None:
    step = {"action": "press", "params": {"key": "Enter"}}
    task = {"id": 1, "url": "http://127.0.0.1:1/", "steps": [step], "secrets": ["a=NOT_SET_HERE"]}

    with pytest.raises(InvalidParams, match="NOT_SET_HERE"):
        await results_of([task], out=folder / "r.jsonl")

    assert (folder / "r.jsonl").read_text() == ""


async def test_without_a_browser_there_is_an_error_and_no_result(
    demo_site: DemoSite, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CDP_AGENT_CHROME", str(folder / "nothing"))

    with pytest.raises(BrowserNotFound):
        await results_of([pause_task(demo_site, 1)], workers=2, out=folder / "r.jsonl")

    assert (folder / "r.jsonl").read_text() == ""


async def test_a_browser_that_runs_already_is_used_and_left(demo_site: DemoSite) -> None:
    async with cdp_agent.launch(args=["--remote-debugging-port=0"]) as browser:
        assert browser.user_data_dir is not None
        port, _ = devtools_port_and_path(browser)
        tasks = [pause_task(demo_site, n) for n in range(3)]

        results = await results_of(tasks, workers=2, connect=[f"http://127.0.0.1:{port}"])

        assert [result.success for result in results] == [True] * 3
        assert browser.is_connected
        assert browser.pages == []
    assert pauses(demo_site) == 3


async def test_a_recorded_task_is_not_done_again(demo_site: DemoSite, folder: Path) -> None:
    tasks = [pause_task(demo_site, n) for n in range(2)]
    out = folder / "r.jsonl"
    await results_of(tasks, workers=1, out=out)

    run = cdp_agent.batch([*tasks, pause_task(demo_site, 2)], workers=1, out=out, resume=True)
    async with run:
        again = [result.id async for result in run]

    assert again == [2]
    assert pauses(demo_site) == 3
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == [0, 1, 2]
    assert run.summary.tasks == 3


async def test_leaving_the_loop_early_ends_the_workers_and_marks_what_ran(
    demo_site: DemoSite, folder: Path
) -> None:
    tasks = [pause_task(demo_site, n) for n in range(6)]
    out = folder / "r.jsonl"

    async with cdp_agent.batch(tasks, workers=2, out=out) as run:
        async for _ in run:
            break
    rest = await results_of(tasks, workers=2, out=out, resume=True)

    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(line["id"] for line in lines) == list(range(6))
    assert 1 <= len(rest) <= 5
    assert len(lines) == 6


async def test_a_task_without_retries_is_begun_once(demo_site: DemoSite, folder: Path) -> None:
    """Whatever interrupted it: nobody knows how far it came."""
    from cdp_agent.batches.store import Store

    out = folder / "r.jsonl"
    given = pause_task(demo_site, 1, retries=0)
    with Store(out) as store:
        [task] = checked(given)
        store.begin([task])
        store.begin_attempt(task)

    [result] = await results_of([given], workers=1, out=out, resume=True)

    assert (result.success, result.status) == (False, "interrupted")
    assert [attempt.end for attempt in result.attempts] == ["interrupted"]
    assert pauses(demo_site) == 0
