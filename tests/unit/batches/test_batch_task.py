"""Lines of a task file: what they mean, and what is said about wrong ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cdp_agent.batches.batch_task import BatchTask, TaskDefaults, check_tasks, read_tasks
from cdp_agent.errors import InvalidParams

STEPS = [{"action": "press", "params": {"key": "Enter"}}]
GOOD: dict[str, Any] = {"id": "a", "url": "https://x.test/", "steps": STEPS}


def read(*lines: Any, **defaults: Any) -> list[BatchTask]:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return read_tasks(texts, "tasks.jsonl", TaskDefaults(**defaults))


def test_a_task_takes_over_what_the_batch_says() -> None:
    [task] = read(GOOD, timeout=60.0, retries=1, secrets=("pw=PW",))

    assert (task.kind, task.url, task.key) == ("steps", "https://x.test/", "a")
    assert (task.timeout, task.retries, task.secrets) == (60.0, 1, ("pw=PW",))


def test_a_task_has_its_own_say() -> None:
    own = {"timeout": 5, "retries": 0, "secrets": ["pw"], "id": 7}
    [task] = read({**GOOD, **own}, secrets=("pw=PW", "other=OTHER"))

    assert (task.id, task.key, task.timeout, task.retries) == (7, "7", 5.0, 0)
    assert task.secrets == ("pw=PW",)


def test_empty_lines_are_left_out_and_line_ends_inside_texts_are_not_lines() -> None:
    goal = {"id": 1, "url": "https://x.test/", "goal": "one\u2028two"}
    tasks = read(json.dumps(goal, ensure_ascii=False), "", "  ", {**GOOD, "id": 2})

    assert [task.id for task in tasks] == [1, 2]
    assert tasks[0].goal == "one\u2028two"


def test_a_service_says_where_a_goal_begins() -> None:
    [task] = read({"id": 1, "goal": "Cancel", "service": "netflix"})

    assert task.url == "https://www.netflix.com/account"


WRONG: dict[str, tuple[Any, str]] = {
    "no JSON": (
        "{id: 1}",
        "tasks.jsonl, line 2 is not JSON: Expecting property name enclosed in double quotes"
        " (column 2)",
    ),
    "no object": ([1], "tasks.jsonl, line 2: a task is an object"),
    "no id": ({"url": "https://x.test", "steps": STEPS}, "line 2: id: missing"),
    "an id that is there": ({**GOOD, "goal": None}, "line 2: line 1 has the id 'a', too"),
    "nothing to do": ({"id": 1, "url": "https://x.test"}, "it has none of them"),
    "two things to do": ({**GOOD, "id": 1, "goal": "Buy"}, "it has goal and steps"),
    "a misspelt name": ({**GOOD, "id": 1, "retry": 3}, "line 2: retry: no such key"),
    "a wrong step": ({**GOOD, "id": 1, "steps": [{"action": "fly"}]}, "line 2: step 1"),
    "no address": ({"id": 1, "goal": "Buy"}, "line 2: where does it begin?"),
    "no real address": ({**GOOD, "id": 1, "url": "x.test"}, "is not an absolute address"),
    "no service": ({**GOOD, "id": 1, "service": "nope"}, "there is no service 'nope'"),
    "no trace": ({"id": 1, "replay": "/nowhere"}, "cannot read a trace at /nowhere"),
    "no script": (
        {"id": 1, "url": "https://x.test", "goal": "Buy", "model": "script:/nowhere"},
        "line 2: cannot read /nowhere",
    ),
    "no such secret": ({**GOOD, "id": 1, "secrets": ["pin"]}, "the batch has no secret 'pin'"),
    "a secret in a step": (
        {
            "id": 1,
            "url": "https://x.test",
            "steps": [
                {
                    "action": "fill",
                    "params": {"selector": {"label": "Pin"}, "value": "{{secret:pin}}"},
                },
            ],
        },
        "line 2: a step names the secret 'pin'",
    ),
    "too many retries": ({**GOOD, "id": 1, "retries": 11}, "line 2: retries"),
}


@pytest.mark.parametrize(("line", "message"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_line_is_named(line: Any, message: str) -> None:
    with pytest.raises(InvalidParams) as raised:
        read(GOOD, line)

    assert message in raised.value.message


def test_no_tasks_are_an_error() -> None:
    with pytest.raises(InvalidParams, match=r"tasks\.jsonl has no tasks"):
        read("", " ")


def test_a_digest_changes_with_what_is_written_and_not_with_its_order() -> None:
    turned = dict(reversed(GOOD.items()))
    [one], [same], [other] = read(GOOD), read(turned), read({**GOOD, "timeout": 5})

    assert one.digest == same.digest != other.digest


def test_addresses_are_completed_by_whoever_reads_them() -> None:
    given = [("task 1", {**GOOD, "url": "x.test"})]
    [task] = check_tasks(given, TaskDefaults(), lambda url: f"https://{url}")

    assert task.url == "https://x.test"


def test_a_replay_begins_where_its_trace_began(tmp_path: Path) -> None:
    start = {"type": "start", "version": 1, "url": "https://x.test/cart"}
    (tmp_path / "trace.jsonl").write_text(json.dumps(start))

    [task] = read({"id": 1, "replay": str(tmp_path)})

    assert (task.kind, task.url) == ("replay", "https://x.test/cart")
